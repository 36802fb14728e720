//! The outline of a repository: a bounded tree, manifests, entry points, the headings of its README, and its languages.

use std::collections::BTreeMap;

use cap_std::fs::Dir;
use ensemble_hub_api::sentences;
use serde_json::{Value, json};

use super::file::{Content, content};
use super::tree::{Entry, Top, Walk, walk};
use super::{kinds, protected};
use crate::error::RouteError;
use crate::text::cut;
use crate::text::trust::one_line;
use crate::view::{self, Card};

/// Entries and bytes of the tree.
const TREE_MAX: usize = 400;
const TREE_BYTES: usize = 40_000;
/// Entries of one folder in the tree: none takes the place of all others.
const FOLDER_MAX: usize = 60;
/// Rows of each other list.
const ROWS_MAX: usize = 40;
const ROWS_BYTES: usize = 8_000;
/// Characters of a heading, and of a path.
const HEADING_MAX: usize = 120;
const PATH_MAX: usize = 300;

/// The outline of what is below `top`.
pub(super) fn of(top: &Top) -> Result<Card, RouteError> {
    let gone = |_| RouteError::NotFound(sentences::CHECKOUT_GONE.to_owned());
    let found = walk(top).map_err(gone)?;
    let mut card = Card::new();
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    tree(&found, &mut card, &mut notes);
    let files = || found.entries.iter().filter(|entry| !entry.is_dir);
    let manifests = files().filter_map(|file| {
        kinds::manifest(&file.path).map(|what| json!({ "path": shown(&file.path), "for": what }))
    });
    card.insert(
        "manifests".to_owned(),
        rows(manifests, "manifests", &mut notes),
    );
    let entries = files()
        .filter(|file| kinds::is_entry(&file.path))
        .map(|file| shown(&file.path).into());
    card.insert(
        "entryPoints".to_owned(),
        rows(entries, "entry points", &mut notes),
    );
    if let Some(readme) = files().find(|file| kinds::is_readme(&file.path)) {
        let headings = headings(&top.dir, &readme.path)
            .into_iter()
            .map(Value::from);
        let headings = rows(headings, "headings of the README", &mut notes);
        card.insert(
            "readme".to_owned(),
            json!({ "path": shown(&readme.path), "headings": headings }),
        );
    }
    card.insert(
        "languages".to_owned(),
        rows(languages(files()), "languages", &mut notes),
    );
    card.insert("notes".to_owned(), json!(notes));
    Ok(card)
}

fn tree(found: &Walk, card: &mut Card, notes: &mut Vec<String>) {
    let mut in_folder: BTreeMap<&str, usize> = BTreeMap::new();
    let near = found.entries.iter().filter(|entry| {
        let parent = entry.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let shown = in_folder.entry(parent).or_default();
        *shown += 1;
        *shown <= FOLDER_MAX
    });
    let lines = near.take(TREE_MAX).map(|entry| {
        let slash = if entry.is_dir { "/" } else { "" };
        format!("{}{slash}", shown(&entry.path))
    });
    let (mut lines, _) = view::fit(lines.collect(), TREE_BYTES);
    let left_out = found.entries.len() - lines.len();
    // Upper levels come first when the tree is cut; what is shown stands in the order of paths.
    lines.sort();
    let files = found.entries.iter().filter(|entry| !entry.is_dir).count();
    card.insert("fileCount".to_owned(), files.into());
    card.insert(
        "folderCount".to_owned(),
        (found.entries.len() - files).into(),
    );
    card.insert("tree".to_owned(), json!(lines));
    card.insert("treeNotShown".to_owned(), left_out.into());
    card.insert(
        "skipped".to_owned(),
        json!({ "protected": found.protected, "ignored": found.ignored, "links": found.links }),
    );
    if left_out > 0 {
        notes.push(format!(
            "The tree shows the upper levels and up to {FOLDER_MAX} entries of a folder: {left_out} entries are left out."
        ));
    }
    if found.cut_short {
        notes.push("The repository is larger than what is looked at, or a part of it cannot be read: counts are of what was seen.".to_owned());
    }
}

/// A bounded list; what is left out is named in `notes`.
fn rows(all: impl Iterator<Item = Value>, what: &str, notes: &mut Vec<String>) -> Value {
    let all: Vec<Value> = all.collect();
    let total = all.len();
    let (kept, _) = view::fit(
        all.into_iter().take(ROWS_MAX).collect::<Vec<_>>(),
        ROWS_BYTES,
    );
    if kept.len() < total {
        notes.push(format!("{} of {total} {what} are shown.", kept.len()));
    }
    json!(kept)
}

/// Languages with their files and bytes, the one with most bytes first.
fn languages<'a>(files: impl Iterator<Item = &'a Entry>) -> impl Iterator<Item = Value> {
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for file in files {
        if let Some(language) = kinds::language(&file.path) {
            let (files, bytes) = sums.entry(language).or_default();
            *files += 1;
            *bytes = bytes.saturating_add(file.size);
        }
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(language, (_, bytes))| (std::cmp::Reverse(*bytes), *language));
    sums.into_iter()
        .map(|(language, (files, bytes))| json!({ "language": language, "files": files, "bytes": bytes }))
}

/// The headings of the README: lines with `#` outside of code.
fn headings(top: &Dir, name: &str) -> Vec<String> {
    let Ok((Content::Text(text), _)) = content(top, name) else {
        return Vec::new();
    };
    if protected::by_content(&text) {
        return Vec::new();
    }
    let (mut list, mut in_code) = (Vec::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code && line.trim_start_matches('#').starts_with(' ') && line.starts_with('#')
        {
            list.push(cut::excerpt(&one_line(line), HEADING_MAX).0);
        }
    }
    list
}

fn shown(path: &str) -> String {
    cut::excerpt(&one_line(path), PATH_MAX).0
}
