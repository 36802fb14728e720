//! Search: the words of the question, taken literally, in one space. Any of them may match; what
//! has more of them, and has them in its title, comes first; an exact title comes first of all.
//! With `near`, what is linked to that record comes before everything else.

use std::collections::{BTreeMap, BTreeSet};

use ensemble_hub_api::{Handle, Kind, limits, sentences};
use serde::Serialize;

use crate::clock::instant;
use crate::error::RouteError;
use crate::store::Record;
use crate::text::cut;
use crate::text::terms::{Term, fts_query, query_terms, title_query};
use crate::view::{self, Reader};

mod crowd;
pub mod excerpt;
pub mod rank;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The words.
    pub query: String,
    /// Only these kinds; empty for all of [`SEARCHED`].
    pub kinds: Vec<Kind>,
    /// A record whose links come first.
    pub near: Option<String>,
    /// Most hits.
    pub hits: usize,
}

/// The kinds that search looks through.
pub const SEARCHED: [Kind; 13] = [
    Kind::Task,
    Kind::Project,
    Kind::Person,
    Kind::Repo,
    Kind::Deliverable,
    Kind::Meeting,
    Kind::Page,
    Kind::File,
    Kind::Document,
    Kind::Artifact,
    Kind::Skill,
    Kind::Diagram,
    Kind::Plot,
];

/// Records that are ranked for one question.
const CANDIDATES: u32 = 160;
/// Records with the words in their titles that are ranked besides.
const TITLES: u32 = 60;
/// Matches from which on not all of them are measured.
const CROWD: u32 = 1_000;
/// Characters of an excerpt.
const EXCERPT: usize = 320;
/// Bytes of all results of one answer.
const RESULTS_BYTES: usize = 56_000;

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The words that were looked for, cut if they are many.
    pub query: String,
    /// Best first.
    pub results: Vec<Hit>,
    /// Nothing matched.
    pub empty: bool,
    /// More records match than stand here.
    pub has_more: bool,
    /// What to do next, where that helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// One record that matches.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// Its id.
    pub id: String,
    /// Its kind; files are shown as `document`.
    pub kind: Kind,
    /// Its title or name.
    pub label: String,
    /// When it was, or was last changed.
    pub when: String,
    /// Its link in the hub.
    pub url: String,
    /// Its text around the first word.
    pub excerpt: String,
    /// Whether the excerpt leaves something out.
    pub truncated: bool,
    /// Its handle.
    #[serde(rename = "ref")]
    pub handle: String,
    /// 0 to 1, in thousandths.
    pub score: f64,
    /// Why it stands where it stands.
    pub why: String,
    /// Who is speaking.
    pub trust: ensemble_hub_api::Trust,
    /// What that means.
    pub trust_label: &'static str,
}

/// The records that match `asked`, best first.
///
/// # Errors
/// [`RouteError`] if `near` names nothing, or the store fails.
pub async fn find(reader: &Reader<'_>, asked: &Asked) -> Result<Found, RouteError> {
    let near = match &asked.near {
        Some(text) => Some(neighbours(reader, text).await?),
        None => None,
    };
    let shown = cut::excerpt(&asked.query, 200).0;
    let terms = query_terms(&asked.query);
    if terms.is_empty() {
        let message = "There is nothing to look for: give one or more words.".to_owned();
        return Ok(Found::nothing(shown, message));
    }
    let records = candidates(reader, asked, &terms, near.as_ref()).await?;
    let question = rank::Question::new(&asked.query, &terms, reader.store.now());
    let mut ranked: Vec<(rank::Rank, Record)> = records
        .into_iter()
        .filter(|(record, _)| record.flag("enabled") != Some(false))
        .map(|(record, bm25)| {
            let linked = near.as_ref().map(|ids| ids.contains(&record.id));
            (question.rank(&record, bm25, linked), record)
        })
        .collect();
    ranked.sort_by(|(a, left), (b, right)| {
        (b.score.total_cmp(&a.score))
            .then_with(|| right.updated_at.cmp(&left.updated_at))
            .then_with(|| left.id.cmp(&right.id))
    });
    let matched = ranked.len();
    let hits = ranked
        .into_iter()
        .take(asked.hits.min(limits::SEARCH_HITS_MAX as usize));
    let hits: Vec<Hit> = hits
        .map(|(rank, record)| reader.hit(&record, rank, &terms))
        .collect();
    if hits.is_empty() {
        return Ok(Found::nothing(shown, nothing_message(&asked.query)));
    }
    let (results, _) = view::fit(hits, RESULTS_BYTES);
    let has_more = matched > results.len();
    let message = has_more.then(|| {
        "More records match: add a word, name `kinds`, or raise `limit` to see them.".to_owned()
    });
    Ok(Found {
        query: shown,
        results,
        empty: false,
        has_more,
        message,
    })
}

impl Found {
    fn nothing(query: String, message: String) -> Self {
        Self {
            query,
            results: Vec::new(),
            empty: true,
            has_more: false,
            message: Some(message),
        }
    }
}

fn nothing_message(query: &str) -> String {
    let words = sentences::quoted(query);
    format!(
        "Nothing in this space matches {words}. Search compares words, not meanings: try others."
    )
}

/// The ids at most one link away from the record that `near` names.
async fn neighbours(reader: &Reader<'_>, near: &str) -> Result<BTreeSet<String>, RouteError> {
    let handle = Handle::parse(near)
        .ok_or_else(|| RouteError::BadRequest(sentences::HANDLE_UNREADABLE.to_owned()))?;
    if reader
        .store
        .record(reader.space, &handle.id)
        .await?
        .is_none()
    {
        return Err(RouteError::NotFound(sentences::unknown_record(handle.kind)));
    }
    Ok(reader
        .store
        .neighbours(reader.space, &handle.id)
        .await?
        .into_iter()
        .collect())
}

/// The records to rank, with the index's own measure (lower is better) where few match.
async fn candidates(
    reader: &Reader<'_>,
    asked: &Asked,
    terms: &[Term],
    near: Option<&BTreeSet<String>>,
) -> Result<Vec<(Record, f64)>, RouteError> {
    let kinds: &[Kind] = if asked.kinds.is_empty() {
        &SEARCHED
    } else {
        &asked.kinds
    };
    let (store, space) = (reader.store, reader.space);
    let any = fts_query(terms);
    let measures: BTreeMap<String, f64> =
        if store.index_count(space, &any, kinds, CROWD).await? < CROWD {
            let found = store.index_candidates(space, &any, kinds, CROWD).await?;
            // What comes first in the answer must not be lost behind many long texts.
            let mut first: BTreeSet<String> = near.cloned().unwrap_or_default();
            if found.len() > CANDIDATES as usize {
                let titled = title_query(&any);
                let titled = store
                    .index_candidates(space, &titled, kinds, TITLES)
                    .await?;
                first.extend(titled.into_iter().map(|(id, _)| id));
                first.extend(store.ids_by_title(space, kinds, &asked.query).await?);
            }
            let places = found.into_iter().enumerate();
            places
                .filter(|(at, (id, _))| *at < CANDIDATES as usize || first.contains(id))
                .map(|(_, found)| found)
                .collect()
        } else {
            let crowd = crowd::Crowd {
                reader,
                kinds,
                terms,
                near,
            };
            let ids = crowd.candidates(&asked.query).await?;
            ids.into_iter().map(|id| (id, 0.0)).collect()
        };
    let ids: Vec<String> = measures.keys().cloned().collect();
    let mut records = store.by_ids(space, &ids).await?;
    records.retain(|record| kinds.contains(&record.kind));
    // A record that was removed between the two reads is in `measures` only.
    let measured = |record: Record| {
        let measure = measures.get(&record.id).copied().unwrap_or(0.0);
        (record, measure)
    };
    Ok(records.into_iter().map(measured).collect())
}

impl Reader<'_> {
    /// `record` as a hit for `terms`.
    pub fn hit(&self, record: &Record, rank: rank::Rank, terms: &[Term]) -> Hit {
        let trust = view::trust_of(record);
        let (excerpt, truncated) = excerpt::around(rank::best_text(record, terms), terms, EXCERPT);
        let handle = Handle::new(record.kind, record.id.as_str());
        Hit {
            id: record.id.clone(),
            kind: if record.kind == Kind::File {
                Kind::Document
            } else {
                record.kind
            },
            label: view::title(record),
            when: record
                .text("start")
                .map_or_else(|| instant(record.updated_at), str::to_owned),
            url: handle.link(self.base),
            excerpt,
            truncated,
            handle: handle.to_string(),
            score: rank.score,
            why: rank.why,
            trust,
            trust_label: trust.label(),
        }
    }
}
