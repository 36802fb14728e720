//! A file as it arrives: in pieces, with what the hub said of it before the first one. A transfer that stalls or ends early is an error, never
//! a shorter file.

use std::fmt;
use std::time::Duration;

use reqwest::{Response, StatusCode, header};

use crate::ClientError;

/// How long the next piece may take: a hub that is silent longer is gone.
const STALLED: Duration = Duration::from_secs(30);

/// A file that is being received. Dropping it ends the transfer.
pub struct Download {
    response: Response,
    size: Option<u64>,
    sha256: Option<String>,
    received: u64,
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The response would show the address.
        f.debug_struct("Download")
            .field("size", &self.size)
            .field("received", &self.received)
            .finish_non_exhaustive()
    }
}

impl Download {
    pub(crate) async fn of(response: Response) -> Result<Self, ClientError> {
        let status = response.status();
        if !matches!(status, StatusCode::OK | StatusCode::PARTIAL_CONTENT) {
            // a refusal is read like any other; another success is no file
            return Err(match crate::answer::read(response, false).await {
                Ok(_) => ClientError::BadAnswer,
                Err(error) => error,
            });
        }
        let text = |name: header::HeaderName| {
            response
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        let size = text(header::CONTENT_LENGTH).and_then(|size| size.parse().ok());
        let sha256 = text(header::ETAG)
            .map(|tag| tag.trim_matches('"'))
            .filter(|tag| tag.len() == 64 && tag.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .map(str::to_ascii_lowercase);
        Ok(Self {
            size,
            sha256,
            received: 0,
            response,
        })
    }

    /// How many bytes there will be, as the hub said.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The SHA-256 of the whole file, as the hub said: 64 lower-case hexadecimal digits.
    pub fn sha256(&self) -> Option<&str> {
        self.sha256.as_deref()
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// [`ClientError::Broken`] for a connection that broke or ended early, [`ClientError::Timeout`] for one that stalled.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, ClientError> {
        let next = tokio::time::timeout(STALLED, self.response.chunk());
        let chunk = match next.await {
            Ok(chunk) => chunk.map_err(|_| ClientError::Broken)?,
            Err(_) => return Err(ClientError::Timeout),
        };
        match chunk {
            Some(bytes) => {
                self.received += bytes.len() as u64;
                Ok(Some(bytes.to_vec()))
            }
            None if self.size.is_some_and(|size| size != self.received) => Err(ClientError::Broken),
            None => Ok(None),
        }
    }
}
