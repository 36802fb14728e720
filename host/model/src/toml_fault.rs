//! What is wrong with a TOML text, in one line: where, and what. The library draws the line with an arrow below it, which is no
//! sentence once its line ends are gone, and repeats what stands in the file.

use std::fmt;

/// The longest message that is passed on, in characters.
const LONGEST: usize = 300;

/// Where and what; the text of the file itself is not in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct TomlFault {
    /// Counts from one; none where the whole file is meant, as for a key that is missing at its top.
    line: Option<usize>,
    message: String,
}

impl TomlFault {
    pub(crate) fn of(text: &str, error: &toml::de::Error) -> Self {
        let before = error.span().and_then(|span| text.get(..span.start));
        let seen = error
            .message()
            .split(char::is_control)
            .filter(|part| !part.trim().is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        Self {
            // a span of everything says nothing
            line: before
                .filter(|_| error.span() != Some(0..text.len()))
                .map(|before| before.matches('\n').count() + 1),
            message: seen.chars().take(LONGEST).collect(),
        }
    }
}

impl fmt::Display for TomlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// What stands in a file, for a sentence about it: without characters that move a cursor, and not longer than a person reads.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 120;
    text.chars()
        .filter(|c| !c.is_control())
        .take(MOST)
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::Manifest;

    fn said(text: &str) -> String {
        Manifest::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_fault_is_one_line_that_says_where() {
        let fault = said("id = \"x\"\nversion=\n");
        assert!(
            fault.starts_with("plugin.toml cannot be read: line 2: "),
            "{fault}"
        );
        assert!(!fault.contains('\n') && !fault.contains('|'), "{fault}");
    }

    #[test]
    fn what_stands_in_the_file_is_not_drawn_again() {
        for text in [
            "id = \"\u{1b}[31mred\"\n".to_owned(),
            format!("id = \"{}\"\n", "a".repeat(10_000)),
            format!("\"{}\n{}\" = 1", "b".repeat(900), "c".repeat(900)),
        ] {
            let fault = said(&text);
            assert!(fault.chars().count() < 400, "{fault}");
            assert!(!fault.chars().any(char::is_control), "{fault:?}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let fault = said("version = \"1.0.0\"\n");
        assert!(fault.contains("missing field"), "{fault}");
    }
}
