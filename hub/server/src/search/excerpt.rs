//! Excerpts: the place in a text where the question's words first stand, on one line, cut
//! between graphemes, with `…` where something was left out.

use crate::text::cut;
use crate::text::fold::Folded;
use crate::text::terms::Term;
use crate::text::trust::one_line;

/// Characters in which a hit is looked for; beyond them the beginning is shown.
const LOOKED_AT: usize = 20_000;
/// Characters shown before the first hit.
const LEAD: usize = 60;

/// At most `limit` characters of `text` around the first word of `terms`, and whether anything
/// was left out. Without a hit it is the beginning.
pub fn around(text: &str, terms: &[Term], limit: usize) -> (String, bool) {
    let looked_at = cut::head(text, LOOKED_AT);
    let cut_short = looked_at.len() < text.len();
    let flat = one_line(looked_at);
    if !cut_short && cut::head(&flat, limit).len() == flat.len() {
        return (flat, false);
    }
    let start = first_hit(&flat, terms).map_or(0, |hit| lead(&flat, hit));
    if start == 0 {
        let (window, short) = cut::excerpt(&flat, limit);
        return (window, short || cut_short);
    }
    let (_, rest) = flat.split_at(start);
    let (window, _) = cut::excerpt(rest, limit.saturating_sub(1));
    (format!("…{window}"), true)
}

/// The byte offset of the first place where one of `terms` begins a word. Words of one or two
/// letters count only if no longer one is there: they stand in nearly every text.
fn first_hit(flat: &str, terms: &[Term]) -> Option<usize> {
    let folded = Folded::new(flat);
    let first = |short: bool| {
        terms
            .iter()
            .filter(|term| (term.folded.is_ascii() && term.folded.len() < 3) == short)
            .filter_map(|term| begins_at(&folded.text, &term.folded))
            .min()
    };
    first(false)
        .or_else(|| first(true))
        .map(|at| folded.origin(at))
}

fn begins_at(text: &str, word: &str) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text.split_at(*at).0.chars().next_back();
        // Only letters that are written in words have a beginning of a word.
        !word.starts_with(|c: char| c.is_ascii_alphanumeric())
            || !before.is_some_and(|c| c.is_ascii_alphanumeric())
    })
}

/// Where the excerpt of a hit begins: some characters before it, at the beginning of a word.
fn lead(flat: &str, hit: usize) -> usize {
    let (before, _) = flat.split_at(hit);
    let Some((from, _)) = before.char_indices().rev().nth(LEAD) else {
        return 0;
    };
    let (_, window) = before.split_at(from);
    window.find(' ').map_or(hit, |blank| from + blank + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::terms::query_terms;

    #[test]
    fn the_excerpt_shows_the_hit() {
        let filler = "nothing to see here, ".repeat(40);
        for (needle, query) in [
            ("the café opens", "cafe"),
            ("悬空指针的原因", "悬空"),
            ("👩‍👩‍👧‍👦 retry_helper 🎉", "retry_helper"),
            ("the 50% rule", "50%"),
        ] {
            let text = format!("{filler}{needle} {filler}");
            let (shown, cut) = around(&text, &query_terms(query), 160);
            assert!(cut && shown.contains(needle), "{query}: {shown}");
            assert!(shown.starts_with('…') && shown.ends_with('…'));
            assert!(shown.chars().count() <= 160, "{}", shown.chars().count());
        }
    }

    #[test]
    fn short_texts_are_whole_and_misses_begin_at_the_beginning() {
        assert_eq!(
            around("a\n b", &query_terms("b"), 20),
            ("a b".to_owned(), false)
        );
        let long = "word ".repeat(100);
        let (shown, cut) = around(&long, &query_terms("absent"), 20);
        assert!(
            cut && shown.starts_with("word") && shown.ends_with('…'),
            "{shown}"
        );
    }
}
