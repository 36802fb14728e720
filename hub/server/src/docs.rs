//! Published documentation, not workspace records: ranked word search over the pages this hub
//! was built with. A miss says so and names the docs home; nothing is guessed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Serialize;

use crate::search::excerpt;
use crate::text::terms::{Term, index_text, query_terms};

pub mod pages;

/// Where the pages are published.
pub const DOCS_HOME: &str = "https://docs.ensemblework.com";
/// Characters of an excerpt.
const EXCERPT: usize = 240;

/// The answer to one question.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The words that were looked for.
    pub query: String,
    /// Whether anything matched.
    pub found: bool,
    /// The sections that match, best first.
    pub results: Vec<Hit>,
    /// What to do after a miss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The first page of the documentation.
    pub docs_home: &'static str,
}

/// One section of a page.
#[derive(Debug, Serialize)]
pub struct Hit {
    /// The page's title.
    pub title: &'static str,
    /// The section's heading; the page's title for its beginning.
    pub heading: &'static str,
    /// The public address of the section.
    pub url: String,
    /// Some of its text around the first word.
    pub excerpt: String,
    /// Whether the excerpt leaves something out.
    pub truncated: bool,
}

struct Indexed {
    section: pages::Section,
    title: BTreeSet<String>,
    heading: BTreeSet<String>,
    body: BTreeSet<String>,
}

static INDEX: LazyLock<Vec<Indexed>> = LazyLock::new(|| {
    let tokens = |text: &str| index_text(text).split(' ').map(str::to_owned).collect();
    let indexed = |section: pages::Section| Indexed {
        title: tokens(section.title),
        heading: tokens(section.heading),
        body: tokens(section.text),
        section,
    };
    pages::sections().into_iter().map(indexed).collect()
});

/// The sections that match `query` best, at most `limit`.
pub fn find(query: &str, limit: usize) -> Found {
    let terms = telling(query_terms(query));
    let weights: Vec<Weighed<'_>> = terms.iter().map(weighed).collect();
    let mut ranked: Vec<(usize, usize, &Indexed)> = INDEX
        .iter()
        .enumerate()
        .map(|(at, indexed)| (score(indexed, &weights), at, indexed))
        .filter(|(score, ..)| *score > 0)
        .collect();
    ranked.sort_by_key(|(score, at, _)| (std::cmp::Reverse(*score), *at));
    // A section with one word of many is noise beside one with all of them.
    let best = ranked.first().map_or(0, |(score, ..)| *score);
    ranked.retain(|(score, ..)| *score * 4 >= best);
    let results: Vec<Hit> = ranked
        .into_iter()
        .take(limit)
        .map(|(_, _, indexed)| hit(indexed, &terms))
        .collect();
    let found = !results.is_empty();
    let message = (!found).then(|| {
        format!(
            "No page of the documentation matches these words. Try others, or start at {DOCS_HOME}."
        )
    });
    Found {
        query: query.to_owned(),
        found,
        results,
        message,
        docs_home: DOCS_HOME,
    }
}

fn hit(indexed: &Indexed, terms: &[Term]) -> Hit {
    let section = &indexed.section;
    let (excerpt, truncated) = excerpt::around(section.text, terms, EXCERPT);
    let page = format!("{DOCS_HOME}/{}", section.slug);
    let url = match pages::anchor(section.heading) {
        _ if section.heading == section.title => page,
        anchor => format!("{page}#{anchor}"),
    };
    Hit {
        title: section.title,
        heading: section.heading,
        url,
        excerpt,
        truncated,
    }
}

/// Points for each term, by where it stands: in the heading it says what the section is about.
/// A word that few sections have tells more than one that many have.
fn score(indexed: &Indexed, terms: &[Weighed<'_>]) -> usize {
    let points = |weighed: &Weighed<'_>| weighed.weight * indexed.places(weighed.term);
    terms.iter().map(points).sum()
}

struct Weighed<'a> {
    term: &'a Term,
    weight: usize,
}

fn weighed(term: &Term) -> Weighed<'_> {
    let with = INDEX
        .iter()
        .filter(|indexed| indexed.places(term) > 0)
        .count();
    Weighed {
        term,
        weight: 1 + 8 * (INDEX.len() - with) / INDEX.len().max(1),
    }
}

impl Indexed {
    fn places(&self, term: &Term) -> usize {
        within(&self.heading, term) * 4
            + within(&self.title, term) * 2
            + within(&self.body, term) * 3
    }
}

/// A word counts also as the beginning of a longer one (`key` for `keys`), but for less.
fn within(words: &BTreeSet<String>, term: &Term) -> usize {
    match words.range(term.token.clone()..).next() {
        Some(word) if *word == term.token => 2,
        Some(word) if term.token.len() >= 3 && word.starts_with(&term.token) => 1,
        _ => 0,
    }
}

/// Words that stand in every question and every page.
const COMMON: [&str; 36] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "how",
    "i", "if", "in", "is", "it", "its", "me", "my", "not", "of", "on", "or", "that", "the", "this",
    "to", "what", "when", "where", "with", "you", "your",
];

/// The terms that tell one page from another; all of them if none does.
fn telling(terms: Vec<Term>) -> Vec<Term> {
    let common = |term: &Term| COMMON.contains(&term.folded.as_str());
    if terms.iter().all(common) {
        return terms;
    }
    terms.into_iter().filter(|term| !common(term)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_lead_to_the_section_that_answers_them() {
        for (query, slug) in [
            ("how do I make a key", "keys-and-grants#make-a-key"),
            ("revoke", "keys-and-grants#list-and-revoke-keys"),
            ("VS Code", "connect-an-editor#vs-code"),
            ("ensemble demo", "getting-started#see-it-work"),
            ("decision log", "decision-log"),
            ("HUB_API_URL", "connect-an-editor"),
            ("another space refused", "spaces"),
            ("branch matches several tasks", "troubleshooting"),
        ] {
            let found = find(query, 8);
            assert!(found.found && found.message.is_none(), "{query}");
            let first = &found.results[0];
            assert!(
                first.url.starts_with(&format!("{DOCS_HOME}/{slug}")),
                "{query}: {first:?}"
            );
            assert!(!first.excerpt.is_empty() && first.excerpt.chars().count() <= EXCERPT);
        }
    }

    #[test]
    fn a_miss_says_so_and_names_the_docs_home() {
        for query in ["quantum teleportation", "*", "\"", "zzz"] {
            let found = find(query, 8);
            assert!(
                !found.found && found.results.is_empty(),
                "{query}: {:?}",
                found.results
            );
            assert!(found.message.unwrap().contains(DOCS_HOME));
        }
    }

    #[test]
    fn the_limit_is_kept_and_the_order_is_stable() {
        let few = find("ensemble key", 2);
        assert_eq!(few.results.len(), 2);
        let urls = |found: &Found| {
            found
                .results
                .iter()
                .map(|h| h.url.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(urls(&few)[..], urls(&find("ensemble key", 20))[..2]);
    }
}
