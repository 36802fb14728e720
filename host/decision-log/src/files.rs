//! The files of one log, and their order. An older file is named by the number of its first line, so that setting one aside is one renaming,
//! which happened or did not.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Where a log is.
#[derive(Debug, Clone)]
pub struct Place {
    current: PathBuf,
}

/// One file of a log.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
    pub(crate) size: u64,
}

impl Part {
    /// The last part of its path.
    pub(crate) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

impl Place {
    /// The log whose newest lines are in this file, a `….jsonl`; the other files stand beside it.
    pub fn of(current: PathBuf) -> Self {
        Self { current }
    }

    /// The file of the newest lines.
    pub fn current(&self) -> &Path {
        &self.current
    }

    /// The folder of all files.
    pub(crate) fn folder(&self) -> &Path {
        self.current.parent().unwrap_or(Path::new("."))
    }

    pub(crate) fn head(&self) -> PathBuf {
        self.current.with_extension("head")
    }

    /// Where the lines from this number on are set aside.
    pub(crate) fn aside(&self, first: u64) -> PathBuf {
        self.current
            .with_file_name(format!("{}-{first}.jsonl", self.stem()))
    }

    fn stem(&self) -> String {
        let stem = self.current.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// The older files with the number in their name, the oldest first.
    pub(crate) fn older(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let entries = match self.folder().read_dir() {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let stem = self.stem();
        // the name that an older file had before the chain
        let unchained = format!("{stem}.1.jsonl");
        let mut older = Vec::new();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let number = name
                .strip_prefix(&stem)
                .and_then(|name| name.strip_prefix('-'))
                .and_then(|name| name.strip_suffix(".jsonl"));
            let number = match number {
                Some(number) => number.parse().ok().filter(|_| !number.starts_with('0')),
                None => (name == unchained).then_some(0),
            };
            if let Some(number) = number {
                older.push((number, entry.path()));
            }
        }
        older.sort_unstable();
        Ok(older)
    }

    /// Every file that there is, opened, the oldest first.
    pub(crate) fn parts(&self) -> io::Result<Vec<Part>> {
        let older = self.older()?.into_iter().map(|(_, path)| path);
        let mut parts = Vec::new();
        for path in older.chain([self.current.clone()]) {
            match ensemble_plain_file::open(&path) {
                Ok((file, size)) => parts.push(Part { path, file, size }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_the_order_of_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::of(folder.path().join("decisions.jsonl"));
        assert!(place.parts().unwrap().is_empty());
        for name in [
            "decisions.jsonl",
            "decisions-100.jsonl",
            "decisions-9.jsonl",
            "decisions.1.jsonl",
            "decisions-x.jsonl",
            "decisions-07.jsonl",
            "decisions.head",
            "other-3.jsonl",
        ] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let names: Vec<String> = place.parts().unwrap().iter().map(Part::name).collect();
        assert_eq!(
            names,
            [
                "decisions.1.jsonl",
                "decisions-9.jsonl",
                "decisions-100.jsonl",
                "decisions.jsonl"
            ]
        );
        assert_eq!(place.aside(9), folder.path().join("decisions-9.jsonl"));
        let nowhere = Place::of(folder.path().join("none/decisions.jsonl"));
        assert!(nowhere.parts().unwrap().is_empty());
    }
}
