//! When two names are the same name: Unicode form, case and white space do not count, everything else does. “José” and “Jose” are two
//! people; “Ａnna ” and “anna” are not.

use unicode_normalization::UnicodeNormalization as _;

/// The form in which titles and names are compared.
pub fn name_key(name: &str) -> String {
    let lower = name.nfkc().collect::<String>().to_lowercase();
    let mut key = String::with_capacity(lower.len());
    for word in lower.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
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
        ] {
            assert_eq!(name_key(a), name_key(b), "{a:?} {b:?}");
        }
        for (a, b) in [
            ("José", "Jose"),
            ("reviewer", "peer-reviewer"),
            ("ab", "a b"),
        ] {
            assert_ne!(name_key(a), name_key(b), "{a:?} {b:?}");
        }
    }
}
