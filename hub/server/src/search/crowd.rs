//! Which of very many matches are ranked. Measuring all of them takes longer the more there are, so the ones that can come first are
//! taken from the index as it gives them, the newest first:
//!
//! 1. titles that are the question,
//! 2. what is linked to the record to be near,
//! 3. titles with all the words, then titles with any,
//! 4. texts with all the words,
//! 5. some for each word, so that a rare one is not lost beside a common one, and texts with any.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use ensemble_hub_api::Kind;

use crate::error::RouteError;
use crate::text::terms::{Term, all_query, title_query, whole_query};
use crate::view::Reader;

/// Records of a step for each that is wanted, and between which numbers.
const FOR_EACH: u32 = 3;
const STEP: RangeInclusive<u32> = 20..=50;
const EACH_WORD: u32 = 12;
/// Words that get some of their own; the longest, which are the rarest.
const WORDS: usize = 8;
/// A question with very many matches.
pub(super) struct Crowd<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) kinds: &'a [Kind],
    pub(super) terms: &'a [Term],
    pub(super) near: Option<&'a BTreeSet<String>>,
    /// The last word stands for itself alone, not also for what it begins.
    pub(super) whole: bool,
    /// How many records are wanted in the end.
    pub(super) hits: usize,
}

impl Crowd<'_> {
    /// The ids of the records to rank; `any` asks for those with any of the words.
    pub(super) async fn candidates(
        &self,
        question: &str,
        any: String,
    ) -> Result<BTreeSet<String>, RouteError> {
        let (store, space) = (self.reader.store, self.reader.space);
        let mut ids = BTreeSet::new();
        let named = store.ids_by_title(space, self.kinds, question).await?;
        ids.extend(named);
        if let Some(near) = self.near {
            let near: Vec<String> = near.iter().cloned().collect();
            ids.extend(store.index_among(space, &any, &near).await?);
        }
        let all = all_query(self.terms, self.whole);
        let step = self.step();
        let mut asked = vec![(title_query(&any), step)];
        if self.terms.len() > 1 {
            ids.extend(self.with_all(&all).await?);
            asked.extend(self.each_word());
        }
        asked.push((any, step));
        ids.extend(store.index_newest(space, &asked, self.kinds).await?);
        Ok(ids)
    }

    /// Texts, and titles, with all the words.
    async fn with_all(&self, all: &str) -> Result<Vec<String>, RouteError> {
        let (store, space) = (self.reader.store, self.reader.space);
        let newest = |query: String, most: u32| async move {
            let found = store.index_newest_of_few(space, &query, self.kinds, most);
            found.await
        };
        let step = self.step();
        let mut found = newest(all.to_owned(), step).await?;
        if found.len() >= step as usize {
            // There are more, and titles with all the words are perhaps among those.
            found.extend(newest(title_query(all), step).await?);
        }
        Ok(found)
    }

    /// Records of each step.
    fn step(&self) -> u32 {
        let wanted = u32::try_from(self.hits).unwrap_or(u32::MAX);
        let step = wanted.saturating_mul(FOR_EACH);
        step.clamp(*STEP.start(), *STEP.end())
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
