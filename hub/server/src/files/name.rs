//! Names of files that come from elsewhere: each is one that every system can keep in a folder, so none is a path, hides a character, or names
//! a device.

use ensemble_hub_api::limits;

use crate::error::RouteError;
use crate::store::one_line;
use crate::text::visible::is_invisible;

/// Names that are devices on Windows, whatever their extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// Those that a digit follows.
const NUMBERED: [&str; 2] = ["com", "lpt"];

const LENGTH: &str = "A file's name has 1 to 255 bytes.";
const PATH: &str =
    "A file's name is no path: leave out the folders, and the characters / \\ : * ? \" < > and |.";
const HIDDEN: &str =
    "A file's name has no control characters and no characters that cannot be seen.";
const ENDING: &str = "A file's name does not end in a dot.";
const DEVICE: &str = "That name is a device on Windows, such as CON or NUL: choose another name.";

/// The name, without white space around it.
///
/// # Errors
/// [`RouteError::BadRequest`] with what is wrong about it.
pub(crate) fn checked(given: &str) -> Result<String, RouteError> {
    let name = given.trim();
    wrong(name).map_or_else(
        || Ok(one_line(name)),
        |sentence| Err(RouteError::BadRequest(sentence.to_owned())),
    )
}

fn wrong(name: &str) -> Option<&'static str> {
    if name.is_empty() || name.len() > limits::FILE_NAME_MAX {
        Some(LENGTH)
    } else if name.chars().any(hides) {
        Some(HIDDEN)
    } else if name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|']) {
        Some(PATH)
    } else if name.ends_with('.') {
        Some(ENDING)
    } else if is_device(name) {
        Some(DEVICE)
    } else {
        None
    }
}

/// Emoji are joined and coloured by characters that cannot be seen; those stay.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}')
        || (is_invisible(c) && !matches!(c, '\u{200D}' | '\u{FE0F}'))
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_lowercase();
    let numbered = NUMBERED.iter().any(|device| {
        let rest = stem.strip_prefix(device);
        // The raised digits count too.
        rest.is_some_and(|rest| matches!(rest, "¹" | "²" | "³") || is_digit(rest))
    });
    numbered || DEVICES.contains(&stem.as_str())
}

fn is_digit(text: &str) -> bool {
    matches!(text.as_bytes(), [b'0'..=b'9'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_some_system_cannot_keep_is_refused() {
        for (name, sentence) in [
            ("", LENGTH),
            (" \n ", LENGTH),
            ("../etc/passwd", PATH),
            ("..\\x.txt", PATH),
            ("C:x.txt", PATH),
            ("a\u{0}b.txt", HIDDEN),
            ("a\nb.txt", HIDDEN),
            ("a\u{202E}txt.exe", HIDDEN),
            ("a\u{200B}.txt", HIDDEN),
            ("..", ENDING),
            (".", ENDING),
            ("a.", ENDING),
            ("CON", DEVICE),
            ("nul.txt", DEVICE),
            ("Lpt1.tar.gz", DEVICE),
            ("com².txt", DEVICE),
            ("aux .c", DEVICE),
        ] {
            assert_eq!(wrong(name.trim()), Some(sentence), "{name:?}");
        }
        assert_eq!(wrong(&"é".repeat(128)), Some(LENGTH));
    }

    #[test]
    fn a_plain_name_in_any_script_stays_as_it_is() {
        for name in [
            "a.txt",
            ".gitignore",
            "Übersicht 2026 (final).pdf",
            "会議.md",
            "👩‍🚀.png",
            "console.log",
            "com10.txt",
            "company.md",
            "a'b & c.txt",
        ] {
            assert_eq!(checked(name).unwrap(), name);
        }
        assert_eq!(checked(" a.txt ").unwrap(), "a.txt");
    }
}
