//! A hub that answers each connection with the next canned bytes, and the requests that are sent to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ensemble_hub_client::{Bearer, Call, ClientError, HubClient, Method};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

pub(crate) const KEY: &str = "ens_secretsecretsecret";
pub(crate) const WAIT: Duration = Duration::from_secs(20);

/// A fake hub; each canned answer serves one connection, the last one all further ones. An empty answer drops the connection.
pub(crate) struct Fake {
    pub(crate) base: String,
    pub(crate) served: Arc<AtomicUsize>,
    pub(crate) heads: Arc<std::sync::Mutex<Vec<String>>>,
}

pub(crate) async fn fake(answers: Vec<String>) -> Fake {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let served = Arc::new(AtomicUsize::new(0));
    let heads = Arc::new(std::sync::Mutex::new(Vec::new()));
    let (count, seen) = (Arc::clone(&served), Arc::clone(&heads));
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let at = count.fetch_add(1, Ordering::SeqCst);
            let mut head = Vec::new();
            while !head.windows(4).any(|four| four == b"\r\n\r\n") {
                let mut part = [0; 4096];
                let read = stream.read(&mut part).await.unwrap();
                head.extend_from_slice(&part[..read]);
            }
            seen.lock().unwrap().push(String::from_utf8(head).unwrap());
            let answer = answers.get(at).or_else(|| answers.last()).unwrap();
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    Fake {
        base,
        served,
        heads,
    }
}

pub(crate) fn answer(status: &str, kind: &str, extra: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{extra}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

pub(crate) fn json(status: &str, body: &str) -> String {
    answer(status, "application/json", "", body)
}

pub(crate) fn client(base: &str) -> HubClient {
    HubClient::new(base, &Bearer::new(KEY)).unwrap()
}

pub(crate) async fn get(fake: &Fake) -> Result<Vec<u8>, ClientError> {
    let call = Call {
        query: &[("q", "a&b ü")],
        ..Call::get("/api/bridge/search", WAIT)
    };
    client(&fake.base)
        .request(call)
        .await
        .map(|reply| reply.body)
}

pub(crate) async fn post(
    fake: &Fake,
    idempotency_key: Option<&str>,
) -> Result<Vec<u8>, ClientError> {
    let call = Call {
        method: Method::Post,
        body: Some(b"{}"),
        idempotency_key,
        ..Call::get("/api/bridge/write/tasks", WAIT)
    };
    client(&fake.base)
        .request(call)
        .await
        .map(|reply| reply.body)
}
