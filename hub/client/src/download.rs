//! A file as it arrives: in pieces, with what the hub said of it before the first one. A transfer that stalls or ends early is an error, never
//! a shorter file. There is no limit on the whole: a file of any size comes for as long as its bytes do.

use std::fmt;
use std::time::Duration;

use reqwest::{Response, StatusCode, header};

use crate::ClientError;

/// How long the next piece may take: a hub that is silent longer is gone. The sentence of [`ClientError::Stalled`] names it.
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
    /// [`ClientError::Broken`] for a connection that broke or ended early, [`ClientError::Stalled`] for one that is silent.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, ClientError> {
        self.chunk_within(STALLED).await
    }

    async fn chunk_within(&mut self, limit: Duration) -> Result<Option<Vec<u8>>, ClientError> {
        let next = tokio::time::timeout(limit, self.response.chunk());
        let chunk = match next.await {
            Ok(chunk) => chunk.map_err(|_| ClientError::Broken)?,
            Err(_) => return Err(ClientError::Stalled),
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;
    use crate::{Bearer, Call, HubClient};

    #[tokio::test]
    async fn a_file_that_stops_arriving_is_a_sentence_of_its_own() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let hub = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert_ne!(stream.read(&mut [0; 4_096]).await.unwrap(), 0);
            let head = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf.";
            stream.write_all(head.as_bytes()).await.unwrap();
            // kept open, and silent
            stream
        });
        let client = HubClient::new(&base, &Bearer::new("ens_test")).unwrap();
        let call = Call::get("/api/bridge/files/f1/original", Duration::from_secs(20));
        let mut download = client.download(call, None).await.unwrap();
        assert_eq!(download.chunk().await.unwrap().unwrap(), b"half.");
        let stalled = download.chunk_within(Duration::from_millis(50)).await;
        let error = stalled.unwrap_err();
        assert_eq!(error, ClientError::Stalled);
        assert!(
            error
                .to_string()
                .contains(&format!("{} seconds", STALLED.as_secs()))
        );
        drop(hub.await);
    }
}
