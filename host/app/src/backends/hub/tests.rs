//! What the hub backend makes of each answer, and how often it sends a request.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread::JoinHandle;

use super::*;
use crate::env::MapEnvironment;
use crate::folders::Folders;
use ensemble_model::HubPath;

/// Answers one connection after the other with these texts; gives back what was asked.
fn answering(answers: &'static [&'static str]) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let asked = std::thread::spawn(move || {
        answers
            .iter()
            .map(|answer| {
                let (mut stream, _) = listener.accept().unwrap();
                let asked = head(&mut stream);
                stream.write_all(answer.as_bytes()).unwrap();
                asked
            })
            .collect()
    });
    (base, asked)
}

fn head(stream: &mut std::net::TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
        head.extend_from_slice(&byte);
    }
    String::from_utf8(head).unwrap()
}

fn backend(base: &str) -> HubBackend {
    let env = MapEnvironment::of(&[
        ("ENSEMBLE_BRIDGE_TOKEN", "ens_canary"),
        ("HUB_API_URL", base),
    ]);
    HubBackend::new(Configuration::of(&env, &Folders::of(&env)))
}

fn asking(method: Method) -> HubRequest {
    HubRequest {
        method,
        path: HubPath::parse("/api/bridge/tasks").unwrap(),
        query: vec![("q".to_owned(), "ä & b".to_owned())],
        body: None,
        space: Some("s1".to_owned()),
        timeout: Duration::from_secs(10),
        max_response: 1_000,
    }
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
const SLOW_DOWN: &str = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (found, value) = line.split_once(": ")?;
        found.eq_ignore_ascii_case(name).then_some(value)
    })
}

#[tokio::test]
async fn a_change_that_is_repeated_stays_the_same_change() {
    let (base, asked) = answering(&[SLOW_DOWN, SLOW_DOWN, OK]);
    let reply = backend(&base).send(asking(Method::Post)).await.unwrap();
    assert_eq!(reply.body, "{}");
    let heads = asked.join().unwrap();
    let keys: Vec<_> = heads.iter().map(|h| header(h, "idempotency-key")).collect();
    assert!(keys[0].is_some(), "{heads:?}");
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    assert_eq!(header(&heads[0], "x-ensemble-space"), Some("s1"));
    assert_eq!(
        header(&heads[0], "authorization"),
        Some("Bearer ens_canary")
    );
    assert!(
        heads[0].starts_with("POST /api/bridge/tasks?q=%C3%A4+%26+b "),
        "{}",
        heads[0]
    );
}

#[tokio::test]
async fn two_changes_are_two_changes_and_a_read_is_none() {
    let (base, asked) = answering(&[OK, OK, OK]);
    let backend = backend(&base);
    for method in [Method::Post, Method::Patch, Method::Get] {
        backend.send(asking(method)).await.unwrap();
    }
    let heads = asked.join().unwrap();
    let keys: Vec<_> = heads.iter().map(|h| header(h, "idempotency-key")).collect();
    assert!(keys[0].is_some() && keys[1].is_some() && keys[0] != keys[1]);
    assert_eq!(keys[2], None);
}

#[tokio::test]
async fn a_long_pause_is_the_callers_and_three_times_is_enough() {
    macro_rules! later {
        ($head:literal) => {
            concat!(
                "HTTP/1.1 429 X\r\n",
                $head,
                "content-length: 0\r\nconnection: close\r\n\r\n"
            )
        };
    }
    let cases: [(&'static [&'static str], u32); 6] = [
        (&[later!("retry-after: 60\r\n")], 60),
        (&[later!("retry-after: 3600\r\n")], 3_600),
        (&[later!("retry-after: 99999999999\r\n")], 86_400),
        // nothing is guessed from what is not seconds
        (
            &[later!("retry-after: Wed, 21 Oct 2026 07:28:00 GMT\r\n")],
            1,
        ),
        (&[later!("retry-after: abc\r\n")], 1),
        (&[later!("")], 1),
    ];
    for (answers, seconds) in cases {
        for method in [Method::Get, Method::Post] {
            let (base, asked) = answering(answers);
            let fault = backend(&base).send(asking(method)).await.unwrap_err();
            assert_eq!(fault.fault, Fault::RateLimited(seconds), "{answers:?}");
            assert_eq!(asked.join().unwrap().len(), 1);
        }
    }
    let (base, asked) = answering(&[SLOW_DOWN, SLOW_DOWN, SLOW_DOWN]);
    let fault = backend(&base).send(asking(Method::Get)).await.unwrap_err();
    assert_eq!(fault.fault, Fault::RateLimited(1));
    assert_eq!(asked.join().unwrap().len(), 3);
}

#[tokio::test]
async fn every_answer_has_its_fault() {
    macro_rules! json {
        ($status:literal) => {
            concat!("HTTP/1.1 ", $status, " X\r\ncontent-type: application/json\r\ncontent-length: 16\r\nconnection: close\r\n\r\n{\"error\":\"Why.\"}")
        };
    }
    let why = || "Why.".to_owned();
    let cases: [(&'static [&'static str], Fault, bool); 9] = [
        (&[json!("400")], Fault::Invalid(why()), false),
        (&[json!("401")], Fault::Failed(why()), true),
        (&[json!("403")], Fault::Failed(why()), true),
        (&[json!("404")], Fault::NotFound(why()), false),
        (&[json!("405")], Fault::Invalid(why()), false),
        (&[json!("409")], Fault::Conflict(why()), false),
        (&[json!("413")], Fault::TooLarge(why()), false),
        (&[json!("500")], Fault::Failed(why()), false),
        (&[json!("503")], Fault::Unavailable(why()), false),
    ];
    for (answers, fault, key_refused) in cases {
        let (base, asked) = answering(answers);
        let got = backend(&base).send(asking(Method::Get)).await.unwrap_err();
        assert_eq!(got, PortFault { fault, key_refused }, "{answers:?}");
        asked.join().unwrap();
    }
}

#[tokio::test]
async fn a_wrong_input_comes_with_its_schema() {
    macro_rules! refusal {
        ($body:literal, $length:literal) => {
            concat!(
                "HTTP/1.1 400 X\r\ncontent-type: application/json\r\ncontent-length: ",
                $length,
                "\r\nconnection: close\r\n\r\n",
                $body
            )
        };
    }
    let sentence = |answers: &'static [&'static str]| async move {
        let (base, asked) = answering(answers);
        let fault = backend(&base).send(asking(Method::Post)).await.unwrap_err();
        asked.join().unwrap();
        fault.fault
    };
    assert_eq!(
        sentence(&[refusal!(r#"{"error":"No title.","inputSchema":{"type":"object","required":["title"]}}"#, "74")]).await,
        Fault::Invalid(
            "No title.\n\nThe input has to keep this JSON Schema:\n{\"type\":\"object\",\"required\":[\"title\"]}".to_owned()
        )
    );
    // what is no schema is not shown
    assert_eq!(
        sentence(&[refusal!(
            r#"{"error":"No title.","inputSchema":["x"]}"#,
            "41"
        )])
        .await,
        Fault::Invalid("No title.".to_owned())
    );
}

#[tokio::test]
async fn nothing_of_a_foreign_answer_comes_through() {
    const PAGE: &str = "HTTP/1.1 500 X\r\ncontent-type: text/html\r\ncontent-length: 6\r\nconnection: close\r\n\r\ncanary";
    const MOVED: &str = "HTTP/1.1 302 X\r\nlocation: http://127.0.0.1:1/canary\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    for answers in [&[PAGE] as &'static [&'static str], &[MOVED]] {
        let (base, asked) = answering(answers);
        let fault = backend(&base).send(asking(Method::Get)).await.unwrap_err();
        assert!(matches!(fault.fault, Fault::Failed(_)), "{fault:?}");
        assert!(!format!("{fault:?}").contains("canary"), "{fault:?}");
        asked.join().unwrap();
    }
}

#[tokio::test]
async fn a_hub_that_is_not_there_is_one_sentence() {
    let port = {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        free.local_addr().unwrap().port()
    };
    let backend = backend(&format!("http://127.0.0.1:{port}"));
    let fault = backend.send(asking(Method::Get)).await.unwrap_err();
    assert_eq!(
        fault.fault,
        Fault::Unavailable(
            "Ensemble is not running. Start it with `ensemble hub serve`.".to_owned()
        )
    );
    assert!(!format!("{backend:?}").contains("canary"));
}
