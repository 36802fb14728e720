//! Which paths name a file inside the folder, from the text alone. Refused everywhere is what any system would read as something else, so
//! that the same call means the same on each.
//!
//! | a path | is |
//! |---|---|
//! | `notes/a.md`, `./a.md`, or absolute below the folder | inside |
//! | empty, `.`, ending in `/`, or the folder itself | no file |
//! | with `..`, absolute outside, `~…`, `$…`, `%…%` | outside |
//! | with NUL, control characters, `\` `:` `*` `?` `"` `<` `>` `\|` | not a name |
//! | `CON`, `nul.txt`, `COM1 .x`, a name that ends in a dot or a blank | not a name on Windows |
//! | below `.git` | not for files: what lies there can run |

use std::path::{Path, PathBuf};

use ensemble_broker::Fault;

use super::Purpose;

/// Bytes of one name; no common file system takes more.
const NAME_MAX: usize = 255;
/// Bytes of a whole path.
const PATH_MAX: usize = 4_096;
/// Folders of a path.
const DEPTH_MAX: usize = 64;
/// Characters of a path that a sentence shows.
const SHOWN_MAX: usize = 200;

/// A file inside the folder, by its names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inside {
    /// From the folder down; empty for a file directly in it.
    pub(super) folders: Vec<String>,
    /// The file's own name.
    pub(super) name: String,
}

impl Inside {
    /// Relative to the folder, with slashes.
    pub(super) fn shown(&self) -> String {
        let mut path = self.folders.join("/");
        if !path.is_empty() {
            path.push('/');
        }
        path + &self.name
    }

    /// All of its names, from the folder down.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let folders = self.folders.iter().map(String::as_str);
        folders.chain(std::iter::once(self.name.as_str()))
    }

    /// Relative to the folder.
    pub(super) fn relative(&self) -> PathBuf {
        self.names().collect()
    }

    /// The path of its folder number `at`.
    pub(super) fn folder(&self, at: usize) -> String {
        self.folders
            .iter()
            .take(at + 1)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("/")
    }
}

/// Reads a path; `folders` are the absolute paths that the working folder has.
pub(super) fn inside(path: &str, folders: &[PathBuf], purpose: Purpose) -> Result<Inside, Fault> {
    let refused = |why: &str| {
        let shown: String = path
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(SHOWN_MAX)
            .collect();
        let root = folders
            .first()
            .map(|folder| folder.display().to_string())
            .unwrap_or_default();
        Err(Fault::Invalid(format!(
            "“{shown}” {why}: files are {} only inside the working folder, {root}, by a path such as notes/report.pdf.",
            purpose.done()
        )))
    };
    if path.trim().is_empty() {
        return refused("names no file");
    }
    if path.len() > PATH_MAX {
        return refused("is too long");
    }
    if path.chars().any(char::is_control) {
        return refused("holds a character that no name has");
    }
    let Some(relative) = relative(path, folders) else {
        return refused("leads out of the working folder");
    };
    if relative.ends_with('/') {
        return refused("names a folder");
    }
    let mut names = Vec::new();
    for name in relative.split('/') {
        match name {
            "" | "." => continue,
            ".." => return refused("leads out of the working folder"),
            _ => {}
        }
        if let Some(why) = bad_name(name, names.is_empty()) {
            return refused(why);
        }
        names.push(name.to_owned());
    }
    if relative.split('/').next_back() == Some(".") {
        return refused("names a folder");
    }
    if names.len() > DEPTH_MAX {
        return refused("is too deep");
    }
    match names.pop() {
        Some(name) => Ok(Inside {
            folders: names,
            name,
        }),
        None => refused("names no file"),
    }
}

/// The path from the folder on; `None` for one that begins elsewhere.
fn relative(path: &str, folders: &[PathBuf]) -> Option<String> {
    if !Path::new(path).is_absolute() && !path.starts_with('/') {
        return Some(path.to_owned());
    }
    // A path is text here: what cannot be compared as text is outside.
    folders.iter().find_map(|folder| {
        let root = folder.to_str()?.trim_end_matches('/');
        let rest = path.strip_prefix(root)?;
        (rest.starts_with('/') || rest.is_empty()).then(|| rest.trim_start_matches('/').to_owned())
    })
}

fn bad_name(name: &str, first: bool) -> Option<&'static str> {
    if first && name.starts_with('~') {
        return Some("is not read as somebody's home");
    }
    if name.starts_with('$') || name.contains("${") || name.matches('%').count() > 1 {
        return Some("holds a variable, and none is filled in");
    }
    if name.contains(['\\', ':', '*', '?', '"', '<', '>', '|']) {
        return Some("holds a character that is no part of a name on every system");
    }
    if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        return Some("has a name that begins with a blank, or ends in a dot or a blank");
    }
    if is_reserved(name) {
        return Some("is a name that Windows keeps for a device");
    }
    if is_git(name) {
        return Some("lies in a folder of git, where files can run");
    }
    if name.len() > NAME_MAX {
        return Some("has a name that is too long");
    }
    None
}

/// `CON`, `con.txt`, `Com1 .x`: a device on Windows, whatever follows the first dot.
fn is_reserved(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_uppercase();
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(&stem.as_str()) {
        return true;
    }
    let numbered = stem
        .strip_prefix("COM")
        .or_else(|| stem.strip_prefix("LPT"));
    numbered.is_some_and(|number| {
        let mut digits = number.chars();
        matches!(
            (digits.next(), digits.next()),
            (Some('0'..='9' | '¹' | '²' | '³'), None)
        )
    })
}

/// `.git` as any file system may spell it: in either case, by its short name, with characters that some systems drop.
fn is_git(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'))
        .collect();
    plain.eq_ignore_ascii_case(".git") || plain.eq_ignore_ascii_case("git~1")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(path: &str) -> Result<String, String> {
        let folders = [PathBuf::from("/home/here"), PathBuf::from("/mnt/here")];
        inside(path, &folders, Purpose::Save)
            .map(|inside| inside.shown())
            .map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_path_inside_is_read() {
        for (path, shown) in [
            ("a.md", "a.md"),
            ("./a.md", "a.md"),
            ("a/b//c.pdf", "a/b/c.pdf"),
            ("/home/here/a.md", "a.md"),
            ("/mnt/here/x/a.md", "x/a.md"),
            ("Über uns/Ångström (1).pdf", "Über uns/Ångström (1).pdf"),
            (".gitignore", ".gitignore"),
            ("100%.txt", "100%.txt"),
            ("console.log", "console.log"),
            ("COM10.txt", "COM10.txt"),
            ("a~b", "a~b"),
        ] {
            assert_eq!(read(path).as_deref(), Ok(shown), "{path}");
        }
    }

    #[test]
    fn every_other_path_is_refused_with_the_folder_that_is_allowed() {
        let long = "x".repeat(256);
        let deep = "d/".repeat(70) + "a";
        let very_long = "x/".repeat(3_000);
        for path in [
            "",
            " ",
            ".",
            "./",
            "..",
            "../x",
            "a/../../x",
            "a/..",
            "a/../b",
            "x/",
            "a/.",
            "/etc/passwd",
            "/",
            "/home/herex/a",
            "/home/here",
            "/home/here/../x",
            "//server/share/x",
            "~/x",
            "~",
            "~root/.bashrc",
            "$HOME/x",
            "a/$HOME",
            "${HOME}/x",
            "%USERPROFILE%/x",
            "a\0b",
            "a\nb",
            "\u{7f}",
            "..\\x",
            "C:\\x",
            "C:x",
            "a:stream",
            "a|b",
            "a*",
            "a?",
            "CON",
            "con.txt",
            "nul",
            "NUL.tar.gz",
            "aux .x",
            "a/prn/b",
            "COM1",
            "lpt9.log",
            "com¹",
            "CONOUT$",
            "a.",
            "a ",
            " a",
            "a./b",
            ".git/config",
            "sub/.GIT/hooks/pre-commit",
            "git~1/x",
            ".g\u{200c}it/x",
            &long,
            &deep,
            &very_long,
        ] {
            let sentence = read(path).expect_err(path);
            assert!(sentence.contains("/home/here"), "{path}: {sentence}");
            assert!(
                !sentence.contains('\0') && !sentence.contains('\n'),
                "{sentence}"
            );
        }
    }

    proptest! {
        /// Whatever is read names a file below the folder, on every system the same, and is read the same again.
        #[test]
        fn what_is_read_lies_inside_on_every_system(
            path in "(/home/here|/mnt/here|\\.\\.|\\.git|git~1|con|NUL|COM1|[./\\\\~:$% a-c\\x00\u{200c}]|\\PC){0,12}"
        ) {
            let folders = [PathBuf::from("/home/here"), PathBuf::from("/mnt/here")];
            let Ok(inside) = inside(&path, &folders, Purpose::Save) else { return Ok(()) };
            let names = [&inside.folders[..], std::slice::from_ref(&inside.name)].concat();
            for name in &names {
                prop_assert!(!name.is_empty() && name != "." && name != "..", "{:?}", path);
                prop_assert!(!name.contains(['/', '\\', ':', '\0']), "{:?}", path);
                prop_assert!(!name.ends_with(['.', ' ']), "{:?}", path);
                let stem = name.split('.').next().unwrap_or_default().trim_end();
                let device = ["con", "nul", "com1"].iter().any(|name| stem.eq_ignore_ascii_case(name));
                prop_assert!(!device, "{:?}", path);
                let seen: String = name.chars().filter(|c| *c != '\u{200c}').collect();
                prop_assert!(!seen.eq_ignore_ascii_case(".git"), "{:?}", path);
            }
            let below = Path::new(&inside.shown()).components().all(|part| matches!(part, std::path::Component::Normal(_)));
            prop_assert!(below, "{:?}", path);
            prop_assert_eq!(super::inside(&inside.shown(), &folders, Purpose::Save), Ok(inside));
        }
    }
}
