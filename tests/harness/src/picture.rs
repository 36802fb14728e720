//! Everything that a hub keeps in a space, as text to compare before and after. The hub's own suite includes this file too.

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::{RecordQuery, Store};
use serde_json::{Value, json};

/// All records of every kind with their links and texts, without the versions.
///
/// # Panics
/// If the store fails.
pub async fn picture(store: &Store, space: &str) -> String {
    let mut all = Vec::new();
    for kind in Kind::ALL.into_iter().chain(Kind::OF_ACTIONS) {
        let asked = RecordQuery {
            kinds: vec![kind],
            ..RecordQuery::default()
        };
        let found = store.records(space, &asked).await;
        let mut records = found
            .unwrap_or_else(|error| panic!("no records: {error}"))
            .items;
        records.sort_by(|one, other| one.id.cmp(&other.id));
        for record in records {
            let links = store.links_from(space, &record.id).await;
            let links: Vec<Value> = links
                .unwrap_or_else(|error| panic!("no links: {error}"))
                .iter()
                .map(|link| json!([link.relation, link.record.id]))
                .collect();
            let text = store.file_text(space, &record.id).await;
            all.push(json!({
                "id": record.id, "kind": record.kind, "title": record.title, "status": record.status,
                "fields": record.fields, "body": record.body, "actor": record.actor,
                "createdAt": record.created_at.to_string(), "updatedAt": record.updated_at.to_string(),
                "links": links, "text": text.unwrap_or_else(|error| panic!("no text: {error}")),
            }));
        }
    }
    format!("{:#}", Value::from(all))
}
