//! A folder of Markdown: one page for each file, front matter kept in fields, links from page to page as links between records. Hidden
//! files and folders are left out, symbolic links are not followed, and nothing outside of the folder is read.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ensemble_hub_api::{Kind, limits, relation};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::item::{Item, Parsed, Target};
use super::text::decode;
use super::{ImportError, ROWS_MAX};
use links::{Found, Index};

mod front;
mod links;

/// Folders in folders.
const DEPTH_MAX: usize = 32;
/// Largest page, in bytes.
const PAGE_BYTES: u64 = 2 * 1024 * 1024;
/// Links of one page.
const LINKS_MAX: usize = 500;

/// The pages of a folder that the person calls `name`.
pub fn read(folder: &Path, name: &str) -> Result<Parsed, ImportError> {
    let unreadable = |source| ImportError::Unreadable {
        path: folder.display().to_string(),
        source,
    };
    if !fs::metadata(folder).map_err(unreadable)?.is_dir() {
        return Err(ImportError::NoFolder {
            path: folder.display().to_string(),
        });
    }
    let mut parsed = Parsed::default();
    let mut files = Vec::new();
    walk(folder, &mut Vec::new(), &mut files, &mut parsed);
    if files.len() > ROWS_MAX {
        return Err(ImportError::TooMany {
            path: folder.display().to_string(),
        });
    }
    let mut pages = Vec::new();
    for (path, place) in files {
        match page(&path, &place, name) {
            Ok(page) => pages.push(page),
            Err(reason) => parsed.bad(place, reason),
        }
    }
    link(&mut pages, name, &mut parsed);
    parsed.items = pages;
    Ok(parsed)
}

/// The Markdown files below a folder with their paths from the top, in the order of their names.
fn walk(
    folder: &Path,
    path: &mut Vec<String>,
    files: &mut Vec<(PathBuf, String)>,
    parsed: &mut Parsed,
) {
    let here = |name: &str| [path.as_slice(), &[name.to_owned()]].concat().join("/");
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let Ok(entries) = entries else {
        return parsed.bad(path.join("/"), "This folder cannot be read.");
    };
    let mut names: Vec<(String, PathBuf, fs::FileType)> = Vec::new();
    for entry in entries {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let os_name = entry.file_name();
        let Some(name) = os_name.to_str() else {
            parsed.bad(here(&os_name.to_string_lossy()), "Its name is not UTF-8.");
            continue;
        };
        if !name.starts_with('.') {
            names.push((name.to_owned(), entry.path(), kind));
        }
    }
    names.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, file, kind) in names {
        if kind.is_dir() && path.len() < DEPTH_MAX {
            path.push(name);
            walk(&file, path, files, parsed);
            path.pop();
        } else if kind.is_dir() {
            parsed.bad(
                [path.as_slice(), &[name]].concat().join("/"),
                "This folder lies too deep.",
            );
        } else if kind.is_file() && is_markdown(&file) {
            files.push((file, [path.as_slice(), &[name]].concat().join("/")));
        }
    }
}

fn is_markdown(file: &Path) -> bool {
    let extension = file
        .extension()
        .and_then(|one| one.to_str())
        .unwrap_or_default();
    ["md", "markdown", "mdown", "mkd"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

fn page(file: &Path, place: &str, name: &str) -> Result<Item, String> {
    let bytes =
        ensemble_plain_file::read(file, PAGE_BYTES).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => "This page is larger than 2 MB.".to_owned(),
            _ => "This file cannot be read.".to_owned(),
        })?;
    let text = decode(&bytes)?.replace("\r\n", "\n");
    let (mut front, body) = front::split(&text)?;
    let stem = file
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let said = front
        .get("title")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let title = said
        .or_else(|| links::first_heading(body))
        .unwrap_or_default();
    let title = crate::store::one_line(&title);
    let title = if title.is_empty() { stem } else { title };
    if title.chars().count() > limits::TITLE_MAX {
        return Err(format!(
            "Its title is longer than {} characters.",
            limits::TITLE_MAX
        ));
    }
    let mut item = Item::new(format!("{name}\n{place}"), Kind::Page, title);
    place.clone_into(&mut item.place);
    item.set("source", "markdown");
    item.set("path", place);
    let labels = ["tags", "labels", "keywords"]
        .iter()
        .flat_map(|field| front::words(front.get(*field)));
    item.set("labels", labels.collect::<Vec<_>>());
    item.set("aliases", front::words(front.get("aliases")));
    item.created = instant(&front, &["created", "date"]);
    item.updated = instant(&front, &["updated", "modified", "lastmod"]).or(item.created);
    front.retain(|_, value| !value.is_null());
    if !front.is_empty() {
        item.fields
            .insert("frontMatter".to_owned(), Value::Object(front));
    }
    body.clone_into(&mut item.body);
    Ok(item)
}

/// The instant that a field of the front matter names; a day begins in UTC.
fn instant(front: &Map<String, Value>, names: &[&str]) -> Option<Timestamp> {
    names.iter().find_map(|name| {
        let text = front.get(*name)?.as_str()?.trim();
        let day = || {
            text.parse::<jiff::civil::Date>()
                .ok()?
                .to_zoned_datetime(jiff::tz::TimeZone::UTC)
                .ok()
        };
        text.parse()
            .ok()
            .or_else(|| day().map(|day| day.timestamp()))
    })
}

/// Adds the links between the pages, and a note on those that lead to none.
fn link(pages: &mut [Item], name: &str, parsed: &mut Parsed) {
    let index = Index::of(pages.iter().map(|page| {
        let aliases = page
            .fields
            .get("aliases")
            .map(|list| front::words(Some(list)));
        (
            page.place.as_str(),
            page.title.as_str(),
            aliases.unwrap_or_default(),
        )
    }));
    let mut lost: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = 0_usize;
    for page in pages {
        for found in index
            .links(&page.place, &page.body)
            .into_iter()
            .take(LINKS_MAX)
        {
            match found {
                Found::Page(place) if place != page.place => {
                    let to = Target::Item(format!("{name}\n{place}"));
                    page.link(relation::RELATED, None, to);
                }
                Found::Page(_) => {}
                Found::Nothing(link) => {
                    count += 1;
                    *lost.entry(link).or_default() += 1;
                }
            }
        }
    }
    if count > 0 {
        let first: Vec<String> = lost
            .keys()
            .take(5)
            .map(|link| ensemble_hub_api::sentences::quoted(link))
            .collect();
        let more = if lost.len() > first.len() {
            ", …"
        } else {
            ""
        };
        parsed.notes.push(format!(
            "Links that lead to no page of the folder: {count} ({}{more}).",
            first.join(", ")
        ));
    }
}

#[cfg(test)]
mod tests;
