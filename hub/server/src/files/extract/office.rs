//! Office documents: archives of XML. Parts are inflated up to a bound, and read as a stream of events, so that neither a small archive with
//! endless content nor a deep one costs more than its bound.

use std::fmt::Write as _;
use std::io::{self, Cursor, Read as _};

use quick_xml::events::Event;
use quick_xml::reader::Reader;
use zip::ZipArchive;

use super::{Broken, TEXT_MAX, UNREADABLE};

/// Bytes that all parts of one document may inflate to, together.
const INFLATED_MAX: u64 = 96 << 20;
/// Slides that are read.
const PARTS_MAX: usize = 500;

pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
}

impl<'a> Package<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Broken> {
        Ok(Self {
            archive: ZipArchive::new(Cursor::new(bytes)).map_err(|_| UNREADABLE)?,
            left: INFLATED_MAX,
        })
    }

    fn part(&mut self, name: &str) -> Result<Option<String>, Broken> {
        let Ok(part) = self.archive.by_name(name) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        part.take(self.left)
            .read_to_end(&mut bytes)
            .map_err(|_| UNREADABLE)?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        if self.left == 0 {
            return Err(UNREADABLE);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Inflates everything once, so that whoever reads it whole after this gets no more than the bound, and of the parts with these names
    /// (in lower case, without their folders) no more than is said for each.
    pub(super) fn inflates_within(&mut self, parts: &[(&str, u64)]) -> Result<(), Broken> {
        for at in 0..self.archive.len() {
            let part = self.archive.by_index(at).map_err(|_| UNREADABLE)?;
            let name = String::from_utf8_lossy(part.name_raw()).to_lowercase();
            let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
            let most = parts
                .iter()
                .find(|(named, _)| *named == name)
                .map_or(self.left, |(_, most)| self.left.min(*most));
            let size = io::copy(&mut part.take(most), &mut io::sink()).map_err(|_| UNREADABLE)?;
            if size == most {
                return Err(UNREADABLE);
            }
            self.left -= size;
        }
        Ok(())
    }

    /// The parts `<prefix>1.xml`, `<prefix>2.xml`, … in the order of their numbers.
    fn numbered(&self, prefix: &str) -> Vec<String> {
        let mut found: Vec<(u32, String)> = self
            .archive
            .file_names()
            .flatten()
            .filter_map(|name| {
                let number = name.strip_prefix(prefix)?.strip_suffix(".xml")?;
                Some((number.parse().ok()?, name.to_string()))
            })
            .collect();
        found.sort();
        found.dedup();
        let names = found.into_iter().map(|(_, name)| name);
        names.take(PARTS_MAX).collect()
    }
}

/// The paragraphs of a Word document, its tables a row in a line.
pub(super) fn word(bytes: &[u8]) -> Result<String, Broken> {
    let mut package = Package::open(bytes)?;
    let document = package.part("word/document.xml")?.ok_or(UNREADABLE)?;
    runs(&document, "p", '\n')
}

/// The texts of the slides, and how many there are.
pub(super) fn slides(bytes: &[u8]) -> Result<(String, Option<u64>), Broken> {
    let mut package = Package::open(bytes)?;
    let names = package.numbered("ppt/slides/slide");
    if names.is_empty() {
        return Err(UNREADABLE);
    }
    let mut out = String::new();
    for (at, name) in names.iter().enumerate() {
        let slide = package.part(name)?.unwrap_or_default();
        let text = runs(&slide, "p", '\n')?;
        // Writing to a String cannot fail.
        _ = write!(out, "Slide {}\n{}\n\n", at + 1, text.trim());
        if out.len() > TEXT_MAX * 4 {
            break;
        }
    }
    Ok((out, Some(names.len() as u64)))
}

/// The text inside elements called `t`, with `end` after each `paragraph`.
fn runs(xml: &str, paragraph: &str, end: char) -> Result<String, Broken> {
    let mut reader = Reader::from_str(xml);
    let (mut out, mut inside) = (String::new(), false);
    loop {
        match reader.read_event().map_err(|_| UNREADABLE)? {
            Event::Start(tag) if local(tag.name().as_ref()) == "t" => inside = true,
            Event::End(tag) if local(tag.name().as_ref()) == "t" => inside = false,
            Event::End(tag) if local(tag.name().as_ref()) == paragraph => out.push(end),
            Event::End(tag) if local(tag.name().as_ref()) == "tc" => {
                // the cell's last paragraph ended its line
                out.truncate(out.trim_end_matches('\n').len());
                out.push('\t');
            }
            Event::End(tag) if local(tag.name().as_ref()) == "tr" => out.push('\n'),
            Event::Empty(tag) => match local(tag.name().as_ref()) {
                "tab" => out.push('\t'),
                "br" | "cr" => out.push('\n'),
                name if name == paragraph => out.push(end),
                _ => {}
            },
            Event::Text(piece) if inside => out.push_str(&piece.xml10_content()),
            Event::CData(piece) if inside => out.push_str(&piece.xml10_content()),
            Event::GeneralRef(name) if inside => out.push_str(&entity(&name)),
            Event::Eof => return Ok(out),
            _ => {}
        }
        if out.len() > TEXT_MAX * 4 {
            return Ok(out);
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// What a reference stands for; only those that XML itself has, so that a document cannot define one that grows.
fn entity(name: &str) -> String {
    let number = name.strip_prefix('#').and_then(|digits| {
        let code = match digits.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        char::from_u32(code.ok()?)
    });
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => number.unwrap_or('\u{fffd}'),
    };
    c.to_string()
}
