//! Walking a repository: what may be shown of it, level by level, in the order of names. What is left out is read as git reads it:
//! `.git/info/exclude`, then each `.gitignore` from the top folder down, of which the last that matches decides; links are counted, not
//! followed; the walk has bounds and says when it met one.

use std::collections::VecDeque;
use std::io::{self, Read as _};
use std::path::Path;

use cap_std::fs::Dir;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::checkout;
use super::path::DEPTH_MAX;
use super::protected;

/// Entries looked at in one walk.
const ENTRIES_MAX: usize = 20_000;
/// Entries of one folder.
const FOLDER_MAX: usize = 5_000;
/// Bytes of one `.gitignore`, and of `.git/info/exclude`; what stands beyond is not read, and its folder counts as left out.
const IGNORE_BYTES: u64 = 200_000;

/// The top folder of a checkout, opened, with what its person leaves out of it.
#[derive(Debug)]
pub(super) struct Top {
    pub(super) dir: Dir,
    excluded: Rules,
}

impl Top {
    /// The opened folder `dir`, whose path is `folder`.
    pub(super) fn of(dir: Dir, folder: &Path) -> Self {
        let text = checkout::exclude_file(&dir, folder, IGNORE_BYTES);
        let excluded = Rules::default().and(text, "");
        Self { dir, excluded }
    }

    /// The rules that hold in this folder itself.
    pub(super) fn rules(&self) -> Rules {
        self.excluded.with(&self.dir, "")
    }
}

/// The rules that hold in one folder: those of the whole checkout, and of each `.gitignore` from the top down to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules(Vec<Gitignore>);

impl Rules {
    /// With those of the folder `dir`, whose path is `at`.
    pub(super) fn with(&self, dir: &Dir, at: &str) -> Self {
        self.clone().and(ignore_file(dir), at)
    }

    /// With those of a file, for what is below `at`. One that was too large to be read leaves everything out.
    fn and(mut self, file: io::Result<Vec<u8>>, at: &str) -> Self {
        let text = match file {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => "*".to_owned(),
            Err(_) => return self,
        };
        let mut builder = GitignoreBuilder::new(format!("/{at}"));
        for line in text.lines() {
            // A line that is no pattern matches nothing, as with git.
            if let Err(error) = builder.add_line(None, line) {
                tracing::debug!(%error, "a line of a .gitignore is no pattern");
            }
        }
        self.0.extend(builder.build().ok());
        self
    }

    /// Whether the entry at `path` is left out. The last rule that matches decides, the deepest file first.
    pub(super) fn leave_out(&self, path: &str, is_dir: bool) -> bool {
        let path = format!("/{path}");
        let verdict = self.0.iter().rev().find_map(|rules| {
            let found = rules.matched(&path, is_dir);
            (!found.is_none()).then(|| found.is_ignore())
        });
        verdict.unwrap_or(false)
    }
}

fn ignore_file(dir: &Dir) -> io::Result<Vec<u8>> {
    let (file, size) = checkout::plain_file(dir, ".gitignore")?;
    if size > IGNORE_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::new();
    file.take(IGNORE_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A folder or file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// From the top folder down, with `/` between the names.
    pub(super) path: String,
    pub(super) is_dir: bool,
    /// In bytes; 0 for a folder.
    pub(super) size: u64,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The upper levels first, then by name.
    pub(super) entries: Vec<Entry>,
    /// Entries left out because of their names.
    pub(super) protected: usize,
    /// Entries that `.gitignore` or `.git/info/exclude` leaves out.
    pub(super) ignored: usize,
    /// Links, and whatever is neither a folder nor a file.
    pub(super) links: usize,
    /// Whether there is more than was looked at.
    pub(super) cut_short: bool,
}

/// Walks everything below `top`.
pub(super) fn walk(top: &Top) -> io::Result<Walk> {
    let mut found = Walk::default();
    let begin = (top.dir.try_clone()?, String::new(), top.excluded.clone(), 0);
    let mut folders = VecDeque::from([begin]);
    while let Some((dir, at, rules, depth)) = folders.pop_front() {
        let rules = rules.with(&dir, &at);
        for (name, is_dir, size) in names(&dir, &mut found) {
            let path = if at.is_empty() {
                name.clone()
            } else {
                format!("{at}/{name}")
            };
            if protected::by_name(&name) {
                found.protected += 1;
            } else if rules.leave_out(&path, is_dir) {
                found.ignored += 1;
            } else if found.entries.len() >= ENTRIES_MAX {
                found.cut_short = true;
                return Ok(found);
            } else {
                found.entries.push(Entry {
                    path: path.clone(),
                    is_dir,
                    size,
                });
                if is_dir && depth + 1 < DEPTH_MAX {
                    match checkout::folder(&dir, &name) {
                        Ok(below) => folders.push_back((below, path, rules.clone(), depth + 1)),
                        Err(_) => found.cut_short = true,
                    }
                } else if is_dir {
                    found.cut_short = true;
                }
            }
        }
    }
    Ok(found)
}

/// The folders and files of one folder by name; what cannot be read or is something else is counted.
fn names(dir: &Dir, found: &mut Walk) -> Vec<(String, bool, u64)> {
    let Ok(entries) = dir.entries() else {
        found.cut_short = true;
        return Vec::new();
    };
    let mut names = Vec::new();
    for entry in entries {
        if names.len() >= FOLDER_MAX {
            found.cut_short = true;
            break;
        }
        let named = entry.and_then(|entry| {
            let (kind, name) = (entry.file_type()?, entry.file_name());
            let size = if kind.is_file() {
                entry.metadata()?.len()
            } else {
                0
            };
            Ok((kind, name, size))
        });
        match named {
            Ok((kind, name, size)) if kind.is_dir() || kind.is_file() => match name.into_string() {
                Ok(name) => names.push((name, kind.is_dir(), size)),
                Err(_) => found.links += 1,
            },
            Ok(_) => found.links += 1,
            Err(_) => found.cut_short = true,
        }
    }
    names.sort();
    names
}
