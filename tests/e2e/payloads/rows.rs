//! The database as rows, read without a filter, an order or a card of the hub, and what of a row every payload has to repeat.

use std::collections::{BTreeMap, BTreeSet};

use ensemble_hub_api::relation::{End, Side};
use ensemble_hub_api::{Kind, Trust};
use ensemble_hub_server::Hub;
use ensemble_hub_server::store::{Record, RecordQuery};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// One space of the hub.
#[derive(Debug)]
pub(super) struct Rows {
    /// Its id.
    pub(super) space: String,
    /// The name by which a call asks for it; none for the key's own.
    pub(super) name: Option<String>,
    records: BTreeMap<String, Record>,
    /// From, relation, to.
    links: Vec<(String, String, String)>,
}

impl Rows {
    /// The rows of the space of this name, or of the key's own.
    pub(super) async fn of(hub: &Hub, name: Option<&str>) -> Self {
        let store = hub.store();
        let owner = store.owner().await.unwrap().unwrap();
        let home = store.home_of(&owner.id).await.unwrap().unwrap();
        let mut spaces = store.spaces_of(&owner.id).await.unwrap();
        spaces.retain(|space| name.map_or(space.id == home.id, |name| space.name == name));
        let space = spaces.remove(0).id;
        let page = store
            .records(&space, &RecordQuery::default())
            .await
            .unwrap();
        assert_eq!(page.items.len() as u64, page.total);
        let mut links = Vec::new();
        for record in &page.items {
            for link in store.links_from(&space, &record.id).await.unwrap() {
                links.push((record.id.clone(), link.relation, link.record.id));
            }
        }
        let by_id = |record: Record| (record.id.clone(), record);
        Self {
            space,
            name: name.map(str::to_owned),
            records: page.items.into_iter().map(by_id).collect(),
            links,
        }
    }

    /// `arguments` for this space.
    pub(super) fn asking(&self, mut arguments: Value) -> Value {
        if let Some(name) = &self.name {
            arguments["space"] = json!(name);
        }
        arguments
    }

    /// All of these kinds, newest change first.
    pub(super) fn all(&self, kinds: &[Kind]) -> Vec<&Record> {
        let records = self.records.values();
        let mut all: Vec<&Record> = records.filter(|r| kinds.contains(&r.kind)).collect();
        all.sort_by_key(|record| std::cmp::Reverse((record.updated_at, record.id.clone())));
        all
    }

    pub(super) fn every(&self) -> Vec<&Record> {
        self.all(&Kind::ALL)
    }

    #[track_caller]
    pub(super) fn one(&self, kind: Kind, title: &str) -> &Record {
        let all = self.all(&[kind]);
        let found = all.into_iter().find(|record| record.title == title);
        found.unwrap_or_else(|| panic!("the database has no {kind} “{title}”"))
    }

    pub(super) fn get(&self, id: &str) -> Option<&Record> {
        self.records.get(id)
    }

    /// What a side of a relation shows of a record: never itself, and no skill that is switched off.
    pub(super) fn ends(&self, id: &str, side: &Side) -> BTreeSet<String> {
        let (from, to) = match side.end {
            End::From => (true, false),
            End::To => (false, true),
            End::Both => (true, true),
        };
        let mut ends = BTreeSet::new();
        for (begin, relation, end) in &self.links {
            if relation == side.relation {
                ends.extend((from && begin == id).then(|| end.clone()));
                ends.extend((to && end == id).then(|| begin.clone()));
            }
        }
        ends.retain(|end| end != id && self.records[end].flag("enabled") != Some(false));
        ends
    }

    /// Those of one side that are of these kinds.
    pub(super) fn linked(&self, id: &str, rel: &str, kinds: &[Kind]) -> BTreeSet<String> {
        let mut ends = self.ends(id, Side::named(rel).unwrap());
        ends.retain(|end| kinds.contains(&self.records[end].kind));
        ends
    }

    /// Everything at most one link away, in either direction.
    pub(super) fn neighbours<'a>(&'a self, id: &'a str) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::from([id]);
        for (from, _, to) in &self.links {
            found.extend((from == id).then_some(to.as_str()));
            found.extend((to == id).then_some(from.as_str()));
        }
        found
    }

    /// Every card in `answer` is of a record of this space, and says of it what the database does.
    #[track_caller]
    pub(super) fn vouch(&self, tool: &str, answer: &Value) {
        match answer {
            Value::Object(fields) => {
                if let Some(handle) = fields.get("ref").and_then(Value::as_str) {
                    self.vouch_card(tool, handle, fields);
                }
                fields.values().for_each(|value| self.vouch(tool, value));
            }
            Value::Array(items) => items.iter().for_each(|item| self.vouch(tool, item)),
            _ => {}
        }
    }

    #[track_caller]
    fn vouch_card(&self, tool: &str, handle: &str, card: &Map<String, Value>) {
        let (_, id) = handle.rsplit_once('/').unwrap();
        let row = self.get(id);
        let row = row.unwrap_or_else(|| panic!("{tool}: {handle} is not in the database"));
        let at = format!("{tool}: {} “{}”: {card:?}", row.kind, row.title);
        assert_eq!(handle, self::handle(row), "{at}");
        let names = ["title", "name", "fullName", "label", "skill"];
        let named: Vec<&Value> = names.iter().filter_map(|name| card.get(*name)).collect();
        assert_eq!(named, [&json!(row.title)], "{at}");
        if let Some(trust) = card.get("trust") {
            assert_eq!(trust, &json!(trust_of(row)), "{at}");
        }
        if let Some(label) = card.get("trustLabel") {
            assert_eq!(label, trust_of(row).label(), "{at}");
        }
        if card.contains_key("id") {
            assert_eq!(card["id"], row.id, "{at}");
            assert!(card.contains_key("trust"), "{at}");
            let link = format!("/{}/{}", row.kind, row.id);
            assert!(card["url"].as_str().unwrap().ends_with(&link), "{at}");
            let shown = card["kind"].as_str().unwrap();
            assert!(
                shown == row.kind.as_str() || (row.kind == Kind::File && shown == "document"),
                "{at}"
            );
        }
        self.vouch_fields(&at, row, card);
    }

    /// Fields that stand in the card under the name they have in the database.
    #[track_caller]
    fn vouch_fields(&self, at: &str, row: &Record, card: &Map<String, Value>) {
        // a full card, which has all that its kind shows
        if let Some(changed) = card.get("updatedAt") {
            let changed: Timestamp = changed.as_str().unwrap().parse().unwrap();
            assert_eq!(changed.as_millisecond(), row.updated_at.as_millisecond());
            for field in shown(row.kind) {
                let has = row.fields.contains_key(*field);
                assert_eq!(card.contains_key(*field), has, "{field}: {at}");
            }
        }
        if let Some(status) = card.get("status") {
            assert_eq!(status.as_str(), row.status.as_deref(), "{at}");
        }
        for (field, value) in &row.fields {
            // an answer's own `notes` are not the meeting's
            if let Some(said) = card.get(field).filter(|_| field != "notes") {
                let value = match field.as_str() {
                    "owner" => json!(self.records[value.as_str().unwrap()].title),
                    _ => value.clone(),
                };
                assert_eq!(said, &value, "{field}: {at}");
            }
        }
        for (field, id) in [("project", "projectId"), ("repo", "repoId")] {
            if let (Some(said), Some(id)) = (card.get(field), row.text(id)) {
                assert_eq!(*said, self.records[id].title, "{at}");
            }
        }
    }
}

/// The fields of a full card: what seed §5 says of the kind, as the database names it.
fn shown(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Task => &[
            "priority",
            "due",
            "branch",
            "labels",
            "todayFocus",
            "owner",
            "projectId",
            "repoId",
        ],
        Kind::Project => &["summary", "owner"],
        Kind::Person => &["email", "role", "team", "relationship", "lastInteraction"],
        Kind::Repo => &[
            "provider",
            "description",
            "defaultBranch",
            "tracked",
            "myRole",
            "languages",
            "sourceUrl",
        ],
        Kind::Deliverable => &["due", "owner", "projectId"],
        Kind::Meeting | Kind::Event => &["start", "end", "allDay", "location", "joinUrl"],
        Kind::File | Kind::Document => &["format", "mediaType", "size", "pages", "summary"],
        Kind::Skill => &[
            "slug",
            "description",
            "version",
            "enabled",
            "provenance",
            "confidence",
        ],
        Kind::Artifact => &["app", "source", "sourceUrl"],
        Kind::Approval => &["app", "action"],
        Kind::Decision => &["askedBy", "tool", "options", "expires"],
        Kind::Page => &["projectId"],
        Kind::Diagram => &["format"],
        Kind::Plot => &["plotType", "summary"],
        // no tool of records shows these
        Kind::Board
        | Kind::Comment
        | Kind::Dataset
        | Kind::Routine
        | Kind::Reminder
        | Kind::DeskItem => &[],
    }
}

pub(super) fn handle(record: &Record) -> String {
    format!("ensemble://{}/{}", record.kind, record.id)
}

/// Mail, chat, code hosts, invitations, previews and tool inputs are not to be followed; skills are; the rest was recorded in Ensemble.
pub(super) fn trust_of(record: &Record) -> Trust {
    match (record.kind, record.text("source")) {
        (Kind::Skill, _) => Trust::Trusted,
        (Kind::Artifact | Kind::Event | Kind::Approval | Kind::Decision, _)
        | (_, Some("mail" | "github" | "calendar" | "chat")) => Trust::Untrusted,
        _ => Trust::Hub,
    }
}

/// The ids of a list of cards, in their order.
#[track_caller]
pub(super) fn ids(list: &Value) -> Vec<String> {
    let names = crate::support::names(list, "id");
    names.into_iter().map(str::to_owned).collect()
}

pub(super) fn ids_of(records: &[&Record]) -> Vec<String> {
    records.iter().map(|record| record.id.clone()).collect()
}
