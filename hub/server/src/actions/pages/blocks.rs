//! The blocks of a page: its paragraphs, headings, lists, tables, pieces of code and whatever else stands at the top of its Markdown. A block is
//! a part of the page as it was written, byte for byte; between two blocks there is only white space. A block's id is made of its text, of
//! which of the equal ones it is and of how many there are: it names this very text, and nothing once that was changed.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use crate::secret::hash_parts;

/// Digits of a block's id.
const ID_DIGITS: usize = 12;

/// One block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) id: String,
    pub(crate) kind: &'static str,
    /// Of a heading, from 1 to 6.
    pub(crate) level: Option<u8>,
    /// Bytes of the page.
    pub(crate) range: Range<usize>,
}

impl Block {
    /// The block as it was written.
    pub(crate) fn text<'a>(&self, page: &'a str) -> &'a str {
        page.get(self.range.clone()).unwrap_or_default()
    }
}

/// A block before it has an id.
struct Span {
    kind: &'static str,
    level: Option<u8>,
    range: Range<usize>,
}

/// The blocks of a page, in their order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let spans = spans(page);
    let text = |span: &Span| page.get(span.range.clone()).unwrap_or_default();
    let mut equal: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for span in &spans {
        equal.entry(text(span)).or_default().1 += 1;
    }
    spans
        .iter()
        .map(|span| {
            let (at, of) = equal.entry(text(span)).or_default();
            let which = format!("{at}/{of}");
            *at += 1;
            let mut id = hash_parts(&[text(span).as_bytes(), which.as_bytes()]);
            id.truncate(ID_DIGITS);
            Block {
                id,
                kind: span.kind,
                level: span.level,
                range: span.range.clone(),
            }
        })
        .collect()
}

/// What a page is parsed with.
pub(super) fn parser(page: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH;
    Parser::new_ext(page, options)
}

fn spans(page: &str) -> Vec<Span> {
    let front = front_matter(page);
    let mut spans = Vec::new();
    if front > 0 {
        push(page, &mut spans, ("front_matter", None), 0..front);
    }
    let mut depth = 0_usize;
    let text = page.get(front..).unwrap_or_default();
    for (event, range) in parser(text).into_offset_iter() {
        let range = range.start + front..range.end + front;
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    push(page, &mut spans, kind(&tag), range);
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Rule if depth == 0 => push(page, &mut spans, ("rule", None), range),
            _ => {}
        }
    }
    with_what_is_between(page, spans)
}

const fn kind(tag: &Tag<'_>) -> (&'static str, Option<u8>) {
    match tag {
        Tag::Paragraph => ("paragraph", None),
        Tag::Heading { level, .. } => ("heading", Some(number(*level))),
        Tag::BlockQuote(_) => ("quote", None),
        Tag::CodeBlock(_) => ("code", None),
        Tag::HtmlBlock => ("html", None),
        Tag::List(_) => ("list", None),
        Tag::FootnoteDefinition(_) => ("footnote", None),
        Tag::Table(_) => ("table", None),
        _ => ("other", None),
    }
}

const fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Bytes of the front matter: from a first line `---` to the next.
fn front_matter(page: &str) -> usize {
    let mut lines = page.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else {
        return 0;
    };
    let mut end = first.len();
    for line in lines {
        end += line.len();
        if line.trim_end() == "---" {
            return end;
        }
    }
    0
}

/// Adds a block: from the beginning of its line to its last line that says something.
fn push(
    page: &str,
    spans: &mut Vec<Span>,
    (kind, level): (&'static str, Option<u8>),
    range: Range<usize>,
) {
    let floor = spans.last().map_or(0, |span| span.range.end);
    let before = page.get(floor..range.start).unwrap_or_default();
    let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
    let start = range.start.max(floor) - indent;
    let text = page.get(start..range.end).unwrap_or_default();
    let end = start + said(text).len();
    if start < end {
        spans.push(Span {
            kind,
            level,
            range: start..end,
        });
    }
}

/// A text without the empty lines at its end.
fn said(text: &str) -> &str {
    let mut text = text.trim_end_matches(['\r', '\n']);
    while let Some((rest, last)) = text.rsplit_once('\n') {
        if !last.trim().is_empty() {
            break;
        }
        text = rest.trim_end_matches(['\r', '\n']);
    }
    if text.trim().is_empty() { "" } else { text }
}

/// What no block is made of, as definitions of links, stands between blocks: it is a block too, so that it can be read and changed.
fn with_what_is_between(page: &str, spans: Vec<Span>) -> Vec<Span> {
    let mut all: Vec<Span> = Vec::new();
    let end = page.len()..page.len();
    let gap = |all: &mut Vec<Span>, until: usize| {
        let from = all.last().map_or(0, |span| span.range.end);
        let text = page.get(from..until).unwrap_or_default();
        let blank = text.len() - text.trim_start().len();
        if blank < text.len() {
            let indent = text.get(..blank).unwrap_or_default();
            let indent = indent.len() - indent.trim_end_matches([' ', '\t']).len();
            let start = from + blank - indent;
            let said = said(page.get(start..until).unwrap_or_default()).len();
            all.push(Span {
                kind: "definitions",
                level: None,
                range: start..start + said,
            });
        }
    };
    for span in spans {
        gap(&mut all, span.range.start);
        all.push(span);
    }
    gap(&mut all, end.start);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PAGE: &str = "---\ntitle: x\n---\n# One  \nText with [^1] and [ref].\n\n    indented code\n\n- a\n- b\n\n  more of b\n\n\
        | a | b |\n|---|---|\n| x\\|y | z |\n\n<details>\n<summary>s</summary>\n</details>\n\n[^1]: A note.\n\n[ref]: https://example.com\n\n\
        ````\n```\n````\n***\n![i](i.png)\n<!-- macro -->\n";

    #[test]
    fn every_kind_of_block_is_found_as_it_was_written() {
        let found = blocks(PAGE);
        let kinds: Vec<&str> = found.iter().map(|block| block.kind).collect();
        assert_eq!(
            kinds,
            [
                "front_matter",
                "heading",
                "paragraph",
                "code",
                "list",
                "table",
                "html",
                "footnote",
                "definitions",
                "code",
                "rule",
                "paragraph",
                "html"
            ]
        );
        assert_eq!(found[1].text(PAGE), "# One  ");
        assert_eq!(found[3].text(PAGE), "    indented code");
        assert_eq!(found[4].text(PAGE), "- a\n- b\n\n  more of b");
        assert_eq!(found[8].text(PAGE), "[ref]: https://example.com");
        assert_eq!(found[1].level, Some(1));
    }

    #[test]
    fn equal_blocks_have_ids_of_their_own_until_there_is_one_more() {
        let two = blocks("same\n\nsame\n\nother");
        let three = blocks("same\n\nsame\n\nother\n\nsame");
        assert_ne!(two[0].id, two[1].id);
        assert_eq!(two[2].id, three[2].id);
        assert!(three.iter().all(|block| block.id != two[1].id));
    }

    proptest! {
        #[test]
        fn blocks_stand_in_order_and_between_them_is_only_white_space(
            parts in proptest::collection::vec(
                prop_oneof![
                    "[ -~]{0,12}", Just("\n".to_owned()), Just("\r\n".to_owned()), Just("\n\n".to_owned()), Just("- ".to_owned()),
                    Just("    ".to_owned()), Just("```".to_owned()), Just("> ".to_owned()), Just("---\n".to_owned()), Just("é漢".to_owned()),
                    Just("[^1]: ".to_owned()), Just("| a | b |\n|-|-|\n".to_owned()), Just("<div>".to_owned()), Just("\t".to_owned()),
                ],
                0..30,
            )
        ) {
            let page = parts.concat();
            let mut end = 0;
            for block in blocks(&page) {
                let between = page.get(end..block.range.start);
                prop_assert!(between.is_some_and(|text| text.trim().is_empty()), "{page:?}: {between:?} before {block:?}");
                prop_assert!(!block.text(&page).trim().is_empty());
                end = block.range.end;
            }
            prop_assert!(page.get(end..).is_some_and(|text| text.trim().is_empty()), "{page:?}");
        }
    }
}
