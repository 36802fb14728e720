//! What runs when the process is asked to end is finished, and what only waits is let go.

use std::time::Instant;

use reqwest::Method;
use serde_json::json;

use crate::support::{Asker, LEGACY, Served};

#[tokio::test]
async fn calls_are_finished_and_streams_are_closed() {
    let hub = Served::hub(&[]).await;
    let key = hub.key("editor", &[]).await;
    let bridge = Served::bridge(&hub.base, &key, &[]).await;
    let session = Asker::new(&bridge.mcp()).session(LEGACY).await;
    let stream = session.clone().with("accept", "text/event-stream");
    let mut waits = stream.request(Method::GET).send().await.unwrap();
    assert!(waits.chunk().await.unwrap().is_some());
    let asker = session.clone();
    let call = tokio::spawn(async move { asker.call("ensemble_today", json!({})).await });
    // the call was sent before this
    assert_eq!(session.ask("ping", json!({})).await.status, 200);
    let begun = Instant::now();
    let (code, said) = bridge.end().await;
    assert_eq!(code, Some(0), "{said}");
    let answer = call.await.unwrap();
    assert_ne!(answer["result"]["isError"], true, "{answer}");
    let rest = waits.chunk().await;
    assert!(
        rest.is_err() || rest.unwrap().is_none(),
        "the stream has ended"
    );
    assert!(begun.elapsed().as_secs() < 9, "{:?}", begun.elapsed());
}
