//! The brief: the task at hand and what belongs to it, in one answer. What is not known is not
//! there; what was left out for length is named; nothing is guessed.

use ensemble_hub_api::{limits, sentences};
use serde::Serialize;

use crate::error::RouteError;
use crate::search;
use crate::store::Record;
use crate::view::{self, Card, Reader};
use around::Around;
use cited::{Cited, Skill, cited, fitting_skills, fitting_texts, skills};
use resolve::{Outcome, Place, Resolution};

pub mod around;
pub mod cited;
pub mod packet;
pub mod remote;
pub mod resolve;
pub mod sections;

/// Bytes of one list.
const LIST_BYTES: usize = 9_000;

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// A handle, a link, an id or an exact title.
    pub task: Option<String>,
    /// `owner/name` or the address of a remote.
    pub repo: Option<String>,
    /// The branch.
    pub branch: Option<String>,
    /// Words to search for besides.
    pub query: Option<String>,
    /// Most hits and excerpts.
    pub limit: usize,
}

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Brief {
    /// How it was found what this is about.
    pub resolution: Outcome,
    /// The same in a sentence.
    pub message: String,
    /// Which tasks or repositories could be meant.
    pub candidates: Vec<Card>,
    /// Finished tasks that fit, which are not the current one.
    pub closed_matches: Vec<Card>,
    /// Other open tasks of the repository.
    pub other_open_tasks: Vec<Card>,
    /// What this is about.
    pub resolved: Resolved,
    /// The task's packet, as Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_context: Option<String>,
    /// The handle of what the packet is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_ref: Option<String>,
    /// What the task is part of.
    pub deliverables: Vec<Card>,
    /// Files on the task.
    pub files: Vec<Card>,
    /// How the person works: current skills that apply.
    pub how_i_work: Vec<Skill>,
    /// Excerpts of what belongs to it, with where they are from.
    pub context: Vec<Cited>,
    /// What `query` found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<search::Found>,
    /// Neither a task nor a repository nor a hit.
    pub nothing_found: bool,
    /// What the text is, and what was left out.
    pub notes: Vec<String>,
}

/// What the brief is about.
#[derive(Debug, Default, Serialize)]
pub struct Resolved {
    /// The task, with how it was found in `via`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Card>,
    /// The repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repo: Option<Card>,
    /// The project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<Card>,
    /// The people, nearest first, with what they have to do with it in `involved`.
    pub people: Vec<Card>,
}

/// The brief for `asked`.
///
/// # Errors
/// [`RouteError`] if a handle, link or id names nothing in this space, or the store fails.
pub async fn brief(reader: &Reader<'_>, asked: &Asked) -> Result<Brief, RouteError> {
    let place = Place {
        task: asked.task.as_deref(),
        repo: asked.repo.as_deref(),
        branch: asked.branch.as_deref(),
    };
    let resolution = resolve::resolve(reader, place).await?;
    let task = resolution.task.as_ref().map(|(task, _)| task);
    let (around, texts, fitting, search) = tokio::try_join!(
        around(reader, &resolution),
        async {
            match task {
                Some(task) => fitting_texts(reader, task, asked.limit).await,
                None => Ok(Vec::new()),
            }
        },
        async {
            match task {
                Some(task) => fitting_skills(reader, task).await,
                None => Ok(Vec::new()),
            }
        },
        search_beside(reader, task, asked),
    )?;
    let packet = task.map(|task| sections::packet(task, &around, limits::PACKET_MAX));
    let context = task.map_or_else(Vec::new, |task| {
        cited(reader, task, &around, texts, asked.limit)
    });
    let how_i_work = skills(&around, fitting);
    let nothing_found = task.is_none()
        && resolution.repo.is_none()
        && resolution.candidates.is_empty()
        && resolution.closed.is_empty()
        && search.as_ref().is_none_or(|found| found.empty);
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    notes.extend(packet.as_ref().and_then(left_out));
    let mut cut = Cut::default();
    let candidates = cut.list(reader, "candidates", &resolution.candidates);
    let candidates = candidates.await?;
    let closed_matches = cut.list(reader, "closedMatches", &resolution.closed);
    let closed_matches = closed_matches.await?;
    let other_open_tasks = cut.list(reader, "otherOpenTasks", &resolution.others);
    let other_open_tasks = other_open_tasks.await?;
    let deliverables = cut.list(reader, "deliverables", &around.deliverables);
    let deliverables = deliverables.await?;
    let files = cut.list(reader, "files", &around.files).await?;
    let resolved = resolved(reader, &resolution, &around, &mut cut).await?;
    notes.extend(cut.note());
    Ok(Brief {
        resolution: resolution.outcome,
        message: message(&resolution, search.as_ref()),
        candidates,
        closed_matches,
        other_open_tasks,
        deliverables,
        files,
        resolved,
        context_ref: task.map(view::handle),
        work_context: packet.map(|packet| packet.text),
        how_i_work,
        context,
        search,
        nothing_found,
        notes,
    })
}

/// The words to search for, if any were passed.
fn words(asked: &Asked) -> Option<&str> {
    asked
        .query
        .as_deref()
        .map(str::trim)
        .filter(|query| !query.is_empty())
}

/// The resolution's sentence, and what the search beside it came to where nothing else was found.
fn message(resolution: &Resolution, search: Option<&search::Found>) -> String {
    let missed = matches!(
        resolution.outcome,
        Outcome::UntrackedRepo | Outcome::NoAnchor | Outcome::BranchUnmatched
    );
    match search {
        Some(found) if missed && found.empty => {
            format!("{} The search found nothing either.", resolution.message)
        }
        Some(_) if missed => format!("{} `search` has what your words found.", resolution.message),
        None if resolution.outcome == Outcome::UntrackedRepo => {
            format!(
                "{} Nothing was searched: pass `query` to search this space.",
                resolution.message
            )
        }
        _ => resolution.message.clone(),
    }
}

async fn resolved(
    reader: &Reader<'_>,
    resolution: &Resolution,
    around: &Around,
    cut: &mut Cut,
) -> Result<Resolved, RouteError> {
    let one = async |record: Option<&Record>| match record {
        Some(record) => reader.card_of(record).await.map(Some),
        None => Ok(None),
    };
    let mut task = one(resolution.task.as_ref().map(|(task, _)| task)).await?;
    if let (Some(card), Some((_, via))) = (&mut task, &resolution.task) {
        card.insert("via".to_owned(), (*via).into());
    }
    let records: Vec<Record> = around.people.iter().map(|who| who.person.clone()).collect();
    let mut people = reader.cards(&records).await?;
    for (card, who) in people.iter_mut().zip(&around.people) {
        card.insert("involved".to_owned(), who.how.join(", ").into());
    }
    Ok(Resolved {
        task,
        repo: one(around.repo.as_ref().or(resolution.repo.as_ref())).await?,
        project: one(around.project.as_ref()).await?,
        people: cut.fit("people", people),
    })
}

/// What the lists of a brief leave out for length.
#[derive(Debug, Default)]
struct Cut(Vec<String>);

impl Cut {
    /// The cards of `records` that stand in the list called `name`.
    async fn list(
        &mut self,
        reader: &Reader<'_>,
        name: &str,
        records: &[Record],
    ) -> Result<Vec<Card>, RouteError> {
        Ok(self.fit(name, reader.cards(records).await?))
    }

    fn fit(&mut self, name: &str, cards: Vec<Card>) -> Vec<Card> {
        let (cards, left_out) = view::fit(cards, LIST_BYTES);
        if left_out > 0 {
            self.0.push(format!("{left_out} of {name}"));
        }
        cards
    }

    fn note(&self) -> Option<String> {
        let all = self.0.join(", ");
        (!all.is_empty()).then(|| {
            format!(
                "Left out for length: {all}. ensemble_context and ensemble_tasks give them in full."
            )
        })
    }
}

async fn around(reader: &Reader<'_>, resolution: &Resolution) -> Result<Around, RouteError> {
    match (&resolution.task, &resolution.repo) {
        (Some((task, _)), _) => Around::task(reader, task).await,
        (None, Some(repo)) => Around::repo(reader, repo).await,
        (None, None) => Ok(Around::default()),
    }
}

/// What the packet leaves out, in a sentence.
fn left_out(packet: &packet::Packet) -> Option<String> {
    let list = packet.left_out.join("; ");
    (!list.is_empty()).then(|| format!("Left out of workContext for length: {list}."))
}

/// What the words that were passed find, near the task.
async fn search_beside(
    reader: &Reader<'_>,
    task: Option<&Record>,
    asked: &Asked,
) -> Result<Option<search::Found>, RouteError> {
    let Some(query) = words(asked) else {
        return Ok(None);
    };
    let asked = search::Asked {
        query: query.to_owned(),
        near: task.map(view::handle),
        hits: asked.limit,
        typing: true,
        ..search::Asked::default()
    };
    search::find(reader, &asked).await.map(Some)
}

/// The most hits a brief may be asked for.
pub const LIMIT_MAX: u32 = limits::SEARCH_MAX;
