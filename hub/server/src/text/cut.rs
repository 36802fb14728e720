//! Cutting: a text is cut between graphemes, at a limit in characters (Unicode scalar values),
//! and whoever cuts says what is missing.

use unicode_segmentation::UnicodeSegmentation as _;

/// A window of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// The text of the window.
    pub text: &'a str,
    /// Where it begins, in characters.
    pub offset: usize,
    /// Where the next window begins, in characters; absent at the end.
    pub next: Option<usize>,
    /// Characters of the whole text.
    pub total: usize,
}

/// The beginning of `text`, at most `limit` characters. A single grapheme longer than `limit`
/// (a heap of combining marks) is cut between characters, so there is always some progress.
pub fn head(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    if let Some(short) = plain_head(text, limit) {
        return short;
    }
    let Some((hard, _)) = text.char_indices().nth(limit) else {
        return text;
    };
    // Look one grapheme past the limit only: a boundary needs the text on both sides.
    let mut end = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        let after = at + grapheme.len();
        if after > hard {
            break;
        }
        end = after;
    }
    text.split_at(if end == 0 { hard } else { end }).0
}

/// [`head`] where everything up to the cut and the character behind it are ASCII, in which only a line's end is a grapheme of two.
fn plain_head(text: &str, limit: usize) -> Option<&str> {
    let (window, _) = text.as_bytes().split_at_checked(limit + 1)?;
    let within_line_end = limit > 1 && window.ends_with(b"\r\n");
    window
        .is_ascii()
        .then(|| text.split_at(limit - usize::from(within_line_end)).0)
}

/// At most `limit` characters of `text` with `…` in place of what was cut off, and whether
/// anything was.
pub fn excerpt(text: &str, limit: usize) -> (String, bool) {
    let short = head(text, limit);
    if short.len() == text.len() {
        return (text.to_owned(), false);
    }
    let mut out = head(text, limit.saturating_sub(1)).trim_end().to_owned();
    out.push('…');
    (out, true)
}

/// The window of `text` that begins at character `offset`, at most `limit` characters.
pub fn part(text: &str, offset: usize, limit: usize) -> Part<'_> {
    let total = text.chars().count();
    let start = text
        .char_indices()
        .nth(offset)
        .map_or(text.len(), |(at, _)| at);
    let (_, rest) = text.split_at(start);
    let window = head(rest, limit.max(1));
    let offset = offset.min(total);
    let end = offset + window.chars().count();
    Part {
        text: window,
        offset,
        next: (end < total).then_some(end),
        total,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HARD: [&str; 8] = [
        "→→→→→→→→",
        "🎉🎉🎉🎉",
        "漢字かな交じり文",
        "e\u{301}e\u{301}e\u{301}",
        "👩‍👩‍👧‍👦 family 👩‍👩‍👧‍👦",
        "🇩🇪🇫🇷🇯🇵",
        "שלום עולם",
        "\u{1112}\u{1161}\u{11a8}점",
    ];

    #[test]
    fn every_limit_and_offset_gives_whole_characters() {
        for text in HARD {
            for limit in 0..24 {
                let cut = head(text, limit);
                assert!(cut.chars().count() <= limit, "{text} {limit}");
                assert!(text.starts_with(cut));
                assert!(excerpt(text, limit).0.chars().count() <= limit.max(1));
                for offset in 0..24 {
                    let part = part(text, offset, limit);
                    assert!(part.text.chars().count() <= limit.max(1));
                }
            }
        }
    }

    #[test]
    fn graphemes_stay_whole_where_they_fit() {
        assert_eq!(head("a👩‍👩‍👧‍👦b", 4), "a");
        assert_eq!(head("e\u{301}x", 1), "e");
        assert_eq!(head("xe\u{301}", 2), "x");
        assert_eq!(excerpt("hello there", 7), ("hello…".to_owned(), true));
        assert_eq!(excerpt("hello", 5), ("hello".to_owned(), false));
    }

    #[test]
    fn windows_put_together_are_the_text() {
        for text in HARD {
            for limit in 1..9 {
                let (mut whole, mut at) = (String::new(), Some(0));
                while let Some(offset) = at {
                    let part = part(text, offset, limit);
                    whole.push_str(part.text);
                    at = part.next;
                }
                assert_eq!(whole, text);
            }
        }
        let past = part("abc", 10, 5);
        assert_eq!(
            (past.text, past.offset, past.next, past.total),
            ("", 3, None, 3)
        );
    }

    proptest! {
        #[test]
        fn any_text_is_cut_within_its_limit(text in any::<String>(), limit in 0_usize..80) {
            let cut = head(&text, limit);
            prop_assert!(text.starts_with(cut) && cut.chars().count() <= limit);
            let (short, was_cut) = excerpt(&text, limit);
            prop_assert!(short.chars().count() <= limit.max(1));
            prop_assert_eq!(was_cut, short != text);
        }

        #[test]
        fn the_parts_of_any_text_are_the_text(text in any::<String>(), limit in 1_usize..40) {
            let (mut whole, mut at) = (String::new(), Some(0));
            while let Some(offset) = at {
                let part = part(&text, offset, limit);
                prop_assert_eq!(part.offset, offset);
                prop_assert_eq!(part.total, text.chars().count());
                // A part is never empty while there is more, so that a reader arrives.
                prop_assert!(part.next.is_none_or(|next| next > offset));
                whole.push_str(part.text);
                at = part.next;
            }
            prop_assert_eq!(whole, text);
        }
    }
}
