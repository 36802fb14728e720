//! Links from page to page: `[text](../other.md#part)` and `[[Other page]]`. A link in double brackets is a title or a path as a whole
//! first, whatever signs stand in it (`[[A | B]]` is the page “A | B” where there is one), and only then a page with a text to show or a
//! heading in it. Two pages of one title are told apart by the nearer path; what stands in code is no link.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::store::name_key;

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The path of a page.
    Page(String),
    /// To no page of the folder; what was written.
    Nothing(String),
}

/// The pages of a folder by what links call them.
#[derive(Debug, Default)]
pub(super) struct Index {
    paths: BTreeMap<String, String>,
    /// Titles, file names and aliases, in that order of weight.
    names: [BTreeMap<String, Vec<String>>; 3],
}

impl Index {
    /// Of pages with their path, title and other names.
    pub(super) fn of<'a>(pages: impl Iterator<Item = (&'a str, &'a str, Vec<String>)>) -> Self {
        let mut index = Self::default();
        for (path, title, aliases) in pages {
            index.paths.insert(path_key(path), path.to_owned());
            let stem = without_extension(path.rsplit('/').next().unwrap_or(path));
            let [titles, stems, others] = &mut index.names;
            titles
                .entry(name_key(title))
                .or_default()
                .push(path.to_owned());
            stems
                .entry(name_key(stem))
                .or_default()
                .push(path.to_owned());
            for alias in aliases {
                others
                    .entry(name_key(&alias))
                    .or_default()
                    .push(path.to_owned());
            }
        }
        index
    }

    /// Where the links of a page lead, in its order; addresses of the web are no such links.
    pub(super) fn links(&self, from: &str, body: &str) -> Vec<Found> {
        let options =
            Options::ENABLE_WIKILINKS | Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let mut found = Vec::new();
        for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
            let Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) = event
            else {
                continue;
            };
            if let LinkType::WikiLink { .. } = link_type {
                let whole = body.get(range).unwrap_or_default();
                let inner = whole.trim_start_matches("[[").trim_end_matches("]]");
                found.push(self.wiki(from, inner));
            } else if let Some(link) = self.path(from, &dest_url) {
                found.push(link);
            }
        }
        found
    }

    fn wiki(&self, from: &str, inner: &str) -> Found {
        let before_text = inner.split_once('|').map(|(name, _)| name);
        let before_part = inner.split_once('#').map(|(name, _)| name);
        let both = before_text
            .and_then(|name| name.split_once('#'))
            .map(|(name, _)| name);
        let mut readings = [Some(inner), before_text, before_part, both]
            .into_iter()
            .flatten();
        let page = readings.find_map(|name| self.named(from, name.trim()));
        page.map_or_else(|| Found::Nothing(inner.to_owned()), Found::Page)
    }

    /// The page of a path or name.
    fn named(&self, from: &str, name: &str) -> Option<String> {
        if name.is_empty() {
            return None;
        }
        let by_path = self.paths.get(&path_key(name)).cloned();
        by_path.or_else(|| {
            let key = name_key(name);
            let mut pages = self.names.iter().filter_map(|names| names.get(&key));
            pages.next().and_then(|pages| nearest(from, pages))
        })
    }

    /// The page of a relative address; `None` for addresses that are no paths of pages.
    fn path(&self, from: &str, address: &str) -> Option<Found> {
        let path = address.split(['#', '?']).next().unwrap_or_default();
        let path = percent_decoded(path);
        // A scheme (`https:`, `mailto:`) or another server.
        let scheme = path
            .split('/')
            .next()
            .is_some_and(|first| first.contains(':'));
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        let page = ["md", "markdown", "mdown", "mkd"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known));
        if path.is_empty() || scheme || path.starts_with("//") || !page {
            return None;
        }
        let base = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let whole = match path.strip_prefix('/') {
            Some(path) => resolved("", path),
            None => resolved(base, &path),
        };
        let page = whole.and_then(|whole| self.paths.get(&path_key(&whole)).cloned());
        Some(page.map_or_else(|| Found::Nothing(address.to_owned()), Found::Page))
    }
}

/// The first heading of the first level.
pub(super) fn first_heading(body: &str) -> Option<String> {
    let mut inside = false;
    let mut title = String::new();
    for event in Parser::new(body) {
        match event {
            Event::Start(Tag::Heading {
                level: pulldown_cmark::HeadingLevel::H1,
                ..
            }) => inside = true,
            Event::End(TagEnd::Heading(_)) if inside => return Some(title),
            Event::Text(text) | Event::Code(text) if inside => title.push_str(&text),
            Event::SoftBreak | Event::HardBreak if inside => title.push(' '),
            _ => {}
        }
    }
    None
}

/// Of several, the one with the longest common beginning of its path; of equals the first.
fn nearest(from: &str, pages: &[String]) -> Option<String> {
    let common = |page: &str| {
        let pairs = from.split('/').zip(page.split('/'));
        pairs.take_while(|(a, b)| a == b).count()
    };
    let best = pages.iter().rev().max_by_key(|page| common(page));
    best.cloned()
}

/// `address` from `base`; `None` where it leads out of the folder.
fn resolved(base: &str, address: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in address.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn without_extension(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, extension))
            if matches!(
                extension.to_ascii_lowercase().as_str(),
                "md" | "markdown" | "mdown" | "mkd"
            ) =>
        {
            stem
        }
        _ => path,
    }
}

fn path_key(path: &str) -> String {
    name_key(without_extension(path.trim_start_matches("./")))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let pair = after
            .get(..2)
            .and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        if let (b'%', Some(byte)) = (first, byte) {
            bytes.push(byte);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
