//! A hub in a temporary folder, filled with the demo.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use ensemble_hub_api::{Handle, Kind};
use ensemble_hub_server::clock::StillClock;
use ensemble_hub_server::store::{Actor, Change, NewRecord, Record, SpaceRow, Store};
use ensemble_hub_server::view::Reader;
use ensemble_hub_server::{CreateKey, Hub, demo};
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt as _;

/// The moment at which every test is.
pub(crate) const NOW: &str = "2026-03-02T13:30:00Z";

pub(crate) struct Demo {
    pub(crate) store: Store,
    pub(crate) home: SpaceRow,
    pub(crate) second: SpaceRow,
    pub(crate) hub: Hub,
    pub(crate) clock: Arc<StillClock>,
    _folder: TempDir,
}

impl Demo {
    /// A hub with the demo, for a person in UTC.
    pub(crate) async fn new() -> Self {
        Self::in_zone(None).await
    }

    /// A hub with the demo, for a person in this time zone.
    pub(crate) async fn in_zone(zone: Option<&str>) -> Self {
        Self::at(NOW, zone).await
    }

    /// The same at another moment.
    pub(crate) async fn at(now: &str, zone: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(StillClock::at(now.parse().unwrap()));
        let hub = Hub::open(folder.path(), Arc::<StillClock>::clone(&clock))
            .await
            .unwrap();
        let store = hub.store().clone();
        let (owner, home) = store.ensure_owner("Robin", "Personal").await.unwrap();
        if let Some(zone) = zone {
            store
                .set_setting(&owner.id, "timeZone", zone)
                .await
                .unwrap();
        }
        let filled = demo::fill(&store).await.unwrap();
        assert!(filled.records > 30, "{filled:?}");
        let spaces = store.spaces_of(&owner.id).await.unwrap();
        let second = spaces
            .into_iter()
            .find(|space| space.name == demo::SECOND_SPACE)
            .unwrap();
        Self {
            store,
            home,
            second,
            hub,
            clock,
            _folder: folder,
        }
    }

    /// Reads in the first space.
    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader {
            store: &self.store,
            space: &self.home.id,
            base: "http://hub.test",
        }
    }

    /// Reads in the second space.
    pub(crate) fn second(&self) -> Reader<'_> {
        Reader {
            space: &self.second.id,
            ..self.reader()
        }
    }

    /// The one record of this kind and title in the first space.
    pub(crate) async fn record(&self, kind: Kind, title: &str) -> Record {
        let mut found = self
            .store
            .find_by_title(&self.home.id, kind, title)
            .await
            .unwrap();
        assert_eq!(found.len(), 1, "{title}");
        found.remove(0)
    }

    /// The handle of that record.
    pub(crate) async fn handle(&self, kind: Kind, title: &str) -> String {
        Handle::new(kind, self.record(kind, title).await.id).to_string()
    }

    /// Starts a change of the test's own.
    pub(crate) async fn change(&self) -> Change {
        self.store.change(Actor::system("test")).await.unwrap()
    }

    /// Adds one record to the first space.
    pub(crate) async fn add(&self, record: NewRecord) -> Record {
        let mut change = self.change().await;
        let made = change.create("test.add", record).await.unwrap();
        change.commit().await.unwrap();
        made
    }

    /// A new record of the first space.
    pub(crate) fn new_record(&self, kind: Kind, title: &str, body: &str) -> NewRecord {
        let status = (kind == Kind::Task).then(|| "todo".to_owned());
        NewRecord {
            body: body.to_owned(),
            status,
            ..NewRecord::new(self.home.id.as_str(), kind, title)
        }
    }
}

/// The answer of a route in the first space, which has to be one.
pub(crate) async fn ask(demo: &Demo, path: &str) -> Value {
    let (status, answer) = answer(demo, path).await;
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}

/// The status and answer of a route in the first space, as the hub gives them to a key.
pub(crate) async fn answer(demo: &Demo, path: &str) -> (u16, Value) {
    let hub = &demo.hub;
    let asked = CreateKey {
        name: "asks".to_owned(),
        ..CreateKey::default()
    };
    let key = hub.admin().create_key(asked).await.unwrap().value;
    let request = Request::get(format!("/api/bridge/{path}"))
        .header(header::AUTHORIZATION, format!("Bearer {}", key.expose()))
        .body(Body::empty())
        .unwrap();
    let response = hub.router().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 1_000_000).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap())
}
