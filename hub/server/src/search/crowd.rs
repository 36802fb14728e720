//! Which of very many matches are ranked. Measuring all of them takes longer the more there are, so the ones that can come first are
//! taken from the index as it gives them, the newest first:
//!
//! 1. titles that are the question,
//! 2. what is linked to the record to be near,
//! 3. titles with all the words, then titles with any,
//! 4. texts with all the words,
//! 5. some for each word, so that a rare one is not lost beside a common one.

use std::collections::BTreeSet;

use ensemble_hub_api::Kind;

use crate::error::RouteError;
use crate::text::terms::{Term, all_query, fts_query, title_query, whole_query};
use crate::view::Reader;

/// Records of each step.
const TITLES: u32 = 60;
const TEXTS: u32 = 60;
const EACH_WORD: u32 = 12;
/// Words that get some of their own; the longest, which are the rarest.
const WORDS: usize = 8;
/// Matches from which on a word as it was typed is enough, without the words that it begins.
const PLENTY: u32 = 1_000;

/// A question with very many matches.
pub(super) struct Crowd<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) kinds: &'a [Kind],
    pub(super) terms: &'a [Term],
    pub(super) near: Option<&'a BTreeSet<String>>,
}

impl Crowd<'_> {
    /// The ids of the records to rank.
    pub(super) async fn candidates(&self, question: &str) -> Result<BTreeSet<String>, RouteError> {
        let (store, space) = (self.reader.store, self.reader.space);
        let mut ids = BTreeSet::new();
        let named = store.ids_by_title(space, self.kinds, question).await?;
        ids.extend(named);
        if let Some(near) = self.near {
            let near: Vec<String> = near.iter().cloned().collect();
            let any = fts_query(self.terms);
            ids.extend(store.index_among(space, &any, &near).await?);
        }
        let [.., last] = self.terms else {
            return Ok(ids);
        };
        let typed = whole_query(std::slice::from_ref(last));
        let whole = store.index_count(space, &typed, self.kinds, PLENTY).await? >= PLENTY;
        let any = if whole {
            whole_query(self.terms)
        } else {
            fts_query(self.terms)
        };
        let all = all_query(self.terms, whole);
        let titled = (title_query(&all), title_query(&any));
        let mut asked = vec![(titled.0, TITLES), (all, TEXTS)];
        if self.terms.len() > 1 {
            asked.push((titled.1, TITLES));
            asked.extend(self.each_word());
        }
        for (query, most) in asked {
            ids.extend(store.index_newest(space, &query, self.kinds, most).await?);
        }
        Ok(ids)
    }

    fn each_word(&self) -> Vec<(String, u32)> {
        let mut terms: Vec<&Term> = self.terms.iter().collect();
        terms.sort_by_key(|term| std::cmp::Reverse(term.folded.chars().count()));
        let words = terms.into_iter().take(WORDS);
        words
            .map(|term| (whole_query(std::slice::from_ref(term)), EACH_WORD))
            .collect()
    }
}
