//! Writing a plan: batches of one transaction each, so that a hub that runs beside it can write in between, and the database is never
//! held for long. What a row does is decided again inside its transaction. Links are written after all records. An import that was
//! interrupted is marked as unfinished: the next one of the same source writes the links of unchanged rows too.

use std::collections::BTreeMap;
use std::time::Duration;

use ensemble_hub_api::Kind;

use super::merge::{Links, Resolved, Step, fields, step};
use super::plan::{Counts, Plan, Verdict, by_id};
use super::{ImportError, Source};
use crate::store::{Actor, ActorKind, NewRecord, SpaceRow, Store};

/// Rows of one transaction.
const BATCH: usize = 1_000;
/// Another process's write gets its turn between two transactions: it looks for one again and again while it waits.
const PAUSE: Duration = Duration::from_millis(15);

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub counts: Counts,
    pub links: usize,
}

impl Plan {
    /// Writes the plan in the name of the person. `progress` is told how many of how many rows are done.
    ///
    /// # Errors
    /// [`ImportError`] if the store fails; the rows that were written stay, and importing again goes on.
    pub async fn write(
        &self,
        store: &Store,
        progress: &mut (dyn FnMut(usize, usize) + Send),
    ) -> Result<Written, ImportError> {
        let owner = store.account(&self.space.account_id).await?;
        let name = owner.map_or_else(String::new, |owner| owner.name);
        let writer = Writer {
            store,
            space: &self.space,
            source: self.source,
            actor: Actor {
                kind: ActorKind::Person,
                name,
                key_id: None,
            },
            action: format!("import.{}", self.source.as_str()),
        };
        let unfinished = writer.unfinished().await?;
        let idle = !self.changes_anything() && !unfinished;
        let mut written = Written::default();
        if idle {
            written.counts = self.counts();
            return Ok(written);
        }
        writer.mark(true).await?;
        let mut links = BTreeMap::new();
        let mut done = 0;
        for batch in self.rows.chunks(BATCH) {
            writer
                .records(batch, unfinished, &mut written.counts, &mut links)
                .await?;
            done += batch.len();
            progress(done, self.rows.len());
            tokio::time::sleep(PAUSE).await;
        }
        let links: Vec<(String, Links)> = links.into_iter().collect();
        for batch in links.chunks(BATCH) {
            written.links += writer.links(batch).await?;
            tokio::time::sleep(PAUSE).await;
        }
        writer.mark(false).await?;
        Ok(written)
    }
}

struct Writer<'a> {
    store: &'a Store,
    space: &'a SpaceRow,
    source: Source,
    actor: Actor,
    action: String,
}

impl Writer<'_> {
    fn setting(&self) -> String {
        format!("import.{}.{}", self.source.as_str(), self.space.id)
    }

    async fn unfinished(&self) -> Result<bool, ImportError> {
        let setting = self
            .store
            .setting(&self.space.account_id, &self.setting())
            .await?;
        Ok(setting.is_some_and(|value| value == "unfinished"))
    }

    async fn mark(&self, unfinished: bool) -> Result<(), ImportError> {
        let value = if unfinished { "unfinished" } else { "done" };
        Ok(self
            .store
            .set_setting(&self.space.account_id, &self.setting(), value)
            .await?)
    }

    /// Writes one batch of rows; their links are left in `links`.
    async fn records(
        &self,
        batch: &[Resolved],
        all_links: bool,
        counts: &mut Counts,
        links: &mut BTreeMap<String, Links>,
    ) -> Result<(), ImportError> {
        let mut change = self.store.change(self.actor.clone()).await?;
        let ids: Vec<String> = batch.iter().map(|row| row.id.clone()).collect();
        let known = by_id(change.by_ids_in_trash_too(&self.space.id, &ids).await?);
        let mut new = Vec::new();
        for row in batch {
            let step = step(known.get(&row.id), self.source, row);
            let verdict = Verdict::of(&step);
            *counts.entry((row.item.kind, verdict)).or_default() += 1;
            let all = || Links {
                add: row.links.clone(),
                ..Links::default()
            };
            let after = match (step, known.get(&row.id)) {
                (Step::Create, _) => {
                    new.push(self.new_record(row));
                    all()
                }
                (Step::Change(record, links), Some(before)) => {
                    change.update(&self.action, before, *record).await?;
                    links
                }
                (Step::Trash, Some(before)) => {
                    change.trash(&self.action, before).await?;
                    Links::default()
                }
                (Step::Nothing, Some(_)) if all_links => all(),
                _ => Links::default(),
            };
            if after != Links::default() {
                links.insert(row.id.clone(), after);
            }
        }
        change.create_all(&self.action, new).await?;
        Ok(change.commit().await?)
    }

    fn new_record(&self, row: &Resolved) -> NewRecord {
        let item = &row.item;
        NewRecord {
            id: Some(row.id.clone()),
            status: item.status.clone(),
            fields: fields(self.source, row),
            body: item.body.clone(),
            at: item.created,
            changed_at: item.updated,
            ..NewRecord::new(self.space.id.as_str(), item.kind, item.title.as_str())
        }
    }

    /// Adds and removes the links of one batch; how many are new.
    async fn links(&self, batch: &[(String, Links)]) -> Result<usize, ImportError> {
        let mut change = self.store.change(self.actor.clone()).await?;
        let mut add: Vec<(&str, &str, &str)> = Vec::new();
        for (from, links) in batch {
            for (relation, to) in &links.remove {
                let link = (from.as_str(), relation.as_str(), to.as_str());
                change.unlink(&self.action, &self.space.id, link).await?;
            }
            add.extend(
                links
                    .add
                    .iter()
                    .map(|(relation, to)| (from.as_str(), relation.as_str(), to.as_str())),
            );
        }
        let count = change.link_all(&self.action, &self.space.id, &add).await?;
        change.commit().await?;
        Ok(count)
    }
}

/// The sum of a verdict over the kinds, or over one.
pub fn total(counts: &Counts, kind: Option<Kind>, verdict: Verdict) -> usize {
    let wanted =
        |(one, is): &(Kind, Verdict)| *is == verdict && kind.is_none_or(|kind| kind == *one);
    counts
        .iter()
        .filter(|(key, _)| wanted(key))
        .map(|(_, count)| count)
        .sum()
}
