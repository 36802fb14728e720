//! Serving over a real socket: `api.json`, bounds of the connection, and stopping.

use std::fs;
use std::time::Duration;

use ensemble_hub_api::Kind;
use ensemble_hub_server::serve;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::support::Rig;

struct Running {
    rig: Rig,
    api: Value,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

async fn run() -> Running {
    let rig = Rig::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let stop = CancellationToken::new();
    let (hub, token) = (rig.hub.clone(), stop.clone());
    let task = tokio::spawn(async move { serve(listener, hub, token).await.unwrap() });
    // The file is written before the first answer, so an answer means it is there.
    let answer = exchange(
        port,
        "GET /api/bridge/whoami HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n",
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    let api = fs::read(rig.folder.path().join("api.json")).unwrap();
    Running {
        rig,
        api: serde_json::from_slice(&api).unwrap(),
        stop,
        task,
    }
}

async fn exchange(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

impl Running {
    fn port(&self) -> u16 {
        u16::try_from(self.api["port"].as_u64().unwrap()).unwrap()
    }

    fn request(&self, method: &str, path: &str, body: &str) -> String {
        let (token, length) = (self.api["token"].as_str().unwrap(), body.len());
        format!(
            "{method} {path} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {token}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
    }
}

#[tokio::test]
async fn api_json_leads_to_the_running_hub_and_goes_with_it() {
    let running = run().await;
    let file = running.rig.folder.path().join("api.json");
    assert_eq!(
        running.api["url"],
        json!(format!("http://127.0.0.1:{}", running.port()))
    );
    assert_eq!(running.api["pid"], json!(std::process::id()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    let answer = exchange(
        running.port(),
        &running.request("POST", "/api/bridge/write/tasks", "{\"title\":\"Hello\"}"),
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert!(
        answer.contains(&format!(
            "\"url\":\"http://127.0.0.1:{}/task/",
            running.port()
        )),
        "{answer}"
    );
    assert!(answer.contains("cache-control: no-store"), "{answer}");

    running.stop.cancel();
    running.task.await.unwrap();
    assert!(!file.exists());
}

#[tokio::test]
async fn stopping_lets_a_running_request_finish_and_does_not_wait_for_idle_connections() {
    let running = run().await;
    let mut idle = TcpStream::connect(("127.0.0.1", running.port()))
        .await
        .unwrap();
    let whole = running.request(
        "POST",
        "/api/bridge/write/tasks",
        "{\"title\":\"Last words\"}",
    );
    let (head, tail) = whole.split_at(whole.len() - 5);
    let mut slow = TcpStream::connect(("127.0.0.1", running.port()))
        .await
        .unwrap();
    slow.write_all(head.as_bytes()).await.unwrap();
    // A second request that is answered shows that the first one's head has been read before.
    exchange(
        running.port(),
        &running.request("GET", "/api/bridge/whoami", ""),
    )
    .await;
    running.stop.cancel();
    slow.write_all(tail.as_bytes()).await.unwrap();
    let mut answer = String::new();
    slow.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    tokio::time::timeout(Duration::from_mins(1), running.task)
        .await
        .unwrap()
        .unwrap();
    let mut rest = Vec::new();
    assert_eq!(idle.read_to_end(&mut rest).await.unwrap(), 0);
    let again = Rig::reopen(running.rig).await;
    let found = again
        .store()
        .find_by_title(&again.home, Kind::Task, "Last words")
        .await
        .unwrap();
    assert_eq!(found.len(), 1, "what was answered is stored");
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused_and_the_next_request_is_answered() {
    let running = run().await;
    let huge = format!(
        "GET /api/bridge/whoami HTTP/1.1\r\nhost: h\r\nx-a: {}\r\n\r\n",
        "a".repeat(200_000)
    );
    let mut stream = TcpStream::connect(("127.0.0.1", running.port()))
        .await
        .unwrap();
    // The hub may close before all of it is sent.
    if stream.write_all(huge.as_bytes()).await.is_ok() {
        let mut answer = Vec::new();
        if stream.read_to_end(&mut answer).await.is_ok() {
            assert!(!answer.starts_with(b"HTTP/1.1 2"));
        }
    }
    for nonsense in ["\r\n\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}"] {
        let mut stream = TcpStream::connect(("127.0.0.1", running.port()))
            .await
            .unwrap();
        stream.write_all(nonsense.as_bytes()).await.unwrap();
    }
    let answer = exchange(
        running.port(),
        &running.request("GET", "/api/bridge/whoami", ""),
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    running.stop.cancel();
    running.task.await.unwrap();
}

#[tokio::test]
async fn a_hub_leaves_another_hubs_api_json_alone() {
    let running = run().await;
    let file = running.rig.folder.path().join("api.json");
    fs::write(&file, "{\"port\":1}").unwrap();
    running.stop.cancel();
    running.task.await.unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"port\":1}");
}

/// More connections than there are places, on which nothing is said, and one real client beside them.
#[tokio::test]
async fn connections_that_only_wait_give_way_to_a_client() {
    let running = run().await;
    let mut idle = Vec::new();
    let whole = running.request("POST", "/api/bridge/write/tasks", "{\"title\":\"Mine\"}");
    let (head, tail) = whole.split_at(whole.len() - 5);
    // a client whose request is under way, older than all of them
    let mut slow = connect(&running).await;
    slow.write_all(head.as_bytes()).await.unwrap();
    // one that has shown its key and waits between two requests
    let kept_request = running
        .request("GET", "/api/bridge/whoami", "")
        .replace("connection: close\r\n", "");
    let mut kept = connect(&running).await;
    ask(&mut kept, &kept_request).await;
    for at in 0..300 {
        let mut stream = connect(&running).await;
        // some say half of a request, and some one without a key
        let said = match at % 3 {
            0 => "",
            1 => "GET /api/bridge/whoami HTTP/1.1\r\nhost:",
            _ => "GET /api/bridge/whoami HTTP/1.1\r\nhost: h\r\n\r\n",
        };
        stream.write_all(said.as_bytes()).await.unwrap();
        idle.push(stream);
    }
    let asked = running.request("GET", "/api/bridge/whoami", "");
    let answered = exchange(running.port(), &asked);
    let answer = tokio::time::timeout(Duration::from_secs(1), answered)
        .await
        .expect("an answer within a second");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    // neither of the two that are used has given way
    ask(&mut kept, &kept_request).await;
    slow.write_all(tail.as_bytes()).await.unwrap();
    let mut answer = String::new();
    slow.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    // the oldest of the others has
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(5), idle[0].read_to_end(&mut rest)).await;
    assert!(matches!(ended, Ok(Ok(0) | Err(_))), "{ended:?}");
    running.stop.cancel();
    running.task.await.unwrap();
}

async fn connect(running: &Running) -> TcpStream {
    TcpStream::connect(("127.0.0.1", running.port()))
        .await
        .unwrap()
}

/// A request on a connection that is kept.
async fn ask(stream: &mut TcpStream, request: &str) {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    while !answer.ends_with('}') {
        let mut part = [0; 4_096];
        let count = stream.read(&mut part).await.unwrap();
        assert_ne!(count, 0, "{answer}");
        answer.push_str(&String::from_utf8_lossy(&part[..count]));
    }
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}
