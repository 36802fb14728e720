//! Editing a page block by block. What is not edited stays byte for byte, and stays what it was: an edit that would draw a block beside it into
//! itself, as a code fence without an end does, is refused.

use super::blocks::{Block, blocks};
use crate::actions::with::limited;
use crate::error::RouteError;

const SWALLOWS: &str = "The text would change blocks beside it: close its code fence, HTML or comment, and do not begin it with an indent. \
     Nothing was changed.";

/// What is done to the blocks of a page. A number is a block's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    Replace(usize, String),
    Before(usize, String),
    After(usize, String),
    Delete(usize),
    Append(String),
}

/// A part of the page as it will be.
struct Piece {
    /// The block that it was.
    was: Option<usize>,
    text: String,
    edited: bool,
}

/// The page after these edits, which all name blocks of the page as it is.
///
/// # Errors
/// [`RouteError::BadRequest`] if a block beside an edited one would not stay what it is.
pub(super) fn apply(page: &str, edits: &[Edit]) -> Result<String, RouteError> {
    let before = blocks(page);
    let end = line_end(page);
    let pieces = pieces(page, &before, edits, end);
    let gaps = gaps(page, &before);
    // First with nothing added between blocks; where two would grow together, with an empty line.
    for loose in [false, true] {
        let (text, places) = joined(&pieces, &gaps, end, loose);
        if stays(&text, &before, &pieces, &places) {
            return Ok(text);
        }
    }
    Err(limited(SWALLOWS))
}

/// How the lines of a page end.
fn line_end(page: &str) -> &'static str {
    if page.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A text with the line ends of the page that it comes into.
pub(super) fn with_line_ends_of(page: &str, text: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    match line_end(page) {
        "\n" => text.to_owned(),
        end => plain.replace('\n', end),
    }
}

fn pieces(page: &str, before: &[Block], edits: &[Edit], end: &str) -> Vec<Piece> {
    let new = |text: &str| {
        let text = text.trim_end_matches(['\r', '\n']);
        Piece {
            was: None,
            text: text.replace("\r\n", "\n").replace('\n', end),
            edited: true,
        }
    };
    let mut all = Vec::new();
    for (at, block) in before.iter().enumerate() {
        let mut kept = Some(Piece {
            was: Some(at),
            text: block.text(page).to_owned(),
            edited: false,
        });
        let mut after = Vec::new();
        for edit in edits {
            match edit {
                Edit::Before(place, text) if *place == at => all.push(new(text)),
                Edit::After(place, text) if *place == at => after.push(new(text)),
                Edit::Delete(place) if *place == at => kept = None,
                Edit::Replace(place, text) if *place == at => {
                    kept = Some(Piece {
                        was: Some(at),
                        ..new(text)
                    });
                }
                _ => {}
            }
        }
        all.extend(kept);
        all.append(&mut after);
    }
    for edit in edits {
        if let Edit::Append(text) = edit {
            all.push(new(text));
        }
    }
    all
}

/// What stands before each block, and behind the last.
fn gaps<'a>(page: &'a str, before: &[Block]) -> Vec<&'a str> {
    let mut gaps = Vec::new();
    let mut end = 0;
    for block in before {
        gaps.push(page.get(end..block.range.start).unwrap_or_default());
        end = block.range.end;
    }
    gaps.push(page.get(end..).unwrap_or_default());
    gaps
}

/// The text, and where each piece begins in it.
fn joined(pieces: &[Piece], gaps: &[&str], end: &str, loose: bool) -> (String, Vec<usize>) {
    let empty_line = [end, end].concat();
    let mut text = String::new();
    let mut places = Vec::new();
    let mut last: Option<&Piece> = None;
    for piece in pieces {
        match last {
            None => text.push_str(gaps.first().copied().unwrap_or_default()),
            Some(last) => {
                let between = match (last.was, piece.was) {
                    (Some(from), Some(to)) => gap_of(gaps, from, to),
                    _ => &empty_line,
                };
                let touched =
                    last.edited || piece.edited || piece.was != last.was.map(|was| was + 1);
                let grows = loose && touched && !has_empty_line(between);
                text.push_str(if grows { &empty_line } else { between });
            }
        }
        places.push(text.len());
        text.push_str(&piece.text);
        last = Some(piece);
    }
    if last.is_some() {
        text.push_str(gaps.last().copied().unwrap_or_default());
    }
    (text, places)
}

/// What stood between two blocks; where others were between them, the first part with an empty line.
fn gap_of<'a>(gaps: &[&'a str], from: usize, to: usize) -> &'a str {
    let between = gaps.get(from + 1..=to).unwrap_or_default();
    let with_line = between.iter().find(|gap| has_empty_line(gap));
    with_line.or(between.first()).copied().unwrap_or_default()
}

fn has_empty_line(gap: &str) -> bool {
    gap.matches('\n').count() > 1
}

/// Whether every block that was not edited is a block of its kind and text, or a part of a longer list.
fn stays(text: &str, before: &[Block], pieces: &[Piece], places: &[usize]) -> bool {
    let after = blocks(text);
    pieces.iter().zip(places).all(|(piece, start)| {
        let Some(was) = piece.was.filter(|_| !piece.edited) else {
            return true;
        };
        let kind = before.get(was).map_or("", |block| block.kind);
        let end = start + piece.text.len();
        let at = after.partition_point(|block| block.range.end <= *start);
        after.get(at).is_some_and(|block| {
            block.kind == kind
                && (block.range == (*start..end)
                    || (kind == "list" && block.range.start <= *start && end <= block.range.end))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PAGE: &str = "# One\nfirst\n\n- a\n- b\n\n```rust\nlet x;\n```\nlast  \n";

    #[test]
    fn an_edit_changes_its_block_and_nothing_else() {
        for (edit, wanted) in [
            (
                Edit::Replace(1, "second\n".to_owned()),
                "# One\nsecond\n\n- a\n- b\n\n```rust\nlet x;\n```\nlast  \n",
            ),
            (Edit::Delete(3), "# One\nfirst\n\n- a\n- b\n\nlast  \n"),
            (
                Edit::Before(1, "new".to_owned()),
                "# One\n\nnew\n\nfirst\n\n- a\n- b\n\n```rust\nlet x;\n```\nlast  \n",
            ),
            (
                Edit::After(2, "- c".to_owned()),
                "# One\nfirst\n\n- a\n- b\n\n- c\n\n```rust\nlet x;\n```\nlast  \n",
            ),
            (
                Edit::Append("end\n\n".to_owned()),
                "# One\nfirst\n\n- a\n- b\n\n```rust\nlet x;\n```\nlast  \n\nend\n",
            ),
            // Two paragraphs do not grow together.
            (
                Edit::Replace(3, "words".to_owned()),
                "# One\nfirst\n\n- a\n- b\n\nwords\n\nlast  \n",
            ),
        ] {
            assert_eq!(
                apply(PAGE, std::slice::from_ref(&edit)).unwrap(),
                wanted,
                "{edit:?}"
            );
        }
        assert_eq!(apply("", &[Edit::Append("x".to_owned())]).unwrap(), "x");
        assert_eq!(apply("only\n", &[Edit::Delete(0)]).unwrap(), "");
    }

    #[test]
    fn an_edit_that_would_swallow_others_is_refused() {
        for text in ["```\nopen", "<!-- open", "~~~"] {
            let refused = apply(PAGE, &[Edit::Replace(0, text.to_owned())]);
            assert!(matches!(refused, Err(RouteError::BadRequest(_))), "{text}");
        }
    }

    #[test]
    fn a_page_keeps_its_line_ends() {
        let page = "one\r\n\r\ntwo\r\n";
        let edited = apply(page, &[Edit::After(0, "a\nb".to_owned())]).unwrap();
        assert_eq!(edited, "one\r\n\r\na\r\nb\r\n\r\ntwo\r\n");
    }

    /// A page, a place in it, and what comes there.
    fn edited() -> impl Strategy<Value = (String, usize, String)> {
        const PART: &str = "(\\PC{0,8}|\n|\n\n|\r\n|- a\n|1. b\n|```\n|> q\n|    x\n|<div>\n|<!--|-->|\\| a \\|\n\\|-\\|\n|\\[\\^1\\]: n\n|---\n)";
        let page = proptest::collection::vec(PART, 1..20).prop_map(|parts| parts.concat());
        let text = proptest::collection::vec(PART, 1..4).prop_map(|parts| parts.concat());
        (page, 0_usize..20, text)
    }

    proptest! {
        #[test]
        fn whatever_is_edited_the_other_blocks_stand_there_as_before((page, at, text) in edited()) {
            let before = blocks(&page);
            prop_assume!(!before.is_empty() && !text.trim().is_empty());
            let at = at % before.len();
            for edit in [
                Edit::Replace(at, text.clone()), Edit::Before(at, text.clone()), Edit::After(at, text.clone()), Edit::Delete(at),
                Edit::Append(text.clone()),
            ] {
                let Ok(after) = apply(&page, std::slice::from_ref(&edit)) else { continue };
                let mut rest = after.as_str();
                for (place, block) in before.iter().enumerate() {
                    if place == at && matches!(edit, Edit::Replace(..) | Edit::Delete(_)) {
                        continue;
                    }
                    let found = rest.split_once(block.text(&page));
                    prop_assert!(found.is_some(), "{edit:?} of {page:?} gave {after:?}");
                    rest = found.map_or("", |(_, rest)| rest);
                }
            }
        }

        #[test]
        fn a_block_that_is_replaced_by_itself_leaves_the_page_as_it_was(
            parts in proptest::collection::vec("(\\PC{0,8}|\n|\n\n|- a\n|```\n|> q\n|    x\n|\\| a \\|\n\\|-\\|\n)", 0..20)
        ) {
            let page = parts.concat();
            for (at, block) in blocks(&page).iter().enumerate() {
                let edit = Edit::Replace(at, block.text(&page).to_owned());
                prop_assert_eq!(&apply(&page, &[edit]).unwrap(), &page);
            }
        }
    }
}
