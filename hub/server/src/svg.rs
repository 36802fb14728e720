//! Pictures as an editor may show them: only elements that draw and only attributes that refer to nothing outside of the picture. What a
//! library drew is read as XML and written again; anything else is left out with what it contains, and what is no XML is refused.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};

/// Bytes of one picture.
pub(crate) const SVG_MAX: usize = 200_000;

const TOO_LARGE: &str = "The picture would be larger than 200,000 bytes: draw less at once.";
const BROKEN: &str = "The picture could not be drawn.";

/// Elements that draw something, or say how.
const ELEMENTS: [&str; 19] = [
    "circle",
    "clipPath",
    "defs",
    "desc",
    "ellipse",
    "g",
    "line",
    "linearGradient",
    "marker",
    "path",
    "polygon",
    "polyline",
    "rect",
    "stop",
    "style",
    "svg",
    "text",
    "title",
    "tspan",
];

/// Elements that are left out while what they contain stays: the text of a link.
const OPENED: [&str; 1] = ["a"];

/// `drawn` without anything that runs, loads or leads elsewhere; attributes in alphabetical order, so that the same picture is the same bytes.
///
/// # Errors
/// A sentence, if it is no XML or larger than [`SVG_MAX`].
pub(crate) fn safe(drawn: &str) -> Result<String, &'static str> {
    let mut reader = Reader::from_str(drawn);
    let mut writer = Writer::new(Vec::new());
    let mut dropped = 0_usize;
    loop {
        if writer.get_ref().len() > SVG_MAX {
            return Err(TOO_LARGE);
        }
        let event = reader.read_event().map_err(|_| BROKEN)?;
        match event {
            Event::Eof => break,
            Event::Start(tag) => {
                let name = tag.name().as_ref().to_owned();
                if dropped > 0 || !known(&name) {
                    dropped += 1;
                } else if !OPENED.contains(&name.as_str()) {
                    write(&mut writer, Event::Start(cleaned(&tag)?))?;
                }
            }
            Event::End(tag) => {
                if dropped > 0 {
                    dropped -= 1;
                } else if !OPENED.contains(&tag.name().as_ref()) {
                    write(&mut writer, Event::End(tag))?;
                }
            }
            Event::Empty(tag) if dropped == 0 && ELEMENTS.contains(&tag.name().as_ref()) => {
                write(&mut writer, Event::Empty(cleaned(&tag)?))?;
            }
            // A rule that loads something is the only text that does anything.
            Event::Text(text) if dropped == 0 && !loads(&text) => {
                write(&mut writer, Event::Text(text))?;
            }
            Event::GeneralRef(reference) if dropped == 0 => {
                write(&mut writer, Event::GeneralRef(reference))?;
            }
            _ => {}
        }
    }
    String::from_utf8(writer.into_inner()).map_err(|_| BROKEN)
}

fn known(name: &str) -> bool {
    ELEMENTS.contains(&name) || OPENED.contains(&name)
}

fn write(writer: &mut Writer<Vec<u8>>, event: Event<'_>) -> Result<(), &'static str> {
    writer.write_event(event).map_err(|_| BROKEN)
}

fn cleaned(tag: &BytesStart<'_>) -> Result<BytesStart<'static>, &'static str> {
    let mut kept = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|_| BROKEN)?;
        let (name, value) = (attribute.key.as_ref().to_owned(), attribute.value);
        if allowed(&name) && !loads(&value) {
            kept.push((name, value.into_owned()));
        }
    }
    kept.sort_unstable();
    let mut clean = BytesStart::new(tag.name().as_ref().to_owned());
    for (name, value) in &kept {
        // The value is written as it was read, with its references.
        clean.push_attribute(quick_xml::events::attributes::Attribute {
            key: quick_xml::name::QName(name),
            value: value.as_str().into(),
        });
    }
    Ok(clean)
}

/// Neither a handler nor a reference; the one name with a colon that is needed says what language the picture is in.
fn allowed(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    !lower.starts_with("on")
        && !lower.contains("href")
        && !lower.contains("src")
        && (!lower.contains(':') || lower == "xml:space")
}

/// Whether a style or value refers to anything but a part of the picture itself. References to characters could spell it, so they count.
fn loads(value: &str) -> bool {
    let lower: String = value
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase();
    let outside = lower
        .match_indices("url(")
        .any(|(at, found)| !rest(&lower, at + found.len()).starts_with('#'));
    outside
        || lower.contains("@import")
        || lower.contains("javascript:")
        || lower.contains("expression(")
        || lower.contains("image(")
}

fn rest(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_draws_stays_and_what_runs_or_loads_is_gone() {
        let drawn = "<?xml version=\"1.0\"?><!DOCTYPE svg><svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"x()\"><script>alert(1)</script>\
                     <style>@import url(http://x/y.css);</style><style>.a { fill: red; }</style>\
                     <foreignObject><div>html</div></foreignObject><a href=\"javascript:alert(1)\"><text y=\"2\" x=\"1\">a &lt;b&gt;</text></a>\
                     <image href=\"http://x/y.png\"/><rect fill=\"url(http://x/y)\" stroke=\"url(#in)\" style=\"fill: url( 'http://x' )\"/><use href=\"#a\"/></svg>";
        let safe = safe(drawn).unwrap();
        assert_eq!(
            safe,
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><style></style><style>.a { fill: red; }</style>\
             <text x=\"1\" y=\"2\">a &lt;b&gt;</text><rect stroke=\"url(#in)\"/></svg>"
        );
    }

    #[test]
    fn what_is_no_xml_or_too_large_is_a_sentence() {
        assert_eq!(safe("<svg><g></svg>"), Err(BROKEN));
        let large = format!("<svg>{}</svg>", "<g/>".repeat(100_000));
        assert_eq!(safe(&large), Err(TOO_LARGE));
    }
}
