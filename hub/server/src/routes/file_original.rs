//! `GET files/{id}/original`: the bytes of a file, streamed. Always to be saved and never to be shown by a browser: a page that somebody
//! uploaded must not run as one of the hub's.

use std::io::SeekFrom;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use ensemble_hub_api::sentences;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};
use tokio_util::io::ReaderStream;

use crate::auth::Caller;
use crate::error::RouteError;
use crate::files::originals::Originals;
use crate::files::{find, original};
use crate::hub::Hub;
use crate::view::Reader;

/// Bytes that are read from the disk at once.
const CHUNK: usize = 256 * 1024;

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, RouteError> {
    let reader = Reader::of(&hub, &caller);
    let record = find(&reader, &id).await?;
    let (sha256, size) = original(&record)?;
    let range = range(&headers, size)?;
    let (originals, name) = (Originals::of(hub.data_dir()), sha256.to_owned());
    let opened = tokio::task::spawn_blocking(move || originals.open(&name, size)).await;
    let damaged = || RouteError::Broken(sentences::ORIGINAL_DAMAGED);
    let file = opened.map_err(|_| damaged())?.map_err(|_| damaged())?;
    let mut file = tokio::fs::File::from_std(file);
    let (first, length) = range.unwrap_or((0, size));
    if first > 0 {
        let moved = file.seek(SeekFrom::Start(first)).await;
        moved.map_err(|_| damaged())?;
    }
    let stream = ReaderStream::with_capacity(file.take(length), CHUNK);
    let mut response = Body::from_stream(stream).into_response();
    if range.is_some() {
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        let last = first + length - 1;
        set(
            &mut response,
            header::CONTENT_RANGE,
            &format!("bytes {first}-{last}/{size}"),
        );
    }
    let media_type = record.text("mediaType").unwrap_or(BYTES);
    set(&mut response, header::CONTENT_TYPE, media_type);
    set(&mut response, header::CONTENT_LENGTH, &length.to_string());
    set(&mut response, header::ETAG, &format!("\"{sha256}\""));
    set(&mut response, header::ACCEPT_RANGES, "bytes");
    let disposition = disposition(&record.title);
    set(&mut response, header::CONTENT_DISPOSITION, &disposition);
    Ok(response)
}

const BYTES: &str = "application/octet-stream";

/// Sets a header; a stored value that is none is left out, but every answer has a content type.
fn set(response: &mut Response, name: header::HeaderName, value: &str) {
    let value = HeaderValue::from_str(value).ok();
    let value = value.or((name == header::CONTENT_TYPE).then(|| HeaderValue::from_static(BYTES)));
    if let Some(value) = value {
        response.headers_mut().insert(name, value);
    }
}

/// `bytes=<first>-<last>` or `bytes=<first>-`, as where to begin and how many; no range for no header.
fn range(headers: &HeaderMap, size: u64) -> Result<Option<(u64, u64)>, RouteError> {
    let Some(value) = headers.get(header::RANGE) else {
        return Ok(None);
    };
    let parsed = value
        .to_str()
        .ok()
        .and_then(|text| text.strip_prefix("bytes="))
        .and_then(|text| text.split_once('-'))
        .and_then(|(first, last)| {
            let first: u64 = first.trim().parse().ok()?;
            let last = match last.trim() {
                "" => size.checked_sub(1)?,
                last => last.parse::<u64>().ok()?.min(size.checked_sub(1)?),
            };
            (first <= last).then(|| (first, last - first + 1))
        });
    parsed
        .map(Some)
        .ok_or(RouteError::BadRange(sentences::RANGE_BAD))
}

/// A name for the file that no header and no file system can misread.
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || " ._-()".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.push_str(&crate::files::hex(&[byte]).to_ascii_uppercase());
        }
    }
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_lies_inside_the_file() {
        let asked = |text: &str, size| {
            let mut headers = HeaderMap::new();
            headers.insert(header::RANGE, HeaderValue::from_str(text).unwrap());
            range(&headers, size).ok().flatten()
        };
        assert_eq!(asked("bytes=0-0", 10), Some((0, 1)));
        assert_eq!(asked("bytes=4-", 10), Some((4, 6)));
        assert_eq!(asked("bytes=4-99", 10), Some((4, 6)));
        for bad in [
            "bytes=10-",
            "bytes=5-4",
            "bytes=-5",
            "bytes=a-b",
            "x=1-2",
            "bytes=0-1,3-4",
        ] {
            assert_eq!(asked(bad, 10), None, "{bad}");
        }
        assert_eq!(asked("bytes=0-", 0), None);
        assert_eq!(range(&HeaderMap::new(), 3).unwrap(), None);
    }

    #[test]
    fn a_name_stays_inside_its_header() {
        assert_eq!(
            disposition("a \"b\"\r\n/é.md"),
            "attachment; filename=\"a _b_____.md\"; filename*=UTF-8''a%20%22b%22%0D%0A%2F%C3%A9.md"
        );
    }
}
