//! A hub in a temporary folder, and imports into it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ensemble_hub_api::Kind;
use ensemble_hub_server::clock::StillClock;
use ensemble_hub_server::import::{self, Options, Plan, Source, Verdict, Written, write::total};
use ensemble_hub_server::store::{Record, RecordQuery, SpaceRow, Store};
use ensemble_hub_server::{Admin, HubClock};
use jiff::tz::TimeZone;
use tempfile::TempDir;

pub(crate) const START: &str = "2026-03-20T12:00:00Z";

pub(crate) struct Rig {
    pub(crate) folder: TempDir,
    pub(crate) store: Store,
    pub(crate) space: SpaceRow,
}

pub(crate) fn clock() -> Arc<dyn HubClock> {
    Arc::new(StillClock::at(START.parse().unwrap()))
}

/// How many records are new, changed, unchanged, removed, in Trash.
pub(crate) type Figures = [usize; 5];

pub(crate) fn figures(counts: &import::plan::Counts) -> Figures {
    use Verdict::{Changed, InTrash, New, Removed, Unchanged};
    [New, Changed, Unchanged, Removed, InTrash].map(|verdict| total(counts, None, verdict))
}

impl Rig {
    pub(crate) async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("hub"), clock())
            .await
            .unwrap();
        let (_, space) = Admin::new(store.clone()).ensure_owner().await.unwrap();
        Self {
            folder,
            store,
            space,
        }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("hub")
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) async fn plan(&self, source: Source, path: &Path) -> Plan {
        let options = Options {
            name: None,
            columns: Vec::new(),
            dates: None,
            zone: TimeZone::UTC,
            now: START.parse().unwrap(),
        };
        let parsed = import::read(source, path, &options).unwrap();
        Plan::of(&self.store, self.space.clone(), source, parsed)
            .await
            .unwrap()
    }

    /// Imports; the plan has to have said what was done.
    pub(crate) async fn import(&self, source: Source, path: &Path) -> Figures {
        let plan = self.plan(source, path).await;
        let written: Written = plan.write(&self.store, &mut |_, _| {}).await.unwrap();
        assert_eq!(written.counts, plan.counts());
        figures(&written.counts)
    }

    pub(crate) async fn all(&self, kind: Kind) -> Vec<Record> {
        let query = RecordQuery {
            kinds: vec![kind],
            order: ensemble_hub_server::store::Order::Title,
            ..RecordQuery::default()
        };
        self.store
            .records(&self.space.id, &query)
            .await
            .unwrap()
            .items
    }

    pub(crate) async fn links(&self, id: &str) -> Vec<(String, String)> {
        let links = self.store.links_from(&self.space.id, id).await.unwrap();
        links
            .into_iter()
            .map(|link| (link.relation, link.record.title))
            .collect()
    }
}
