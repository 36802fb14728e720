//! The path of a file in a repository, as a caller writes it: names with `/` between them, from the top folder down. Pure.

/// Characters of a path at the most.
pub const PATH_MAX: usize = 1_000;
/// Names of a path at the most.
pub const DEPTH_MAX: usize = 32;

const ABSOLUTE: &str = "The path must be relative: write it from the top folder of the repository, such as src/lib.rs.";
const PARENT: &str = "The path must not contain `.` or `..` as a name: write it from the top folder of the repository.";
const ODD: &str = "The path must not contain a backslash, a colon or a control character: put `/` between its names.";
const EMPTY: &str =
    "The path must name a file, with one `/` between its names, such as src/lib.rs.";
const LONG: &str = "The path is too long: it has at most 1000 characters and 32 names.";

/// The names of `path` from the top folder down; at least one.
///
/// # Errors
/// The sentence that says what is wrong with it.
pub fn names(path: &str) -> Result<Vec<String>, &'static str> {
    if path.chars().nth(PATH_MAX).is_some() {
        return Err(LONG);
    }
    // A drive, another stream of a file, a separator of another system; what a name cannot show.
    if path.contains(['\\', ':']) || path.contains(char::is_control) {
        return Err(ODD);
    }
    if path.starts_with(['/', '~']) {
        return Err(ABSOLUTE);
    }
    let path = path.strip_prefix("./").unwrap_or(path);
    let names: Vec<&str> = path.split('/').collect();
    if names.iter().any(|name| name.trim().is_empty()) {
        return Err(EMPTY);
    }
    // Some systems read a name without the dots and blanks at its end.
    if names
        .iter()
        .any(|name| name.trim_end_matches(['.', ' ']).is_empty())
    {
        return Err(PARENT);
    }
    if names.len() > DEPTH_MAX {
        return Err(LONG);
    }
    Ok(names.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_leads_out_or_is_read_otherwise_is_refused() {
        for (path, wanted) in [
            ("/etc/passwd", ABSOLUTE),
            ("~/x", ABSOLUTE),
            ("../x", PARENT),
            ("src/../../x", PARENT),
            ("src/./x", PARENT),
            ("src/.. /x", PARENT),
            ("src/...", PARENT),
            ("src\\..\\x", ODD),
            ("C:/x", ODD),
            ("a.txt::$DATA", ODD),
            ("a\0.txt", ODD),
            ("a\nb", ODD),
            ("", EMPTY),
            ("src//x", EMPTY),
            ("src/", EMPTY),
        ] {
            assert_eq!(names(path), Err(wanted), "{path:?}");
        }
        assert_eq!(names(&"a/".repeat(600)), Err(LONG));
        assert_eq!(names(&vec!["a"; 40].join("/")), Err(LONG));
    }

    #[test]
    fn the_names_come_from_the_top_down() {
        for (path, wanted) in [
            ("README.md", vec!["README.md"]),
            ("./src/lib.rs", vec!["src", "lib.rs"]),
            ("docs/ملاحظات.md", vec!["docs", "ملاحظات.md"]),
            ("a..b/.github", vec!["a..b", ".github"]),
        ] {
            assert_eq!(names(path).unwrap(), wanted);
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_stays_below_the_folder(path in "([./\\\\~: a-c\\x00]|\\.\\.|\\PC){0,24}") {
            let Ok(names) = names(&path) else { return Ok(()) };
            prop_assert!(!names.is_empty() && names.len() <= DEPTH_MAX);
            let joined: std::path::PathBuf = names.iter().collect();
            let plain = joined
                .components()
                .all(|part| matches!(part, std::path::Component::Normal(_)));
            prop_assert!(plain, "{:?}", joined);
            prop_assert_eq!(joined.components().count(), names.len());
            prop_assert_eq!(super::names(&names.join("/")), Ok(names));
        }
    }
}
