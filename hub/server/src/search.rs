//! Search: the words of the question, taken literally, in one space. Any of them may match; what
//! has more of them, and has them in its title, comes first; an exact title comes first of all.
//! With `near`, what is linked to that record comes before everything else.

use std::collections::BTreeSet;

use ensemble_hub_api::{Handle, Kind, limits, sentences};
use serde::Serialize;

use crate::clock::instant;
use crate::error::RouteError;
use crate::store::{Record, SEARCHED};
use crate::text::cut;
use crate::text::terms::{Term, fts_query, query_terms, whole_query};
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
    /// Whether a person is perhaps still typing the last word, so that what it begins is meant too.
    pub typing: bool,
}

/// Matches up to which every one is ranked.
const FEW: u32 = 200;
/// Matches from which on a word as it was typed is enough, without the words that it begins.
const PLENTY: u32 = 1_000;
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
    let shown = cut::excerpt(&asked.query, 200).0;
    let terms = query_terms(&asked.query);
    let near = neighbours(reader, asked).await?;
    if terms.is_empty() {
        let message = "There is nothing to look for: give one or more words.".to_owned();
        return Ok(Found::nothing(shown, message));
    }
    let ranked = ranked(reader, asked, &terms, near.as_ref()).await?;
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

/// The records that match `asked` with what they are worth, best first, at most `asked.hits`.
///
/// # Errors
/// As [`find`].
pub async fn matches(
    reader: &Reader<'_>,
    asked: &Asked,
) -> Result<Vec<(rank::Rank, Record)>, RouteError> {
    let terms = query_terms(&asked.query);
    let near = neighbours(reader, asked).await?;
    let mut found = ranked(reader, asked, &terms, near.as_ref()).await?;
    found.truncate(asked.hits);
    Ok(found)
}

/// What may answer the question, best first.
async fn ranked(
    reader: &Reader<'_>,
    asked: &Asked,
    terms: &[Term],
    near: Option<&BTreeSet<String>>,
) -> Result<Vec<(rank::Rank, Record)>, RouteError> {
    let records = candidates(reader, asked, terms, near).await?;
    let question = rank::Question::new(&asked.query, terms, reader.store.now());
    let mut ranked: Vec<(rank::Rank, Record)> = records
        .into_iter()
        .filter(|record| record.flag("enabled") != Some(false))
        .map(|record| {
            let linked = near.map(|ids| ids.contains(&record.id));
            (question.rank(&record, linked), record)
        })
        .collect();
    ranked.sort_by(|(a, left), (b, right)| {
        (b.score.total_cmp(&a.score))
            .then_with(|| right.updated_at.cmp(&left.updated_at))
            .then_with(|| left.id.cmp(&right.id))
    });
    Ok(ranked)
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

/// The ids at most one link away from the record that `near` names, where it names one.
async fn neighbours(
    reader: &Reader<'_>,
    asked: &Asked,
) -> Result<Option<BTreeSet<String>>, RouteError> {
    let Some(near) = &asked.near else {
        return Ok(None);
    };
    let handle = Handle::parse(near)
        .ok_or_else(|| RouteError::BadRequest(sentences::HANDLE_UNREADABLE.to_owned()))?;
    let (store, space) = (reader.store, reader.space);
    if store.record(space, &handle.id).await?.is_none() {
        return Err(RouteError::NotFound(sentences::unknown_record(handle.kind)));
    }
    let ids = store.neighbours(space, &handle.id).await?;
    Ok(Some(ids.into_iter().collect()))
}

/// The records to rank: all that match where they are few.
async fn candidates(
    reader: &Reader<'_>,
    asked: &Asked,
    terms: &[Term],
    near: Option<&BTreeSet<String>>,
) -> Result<Vec<Record>, RouteError> {
    let kinds: &[Kind] = if asked.kinds.is_empty() {
        &SEARCHED
    } else {
        &asked.kinds
    };
    let (store, space) = (reader.store, reader.space);
    let [.., last] = terms else {
        return Ok(Vec::new());
    };
    let last = whole_query(std::slice::from_ref(last));
    let whole = !asked.typing || store.index_count(space, &last, kinds, PLENTY).await? >= PLENTY;
    let any = if whole {
        whole_query(terms)
    } else {
        fts_query(terms)
    };
    let ids = if store.index_count(space, &any, kinds, FEW + 1).await? > FEW {
        let crowd = crowd::Crowd {
            reader,
            kinds,
            terms,
            near,
            whole,
            hits: asked.hits,
        };
        let ids = crowd.candidates(&asked.query, any).await?;
        ids.into_iter().collect()
    } else {
        store.index_newest(space, &[(any, FEW)], kinds).await?
    };
    let mut records = store.by_ids(space, &ids).await?;
    records.retain(|record| kinds.contains(&record.kind));
    Ok(records)
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
