//! What one client changes another one sees: its next read has it, and a subscriber is told within [`SOON`], in both
//! generations. That nothing was told is seen from a later change of something else coming first.

use std::time::Duration;

use ensemble_test_harness::{Bridge, Grants};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{World, answer, end};

/// From the answer to the change to the notification.
const SOON: Duration = Duration::from_secs(2);

/// Makes a task and gives its resource.
async fn made(writer: &mut Bridge, title: &str) -> (String, String) {
    let made = writer
        .call("ensemble_create_task", json!({"title": title}))
        .await;
    let id = answer(&made)["task"]["id"].as_str().unwrap().to_owned();
    let uri = format!("ensemble://tasks/{id}");
    (id, uri)
}

async fn becomes(writer: &mut Bridge, id: &str, status: &str) {
    let change = json!({"id": id, "status": status});
    answer(&writer.call("ensemble_update_task", change).await);
}

/// The next thing that a subscriber is told.
async fn told(subscriber: &mut Bridge) -> Value {
    let next = timeout(SOON, subscriber.message()).await;
    let next = next.expect("the subscriber was not told in time");
    assert_eq!(next["method"], "notifications/resources/updated", "{next}");
    next["params"].clone()
}

#[tokio::test]
async fn a_subscriber_of_the_older_generation_is_told_of_another_clients_change() {
    let world = World::new(Grants::CHANGES).await;
    let (mut writer, mut reader) = (world.bridge().await, world.bridge().await);
    let (one, one_uri) = made(&mut writer, "The first").await;
    let (two, two_uri) = made(&mut writer, "The second").await;
    for uri in [&one_uri, &two_uri] {
        let answer = reader
            .request("resources/subscribe", json!({"uri": uri}))
            .await;
        assert_eq!(answer["result"], json!({}), "{answer}");
    }
    becomes(&mut writer, &one, "in_progress").await;
    assert_eq!(told(&mut reader).await["uri"], one_uri);
    let read = reader
        .request("resources/read", json!({"uri": one_uri}))
        .await;
    assert!(read.to_string().contains("in_progress"), "{read}");

    let ended = reader
        .request("resources/unsubscribe", json!({"uri": one_uri}))
        .await;
    assert_eq!(ended["result"], json!({}), "{ended}");
    becomes(&mut writer, &one, "done").await;
    becomes(&mut writer, &two, "in_progress").await;
    assert_eq!(told(&mut reader).await["uri"], two_uri);
    assert!(reader.others().is_empty(), "{:?}", reader.others());
    end(reader).await;
    end(writer).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn a_listener_of_the_newer_generation_is_told_of_another_clients_change() {
    let world = World::new(Grants::CHANGES).await;
    let mut writer = world.bridge().await;
    let mut reader = Bridge::start(world.command());
    let (one, one_uri) = made(&mut writer, "The first").await;
    let (two, two_uri) = made(&mut writer, "The second").await;
    let mut listens = Vec::new();
    for uri in [&one_uri, &two_uri] {
        let filter = json!({
            "notifications": {"resourceSubscriptions": [uri]},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "harness", "version": "1"}
            }
        });
        listens.push(reader.begin("subscriptions/listen", filter).await);
        let accepted = reader.message().await;
        let wanted = &accepted["params"]["notifications"]["resourceSubscriptions"];
        assert_eq!(*wanted, json!([uri]), "{accepted}");
    }
    becomes(&mut writer, &one, "in_progress").await;
    let first = told(&mut reader).await;
    assert_eq!(first["uri"], one_uri);
    let id = &first["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(*id, listens[0]);
    let read = reader
        .stateless("resources/read", json!({"uri": one_uri}))
        .await;
    assert!(read.to_string().contains("in_progress"), "{read}");

    reader
        .notify("notifications/cancelled", json!({"requestId": listens[0]}))
        .await;
    reader.stateless("tools/list", json!({})).await;
    becomes(&mut writer, &one, "done").await;
    becomes(&mut writer, &two, "in_progress").await;
    assert_eq!(told(&mut reader).await["uri"], two_uri);
    assert!(reader.others().is_empty(), "{:?}", reader.others());
    end(reader).await;
    end(writer).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn a_change_in_another_space_tells_nobody() {
    let world = World::new(Grants::CHANGES).await;
    let (mut writer, mut reader) = (world.bridge().await, world.bridge().await);
    let subscribed = json!({"uri": "ensemble://tasks"});
    reader.request("resources/subscribe", subscribed).await;
    let elsewhere = json!({"title": "Elsewhere", "space": "Side projects"});
    answer(&writer.call("ensemble_create_task", elsewhere).await);
    let silence = timeout(SOON, reader.message()).await;
    assert!(silence.is_err(), "told of another space: {silence:?}");
    made(&mut writer, "Here").await;
    assert_eq!(told(&mut reader).await["uri"], "ensemble://tasks");
    end(reader).await;
    end(writer).await;
    world.hub.stop().await;
}
