//! The plan: every item with the id of its record, its links resolved, and what writing it would do. Names are looked up among the
//! person's records: an e-mail address or a GitHub name first, then the name; one that is nobody's becomes a record of its own, once.

use std::collections::{BTreeMap, BTreeSet};

use ensemble_hub_api::Kind;

use super::item::{BadRow, Item, Named, Parsed, Target};
use super::merge::{Resolved, Step, step};
use super::{ImportError, Source};
use crate::store::{KnownName, Record, SpaceRow, Store, derived_id, name_key};

/// Records that are looked up at once.
const BATCH: usize = 500;

/// What is to be written, and what the person is shown before.
#[derive(Debug)]
pub struct Plan {
    pub(super) source: Source,
    pub(super) space: SpaceRow,
    pub(super) rows: Vec<Resolved>,
    /// What happens to each row, in the order of the rows.
    pub(super) verdicts: Vec<Verdict>,
    pub bad: Vec<BadRow>,
    pub bad_total: usize,
    pub notes: Vec<String>,
}

/// What writing would do to one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    New,
    Changed,
    Unchanged,
    /// The source says that it is no more: to Trash.
    Removed,
    /// A person put it into Trash, where it stays.
    InTrash,
}

/// How many records of a kind get which verdict.
pub type Counts = BTreeMap<(Kind, Verdict), usize>;

impl Plan {
    /// Plans what was read for a space. Nothing is written.
    pub async fn of(
        store: &Store,
        space: SpaceRow,
        source: Source,
        parsed: Parsed,
    ) -> Result<Self, ImportError> {
        let Parsed {
            items,
            bad,
            bad_total,
            notes,
        } = parsed;
        let known = store.known_names(&space.id).await?;
        let mut names = Names::of(known, &space.id);
        let rows = resolve(items, source, &space.id, &mut names);
        let mut plan = Self {
            source,
            space,
            rows,
            verdicts: Vec::new(),
            bad,
            bad_total,
            notes,
        };
        for batch in plan.rows.chunks(BATCH) {
            let ids: Vec<String> = batch.iter().map(|row| row.id.clone()).collect();
            let known = by_id(store.by_ids_in_trash_too(&plan.space.id, &ids).await?);
            let verdicts = batch
                .iter()
                .map(|row| Verdict::of(&step(known.get(&row.id), source, row)));
            plan.verdicts.extend(verdicts);
        }
        Ok(plan)
    }

    /// How many records of each kind get which verdict.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::new();
        for (row, verdict) in self.rows.iter().zip(&self.verdicts) {
            *counts.entry((row.item.kind, *verdict)).or_default() += 1;
        }
        counts
    }

    /// Whether writing would do anything.
    pub fn changes_anything(&self) -> bool {
        let idle = |verdict: &Verdict| matches!(verdict, Verdict::Unchanged | Verdict::InTrash);
        !self.verdicts.iter().all(idle)
    }

    /// The first rows that would be written: verdict, kind, title, place.
    pub fn first(&self, count: usize) -> Vec<(Verdict, &Item)> {
        let rows = self.rows.iter().zip(&self.verdicts);
        rows.filter(|(_, verdict)| {
            matches!(verdict, Verdict::New | Verdict::Changed | Verdict::Removed)
        })
        .take(count)
        .map(|(row, verdict)| (*verdict, &row.item))
        .collect()
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Verdict {
    pub(super) const fn of(step: &Step) -> Self {
        match step {
            Step::Create => Self::New,
            Step::Change(..) => Self::Changed,
            Step::Trash => Self::Removed,
            Step::Nothing => Self::Unchanged,
            Step::LeftInTrash => Self::InTrash,
        }
    }

    /// In a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
            Self::Removed => "removed",
            Self::InTrash => "in Trash",
        }
    }
}

pub(super) fn by_id(records: Vec<Record>) -> BTreeMap<String, Record> {
    records
        .into_iter()
        .map(|record| (record.id.clone(), record))
        .collect()
}

/// The rows with ids; what they name and nobody knows comes before them.
fn resolve(items: Vec<Item>, source: Source, space: &str, names: &mut Names<'_>) -> Vec<Resolved> {
    let id_of = |key: &str| {
        derived_id(&format!(
            "ensemble import\n{space}\n{}\n{key}",
            source.as_str()
        ))
    };
    // People that the source has itself are the ones it names.
    let mut rows = Vec::with_capacity(items.len());
    for item in items {
        let adopted = (item.kind == Kind::Person)
            .then(|| names.adopt(&item))
            .flatten();
        let id = adopted.unwrap_or_else(|| id_of(&item.key));
        let links = BTreeSet::new();
        rows.push(Resolved { id, item, links });
    }
    for row in &mut rows {
        for link in std::mem::take(&mut row.item.links) {
            let to = match &link.to {
                Target::Item(key) => Some(id_of(key)),
                Target::Named(named) => names.id(named),
            };
            let Some(to) = to.filter(|to| *to != row.id) else {
                continue;
            };
            if let Some(field) = link.field {
                row.item.set(field, to.as_str());
            }
            row.links.insert((link.relation.to_owned(), to));
        }
    }
    let mut all = std::mem::take(&mut names.made);
    all.append(&mut rows);
    // Two cards that are one person's: the first stands for both.
    let mut seen = BTreeSet::new();
    all.retain(|row| seen.insert(row.id.clone()));
    all
}

/// People, projects and repositories by what sources call them.
struct Names<'a> {
    space: &'a str,
    emails: BTreeMap<String, String>,
    logins: BTreeMap<String, String>,
    titles: BTreeMap<(Kind, String), String>,
    made: Vec<Resolved>,
}

impl<'a> Names<'a> {
    /// Where two have one name, the oldest counts.
    fn of(known: Vec<KnownName>, space: &'a str) -> Self {
        let mut all = Self {
            space,
            emails: BTreeMap::new(),
            logins: BTreeMap::new(),
            titles: BTreeMap::new(),
            made: Vec::new(),
        };
        for one in known {
            let email = one.email.map(|email| email.to_lowercase());
            let login = one.login.map(|login| login.to_lowercase());
            all.know(&one.id, (one.kind, one.key), email, login);
        }
        all
    }

    fn know(
        &mut self,
        id: &str,
        name: (Kind, String),
        email: Option<String>,
        login: Option<String>,
    ) {
        let id = || id.to_owned();
        if let Some(email) = email.filter(|email| !email.is_empty()) {
            self.emails.entry(email).or_insert_with(id);
        }
        if let Some(login) = login.filter(|login| !login.is_empty()) {
            self.logins.entry(login).or_insert_with(id);
        }
        self.titles.entry(name).or_insert_with(id);
    }

    /// The person that a card with this e-mail address already is.
    fn adopt(&self, item: &Item) -> Option<String> {
        let email = item.fields.get("email")?.as_str()?.to_lowercase();
        self.emails.get(&email).cloned()
    }

    /// The record that is meant, made where nobody is; `None` where nobody may be made.
    fn id(&mut self, named: &Named) -> Option<String> {
        let email = named.email.as_ref().map(|email| email.to_lowercase());
        let login = named.login.as_ref().map(|login| login.to_lowercase());
        let name = (named.kind, name_key(&named.name));
        let by_email = email.as_ref().and_then(|email| self.emails.get(email));
        let found = by_email.or_else(|| self.logins.get(login.as_ref()?));
        // A login is no name: “max” at GitHub is not everybody called Max.
        let found = found.or_else(|| self.titles.get(&name).filter(|_| login.is_none()));
        if let Some(id) = found {
            return Some(id.clone());
        }
        if named.known_only {
            return None;
        }
        let title = crate::store::one_line(&named.name);
        let fits = (1..=ensemble_hub_api::limits::TITLE_MAX).contains(&title.chars().count());
        if !fits {
            return None;
        }
        let key = match (&email, &login) {
            (Some(email), _) => format!("email {email}"),
            (None, Some(login)) => format!("github {login}"),
            (None, None) => format!("name {}", name.1),
        };
        let id = derived_id(&format!(
            "ensemble name\n{}\n{}\n{key}",
            self.space, named.kind
        ));
        let mut item = Item::new(key, named.kind, title);
        "named by others".clone_into(&mut item.place);
        item.set("email", email.clone().unwrap_or_default());
        item.set("github", login.clone().unwrap_or_default());
        if named.kind == Kind::Project {
            item.status = Some("active".to_owned());
        }
        self.know(&id, name, email, login);
        self.made.push(Resolved {
            id: id.clone(),
            item,
            links: BTreeSet::new(),
        });
        Some(id)
    }
}
