//! Lists: what every list of records has in common. A list is a page of cards under its plural name with `total`, `hasMore` and two ways to
//! go on: `nextOffset`, and `next`, which gives each record once whatever changes in between. A list is cut to its bytes and says so.
//!
//! | list | kind | order |
//! |---|---|---|
//! | projects, diagrams, plots | the same | newest change first |
//! | repos, skills, people | the same | by name; only skills that are switched on |
//! | deliverables | the same | due first |
//! | meetings | event | by start, see [`crate::meetings`] |
//! | files | file, document | newest first, see [`crate::files`] |

use ensemble_hub_api::{Kind, limits, relation, sentences};
use serde_json::json;

use crate::error::RouteError;
use crate::params::Params;
use crate::store::{Begin, Key, Mark, Order, Record, RecordQuery, Related, Step, Walk};
use crate::view::{self, Card, Reader};

mod cursor;

pub use cursor::Cursor;

/// Bytes of the cards of one answer: with what stands beside them it stays below 80 KB.
pub const LIST_BYTES: usize = 72_000;

/// A list of records of one kind.
#[derive(Debug)]
pub struct Shelf {
    /// The field of the answer, which is also the last part of its path.
    pub plural: &'static str,
    pub kind: Kind,
    pub order: Order,
}

const fn shelf(plural: &'static str, kind: Kind, order: Order) -> Shelf {
    Shelf {
        plural,
        kind,
        order,
    }
}

pub const PROJECTS: Shelf = shelf("projects", Kind::Project, Order::Updated);
pub const REPOS: Shelf = shelf("repos", Kind::Repo, Order::Title);
pub const SKILLS: Shelf = shelf("skills", Kind::Skill, Order::Title);
pub const PEOPLE: Shelf = shelf("people", Kind::Person, Order::Title);
pub const DELIVERABLES: Shelf = shelf("deliverables", Kind::Deliverable, Order::Due);
pub const DIAGRAMS: Shelf = shelf("diagrams", Kind::Diagram, Order::Updated);
pub const PLOTS: Shelf = shelf("plots", Kind::Plot, Order::Updated);

/// Which part of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Records at the most.
    pub limit: u32,
    /// Records to skip; with `after`, how many came before.
    pub offset: u32,
    /// Where the part before ended.
    pub after: Option<Mark>,
}

impl Part {
    /// `limit`, `offset` and `after` of a request for the list called `name`.
    ///
    /// # Errors
    /// [`RouteError`] if one is out of its bounds, or `after` is from another list.
    pub fn of(params: &Params, name: &str) -> Result<Self, RouteError> {
        let limit = params.number("limit", 1, limits::LIST_MAX, limits::LIST_DEFAULT)?;
        let offset = params.number("offset", 0, u32::MAX, 0)?;
        let Some(text) = params.text("after", limits::CURSOR_MAX)? else {
            return Ok(Self {
                limit,
                offset,
                after: None,
            });
        };
        if params.text("offset", 20)?.is_some() {
            let both = sentences::CURSOR_OR_OFFSET.to_owned();
            return Err(RouteError::BadRequest(both));
        }
        let cursor = Cursor::parse(text, name)
            .ok_or_else(|| RouteError::BadRequest(sentences::CURSOR_BAD.to_owned()))?;
        Ok(Self {
            limit,
            offset: cursor.position,
            after: Some(cursor.mark),
        })
    }

    /// The same of an action's input.
    ///
    /// # Errors
    /// [`RouteError`] as [`Self::of`].
    pub fn from_input(
        limit: Option<u32>,
        offset: Option<u32>,
        after: Option<&str>,
        name: &str,
    ) -> Result<Self, RouteError> {
        let pairs = [
            ("limit", limit.map(|limit| limit.to_string())),
            ("offset", offset.map(|offset| offset.to_string())),
            ("after", after.map(str::to_owned)),
        ];
        let given = pairs
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Self::of(&Params::from_pairs(given.collect()), name)
    }

    /// Where the part begins in a list that is ordered by when its records were made.
    ///
    /// # Errors
    /// [`RouteError`] for the mark of a list with another order.
    pub fn by_creation(&self) -> Result<Begin<'_>, RouteError> {
        match &self.after {
            Some(Mark {
                key: Key::At(at),
                id,
                ..
            }) => Ok(Begin::After(*at, id)),
            Some(_) => Err(RouteError::BadRequest(sentences::CURSOR_BAD.to_owned())),
            None => Ok(Begin::Offset(self.offset)),
        }
    }
}

/// Records by when they were made as a part of a list: that never changes, so no number of the ledger is needed to go on.
pub fn as_walk(found: Related) -> Walk {
    let step = |record: Record| Step {
        mark: Mark {
            seq: 0,
            key: Key::At(record.created_at.as_microsecond()),
            id: record.id.clone(),
        },
        record,
    };
    Walk {
        steps: found.records.into_iter().map(step).collect(),
        total: found.total,
        more: found.more,
    }
}

/// The part of the records that `query` names.
///
/// # Errors
/// [`RouteError`] if too much changed since the walk began, or the store fails.
pub async fn walk(
    reader: &Reader<'_>,
    query: RecordQuery,
    part: &Part,
) -> Result<Walk, RouteError> {
    let query = RecordQuery {
        limit: part.limit,
        offset: part.offset,
        ..query
    };
    let found = reader
        .store
        .walk(reader.space, &query, part.after.as_ref())
        .await?;
    found.ok_or_else(|| RouteError::Conflict(sentences::CURSOR_OLD.to_owned()))
}

/// A part of `shelf`; `words` all stand in the title.
///
/// # Errors
/// As [`walk`].
pub async fn list(
    reader: &Reader<'_>,
    shelf: &Shelf,
    words: Option<&str>,
    part: &Part,
) -> Result<Card, RouteError> {
    let query = RecordQuery {
        kinds: vec![shelf.kind],
        order: shelf.order,
        title_words: words.map(str::to_owned),
        enabled: shelf.kind == Kind::Skill,
        ..RecordQuery::default()
    };
    let found = walk(reader, query, part).await?;
    let cards = cards(reader, &found.steps).await?;
    Ok(answer(shelf.plural, cards, &found, part))
}

/// The cards of a part, with what a list of their kind counts.
pub async fn cards(reader: &Reader<'_>, steps: &[Step]) -> Result<Vec<Card>, RouteError> {
    let records: Vec<Record> = steps.iter().map(|step| step.record.clone()).collect();
    let mut cards = reader.cards(&records).await?;
    add_counts(reader, &records, &mut cards).await?;
    Ok(cards)
}

/// Adds to the cards of projects how many tasks and deliverables they have.
///
/// # Errors
/// [`RouteError`] if the store fails.
pub async fn add_counts(
    reader: &Reader<'_>,
    records: &[Record],
    cards: &mut [Card],
) -> Result<(), RouteError> {
    let projects = records.iter().filter(|r| r.kind == Kind::Project);
    let ids: Vec<String> = projects.map(|record| record.id.clone()).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let kinds = [Kind::Task, Kind::Deliverable];
    let counts = reader
        .store
        .counts_of(reader.space, &ids, relation::PROJECT, &kinds)
        .await?;
    for (card, record) in cards.iter_mut().zip(records) {
        if record.kind != Kind::Project {
            continue;
        }
        let of = |kind| counts.get(&(record.id.clone(), kind)).copied().unwrap_or(0);
        card.insert("taskCount".to_owned(), of(Kind::Task).into());
        card.insert("deliverableCount".to_owned(), of(Kind::Deliverable).into());
    }
    Ok(())
}

/// The answer of the list called `name`: `cards` belong to the steps of `found`, in their order.
pub fn answer(name: &str, cards: Vec<Card>, found: &Walk, part: &Part) -> Card {
    let (cards, _) = view::fit(cards, LIST_BYTES);
    let on = GoOn::of(name, cards.len(), found, part);
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    notes.extend(on.note(name, cards.len(), found.total));
    let mut answer = Card::new();
    answer.insert(name.to_owned(), json!(cards));
    answer.insert("total".to_owned(), found.total.into());
    answer.insert("offset".to_owned(), part.offset.into());
    answer.insert("limit".to_owned(), part.limit.into());
    on.add_to(&mut answer);
    answer.insert("notes".to_owned(), json!(notes));
    answer
}

/// How a list goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoOn {
    /// The `offset` of the next part, where there is one.
    pub offset: Option<u32>,
    /// The `after` of the next part, where there is one.
    pub after: Option<String>,
}

impl GoOn {
    /// After `shown` records of `found`.
    pub fn of(name: &str, shown: usize, found: &Walk, part: &Part) -> Self {
        let last = shown.checked_sub(1).and_then(|at| found.steps.get(at));
        match last {
            Some(step) if found.more || shown < found.steps.len() => {
                let count = u32::try_from(shown).unwrap_or(u32::MAX);
                let position = part.offset.saturating_add(count);
                let mark = step.mark.clone();
                Self {
                    offset: Some(position),
                    after: Some(Cursor { mark, position }.text(name)),
                }
            }
            _ => Self {
                offset: None,
                after: None,
            },
        }
    }

    /// Says how to go on, or that there is nothing.
    pub fn note(&self, name: &str, shown: usize, total: u64) -> Option<String> {
        match self.offset {
            Some(next) => Some(format!(
                "{shown} of {total} {name}: call again with offset {next} for the next, or with `next` as `after`."
            )),
            None if total == 0 => Some(format!("There are no {name} that match.")),
            None => None,
        }
    }

    /// Adds `hasMore`, `nextOffset` and `next`.
    pub fn add_to(&self, answer: &mut Card) {
        answer.insert("hasMore".to_owned(), self.offset.is_some().into());
        if let (Some(offset), Some(after)) = (self.offset, &self.after) {
            answer.insert("nextOffset".to_owned(), offset.into());
            answer.insert("next".to_owned(), after.as_str().into());
        }
    }
}
