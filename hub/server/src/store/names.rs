//! When two names are the same name: Unicode form, case, white space and what nobody sees do not count, everything else does. “José” and
//! “Jose” are two people; “Ａnna ” and “anna” are not, nor is “an\u{200b}na” a third.
//!
//! A joiner changes how Persian letters or emoji stand beside each other, so it stays where a name is shown; two names that differ in
//! nothing else are one, because nobody can tell by looking which of them was typed.

use unicode_normalization::UnicodeNormalization as _;

use crate::text::visible::{is_invisible, is_tag, visible};

/// The form in which titles and names are compared.
pub fn name_key(name: &str) -> String {
    let seen = visible(name);
    // the tags that are left make flags, which are seen
    let seen = seen.chars().filter(|c| !is_invisible(*c) || is_tag(*c));
    let lower = if name.is_ascii() {
        // Most names, and every form of ASCII is itself.
        seen.collect::<String>().to_ascii_lowercase()
    } else {
        seen.nfkc().collect::<String>().to_lowercase()
    };
    let mut key = String::with_capacity(lower.len());
    for word in lower.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
    if key.is_ascii() {
        return key;
    }
    // Lower-casing can leave a decomposed form behind.
    key.nfc().collect()
}

/// A title as it is stored: one line, without NUL and other control characters, trimmed. The spelling stays.
pub(crate) fn one_line(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    clean.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_counts_and_its_encoding_does_not() {
        for (a, b) in [
            ("Anna", " ANNA "),
            ("caf\u{e9}", "cafe\u{301}"),
            ("a  b\tc", "A B C"),
            ("Ｆix", "fix"),
            // zero width, a mark of direction, tags, an override, a soft hyphen, a selector
            ("an\u{200b}na\u{feff}", "Anna"),
            ("\u{200e}Anna\u{200f}", "anna"),
            ("Anna\u{e0041}\u{e0042}", "Anna"),
            ("\u{202e}Anna\u{202c}\u{2066}", "Anna"),
            ("co\u{ad}op", "coop"),
            ("e\u{34f}\u{301}lan", "élan"),
            ("❤\u{fe0f} plan", "❤ plan"),
            // a joiner is shown and not compared
            ("می\u{200c}خواهم", "میخواهم"),
            ("👩\u{200d}💻", "👩💻"),
        ] {
            assert_eq!(name_key(a), name_key(b), "{a:?} {b:?}");
        }
        for (a, b) in [
            ("José", "Jose"),
            ("reviewer", "peer-reviewer"),
            ("ab", "a b"),
            ("ab", "a\u{2028}b"),
            // two flags, each a black one with its tags
            (
                "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
                "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            ),
        ] {
            assert_ne!(name_key(a), name_key(b), "{a:?} {b:?}");
        }
    }
}
