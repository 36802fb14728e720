//! Several programs on one database: each waits its turn, nothing is lost or doubled, and the write-ahead log stays bounded.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ensemble_hub_api::Kind;
use ensemble_hub_server::import::Source;
use ensemble_hub_server::store::{Actor, NewRecord, RecordQuery, Store};

use crate::support::{Rig, clock};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hub_reads_and_writes_while_an_import_runs() {
    let rig = Rig::new().await;
    let mut table = String::from("id,title\n");
    for number in 0..6_000 {
        let number = number.to_string();
        table.extend([&number, ",Task number ", &number, "\n"]);
    }
    let path = rig.write("tasks.csv", &table);
    // As another process has it: connections of its own.
    let hub = Store::open(&rig.data(), clock()).await.unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let (stop, space, other) = (Arc::clone(&done), rig.space.id.clone(), hub.clone());
    let beside = tokio::spawn(async move {
        let mut written = 0_usize;
        while !stop.load(Ordering::Acquire) {
            let mut change = other.change(Actor::system("hub")).await.unwrap();
            let new = NewRecord::new(space.as_str(), Kind::Page, format!("Page {written}"));
            change.create("test", new).await.unwrap();
            change.commit().await.unwrap();
            written += 1;
            let query = RecordQuery {
                kinds: vec![Kind::Page],
                limit: 1,
                ..RecordQuery::default()
            };
            let page = other.records(&space, &query).await.unwrap();
            assert_eq!(
                page.total, written as u64,
                "a reader sees what was committed"
            );
        }
        written
    });
    let figures = rig.import(Source::Csv, &path).await;
    done.store(true, Ordering::Release);
    let written = beside.await.unwrap();
    assert_eq!(figures[0], 6_000);
    assert!(written > 0, "the hub got its turn");
    let count = async |kind| {
        let query = RecordQuery {
            kinds: vec![kind],
            limit: 1,
            ..RecordQuery::default()
        };
        hub.records(&rig.space.id, &query).await.unwrap().total
    };
    assert_eq!(
        (count(Kind::Task).await, count(Kind::Page).await),
        (6_000, written as u64)
    );
    let log = std::fs::metadata(rig.data().join("hub.sqlite3-wal"))
        .unwrap()
        .len();
    assert!(
        log < 64 * 1024 * 1024,
        "the write-ahead log has {log} bytes"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_programs_write_two_hundred_records_each() {
    let rig = Rig::new().await;
    let mut writers = Vec::new();
    for program in 0..5 {
        let (data, space) = (rig.data(), rig.space.id.clone());
        writers.push(tokio::spawn(async move {
            let store = Store::open(&data, clock()).await.unwrap();
            for number in 0..200 {
                let mut change = store.change(Actor::system("test")).await.unwrap();
                let title = format!("{program} {number}");
                change
                    .create("test", NewRecord::new(space.as_str(), Kind::Task, title))
                    .await
                    .unwrap();
                change.commit().await.unwrap();
            }
            store.close().await;
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let tasks = rig.all(Kind::Task).await;
    let titles: std::collections::BTreeSet<&str> =
        tasks.iter().map(|task| task.title.as_str()).collect();
    assert_eq!((tasks.len(), titles.len()), (1_000, 1_000));
}
