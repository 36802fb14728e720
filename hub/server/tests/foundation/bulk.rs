//! Many at once: what is written is what is written one by one, to the last row of the ledger and word of the indexes.

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::{
    Actor, Direction, LedgerRow, LinkQuery, NewRecord, Record, RecordQuery, derived_id,
};
use serde_json::json;

use crate::support::{Rig, START, found};

/// More than one statement has rows for.
const RECORDS: usize = 250;

fn id(at: usize) -> String {
    derived_id(&format!("bulk {at}"))
}

fn record(space: &str, at: usize) -> NewRecord {
    let (kind, status) = match at % 3 {
        0 => (Kind::Task, Some("todo")),
        1 => (Kind::Task, Some("done")),
        _ => (Kind::Page, None),
    };
    let mut new = NewRecord {
        id: Some(id(at)),
        status: status.map(str::to_owned),
        body: format!("Gather the\0 number {at} twice."),
        ..NewRecord::new(space, kind, format!("Überschrift  {at}\nof a row"))
    };
    new.fields.insert("labels".to_owned(), json!(["later"]));
    if at.is_multiple_of(7) {
        new.at = Some("2025-01-01T00:00:00.123456789Z".parse().unwrap());
        new.changed_at = Some(START.parse().unwrap());
    }
    new
}

/// A chain, a link that is asked twice, one to nothing and one into another space.
fn links(elsewhere: &str) -> Vec<(String, &'static str, String)> {
    let chain = (1..RECORDS).map(|at| (id(at), "project", id(at / 2)));
    let mut all: Vec<_> = chain.collect();
    all.push((id(1), "project", id(0)));
    all.push((id(2), "project", derived_id("nobody")));
    all.push((id(3), "project", elsewhere.to_owned()));
    all.push((id(0), "about", id(RECORDS - 1)));
    all
}

async fn one_by_one(rig: &Rig, elsewhere: &str) {
    let mut change = rig.store().change(Actor::agent("key", "k1")).await.unwrap();
    for at in 0..RECORDS {
        let new = record(&rig.home, at);
        change.create("test.create", new).await.unwrap();
    }
    for (from, relation, to) in links(elsewhere) {
        let link = (from.as_str(), relation, to.as_str());
        change.link("test.link", &rig.home, link).await.unwrap();
    }
    change.commit().await.unwrap();
}

async fn at_once(rig: &Rig, elsewhere: &str) {
    let mut change = rig.store().change(Actor::agent("key", "k1")).await.unwrap();
    let new = (0..RECORDS).map(|at| record(&rig.home, at)).collect();
    change.create_all("test.create", new).await.unwrap();
    let links = links(elsewhere);
    let asked: Vec<(&str, &str, &str)> = links
        .iter()
        .map(|(from, relation, to)| (from.as_str(), *relation, to.as_str()))
        .collect();
    let count = change.link_all("test.link", &rig.home, &asked).await;
    assert_eq!(
        count.unwrap(),
        links.len() - 3,
        "twice, to nothing, into another space"
    );
    change.commit().await.unwrap();
}

/// A record of another space.
async fn elsewhere(rig: &Rig) -> String {
    let other = rig.hub.admin().create_space("Other").await.unwrap();
    let record = rig.add_to(&other.id, Kind::Page, "Elsewhere", json!({}));
    record.await.id
}

/// All of a record, with a space that is the same everywhere.
type Whole = (Record, Vec<LedgerRow>, Vec<(String, String)>);

async fn whole(rig: &Rig, at: usize) -> Whole {
    let (store, space) = (rig.store(), rig.home.as_str());
    let mut record = store.record(space, &id(at)).await.unwrap().unwrap();
    let mut ledger = store.ledger_of(space, &id(at)).await.unwrap();
    let mut asked = LinkQuery::new(id(at), Direction::To);
    asked.kinds = vec![Kind::Task];
    let linked = store.links(space, &asked).await.unwrap();
    record.space.clear();
    for row in &mut ledger {
        row.space.clear();
        // each hub has its own
        assert!(row.change_id.take().is_some());
    }
    let linked = linked.items.into_iter();
    let linked = linked.map(|link| (link.relation, link.record.id)).collect();
    (record, ledger, linked)
}

#[tokio::test]
async fn many_at_once_are_written_as_they_are_one_by_one() {
    let (singly, together) = (Rig::new().await, Rig::new().await);
    one_by_one(&singly, &elsewhere(&singly).await).await;
    at_once(&together, &elsewhere(&together).await).await;
    for at in 0..RECORDS {
        assert_eq!(whole(&singly, at).await, whole(&together, at).await, "{at}");
    }
    for words in ["uberschrift", "number 17", "gath", "later"] {
        let both = (
            found(&singly, &singly.home, words).await,
            found(&together, &together.home, words).await,
        );
        assert_eq!(both.0, both.1, "{words}");
        assert!(!both.0.is_empty(), "{words}");
    }
    for (title, statuses, count) in [(None, vec!["done"], 83), (Some("RSCHRIFT"), vec![], 167)] {
        let asked = RecordQuery {
            kinds: vec![Kind::Task],
            statuses: statuses.into_iter().map(str::to_owned).collect(),
            title_words: title.map(str::to_owned),
            ..RecordQuery::default()
        };
        for rig in [&singly, &together] {
            let page = rig.store().records(&rig.home, &asked).await.unwrap();
            assert_eq!(
                (page.total, page.items.len()),
                (count, usize::try_from(count).unwrap())
            );
        }
    }
}
