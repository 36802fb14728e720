//! The demo workspace has what it promises, once.

use ensemble_hub_api::{Kind, TaskStatus};
use ensemble_hub_server::demo;
use ensemble_hub_server::store::{RecordQuery, Store};

use crate::support::Demo;

async fn count(store: &Store, space: &str, query: RecordQuery) -> u64 {
    store.records(space, &query).await.unwrap().total
}

#[tokio::test]
async fn the_demo_has_a_task_in_every_status_and_every_kind() {
    let demo = Demo::new().await;
    for status in TaskStatus::ALL {
        let query = RecordQuery {
            kinds: vec![Kind::Task],
            statuses: vec![status.as_str().to_owned()],
            ..RecordQuery::default()
        };
        assert!(
            count(&demo.store, &demo.home.id, query).await > 0,
            "{status}"
        );
    }
    for kind in Kind::ALL {
        let query = RecordQuery {
            kinds: vec![kind],
            ..RecordQuery::default()
        };
        assert!(count(&demo.store, &demo.home.id, query).await > 0, "{kind}");
    }
    let all = RecordQuery::default();
    assert!(count(&demo.store, &demo.second.id, all).await >= 5);
}

#[tokio::test]
async fn filling_twice_adds_nothing_and_brings_nothing_back() {
    let demo = Demo::new().await;
    let before = count(&demo.store, &demo.home.id, RecordQuery::default()).await;
    let mut change = demo.change().await;
    let robin = demo.record(Kind::Person, "Robin Vale").await;
    change.trash("test.trash", &robin).await.unwrap();
    change.commit().await.unwrap();
    assert_eq!(demo::fill(&demo.store).await.unwrap().records, 0);
    assert_eq!(
        count(&demo.store, &demo.home.id, RecordQuery::default()).await,
        before - 1
    );
}
