//! Ranking: what a match is worth, and why, in words.
//!
//! | what | worth |
//! |---|---|
//! | the title is the question | 1 |
//! | share of the words that stand in the title | up to 0.50 |
//! | share of the words that stand anywhere | up to 0.30 |
//! | the title holds the question as it was typed | 0.05 |
//! | how often the words stand in it | up to 0.07 |
//! | changed lately | up to 0.05 |
//!
//! With a record to be near to, what is linked to it takes the upper half of the scale and
//! everything else the lower half.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::store::{Record, name_key};
use crate::text::cut;
use crate::text::fold::fold;
use crate::text::terms::{Term, index_text};

/// Characters of a text in which words are counted; the index has found those further on.
const LOOKED_AT: usize = 20_000;

/// Times that a word counts where it stands often.
const OFTEN: usize = 4;

/// What a match is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Rank {
    /// 0 to 1, in thousandths.
    pub score: f64,
    /// The reasons, in words.
    pub why: String,
}

/// A question, prepared for many records.
#[derive(Debug)]
pub struct Question<'a> {
    key: String,
    folded: String,
    terms: &'a [Term],
    now: Timestamp,
}

impl<'a> Question<'a> {
    /// The question `query` with its `terms`, asked at `now`.
    pub fn new(query: &str, terms: &'a [Term], now: Timestamp) -> Self {
        Self {
            key: name_key(query),
            folded: fold(query.trim()),
            terms,
            now,
        }
    }

    /// What `record` is worth. `linked` says whether it is linked to the record that was to be near, if there was one.
    pub fn rank(&self, record: &Record, linked: Option<bool>) -> Rank {
        let in_title = self.in_title(&record.title);
        let (anywhere, often) = self.anywhere(record, &in_title);
        let all = self.terms.len();
        let mut why = Vec::new();
        if linked == Some(true) {
            why.push("linked to the record you named".to_owned());
        }
        let exact = name_key(&record.title) == self.key;
        let worth = if exact {
            why.push("the title is exactly what you searched for".to_owned());
            1.0
        } else {
            why.extend(words("the title", in_title.len(), all));
            // What the index found beyond the part looked at counts as one word.
            let found = anywhere.max(1);
            why.extend(words("its text", found - in_title.len().min(found), all));
            let phrase = self.folded.contains(' ') && fold(&record.title).contains(&self.folded);
            let worth = 0.50 * share(in_title.len(), all)
                + 0.30 * share(found, all)
                + if phrase { 0.05 } else { 0.0 }
                + 0.07 * share(often, OFTEN * all)
                + 0.05 * self.recency(record.updated_at);
            worth.min(0.97)
        };
        let score = match linked {
            None => worth,
            Some(true) => 0.5 + worth / 2.0,
            Some(false) => worth / 2.0,
        };
        Rank {
            score: (score * 1_000.0).round() / 1_000.0,
            why: why.join("; "),
        }
    }

    /// The terms, by their place, that stand in the title.
    fn in_title(&self, title: &str) -> BTreeSet<usize> {
        let index = index_text(title);
        let tokens: BTreeSet<&str> = index.split(' ').collect();
        let last = self.terms.len().saturating_sub(1);
        let stands = |at: usize, term: &Term| {
            let token = term.token.as_str();
            tokens.contains(token)
                || (at == last
                    && tokens
                        .range(token..)
                        .next()
                        .is_some_and(|t| t.starts_with(token)))
        };
        let with_places = self.terms.iter().enumerate();
        with_places
            .filter(|(at, term)| stands(*at, term))
            .map(|(at, _)| at)
            .collect()
    }

    /// How many terms stand in the title or in one of the texts, and how often all of them stand in the texts; each at most [`OFTEN`] times.
    fn anywhere(&self, record: &Record, in_title: &BTreeSet<usize>) -> (usize, usize) {
        let texts: Vec<String> = texts(record)
            .into_iter()
            .map(|text| fold(cut::head(text, LOOKED_AT)))
            .collect();
        let (mut anywhere, mut often) = (0, 0);
        for (at, term) in self.terms.iter().enumerate() {
            let places = texts.iter().flat_map(|text| places(text, &term.folded));
            let count = places.take(OFTEN).count();
            anywhere += usize::from(count > 0 || in_title.contains(&at));
            often += count;
        }
        (anywhere, often)
    }

    /// 1 for now, a half for a month ago.
    fn recency(&self, at: Timestamp) -> f64 {
        let hours = self.now.duration_since(at).as_hours().clamp(0, 1_000_000);
        720.0 / (720.0 + f64::from(u32::try_from(hours).unwrap_or(0)))
    }
}

fn words(place: &str, count: usize, all: usize) -> Option<String> {
    match count {
        0 => None,
        _ if all == 1 => Some(format!("the word is in {place}")),
        _ => Some(format!("{count} of {all} words in {place}")),
    }
}

fn share(part: usize, all: usize) -> f64 {
    let number = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    number(part) / number(all.max(1))
}

/// Whether `word` stands in a folded `text`.
fn has(text: &str, word: &str) -> bool {
    places(text, word).next().is_some()
}

/// Where `word` stands in a folded `text`. Short Latin words only as words: `do` is in nearly every text.
fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let whole_only = word.len() < 3 && word.is_ascii();
    let places = text.match_indices(word).map(|(at, _)| at);
    places.filter(move |at| {
        let (before, rest) = text.split_at(*at);
        let after = rest.strip_prefix(word).unwrap_or("");
        let joined = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !whole_only || (!joined(before.chars().next_back()) && !joined(after.chars().next()))
    })
}

/// Fields that are found besides title and body.
const FIELDS: [&str; 12] = [
    "summary",
    "notes",
    "description",
    "transcript",
    "role",
    "team",
    "relationship",
    "email",
    "branch",
    "slug",
    "location",
    "source",
];

/// The texts of a record in which words count.
fn texts(record: &Record) -> Vec<&str> {
    let mut texts = vec![record.body.as_str()];
    texts.extend(FIELDS.iter().filter_map(|field| record.text(field)));
    texts.extend(record.texts("labels"));
    texts
}

/// The text of `record` from which an excerpt is taken: the first with one of the words, else
/// the first that is not empty.
pub fn best_text<'a>(record: &'a Record, terms: &[Term]) -> &'a str {
    let texts: Vec<&str> = texts(record)
        .into_iter()
        .filter(|text| !text.trim().is_empty())
        .collect();
    let hit = |text: &&&str| {
        let folded = fold(cut::head(text, LOOKED_AT));
        terms.iter().any(|term| has(&folded, &term.folded))
    };
    texts
        .iter()
        .find(hit)
        .or_else(|| texts.first())
        .copied()
        .unwrap_or("")
}
