//! A running hub writes `api.json` into its data folder: its port and a token for this run. The bridge reads the file
//! again before each call, so a hub that was started anew (new port, new token) is found without a restart.
//!
//! Whatever the file says, the address is this computer's loopback: a file cannot send a key elsewhere.

use std::io::Read;
use std::path::Path;

use ensemble_hub_api::paths::API_FILE;
use ensemble_model::Secret;
use serde::Deserialize;

/// Larger than the file ever is.
const MAX_BYTES: u64 = 16 << 10;

/// What a running hub says of itself.
#[derive(Debug, Clone)]
pub(crate) struct Running {
    /// Its address on this computer.
    pub(crate) base: String,
    /// The token of this run, where the hub gives one.
    pub(crate) token: Option<Secret>,
}

#[derive(Deserialize)]
struct ApiFile {
    port: u16,
    #[serde(default)]
    token: Option<String>,
    #[serde(default)]
    url: Option<String>,
}

/// The hub whose data folder this is, if its file is there and readable. A file that is half-written or of another
/// form counts as none: the next call reads it again.
pub(crate) fn running(hub_folder: &Path) -> Option<Running> {
    let path = hub_folder.join(API_FILE);
    let file = match ensemble_plain_file::open(&path) {
        Ok((file, _)) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "api.json cannot be read");
            return None;
        }
    };
    let mut text = String::new();
    if let Err(error) = file.take(MAX_BYTES).read_to_string(&mut text) {
        tracing::warn!(path = %path.display(), %error, "api.json cannot be read");
        return None;
    }
    parse(&text)
}

fn parse(text: &str) -> Option<Running> {
    let file: ApiFile = serde_json::from_str(text).ok()?;
    if file.port == 0 {
        return None;
    }
    Some(Running {
        base: loopback(&file),
        token: file
            .token
            .filter(|token| !token.is_empty() && token.bytes().all(|b| b.is_ascii_graphic()))
            .map(Secret::new),
    })
}

/// The address in the file where it is a loopback one of that port (a hub may listen on `[::1]` alone).
fn loopback(file: &ApiFile) -> String {
    let port = file.port;
    [
        format!("http://[::1]:{port}"),
        format!("http://127.0.0.1:{port}"),
    ]
    .into_iter()
    .find(|base| file.url.as_ref() == Some(base))
    .unwrap_or_else(|| format!("http://127.0.0.1:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_always_this_computer() {
        let running = parse(
            r#"{"port":4123,"token":"ens_x","pid":1,"url":"http://evil.example","host":"evil.example"}"#,
        )
        .unwrap();
        assert_eq!(running.base, "http://127.0.0.1:4123");
        assert_eq!(running.token.unwrap().expose(), "ens_x");
        let six = parse(r#"{"port":5,"url":"http://[::1]:5"}"#).unwrap();
        assert_eq!(six.base, "http://[::1]:5");
    }

    #[test]
    fn what_is_not_whole_is_no_hub() {
        for text in [
            "",
            "{",
            "[]",
            "null",
            r#"{"port":0}"#,
            r#"{"port":70000}"#,
            r#"{"token":"ens_x"}"#,
        ] {
            assert!(parse(text).is_none(), "{text}");
        }
        assert!(
            parse(r#"{"port":1,"token":"a\nb"}"#)
                .unwrap()
                .token
                .is_none()
        );
        assert!(parse(r#"{"port":1}"#).unwrap().token.is_none());
    }

    #[test]
    fn the_file_is_read_from_the_folder_each_time() {
        let folder = tempfile::tempdir().unwrap();
        assert!(running(folder.path()).is_none());
        std::fs::write(folder.path().join(API_FILE), r#"{"port":5}"#).unwrap();
        assert_eq!(running(folder.path()).unwrap().base, "http://127.0.0.1:5");
        std::fs::write(folder.path().join(API_FILE), r#"{"port":6}"#).unwrap();
        assert_eq!(running(folder.path()).unwrap().base, "http://127.0.0.1:6");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_the_file_is_no_hub_and_not_waited_for() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(API_FILE);
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert!(running(folder.path()).is_none());
    }
}
