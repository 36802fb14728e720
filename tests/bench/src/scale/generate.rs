//! Makes a workspace: the same one for the same sizes and seed. Projects, repositories and the rest grow with the tasks, so that a
//! project has about 500 tasks at any size; one in ten tasks is the owner's own.

use std::path::Path;
use std::sync::Arc;

use ensemble_hub_api::{Kind, TaskStatus, relation};
use ensemble_hub_server::Admin;
use ensemble_hub_server::store::{
    Actor, Change, NewRecord, RecordQuery, SpaceRow, Store, derived_id,
};
use jiff::{Timestamp, ToSpan as _};

use super::random::Random;
use super::words::{RARE, RARE_IN, Words};
use crate::hub::Now;

/// How much of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) tasks: usize,
    pub(crate) pages: usize,
    pub(crate) people: usize,
    pub(crate) links: usize,
}

impl Sizes {
    pub(crate) fn share(self, of: usize) -> Self {
        Self {
            tasks: self.tasks / of,
            pages: self.pages / of,
            people: self.people / of,
            links: self.links / of,
        }
    }
}

/// What is in a workspace, for asking.
pub(super) struct World {
    pub(super) tasks: Vec<(String, String)>,
    pub(super) pages: Vec<String>,
    pub(super) people: Vec<String>,
    pub(super) projects: Vec<String>,
    pub(super) repos: Vec<String>,
}

/// Records of one transaction.
const BATCH: usize = 2_000;

/// The workspace in this data folder, made when it is not there.
#[expect(
    clippy::disallowed_methods,
    reason = "dates are relative to the moment of making"
)]
pub(super) fn world(data: &Path, sizes: &Sizes, seed: u64) -> anyhow::Result<World> {
    let now = Timestamp::now();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let store = Store::open(data, Arc::new(Now(now))).await?;
        let (_, space) = Admin::new(store.clone()).ensure_owner().await?;
        let any = RecordQuery {
            limit: 1,
            ..RecordQuery::default()
        };
        if store.records(&space.id, &any).await?.total == 0 {
            let mut maker = Maker::new(&store, &space, sizes, seed);
            maker.records().await?;
            maker.links().await?;
        }
        let world = World {
            tasks: sample(&store, &space, Kind::Task).await?,
            pages: ids(&store, &space, Kind::Page).await?,
            people: ids(&store, &space, Kind::Person).await?,
            projects: ids(&store, &space, Kind::Project).await?,
            repos: titles(&store, &space, Kind::Repo).await?,
        };
        store.close().await;
        Ok(world)
    })
}

async fn sample(
    store: &Store,
    space: &SpaceRow,
    kind: Kind,
) -> anyhow::Result<Vec<(String, String)>> {
    let query = RecordQuery {
        kinds: vec![kind],
        ..RecordQuery::default()
    };
    let found = store.records(&space.id, &query).await?.items;
    Ok(found
        .into_iter()
        .map(|record| (record.id, record.title))
        .collect())
}

async fn ids(store: &Store, space: &SpaceRow, kind: Kind) -> anyhow::Result<Vec<String>> {
    Ok(sample(store, space, kind)
        .await?
        .into_iter()
        .map(|(id, _)| id)
        .collect())
}

async fn titles(store: &Store, space: &SpaceRow, kind: Kind) -> anyhow::Result<Vec<String>> {
    Ok(sample(store, space, kind)
        .await?
        .into_iter()
        .map(|(_, title)| title)
        .collect())
}

struct Maker<'a> {
    store: &'a Store,
    space: &'a str,
    sizes: &'a Sizes,
    random: Random,
    words: Words,
    ids: Vec<(Kind, Vec<String>)>,
}

impl<'a> Maker<'a> {
    fn new(store: &'a Store, space: &'a SpaceRow, sizes: &'a Sizes, seed: u64) -> Self {
        Self {
            store,
            space: &space.id,
            sizes,
            random: Random::new(seed),
            words: Words::new(),
            ids: Vec::new(),
        }
    }

    /// Kinds in the order in which they refer to each other.
    async fn records(&mut self) -> anyhow::Result<()> {
        let tasks = self.sizes.tasks;
        for (kind, count) in [
            (Kind::Person, self.sizes.people),
            (Kind::Project, tasks / 500),
            (Kind::Repo, tasks / 1_000),
            (Kind::Skill, 40),
            (Kind::Deliverable, tasks / 200),
            (Kind::Meeting, tasks / 100),
            (Kind::Event, tasks / 50),
            (Kind::Page, self.sizes.pages),
            (Kind::Task, tasks),
            (Kind::Approval, 12),
            (Kind::Decision, 8),
        ] {
            let mut ids = Vec::with_capacity(count);
            while ids.len() < count {
                let mut batch = Vec::with_capacity(BATCH);
                for at in ids.len()..count.min(ids.len() + BATCH) {
                    let new = self.record(kind, at, count);
                    let id = derived_id(&format!("generated {kind} {at}"));
                    batch.push(NewRecord {
                        id: Some(id.clone()),
                        ..new
                    });
                    ids.push(id);
                }
                let mut change = self.change().await?;
                change.create_all("generate", batch).await?;
                change.commit().await?;
            }
            self.ids.push((kind, ids));
        }
        Ok(())
    }

    async fn change(&self) -> anyhow::Result<Change> {
        Ok(self.store.change(Actor::system("generate")).await?)
    }

    fn record(&mut self, kind: Kind, at: usize, count: usize) -> NewRecord {
        let random = &mut self.random;
        let length = 3 + random.below(7);
        let mut title = match kind {
            Kind::Person => format!("{} {} {at}", self.words.any(random), self.words.any(random)),
            Kind::Repo => format!("acme/{}-{at}", self.words.any(random)),
            _ => self.words.text(random, length).replace(".\n", " "),
        };
        if matches!(kind, Kind::Task | Kind::Page)
            && at.is_multiple_of((count / (RARE.len() * RARE_IN)).max(1))
        {
            title.push(' ');
            title.push_str(RARE[at / (count / (RARE.len() * RARE_IN)).max(1) % RARE.len()]);
        }
        let length = match kind {
            Kind::Page => 150 + random.below(500),
            Kind::Meeting => 200 + random.below(600),
            Kind::Task => 20 + random.below(120),
            Kind::Skill | Kind::Project => 80,
            _ => 10,
        };
        let body = self.words.text(random, length);
        let minutes = i64::try_from(random.below(60 * 24 * 700)).unwrap_or(0);
        let made = self.store.now().checked_sub(minutes.minutes()).ok();
        let mut new = NewRecord {
            body,
            at: made,
            ..NewRecord::new(self.space, kind, title)
        };
        self.details(&mut new, at);
        new
    }

    fn details(&mut self, new: &mut NewRecord, at: usize) {
        let days = |random: &mut Random| i64::try_from(random.below(700)).unwrap_or(0) - 600;
        let random = &mut self.random;
        match new.kind {
            Kind::Task => self.task(new, at),
            Kind::Person => {
                set(new, "email", format!("person{at}@example.com"));
                set(new, "role", self.words.any(random));
            }
            Kind::Event | Kind::Meeting => {
                let minutes = days(random) * 24 * 60 + i64::try_from(at % 1_440).unwrap_or(0);
                let now = self.store.now();
                let start = now.checked_add(minutes.minutes()).unwrap_or(now);
                let end = start.checked_add(30.minutes()).unwrap_or(start);
                set(new, "start", format!("{start:.3}"));
                set(new, "end", format!("{end:.3}"));
            }
            Kind::Deliverable => {
                let open = random.percent(20);
                new.status = Some(if open { "in_progress" } else { "done" }.to_owned());
                let due = days(random);
                set(new, "due", self.day(due));
            }
            Kind::Project => new.status = Some("active".to_owned()),
            Kind::Approval | Kind::Decision => new.status = Some("pending".to_owned()),
            Kind::Skill => set(new, "enabled", true),
            _ => {}
        }
    }

    /// A quarter is open; of what is open little is overdue.
    fn task(&mut self, new: &mut NewRecord, at: usize) {
        let random = &mut self.random;
        let open = random.percent(25);
        let (opened, closed) = TaskStatus::ALL.split_at(5);
        let status = random.one(if open { opened } else { closed });
        new.status = Some(status.as_str().to_owned());
        let least = usize::from(!random.percent(4));
        set(new, "priority", format!("p{}", random.skewed(4).max(least)));
        if random.percent(40) {
            set(new, "branch", format!("work/{at}"));
        }
        if random.percent(5) {
            let waiting = random.percent(20);
            let label = if waiting { "waiting-on" } else { "later" };
            set(new, "labels", serde_json::json!(["backend", label]));
        }
        if at.is_multiple_of(4_000) {
            set(new, "todayFocus", "keep");
        }
        if random.percent(30) {
            let days = i64::try_from(random.below(700)).unwrap_or(0);
            set(new, "due", self.day(days - if open { 10 } else { 650 }));
        }
    }

    fn day(&self, days: i64) -> String {
        let now = self.store.now();
        let day = now.checked_add((days * 24).hours()).unwrap_or(now);
        day.strftime("%Y-%m-%d").to_string()
    }

    fn ids(&self, kind: Kind) -> &[String] {
        let found = self.ids.iter().find(|(known, _)| *known == kind);
        found.map_or(&[], |(_, ids)| ids)
    }

    /// What belongs to tasks and pages, then links between them until there are enough.
    async fn links(&mut self) -> anyhow::Result<()> {
        let mut all: Vec<(usize, Kind, &'static str, Kind)> = Vec::with_capacity(self.sizes.links);
        for at in 0..self.sizes.tasks {
            all.push((at, Kind::Task, relation::PROJECT, Kind::Project));
            for (percent, name, to) in [
                (70, relation::REPO, Kind::Repo),
                (100, relation::ASSIGNEE, Kind::Person),
                (40, relation::REQUESTED_BY, Kind::Person),
                (20, relation::FROM_MEETING, Kind::Meeting),
                (20, relation::DEPENDS_ON, Kind::Task),
                (10, relation::DELIVERABLE, Kind::Deliverable),
            ] {
                if self.random.percent(percent) {
                    all.push((at, Kind::Task, name, to));
                }
            }
        }
        for at in 0..self.sizes.pages {
            all.push((at, Kind::Page, relation::PROJECT, Kind::Project));
        }
        for at in 0..self.ids(Kind::Project).len() {
            for _ in 0..8 {
                all.push((at, Kind::Project, relation::MEMBER, Kind::Person));
            }
            all.push((at, Kind::Project, relation::OWNER, Kind::Person));
            all.push((at, Kind::Project, relation::SKILL, Kind::Skill));
        }
        while all.len() < self.sizes.links {
            let at = self.random.below(self.sizes.pages);
            all.push((
                at,
                Kind::Page,
                relation::RELATED,
                if self.random.percent(50) {
                    Kind::Page
                } else {
                    Kind::Task
                },
            ));
        }
        for batch in all.chunks(BATCH) {
            let mut links = Vec::with_capacity(batch.len());
            for (at, kind, name, to) in batch {
                let from = self.ids(*kind)[*at].clone();
                links.push((from, *name, self.target(*kind, name, *to)));
            }
            let links: Vec<(&str, &str, &str)> = links
                .iter()
                .map(|(from, name, to)| (from.as_str(), *name, to.as_str()))
                .collect();
            let mut change = self.change().await?;
            change.link_all("generate", self.space, &links).await?;
            change.commit().await?;
        }
        Ok(())
    }

    fn target(&mut self, from: Kind, name: &str, to: Kind) -> String {
        let count = self.ids(to).len();
        // The first person is the owner of the hub.
        let owner = from == Kind::Task && name == relation::ASSIGNEE && self.random.percent(10);
        let at = match to {
            _ if owner => 0,
            Kind::Project | Kind::Repo => self.random.below(count),
            _ => self.random.skewed(count),
        };
        self.ids(to)[at].clone()
    }
}

fn set(new: &mut NewRecord, field: &str, value: impl Into<serde_json::Value>) {
    new.fields.insert(field.to_owned(), value.into());
}
