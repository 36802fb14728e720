//! HTML as a person sees it: without scripts, styles and comments, a line for each block. It is tokenized and never built into a tree, so
//! that no depth of nesting costs anything.

use html5gum::{Token, Tokenizer};

/// Elements whose content nobody sees.
const UNSEEN: [&[u8]; 6] = [
    b"script",
    b"style",
    b"template",
    b"noscript",
    b"svg",
    b"iframe",
];
/// Elements that stand in a line.
const INLINE: [&[u8]; 20] = [
    b"a", b"abbr", b"b", b"bdi", b"bdo", b"cite", b"code", b"em", b"font", b"i", b"img", b"kbd",
    b"mark", b"q", b"s", b"small", b"span", b"strong", b"sub", b"sup",
];

/// The text of a page.
pub(super) fn text(html: &str) -> String {
    let mut out = String::new();
    // the unseen element that is open; it ends at its own end tag only
    let mut unseen: Option<Vec<u8>> = None;
    for token in Tokenizer::new(html).flatten() {
        match token {
            Token::StartTag(tag) if unseen.is_none() => {
                let name: &[u8] = &tag.name;
                if UNSEEN.contains(&name) && !tag.self_closing {
                    unseen = Some(name.to_vec());
                } else if name == b"td" || name == b"th" {
                    separate(&mut out, '\t');
                } else if !INLINE.contains(&name) {
                    separate(&mut out, '\n');
                }
            }
            Token::EndTag(tag) => {
                let name: &[u8] = &tag.name;
                if unseen.as_deref() == Some(name) {
                    unseen = None;
                } else if unseen.is_none()
                    && !INLINE.contains(&name)
                    && name != b"td"
                    && name != b"th"
                {
                    separate(&mut out, '\n');
                }
            }
            Token::String(text) if unseen.is_none() => {
                let bytes: &[u8] = &text;
                push_words(&mut out, &String::from_utf8_lossy(bytes));
            }
            _ => {}
        }
    }
    out.trim().to_owned()
}

/// A line or cell ends here, once.
fn separate(out: &mut String, mark: char) {
    out.truncate(out.trim_end_matches(' ').len());
    if !out.is_empty() && !out.ends_with(mark) && !out.ends_with('\n') {
        out.push(mark);
    }
}

/// White space of any length is one blank.
fn push_words(out: &mut String, text: &str) {
    for c in text.chars() {
        if !c.is_whitespace() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with([' ', '\n', '\t']) {
            out.push(' ');
        }
    }
}
