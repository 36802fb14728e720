//! Another process that holds the database: a write waits for it, and where it waits in vain says so with nothing written. The
//! write-ahead log stays bounded.

use std::time::Duration;

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::{Actor, NewRecord, StoreError};
use serde_json::json;
use sqlx::{Connection as _, Executor as _, SqliteConnection};
use tokio::time::timeout;

use crate::support::Rig;

/// A connection of another process.
async fn other(rig: &Rig) -> SqliteConnection {
    let path = rig.folder.path().join("hub.sqlite3");
    let url = format!("sqlite:{}", path.display());
    SqliteConnection::connect(&url).await.unwrap()
}

async fn write(rig: &Rig, title: &str) -> Result<(), StoreError> {
    let mut change = rig.store().change(Actor::system("test")).await?;
    let new = NewRecord::new(rig.home.as_str(), Kind::Page, title);
    change.create("test.add", new).await?;
    change.commit().await
}

async fn pages(rig: &Rig, title: &str) -> usize {
    let found = rig.store().find_by_title(&rig.home, Kind::Page, title);
    found.await.unwrap().len()
}

#[tokio::test]
async fn a_write_waits_for_another_process_and_is_done_once() {
    let rig = Rig::new().await;
    let mut holder = other(&rig).await;
    holder.execute("BEGIN IMMEDIATE").await.unwrap();
    let mut waiting = Box::pin(write(&rig, "Waits"));
    let early = timeout(Duration::from_millis(300), &mut waiting).await;
    assert!(early.is_err(), "it did not wait: {early:?}");
    // reading goes on meanwhile
    assert_eq!(pages(&rig, "Waits").await, 0);
    holder.execute("COMMIT").await.unwrap();
    waiting.await.unwrap();
    assert_eq!(pages(&rig, "Waits").await, 1);
}

#[tokio::test]
async fn a_write_that_waits_in_vain_says_so_and_writes_nothing() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("editor", true).await;
    let mut holder = other(&rig).await;
    holder.execute("BEGIN IMMEDIATE").await.unwrap();
    let body = json!({"title": "In vain"});
    let refused = rig.write("POST", &key, crate::support::CREATE, &body).await;
    assert_eq!(refused.status, 503, "{:?}", refused.body);
    let sentence = refused.error();
    assert!(
        sentence.ends_with('.') && !sentence.contains("SQL"),
        "{sentence}"
    );
    holder.execute("COMMIT").await.unwrap();
    let tasks = rig.get(&key, "/api/bridge/tasks").await;
    assert_eq!(tasks.body["total"], 0);
    let made = rig.write("POST", &key, crate::support::CREATE, &body).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
}

#[tokio::test]
async fn the_write_ahead_log_stays_bounded() {
    let rig = Rig::new().await;
    for number in 0..400 {
        let mut change = rig.store().change(Actor::system("test")).await.unwrap();
        let mut new = NewRecord::new(rig.home.as_str(), Kind::Page, number.to_string());
        // no words: what is measured is the log, not the index
        new.body = "-".repeat(56_000);
        change.create("test.add", new).await.unwrap();
        change.commit().await.unwrap();
    }
    let size = |name: &str| {
        std::fs::metadata(rig.folder.path().join(name))
            .unwrap()
            .len()
    };
    assert!(size("hub.sqlite3") > 40_000_000, "{}", size("hub.sqlite3"));
    assert!(
        size("hub.sqlite3-wal") < 12_000_000,
        "{}",
        size("hub.sqlite3-wal")
    );
}
