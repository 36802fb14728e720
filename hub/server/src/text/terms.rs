//! What can be found, and how a question is asked. Texts and questions become the same plain
//! tokens of `a-z`, `0-9` and `_` (any other character is written `_` and four hex digits), so
//! nothing that a person types can be read as query syntax by the index, and whatever they typed
//! (`C++`, `@name`, `50%`, `POL-358`) is found literally.
//!
//! | text | tokens |
//! |---|---|
//! | `getUserName` | whole, and `get` `user` `name` |
//! | `POL-358`, `a/b.rs`, `don't` | whole with its symbols, each name of a path, joined (`dont`), and each part |
//! | `悬空指针` | each character and each pair; a question asks for the pairs |
//! | `重跑gen-itgc后` | scripts apart, then as above |

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::fold::fold;
use class::{Class, class, is_edge};

mod class;

/// Most terms of one question; more would not change which records answer it.
pub const MAX_TERMS: usize = 64;
/// Longest token in characters of the text; a longer word is found by its beginning.
const MAX_TOKEN_CHARS: usize = 64;
/// Longest run without a blank that is looked at as one word.
const MAX_CHUNK_CHARS: usize = 256;

/// One token of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The token as the index holds it.
    pub token: String,
    /// The folded text it stands for, for looking it up in a title or a body.
    pub folded: String,
}

/// The tokens of `text`, separated by blanks, in the order of the text.
pub fn index_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    each_chunk(text, |chunk| {
        tokens(chunk, Purpose::Index, &mut |folded| {
            if !out.is_empty() {
                out.push(' ');
            }
            encode_into(folded, &mut out);
        });
        true
    });
    out
}

/// The distinct tokens that `query` asks for, at most [`MAX_TERMS`], in its order.
pub fn query_terms(query: &str) -> Vec<Term> {
    let mut seen = BTreeSet::new();
    let mut terms = Vec::new();
    each_chunk(query, |chunk| {
        tokens(chunk, Purpose::Query, &mut |folded| {
            let mut token = String::new();
            encode_into(folded, &mut token);
            if terms.len() < MAX_TERMS && seen.insert(token.clone()) {
                terms.push(Term {
                    token,
                    folded: folded.to_owned(),
                });
            }
        });
        terms.len() < MAX_TERMS
    });
    terms
}

/// The index query for `terms`: any of them, the last also as a beginning. Empty for no terms.
pub fn fts_query(terms: &[Term]) -> String {
    let mut out = String::new();
    for (at, term) in terms.iter().enumerate() {
        if at > 0 {
            out.push_str(" OR ");
        }
        out.push('"');
        out.push_str(&term.token);
        out.push('"');
        // A single letter begins nearly everything.
        if at + 1 == terms.len() && term.folded.chars().nth(1).is_some() {
            out.push('*');
        }
    }
    out
}

/// The index query for any of `terms`, each as a whole word. Empty for no terms.
pub fn whole_query(terms: &[Term]) -> String {
    joined(terms, " OR ")
}

/// The index query for all of `terms`; the last also as a beginning, unless `whole`. Empty for no terms.
pub fn all_query(terms: &[Term], whole: bool) -> String {
    let mut out = joined(terms, " AND ");
    let longer = terms
        .last()
        .is_some_and(|term| term.folded.chars().nth(1).is_some());
    if longer && !whole {
        out.push('*');
    }
    out
}

fn joined(terms: &[Term], between: &str) -> String {
    let tokens: Vec<String> = terms
        .iter()
        .map(|term| format!("\"{}\"", term.token))
        .collect();
    tokens.join(between)
}

/// `query` in titles only. Empty for an empty one.
pub fn title_query(query: &str) -> String {
    if query.is_empty() {
        return String::new();
    }
    format!("title : ({query})")
}

/// One token for a whole text as it is written.
pub fn literal_token(text: &str) -> String {
    let mut token = String::new();
    encode_into(clip(text), &mut token);
    token
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Index,
    Query,
}

/// Calls `each` for every run without blanks or control characters, until it says `false`.
fn each_chunk(text: &str, mut each: impl FnMut(&str) -> bool) {
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        let mut rest = word;
        while !rest.is_empty() {
            let cut = if rest.len() <= MAX_CHUNK_CHARS {
                rest.len()
            } else {
                let behind = rest.char_indices().nth(MAX_CHUNK_CHARS);
                behind.map_or(rest.len(), |(at, _)| at)
            };
            let (chunk, after) = rest.split_at(cut);
            if !each(chunk) {
                return;
            }
            rest = after;
        }
    }
}

fn tokens(chunk: &str, purpose: Purpose, emit: &mut impl FnMut(&str)) {
    if let Some(word) = plain_word(chunk) {
        return emit(word);
    }
    for (dense, piece) in runs(chunk, |c| class(c) == Class::Dense) {
        if dense {
            dense_tokens(&fold(piece), purpose, emit);
        } else {
            spaced_tokens(piece, emit);
        }
    }
}

/// Most words of most texts: small letters of ASCII, which are their own and only token.
fn plain_word(chunk: &str) -> Option<&str> {
    let word = chunk.trim_matches(is_edge);
    let plain = (1..=MAX_TOKEN_CHARS).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_lowercase());
    plain.then_some(word)
}

fn spaced_tokens(piece: &str, emit: &mut impl FnMut(&str)) {
    let literal = piece.trim_matches(is_edge);
    // Nothing but quotes and brackets: that very text is what was meant.
    let literal = if literal.is_empty() { piece } else { literal };
    let folded = fold(literal);
    let has_word = folded.chars().any(|c| class(c) == Class::Word);
    if folded.chars().any(|c| class(c) == Class::Symbol) {
        emit(clip(&folded));
        if has_word {
            symbol_tokens(&folded, emit);
        }
    }
    for (word, run) in runs(literal, |c| class(c) == Class::Word) {
        if word {
            word_tokens(run, emit);
        } else if has_word && !run.is_ascii() {
            let signs = fold(run);
            if !signs.is_empty() {
                emit(clip(&signs));
            }
        }
    }
}

/// What a word with symbols in it is also asked for as: the names of a path (`retry.rs`), and
/// the word without its apostrophe or hyphens.
fn symbol_tokens(folded: &str, emit: &mut impl FnMut(&str)) {
    let path = folded.contains('/');
    for name in folded
        .split('/')
        .map(|name| name.trim_matches(is_edge))
        .filter(|_| path)
    {
        let mixed = name.chars().any(|c| class(c) == Class::Symbol);
        if mixed && name.chars().any(|c| class(c) == Class::Word) {
            emit(clip(name));
        }
    }
    if folded.contains(['\'', '-']) {
        let joined: String = folded
            .chars()
            .filter(|c| !matches!(c, '\'' | '-'))
            .collect();
        if joined.chars().all(|c| class(c) == Class::Word) {
            emit(clip(&joined));
        }
    }
}

/// `text` cut where `is` changes, each piece with what it was.
fn runs(text: &str, is: impl Fn(char) -> bool) -> Vec<(bool, &str)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = is(first);
        let end = rest.find(|c: char| is(c) != kind).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        out.push((kind, run));
        rest = after;
    }
    out
}

fn word_tokens(word: &str, emit: &mut impl FnMut(&str)) {
    let whole = fold(word);
    if whole.is_empty() {
        return;
    }
    emit(clip(&whole));
    let parts = camel_parts(word);
    if parts.len() > 1 {
        for part in parts {
            let part = fold(part);
            if !part.is_empty() {
                emit(clip(&part));
            }
        }
    }
}

fn dense_tokens(run: &str, purpose: Purpose, emit: &mut impl FnMut(&str)) {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).collect();
    let piece = |from: usize, count: usize| {
        let end = starts.get(from + count).copied().unwrap_or(run.len());
        starts
            .get(from)
            .and_then(|start| run.get(*start..end))
            .unwrap_or("")
    };
    for at in 0..starts.len() {
        if purpose == Purpose::Index || starts.len() == 1 {
            emit(piece(at, 1));
        }
        if at + 1 < starts.len() {
            emit(piece(at, 2));
        }
    }
}

/// The parts of `getHTTPResponse2`: `get`, `HTTP`, `Response`, `2`.
fn camel_parts(word: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut cuts = vec![0];
    for (at, pair) in chars.windows(2).enumerate() {
        let [(_, left), (start, right)] = pair else {
            continue;
        };
        let next = chars.get(at + 2).map(|(_, c)| *c);
        let digits = left.is_numeric() != right.is_numeric();
        let hump = left.is_lowercase() && right.is_uppercase();
        let acronym =
            left.is_uppercase() && right.is_uppercase() && next.is_some_and(char::is_lowercase);
        if digits || hump || acronym {
            cuts.push(*start);
        }
    }
    cuts.push(word.len());
    cuts.windows(2)
        .filter_map(|pair| word.get(*pair.first()?..*pair.get(1)?))
        .collect()
}

fn clip(text: &str) -> &str {
    text.char_indices()
        .nth(MAX_TOKEN_CHARS)
        .map_or(text, |(at, _)| text.split_at(at).0)
}

/// Fixed width, so that the code of one character is never the beginning of another's.
fn encode_into(folded: &str, out: &mut String) {
    for c in folded.chars() {
        encode_char(c, out);
    }
}

/// One character of a token, as [`literal_token`] writes it.
pub fn encode_char(c: char, out: &mut String) {
    if c.is_ascii_alphanumeric() {
        out.push(c);
    } else if let Ok(unit) = u16::try_from(u32::from(c)) {
        // Writing to a String cannot fail.
        _ = write!(out, "_{unit:04x}");
    } else {
        _ = write!(out, "__{:06x}", u32::from(c));
    }
}

#[cfg(test)]
mod tests;
