//! What a brief quotes: pieces of the texts around a task, and the skills that say how the person works. What is linked comes
//! before what only has the same words.

use ensemble_hub_api::{Handle, Kind, Trust};
use serde::Serialize;

use super::LIST_BYTES;
use super::around::Around;
use crate::error::RouteError;
use crate::search::rank::Rank;
use crate::search::{self, excerpt};
use crate::store::{CITABLE, Record};
use crate::text::cut;
use crate::text::terms::{Term, query_terms};
use crate::text::trust::neutral;
use crate::view::{self, Reader};

/// Skills of one brief.
const SKILLS_MAX: usize = 3;
/// Characters of a skill's body.
const SKILL_BODY: usize = 2_000;
/// Characters of a cited excerpt.
const CITED: usize = 400;
/// What a hit has to be worth to be cited without a link to the task.
const CITED_SCORE: f64 = 0.4;

/// A skill that applies.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skill {
    /// Its name.
    pub skill: String,
    /// Its handle.
    #[serde(rename = "ref")]
    pub handle: String,
    /// Why it applies.
    pub why: String,
    /// Its current text.
    pub body: String,
    /// Whether there is more of it.
    pub body_truncated: bool,
    /// Its version, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// Who is speaking.
    pub trust: Trust,
}

/// A piece of a record.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cited {
    /// The record's id.
    pub id: String,
    /// Its kind.
    pub kind: Kind,
    /// Its title or name.
    pub label: String,
    /// Its handle.
    #[serde(rename = "ref")]
    pub handle: String,
    /// Its link in the hub.
    pub url: String,
    /// The piece.
    pub excerpt: String,
    /// Whether there is more of it.
    pub truncated: bool,
    /// Why it is cited.
    pub why: String,
    /// Who is speaking.
    pub trust: Trust,
    /// What that means.
    pub trust_label: &'static str,
}

/// Records that have the words of the task's title, best first, with what they are worth.
pub(super) type Fitting = Vec<(Rank, Record)>;

/// Texts that fit the task's words.
pub(super) async fn fitting_texts(
    reader: &Reader<'_>,
    task: &Record,
    limit: usize,
) -> Result<Fitting, RouteError> {
    fitting(reader, task, &CITABLE, limit).await
}

/// Skills that fit the task's words.
pub(super) async fn fitting_skills(
    reader: &Reader<'_>,
    task: &Record,
) -> Result<Fitting, RouteError> {
    fitting(reader, task, &[Kind::Skill], SKILLS_MAX).await
}

async fn fitting(
    reader: &Reader<'_>,
    task: &Record,
    kinds: &[Kind],
    hits: usize,
) -> Result<Fitting, RouteError> {
    let asked = search::Asked {
        query: task.title.clone(),
        kinds: kinds.to_vec(),
        hits,
        ..search::Asked::default()
    };
    let mut found = search::matches(reader, &asked).await?;
    found.retain(|(rank, _)| rank.score >= CITED_SCORE);
    Ok(found)
}

/// Pieces of what is linked to the task, then of what has the words of its title.
pub(super) fn cited(
    reader: &Reader<'_>,
    task: &Record,
    around: &Around,
    fitting: Fitting,
    limit: usize,
) -> Vec<Cited> {
    let terms = query_terms(&task.title);
    let linked = [&around.meetings, &around.sources, &around.files]
        .into_iter()
        .flatten();
    let mut list: Vec<Cited> = linked
        .filter(|record| CITABLE.contains(&record.kind))
        .map(|record| cite(reader, record, &terms, "linked to the task".to_owned()))
        .filter(|cited| !cited.excerpt.is_empty())
        .collect();
    for (rank, record) in fitting {
        if !list.iter().any(|cited| cited.id == record.id) {
            list.push(cite(reader, &record, &terms, rank.why));
        }
    }
    list.truncate(limit);
    view::fit(list, LIST_BYTES).0
}

fn cite(reader: &Reader<'_>, record: &Record, terms: &[Term], why: String) -> Cited {
    let trust = view::trust_of(record);
    let (excerpt, truncated) = excerpt::around(view::main_text(record), terms, CITED);
    Cited {
        id: record.id.clone(),
        kind: record.kind,
        label: view::title(record),
        handle: view::handle(record),
        url: Handle::new(record.kind, record.id.as_str()).link(reader.base),
        excerpt,
        truncated,
        why,
        trust,
        trust_label: trust.label(),
    }
}

/// The skills that are linked, then those whose words fit the task best.
pub(super) fn skills(around: &Around, fitting: Fitting) -> Vec<Skill> {
    let mut list = linked_skills(around);
    for (rank, record) in fitting {
        let handle = view::handle(&record);
        let known = list.iter().any(|skill| skill.handle == handle);
        if !known && list.len() < SKILLS_MAX {
            let why = format!("fits the task's words: {}", rank.why);
            list.push(skill(&record, why));
        }
    }
    list
}

pub(super) fn linked_skills(around: &Around) -> Vec<Skill> {
    let enabled = around
        .skills
        .iter()
        .filter(|(record, _)| record.kind == Kind::Skill && record.flag("enabled") != Some(false));
    enabled
        .take(SKILLS_MAX)
        .map(|(record, why)| skill(record, (*why).to_owned()))
        .collect()
}

fn skill(record: &Record, why: String) -> Skill {
    let (body, body_truncated) = cut::excerpt(&neutral(&record.body), SKILL_BODY);
    Skill {
        skill: view::title(record),
        handle: view::handle(record),
        why,
        body,
        body_truncated,
        version: record
            .fields
            .get("version")
            .and_then(serde_json::Value::as_i64),
        trust: view::trust_of(record),
    }
}
