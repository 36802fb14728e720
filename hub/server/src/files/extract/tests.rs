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

fn read(bytes: &[u8], reading: Reading) -> Result<(String, Option<u64>), Broken> {
    super::read(bytes, reading, &CancellationToken::new())
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
fn office_documents_give_their_paragraphs_and_slides() {
    let word = archive(&[(
        "word/document.xml",
        "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>One &amp; </w:t></w:r><w:r><w:t>two &#233;</w:t></w:r></w:p>\
         <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>\
         <w:p><w:r><w:instrText>FIELD</w:instrText><w:t>x</w:t><w:tab/><w:t>y</w:t></w:r></w:p></w:body></w:document>",
    )]);
    assert_eq!(text(&word, Reading::Word), "One & two é\na\tb\t\nx\ty\n");

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

/// A workbook of these sheets, whose cells may have these formats.
fn workbook(sheets: &[(&str, &str)], formats: &str, properties: &str) -> Vec<u8> {
    let place = "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let (mut listed, mut links, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (name, rows)) in sheets.iter().enumerate() {
        listed.push(format!(
            "<sheet name=\"{name}\" sheetId=\"{at}\" r:id=\"s{at}\"/>"
        ));
        links.push(format!(
            "<Relationship Id=\"s{at}\" Type=\"{kind}/worksheet\" Target=\"worksheets/sheet{at}.xml\"/>"
        ));
        let rows = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        parts.push((format!("xl/worksheets/sheet{at}.xml"), rows));
    }
    let (listed, links) = (listed.concat(), links.concat());
    let strings = "<sst><si><t>Name</t></si><si><r><t>Two\nli</t></r><r><t>nes</t></r></si></sst>";
    for (name, text) in [
        (
            "_rels/.rels",
            format!(
                "<Relationships><Relationship Id=\"b\" Type=\"{kind}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!("<workbook {place}>{properties}<sheets>{listed}</sheets></workbook>"),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!("<Relationships>{links}</Relationships>"),
        ),
        ("xl/sharedStrings.xml", strings.to_owned()),
        (
            "xl/styles.xml",
            format!("<styleSheet>{formats}</styleSheet>"),
        ),
    ] {
        parts.push((name.to_owned(), text));
    }
    let parts: Vec<(&str, &str)> = parts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    archive(&parts)
}

#[test]
fn a_spreadsheet_gives_its_sheets_by_name_with_their_cells() {
    let book = workbook(
        &[
            (
                "Plan &amp; budget",
                "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>1</v></c></row>\
                 <row r=\"9\"><c r=\"A9\"><f>SUM(1)</f><v>4.5</v></c><c r=\"D9\" t=\"inlineStr\"><is><t>in</t></is></c>\
                 <c r=\"E9\" t=\"b\"><v>1</v></c><c r=\"XFD9\"><v>7</v></c></row>",
            ),
            ("Empty", ""),
            ("Last", "<row r=\"1\"><c r=\"A1\"><v>9</v></c></row>"),
        ],
        "",
        "",
    );
    let gap = "\t".repeat(64);
    assert_eq!(
        text(&book, Reading::Sheet),
        format!(
            "Sheet Plan & budget\nName\tTwo\nlines\n4.5\t\t\tin\tTRUE{gap}7\n\nSheet Empty\n\n\nSheet Last\n9\n\n"
        )
    );
}

#[test]
fn dates_in_a_spreadsheet_are_dates() {
    // 14 is a date, 22 a date with a time, 21 a time, 46 a duration; 164 is the person's own, 0 and 2 are numbers
    let formats = "<numFmts><numFmt numFmtId=\"164\" formatCode=\"d\\.\\ mmmm\\ yyyy\"/></numFmts>\
        <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"22\"/><xf numFmtId=\"21\"/><xf numFmtId=\"46\"/>\
        <xf numFmtId=\"164\"/><xf numFmtId=\"2\"/></cellXfs>";
    let row = |cells: &[(u32, &str)]| {
        let cells = cells.iter().enumerate().map(|(at, (style, value))| {
            let column = char::from(b'A' + u8::try_from(at).unwrap());
            format!("<c r=\"{column}1\" s=\"{style}\"><v>{value}</v></c>")
        });
        format!("<row r=\"1\">{}</row>", cells.collect::<String>())
    };
    let cells = row(&[
        (1, "46101"),
        (2, "46101.604166666664"),
        (3, "0.60416666666666663"),
        (4, "1.1041666666666667"),
        (5, "46101"),
        (0, "46101"),
        (6, "46101.5"),
        // no day of the calendar: the one that Excel thinks 1900 had, before the first, after the last
        (1, "60"),
        (1, "-3"),
        (1, "3000000"),
    ]);
    let read = |properties: &str| {
        let book = workbook(&[("S", &cells)], formats, properties);
        text(&book, Reading::Sheet)
    };
    assert_eq!(
        read(""),
        "Sheet S\n2026-03-20\t2026-03-20T14:30:00\t14:30:00\t26:30:00\t2026-03-20\t46101\t46101.5\t60\t-3\t3000000\n\n"
    );
    // a workbook whose days are counted from 1904
    assert!(read("<workbookPr date1904=\"1\"/>").starts_with("Sheet S\n2030-03-21\t"));
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

    for (part, text) in [
        ("xl/styles.xml", "<xf/>".repeat(1 << 20)),
        ("xl/sharedStrings.xml", "<si/>".repeat(10 << 20)),
        ("xl/worksheets/sheet1.xml", " ".repeat(97 << 20)),
    ] {
        let bomb = archive(&[(part, &text)]);
        assert_eq!(read(&bomb, Reading::Sheet).unwrap_err(), UNREADABLE);
    }

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
