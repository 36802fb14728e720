//! A hub that answers as the test says and keeps what it was asked: for replies that get lost, keys that are revoked meanwhile, and
//! answers that no hub should give.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// One request that came in.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// `POST /api/bridge/act/hub_list_tasks`.
    pub(crate) what: String,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) body: Value,
}

/// What becomes of a request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// This status and this JSON.
    Json(u16, Value),
    /// 429 with so many seconds to wait.
    Later(u32),
    /// The connection ends after the request was read.
    Lost,
    /// What the hub says of the file that it was sent.
    Kept,
}

#[derive(Debug)]
struct State {
    asked: Mutex<Vec<Asked>>,
    /// For the changes and lists, in order; then an empty object each.
    replies: Mutex<VecDeque<Reply>>,
    revoked: Mutex<bool>,
}

/// A running one. Dropping it closes everything.
#[derive(Debug)]
pub(crate) struct FakeHub {
    base: String,
    state: Arc<State>,
    accepting: JoinHandle<()>,
}

const REVOKED: &str = "This key was revoked: make a new one with `ensemble hub key create`.";

impl FakeHub {
    /// With these replies to come. Its key may do everything.
    pub(crate) async fn with(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(State {
            asked: Mutex::default(),
            replies: Mutex::new(replies.into_iter().collect()),
            revoked: Mutex::new(false),
        });
        let kept = Arc::clone(&state);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&kept)));
            }
        });
        Self {
            base,
            state,
            accepting,
        }
    }

    /// For `HUB_API_URL`.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// From now on the key is refused.
    pub(crate) fn revoke(&self) {
        *self.state.revoked.lock().unwrap() = true;
    }

    /// What was asked for, but for the host's own questions.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap().clone()
    }
}

impl Drop for FakeHub {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(mut stream: TcpStream, state: Arc<State>) {
    let mut waiting = Vec::new();
    while let Some(asked) = read(&mut stream, &mut waiting).await {
        let (status, body, wait) = match reply(&state, asked) {
            Reply::Json(status, body) => (status, body, String::new()),
            Reply::Later(seconds) => {
                let wait = format!("retry-after: {seconds}\r\n");
                (429, json!({"error": "Slower."}), wait)
            }
            Reply::Lost | Reply::Kept => return,
        };
        let body = body.to_string();
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{wait}content-length: {}\r\n\r\n",
            body.len()
        );
        if stream.write_all((head + &body).as_bytes()).await.is_err() {
            return;
        }
    }
}

fn reply(state: &State, asked: Asked) -> Reply {
    let own = asked.what == "GET /api/bridge/whoami";
    let sent = asked.body.clone();
    if !own {
        state.asked.lock().unwrap().push(asked);
    }
    if *state.revoked.lock().unwrap() {
        return Reply::Json(401, json!({"error": REVOKED}));
    }
    if own {
        return Reply::Json(
            200,
            json!({
                "canWrite": true, "canUseApps": true, "apps": [], "keyName": "editor", "spaceId": "s1", "spaceName": "One",
                "defaultSpace": {"id": "s1", "name": "One"}, "crossSpace": true,
            }),
        );
    }
    match state.replies.lock().unwrap().pop_front() {
        Some(Reply::Kept) => Reply::Json(201, kept(&sent)),
        Some(reply) => reply,
        None => Reply::Json(200, json!({})),
    }
}

fn kept(sent: &Value) -> Value {
    use base64::Engine as _;
    let data = sent["dataBase64"].as_str().unwrap();
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(data)
        .unwrap();
    json!({
        "file": {"id": "f1", "name": sent["filename"]}, "size": bytes.len(), "sha256": crate::files::sha256(&bytes),
        "message": "Added.", "undoable": true, "changeId": "c1",
    })
}

/// The next request of a connection; none at its end.
async fn read(stream: &mut TcpStream, waiting: &mut Vec<u8>) -> Option<Asked> {
    let head_end = loop {
        if let Some(at) = waiting.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        more(stream, waiting).await?;
    };
    let head = String::from_utf8(waiting.drain(..head_end).collect()).unwrap();
    let header = |name: &str| {
        head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    };
    let length = header("content-length").map_or(0, |length| length.parse().unwrap());
    while waiting.len() < length {
        more(stream, waiting).await?;
    }
    let body: Vec<u8> = waiting.drain(..length).collect();
    let mut words = head.split(' ');
    let what = format!("{} {}", words.next()?, words.next()?);
    Some(Asked {
        what,
        idempotency_key: header("idempotency-key"),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

async fn more(stream: &mut TcpStream, waiting: &mut Vec<u8>) -> Option<()> {
    let mut part = vec![0; 64 << 10];
    let count = stream
        .read(&mut part)
        .await
        .ok()
        .filter(|count| *count > 0)?;
    waiting.extend_from_slice(part.get(..count)?);
    Some(())
}
