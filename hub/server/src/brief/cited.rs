//! What a brief quotes: pieces of the texts around a task, and the skills that say how the person works. What is linked comes
//! before what only has the same words.

use ensemble_hub_api::{Handle, Kind, Trust};
use serde::Serialize;

use super::LIST_BYTES;
use super::around::Around;
use crate::error::RouteError;
use crate::search::{self, excerpt};
use crate::store::Record;
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

/// Kinds whose texts are cited.
const CITABLE: [Kind; 7] = [
    Kind::Meeting,
    Kind::Page,
    Kind::File,
    Kind::Document,
    Kind::Artifact,
    Kind::Diagram,
    Kind::Plot,
];

/// Pieces of what is linked to the task, then of what has the words of its title.
pub(super) async fn cited(
    reader: &Reader<'_>,
    task: &Record,
    around: &Around,
    limit: usize,
) -> Result<Vec<Cited>, RouteError> {
    let terms = query_terms(&task.title);
    let linked = [&around.meetings, &around.sources, &around.files]
        .into_iter()
        .flatten();
    let mut list: Vec<Cited> = linked
        .filter(|record| CITABLE.contains(&record.kind))
        .map(|record| cite(reader, record, &terms, "linked to the task".to_owned()))
        .filter(|cited| !cited.excerpt.is_empty())
        .collect();
    let asked = search::Asked {
        query: task.title.clone(),
        kinds: CITABLE.to_vec(),
        hits: limit,
        ..search::Asked::default()
    };
    for hit in search::find(reader, &asked).await?.results {
        if hit.score < CITED_SCORE || list.iter().any(|cited| cited.id == hit.id) {
            continue;
        }
        if let Some(record) = reader.store.record(reader.space, &hit.id).await? {
            list.push(cite(reader, &record, &terms, hit.why));
        }
    }
    list.truncate(limit);
    Ok(view::fit(list, LIST_BYTES).0)
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

/// The skills that are linked, then the one whose words fit the task best.
pub(super) async fn skills(
    reader: &Reader<'_>,
    task: &Record,
    around: &Around,
) -> Result<Vec<Skill>, RouteError> {
    let mut list = linked_skills(around);
    let asked = search::Asked {
        query: task.title.clone(),
        kinds: vec![Kind::Skill],
        hits: SKILLS_MAX,
        ..search::Asked::default()
    };
    let found = search::find(reader, &asked).await?.results;
    for hit in found.into_iter().filter(|hit| hit.score >= CITED_SCORE) {
        let known = list.iter().any(|skill| skill.handle == hit.handle);
        if known || list.len() >= SKILLS_MAX {
            continue;
        }
        if let Some(record) = reader.store.record(reader.space, &hit.id).await? {
            list.push(skill(
                &record,
                format!("fits the task's words: {}", hit.why),
            ));
        }
    }
    Ok(list)
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
