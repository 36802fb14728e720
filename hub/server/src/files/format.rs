//! What a file is, by its name and its first bytes. A name alone is not believed where the bytes say otherwise: a picture that is none, a
//! PDF that is none, is just bytes.

/// What a file is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// For a person: `PDF`, `Markdown`.
    pub label: &'static str,
    /// The media type.
    pub media_type: &'static str,
    /// How its text is read.
    pub reading: Reading,
}

/// How the text of a format is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It is text.
    Plain,
    Html,
    Pdf,
    Word,
    Sheet,
    Slides,
    /// There is no text in it that the hub can read.
    None,
}

/// The media type of a file that is nothing else.
pub const BYTES: &str = "application/octet-stream";

const UNKNOWN: Format = Format {
    label: "File",
    media_type: BYTES,
    reading: Reading::None,
};

const OOXML: &str = "application/vnd.openxmlformats-officedocument.";

/// Extensions, label, media type, how the text is read.
const FORMATS: &[(&[&str], &str, &str, Reading)] = &[
    (
        &["md", "markdown"],
        "Markdown",
        "text/markdown",
        Reading::Plain,
    ),
    (
        &["txt", "text", "log"],
        "Text",
        "text/plain",
        Reading::Plain,
    ),
    (&["csv"], "CSV", "text/csv", Reading::Plain),
    (&["tsv"], "TSV", "text/tab-separated-values", Reading::Plain),
    (&["html", "htm"], "HTML", "text/html", Reading::Html),
    (&["json"], "JSON", "application/json", Reading::Plain),
    (&["yaml", "yml"], "YAML", "application/yaml", Reading::Plain),
    (&["toml"], "TOML", "application/toml", Reading::Plain),
    (&["xml"], "XML", "application/xml", Reading::Plain),
    (
        &["js", "mjs", "cjs"],
        "JavaScript",
        "text/javascript",
        Reading::Plain,
    ),
    (&["css"], "CSS", "text/css", Reading::Plain),
    (
        &[
            "rs", "py", "ts", "tsx", "jsx", "go", "java", "kt", "swift", "c", "h", "cc", "cpp",
            "hpp", "cs", "rb", "php", "sh", "sql", "r", "lua", "scala", "tex", "ini", "cfg",
            "diff", "patch",
        ],
        "Code",
        "text/plain",
        Reading::Plain,
    ),
    (&["pdf"], "PDF", "application/pdf", Reading::Pdf),
    (
        &["docx"],
        "Word",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        Reading::Word,
    ),
    (
        &["xlsx"],
        "Excel",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Reading::Sheet,
    ),
    (
        &["pptx"],
        "PowerPoint",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        Reading::Slides,
    ),
    (&["png"], "PNG", "image/png", Reading::None),
    (&["jpg", "jpeg"], "JPEG", "image/jpeg", Reading::None),
    (&["gif"], "GIF", "image/gif", Reading::None),
    (&["webp"], "WebP", "image/webp", Reading::None),
    (&["svg"], "SVG", "image/svg+xml", Reading::None),
    (&["zip"], "ZIP", "application/zip", Reading::None),
    (&["mp3"], "MP3", "audio/mpeg", Reading::None),
    (&["mp4"], "MP4", "video/mp4", Reading::None),
];

/// What a file of this name that begins so is.
pub fn of(name: &str, beginning: &[u8]) -> Format {
    let by_name = by_name(name);
    if looks_like(by_name.media_type, beginning) {
        by_name
    } else {
        UNKNOWN
    }
}

/// Whether bytes that begin so can be of this media type. Only types that have a mark of their own can be told.
pub fn looks_like(media_type: &str, beginning: &[u8]) -> bool {
    match media_type {
        "application/pdf" => beginning
            .windows(5)
            .take(1024)
            .any(|window| window == b"%PDF-"),
        "image/png" => beginning.starts_with(b"\x89PNG\r\n\x1a\n"),
        "image/jpeg" => beginning.starts_with(&[0xff, 0xd8, 0xff]),
        "image/gif" => beginning.starts_with(b"GIF87a") || beginning.starts_with(b"GIF89a"),
        "image/webp" => beginning.starts_with(b"RIFF") && beginning.get(8..12) == Some(b"WEBP"),
        media if media.starts_with(OOXML) => beginning.starts_with(b"PK"),
        _ => true,
    }
}

/// The extension that a file of this media type gets when its name has none.
pub fn extension(media_type: &str) -> Option<&'static str> {
    let (extensions, ..) = FORMATS
        .iter()
        .find(|(_, _, media, _)| *media == media_type)?;
    extensions.first().copied()
}

fn by_name(name: &str) -> Format {
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_ascii_lowercase())
        .unwrap_or_default();
    FORMATS
        .iter()
        .find(|(extensions, ..)| extensions.contains(&extension.as_str()))
        .map_or(UNKNOWN, |(_, label, media_type, reading)| Format {
            label,
            media_type,
            reading: *reading,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_believed_only_where_the_bytes_agree() {
        assert_eq!(of("a.MD", b"# x").label, "Markdown");
        assert_eq!(of("a.b.rs", b"fn").label, "Code");
        assert_eq!(of("a.png", b"\x89PNG\r\n\x1a\n..").media_type, "image/png");
        assert_eq!(of("a.png", b"<html>"), UNKNOWN);
        assert_eq!(of("a.webp", b"RIFF....WEBPVP8 ").label, "WebP");
        assert_eq!(of("a.webp", b"RIFF"), UNKNOWN);
        assert_eq!(of("a.pdf", b"MZ"), UNKNOWN);
        assert_eq!(of("a.docx", b"PK\x03\x04").reading, Reading::Word);
        assert_eq!(of("a.docx", b"\xd0\xcf"), UNKNOWN);
        assert_eq!(of("noextension", b"").label, "File");
    }
}
