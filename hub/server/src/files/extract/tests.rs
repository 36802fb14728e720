//! Each format with a file that is made here, and files that are broken on purpose.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::super::originals::Originals;
use super::*;

fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn text(bytes: &[u8], reading: Reading) -> String {
    read(bytes, reading).map_or_else(str::to_owned, |(text, _)| text)
}

#[test]
fn plain_text_in_the_encodings_that_people_have() {
    let utf16: Vec<u8> = "\u{feff}héllo"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (bytes, expected) in [
        ("héllo\r\nthere\rx".as_bytes(), "héllo\nthere\nx"),
        ("\u{feff}héllo".as_bytes(), "héllo"),
        (utf16.as_slice(), "héllo"),
        (b"h\xe9llo \x80", "héllo €"),
        (b"\x7fELF\0\0\0", UNREADABLE),
        (b"", ""),
    ] {
        assert_eq!(text(bytes, Reading::Plain), expected);
    }
}

#[test]
fn html_is_what_a_person_sees() {
    let html = "<!doctype html><head><title>T</title><style>p{}</style><script>if (a < b) evil()</script></head>\
        <body><h1>Caf&eacute; &amp; more</h1><!-- hidden --><p>One <b>bold</b>\n  word.</p><ul><li>a</li><li>b</li></ul>\
        <table><tr><td>x</td><td>y</td></tr></table><svg><text>drawn</text></svg></body>";
    assert_eq!(
        text(html.as_bytes(), Reading::Html),
        "T\nCafé & more\nOne bold word.\na\nb\nx\ty"
    );
    // no depth of nesting costs anything
    let deep = "<div>".repeat(200_000) + "x";
    assert_eq!(text(deep.as_bytes(), Reading::Html), "x");
    assert_eq!(text(b"<p>a<script>never closed", Reading::Html), "a");
}

#[test]
fn office_documents_give_their_paragraphs_cells_and_slides() {
    let word = archive(&[(
        "word/document.xml",
        "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>One &amp; </w:t></w:r><w:r><w:t>two &#233;</w:t></w:r></w:p>\
         <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>\
         <w:p><w:r><w:instrText>FIELD</w:instrText><w:t>x</w:t><w:tab/><w:t>y</w:t></w:r></w:p></w:body></w:document>",
    )]);
    assert_eq!(text(&word, Reading::Word), "One & two é\na\tb\t\nx\ty\n");

    let sheet = archive(&[
        (
            "xl/sharedStrings.xml",
            "<sst><si><t>Name</t></si><si><r><t>Two\nli</t></r><r><t>nes</t></r></si></sst>",
        ),
        (
            "xl/worksheets/sheet2.xml",
            "<worksheet><row><c><v>9</v></c></row></worksheet>",
        ),
        (
            "xl/worksheets/sheet1.xml",
            "<worksheet><sheetData><row><c t=\"s\"><v>0</v></c><c t=\"s\"><v>1</v></c></row>\
             <row><c><f>SUM(1)</f><v>4.5</v></c><c t=\"inlineStr\"><is><t>in</t></is></c><c t=\"s\"><v>99</v></c></row></sheetData></worksheet>",
        ),
    ]);
    assert_eq!(
        text(&sheet, Reading::Sheet),
        "Sheet 1\nName\tTwo\nlines\n4.5\tin\t99\n\nSheet 2\n9\n\n"
    );

    let slides = archive(&[
        (
            "ppt/slides/slide10.xml",
            "<p:sld><a:p><a:r><a:t>last</a:t></a:r></a:p></p:sld>",
        ),
        (
            "ppt/slides/slide2.xml",
            "<p:sld><a:p><a:r><a:t>first</a:t></a:r></a:p></p:sld>",
        ),
    ]);
    assert_eq!(
        read(&slides, Reading::Slides),
        Ok(("Slide 1\nfirst\n\nSlide 2\nlast\n\n".to_owned(), Some(2)))
    );
}

#[test]
fn a_broken_document_is_a_sentence() {
    let word = archive(&[(
        "word/document.xml",
        "<w:document><w:p><w:t>hello</w:t></w:p></w:document>",
    )]);
    let pdf = crate::demo::sample_pdf();
    assert!(text(&pdf, Reading::Pdf).contains("Nine did not know"));
    for reading in [Reading::Word, Reading::Sheet, Reading::Slides, Reading::Pdf] {
        for bytes in [
            &b""[..],
            b"PK",
            b"%PDF-1.4",
            b"not a document at all",
            &[0xff; 4_096],
        ] {
            assert_eq!(read(bytes, reading).unwrap_err(), UNREADABLE);
        }
    }
    assert_eq!(read(&word, Reading::Sheet).unwrap_err(), UNREADABLE);
    // cut anywhere, or with a byte changed anywhere: an answer of some kind, never a panic
    for (whole, reading) in [(&word, Reading::Word), (&pdf, Reading::Pdf)] {
        // some five hundred places of each
        for at in (0..whole.len()).step_by(1 + whole.len() / 500) {
            drop(read(&whole[..at], reading));
            let mut changed = whole.clone();
            changed[at] ^= 0x15;
            drop(read(&changed, reading));
        }
    }
}

#[test]
fn nothing_inflates_or_grows_without_a_bound() {
    let endless = format!("<w:p><w:t>{}</w:t></w:p>", " ".repeat(120 << 20));
    let bomb = archive(&[("word/document.xml", &endless)]);
    assert!(bomb.len() < 1 << 20);
    assert_eq!(read(&bomb, Reading::Word).unwrap_err(), UNREADABLE);
    drop(endless);

    // entities that a document defines are not filled in
    let laughs = "<!DOCTYPE d [<!ENTITY a \"haha\"><!ENTITY b \"&a;&a;&a;\">]><w:document><w:p><w:t>&b;&amp;</w:t></w:p></w:document>";
    let laughs = archive(&[("word/document.xml", laughs)]);
    assert_eq!(text(&laughs, Reading::Word), "\u{fffd}&\n");

    let long = bounded(&"é".repeat(TEXT_MAX + 5), None);
    assert_eq!(long.text.unwrap().chars().count(), TEXT_MAX);
    assert_eq!(long.note.as_deref(), Some(CUT));
    assert_eq!(bounded(" \n ", Some(3)).note.as_deref(), Some(EMPTY));
}

#[tokio::test]
async fn what_a_library_does_with_a_file_never_ends_the_hub() {
    let data = tempfile::tempdir().unwrap();
    let originals = Originals::of(data.path());
    let read = async |bytes: &[u8], name: &str| {
        let staged = originals.stage(bytes).unwrap();
        let format = super::super::format::of(name, &staged.about().beginning);
        super::text(&staged, format, PATIENCE).await
    };
    assert_eq!(read(b"# Hi\n", "a.md").await.text.as_deref(), Some("# Hi"));
    assert_eq!(
        read(b"PK\x03\x04", "a.docx").await.note.as_deref(),
        Some(UNREADABLE)
    );
    assert_eq!(
        read(b"\x89PNG\r\n\x1a\n", "a.png").await.note.as_deref(),
        Some(NO_TEXT)
    );
    assert_eq!(read(b"", "a.txt").await.note.as_deref(), Some(EMPTY));
}
