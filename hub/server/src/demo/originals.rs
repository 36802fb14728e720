//! The demo's files, made here byte by byte: a Markdown page, a PDF, a Word document and a picture, each small and each real.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::seed::Seed;
use crate::files::originals::Originals;
use crate::files::{extract, fields_of_original, format};
use crate::store::Store;

/// Makes the bytes of a file.
type Make = fn() -> Vec<u8>;

/// Seeds that have an original, with the name by which its format is known.
const FILES: [(&str, &str, Make); 4] = [
    ("readout", "latency-readout.md", readout),
    ("survey", "timeout-survey.pdf", survey),
    ("onboarding", "onboarding-brief.docx", onboarding),
    ("chart", "timeout-chart.png", chart),
];

/// Keeps the originals of `seeds` and puts what they are into their fields. The texts that were read out of them, by seed.
pub(super) async fn keep(
    store: &Store,
    seeds: &mut [Seed],
) -> std::io::Result<Vec<(&'static str, String)>> {
    let originals = Originals::of(store.data_dir());
    let mut texts = Vec::new();
    for (seed, name, make) in FILES {
        let Some(place) = seeds.iter_mut().find(|other| other.name == seed) else {
            continue;
        };
        let staged = originals.stage(make().as_slice())?;
        let format = format::of(name, &staged.about().beginning);
        let extracted = extract::text(&staged, format, extract::PATIENCE).await;
        let kept = staged.keep()?;
        place
            .fields
            .extend(fields_of_original(&kept, format, &extracted));
        if let Some(text) = extracted.text {
            texts.push((seed, text));
        }
    }
    Ok(texts)
}

fn readout() -> Vec<u8> {
    let mut text = String::from(
        "# Latency readout\n\n1,200 requests to the slow servers of the staging environment, in one afternoon.\n\n\
         | share of requests | answered within |\n|---|---|\n| 50% | 0.4 s |\n| 90% | 1.9 s |\n| 99% | 4.1 s |\n\n\
         0.7% of the requests ran into the timeout of five seconds.\n\n## What we saw\n\n\
         - The wait for a connection is the longest part when the pool is full.\n\
         - Nobody waited longer than 4.2 s and then got an answer: a longer default would help nobody.\n\
         - Servers that stream keep the connection open; the read timeout counts from the last byte.\n\n## Raw numbers\n\n",
    );
    for run in 1..=12 {
        let slow = 90 + (run * 37) % 60;
        // Writing to a String cannot fail.
        _ = writeln!(text, "run {run:02}: 100 requests, slowest 4.{slow} s");
    }
    text.into_bytes()
}

const SURVEY: [&[&str]; 3] = [
    &[
        "Timeout survey of partners",
        "Fourteen partners answered in two weeks.",
        "Question 1: do you know the default timeout of the client?",
        "Nine did not know that there is one.",
    ],
    &[
        "Question 2: do you set a timeout of your own?",
        "Two set one for each request. Three switch it off for the whole client.",
        "The reason given most often: a report that takes longer than five seconds.",
    ],
    &[
        "What partners ask for",
        "A page that says what happens after five seconds, with an example.",
        "An error message that names the timeout that was met.",
    ],
];

/// A PDF of three pages, with the table of its objects at the right places.
pub(super) fn survey() -> Vec<u8> {
    let mut objects: Vec<String> = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [4 0 R 6 0 R 8 0 R] /Count 3 >>".to_owned(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    ];
    for (page, lines) in SURVEY.iter().enumerate() {
        let contents = 5 + page * 2;
        let mut stream = String::from("BT /F1 12 Tf 56 760 Td 18 TL\n");
        for line in *lines {
            // Writing to a String cannot fail; none of the lines has a bracket or backslash.
            _ = writeln!(stream, "({line}) Tj T*");
        }
        stream.push_str("ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents {contents} 0 R >>"
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{stream}\nendstream",
            stream.len()
        ));
    }
    let mut out = String::from("%PDF-1.4\n");
    let mut table = String::from("0000000000 65535 f \n");
    for (at, object) in objects.iter().enumerate() {
        _ = writeln!(table, "{:010} 00000 n ", out.len());
        _ = write!(out, "{} 0 obj\n{object}\nendobj\n", at + 1);
    }
    let start = out.len();
    let size = objects.len() + 1;
    _ = write!(
        out,
        "xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    out.into_bytes()
}

const ONBOARDING: [&str; 6] = [
    "Onboarding brief for partners",
    "Week one: a key, the sample client, and one request that works.",
    "Week two: limits, timeouts and retries, each with an example that runs.",
    "Contact: Noor Haddad answers within a day; Sofía Núñez decides what comes next.",
    "Not in scope: billing & contracts.",
    "Open question: who runs the sandbox?",
];

/// A Word document with a heading and paragraphs.
fn onboarding() -> Vec<u8> {
    let mut body = String::new();
    for line in ONBOARDING {
        let line = line.replace('&', "&amp;");
        body.push_str("<w:p><w:r><w:t xml:space=\"preserve\">");
        body.push_str(&line);
        body.push_str("</w:t></w:r></w:p>");
    }
    let word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let package = "http://schemas.openxmlformats.org/package/2006";
    let office =
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
    let main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
    let parts = [
        (
            "[Content_Types].xml",
            format!(
                "{head}<Types xmlns=\"{package}/content-types\"><Default Extension=\"rels\" \
                 ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
                 <Override PartName=\"/word/document.xml\" ContentType=\"{main}\"/></Types>"
            ),
        ),
        (
            "_rels/.rels",
            format!(
                "{head}<Relationships xmlns=\"{package}/relationships\"><Relationship Id=\"rId1\" Type=\"{office}\" \
                 Target=\"word/document.xml\"/></Relationships>"
            ),
        ),
        (
            "word/document.xml",
            format!("{head}<w:document xmlns:w=\"{word}\"><w:body>{body}</w:body></w:document>"),
        ),
    ];
    archive(&parts).unwrap_or_default()
}

fn archive(parts: &[(&str, String)]) -> Option<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // stored: the same bytes with every version of the compressor
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, text) in parts {
        zip.start_file(*name, options).ok()?;
        zip.write_all(text.as_bytes()).ok()?;
    }
    Some(zip.finish().ok()?.into_inner())
}

/// Points of the picture's sides.
const SIDE: usize = 64;

/// A PNG of a rising line on white, in grey values and without compression.
fn chart() -> Vec<u8> {
    let mut rows = Vec::new();
    for y in 0..SIDE {
        rows.push(0);
        for x in 0..SIDE {
            let line = SIDE.saturating_sub(x * x / SIDE).abs_diff(y) < 2;
            rows.push(if line { 40 } else { 255 });
        }
    }
    // one stored block: the mark of the last one, its length, the same inverted, the bytes
    let length = u16::try_from(rows.len()).unwrap_or(u16::MAX);
    let mut pixels = vec![0x78, 0x01, 0x01];
    pixels.extend(length.to_le_bytes());
    pixels.extend((!length).to_le_bytes());
    pixels.extend(&rows);
    pixels.extend(adler32(&rows).to_be_bytes());
    let side = u32::try_from(SIDE).unwrap_or(0).to_be_bytes();
    let header = [&side[..], &side, &[8, 0, 0, 0, 0]].concat();
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", header), (b"IDAT", pixels), (b"IEND", Vec::new())] {
        let length = u32::try_from(data.len()).unwrap_or(0);
        let named = [&name[..], &data].concat();
        out.extend(length.to_be_bytes());
        out.extend(&named);
        out.extend(crc32(&named).to_be_bytes());
    }
    out
}

fn adler32(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    high << 16 | low
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xedb8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_formats() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        assert!(chart().ends_with(b"\x00\x00\x00\x00IEND\xae\x42\x60\x82"));
    }
}
