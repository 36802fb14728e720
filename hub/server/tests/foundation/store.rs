//! The behaviour of any store: what a second backend has to do as well.

use std::sync::Arc;

use ensemble_hub_api::{Kind, relation};
use ensemble_hub_server::clock::StillClock;
use ensemble_hub_server::store::{Actor, ActorKind, NewRecord, RecordQuery, StoreError};
use jiff::SignedDuration;
use serde_json::json;

use crate::support::{Rig, found};

#[tokio::test]
async fn a_record_reads_back_as_it_was_written() {
    let rig = Rig::new().await;
    let title = "Ünïcode 漢字 🎉 עברית";
    let made = rig
        .add(
            Kind::Page,
            title,
            json!({ "labels": ["a"], "body": "nul \0 end" }),
        )
        .await;
    let read = rig
        .store()
        .record(&rig.home, &made.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(read, made);
    assert_eq!(
        (read.title.as_str(), read.body.as_str()),
        (title, "nul \u{fffd} end")
    );
    assert_eq!((read.version, read.texts("labels")), (1, vec!["a"]));
    let ids: Vec<String> = (0..50).map(|_| rig.store().new_id()).collect();
    assert!(
        ids.is_sorted(),
        "ids of one instant sort in the order in which they were made"
    );
}

#[tokio::test]
async fn a_change_that_is_not_committed_leaves_nothing() {
    let rig = Rig::new().await;
    let mut change = rig.store().change(Actor::system("test")).await.unwrap();
    let made = change
        .create(
            "test.create",
            NewRecord::new(&rig.home, Kind::Task, "Ghost"),
        )
        .await
        .unwrap();
    assert!(
        change.record(&rig.home, &made.id).await.unwrap().is_some(),
        "the change sees itself"
    );
    assert!(
        rig.store()
            .record(&rig.home, &made.id)
            .await
            .unwrap()
            .is_none(),
        "others do not"
    );
    drop(change);
    assert!(
        rig.store()
            .record(&rig.home, &made.id)
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(
        rig.store().ledger_of(&rig.home, &made.id).await.unwrap(),
        []
    );
    assert_eq!(found(&rig, &rig.home, "ghost").await, Vec::<String>::new());
}

#[tokio::test]
async fn an_edit_of_an_old_version_is_refused_with_the_current_one() {
    let rig = Rig::new().await;
    let first = rig.add(Kind::Page, "Page", json!({})).await;
    let mut edited = first.clone();
    edited.body = "A".to_owned();
    let mut change = rig.store().change(Actor::system("test")).await.unwrap();
    let second = change.update("test.edit", &first, edited).await.unwrap();
    change.commit().await.unwrap();
    assert_eq!(second.version, 2);

    let mut late = first.clone();
    late.body = "B".to_owned();
    let mut change = rig.store().change(Actor::system("test")).await.unwrap();
    let refused = change.update("test.edit", &first, late).await;
    assert!(
        matches!(refused, Err(StoreError::Conflict { current: 2 })),
        "{refused:?}"
    );
    drop(change);
    assert_eq!(
        rig.store()
            .record(&rig.home, &first.id)
            .await
            .unwrap()
            .unwrap()
            .body,
        "A"
    );
}

#[tokio::test]
async fn the_ledger_says_who_did_what_from_what_to_what() {
    let rig = Rig::new().await;
    let made = rig.add(Kind::Page, "Old name", json!({})).await;
    rig.clock.advance(SignedDuration::from_secs(5));
    let mut change = rig.store().change(Actor::agent("Zed", "k1")).await.unwrap();
    let mut edited = made.clone();
    edited.title = "New name".to_owned();
    let edited = change.update("bridge.rename", &made, edited).await.unwrap();
    change.trash("bridge.delete", &edited).await.unwrap();
    change.commit().await.unwrap();

    let rows = rig.store().ledger_of(&rig.home, &made.id).await.unwrap();
    let actions: Vec<&str> = rows.iter().map(|row| row.action.as_str()).collect();
    assert_eq!(actions, ["test.create", "bridge.rename", "bridge.delete"]);
    let renamed = &rows[1];
    assert_eq!(renamed.actor, ActorKind::Agent.as_str());
    assert_eq!(
        (renamed.actor_name.as_str(), renamed.key_id.as_deref()),
        ("Zed", Some("k1"))
    );
    assert_eq!(renamed.before.as_ref().unwrap()["title"], "Old name");
    assert_eq!(renamed.after.as_ref().unwrap()["title"], "New name");
    assert_eq!(rows[0].before, None);
    assert_ne!(rows[2].after.as_ref().unwrap()["deletedAt"], json!(null));
}

#[tokio::test]
async fn a_record_in_trash_is_in_no_read_list_search_or_link() {
    let rig = Rig::new().await;
    let kept = rig.add(Kind::Task, "Kept", json!({})).await;
    let gone = rig.add(Kind::Task, "Vanishing", json!({})).await;
    rig.link(&kept, relation::RELATED, &gone).await;
    assert_eq!(found(&rig, &rig.home, "vanishing").await, ["Vanishing"]);
    let mut change = rig.store().change(Actor::system("test")).await.unwrap();
    change.trash("test.delete", &gone).await.unwrap();
    change.commit().await.unwrap();

    let store = rig.store();
    assert_eq!(store.record(&rig.home, &gone.id).await.unwrap(), None);
    assert_eq!(
        store
            .by_ids(&rig.home, std::slice::from_ref(&gone.id))
            .await
            .unwrap(),
        []
    );
    assert_eq!(
        store
            .find_by_title(&rig.home, Kind::Task, "Vanishing")
            .await
            .unwrap(),
        []
    );
    assert_eq!(store.links_from(&rig.home, &kept.id).await.unwrap(), []);
    assert_eq!(
        store
            .records(&rig.home, &RecordQuery::default())
            .await
            .unwrap()
            .total,
        1
    );
    assert_eq!(
        found(&rig, &rig.home, "vanishing").await,
        Vec::<String>::new()
    );
}

#[tokio::test]
async fn another_space_shows_nothing_and_no_link_crosses() {
    let rig = Rig::new().await;
    let other = rig
        .hub
        .admin()
        .create_space("Side project")
        .await
        .unwrap()
        .id;
    let here = rig.add(Kind::Task, "Secret here", json!({})).await;
    let there = rig
        .add_to(&other, Kind::Task, "Secret there", json!({}))
        .await;
    rig.link(&here, relation::RELATED, &there).await;

    let store = rig.store();
    assert_eq!(store.record(&rig.home, &there.id).await.unwrap(), None);
    assert_eq!(store.links_from(&rig.home, &here.id).await.unwrap(), []);
    assert_eq!(found(&rig, &rig.home, "secret").await, ["Secret here"]);
    assert_eq!(found(&rig, &other, "secret").await, ["Secret there"]);
    let ids = [there.id.clone(), here.id.clone()];
    let seen = store.by_ids(&rig.home, &ids).await.unwrap();
    assert_eq!(
        seen.iter().map(|record| &record.id).collect::<Vec<_>>(),
        [&here.id]
    );
    assert_eq!(
        store
            .find_by_title(&rig.home, Kind::Task, "Secret there")
            .await
            .unwrap(),
        []
    );
}

#[tokio::test]
async fn many_connections_write_at_once_and_nothing_is_lost() {
    let rig = Rig::new().await;
    let page = rig.add(Kind::Page, "Log", json!({})).await;
    // Five stores are five processes to SQLite: each has its own connections.
    let mut work = Vec::new();
    for writer in 0..5 {
        let (folder, clock) = (
            rig.folder.path().to_owned(),
            Arc::<StillClock>::clone(&rig.clock),
        );
        let (home, id) = (rig.home.clone(), page.id.clone());
        work.push(tokio::spawn(async move {
            let store = ensemble_hub_server::store::Store::open(&folder, clock)
                .await
                .unwrap();
            for number in 0..20 {
                let mut change = store.change(Actor::system("test")).await.unwrap();
                let before = change.record(&home, &id).await.unwrap().unwrap();
                let mut edited = before.clone();
                edited.body.extend([format!("{writer}-{number}\n")]);
                change.update("test.append", &before, edited).await.unwrap();
                let new = NewRecord::new(&home, Kind::Task, format!("T{writer}-{number}"));
                change.create("test.create", new).await.unwrap();
                change.commit().await.unwrap();
            }
            store.close().await;
        }));
    }
    for one in work {
        one.await.unwrap();
    }
    let log = rig
        .store()
        .record(&rig.home, &page.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((log.version, log.body.lines().count()), (101, 100));
    let tasks = RecordQuery {
        kinds: vec![Kind::Task],
        ..RecordQuery::default()
    };
    assert_eq!(
        rig.store().records(&rig.home, &tasks).await.unwrap().total,
        100
    );
    assert_eq!(
        rig.store()
            .ledger_of(&rig.home, &page.id)
            .await
            .unwrap()
            .len(),
        101
    );
}
