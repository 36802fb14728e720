//! Content lines, the common form of iCalendar and vCard: `NAME;PARAMETER=VALUE:text`, long ones folded over several lines. A component
//! is what stands between `BEGIN:` and `END:`. What is no content line is named with its number and skipped.

use std::collections::VecDeque;

/// One line, unfolded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Upper case, without a group (`item1.EMAIL` is `EMAIL`).
    pub(super) name: String,
    /// Names in upper case; values without their quotes.
    pub(super) params: Vec<(String, String)>,
    /// As it stands: with its escapes.
    pub(super) value: String,
    /// The number of its first line, from 1.
    pub(super) number: usize,
}

impl Line {
    /// A parameter's first value.
    pub(super) fn param(&self, name: &str) -> Option<&str> {
        let found = self.params.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value as a text.
    pub(super) fn text(&self) -> String {
        unescape(&self.value)
    }
}

/// A component: its lines, and the components in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) number: usize,
    pub(super) lines: Vec<Line>,
    pub(super) inside: Vec<Component>,
}

impl Component {
    /// The first line of this name.
    pub(super) fn line(&self, name: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.name == name)
    }

    /// All lines of this name.
    pub(super) fn lines<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Line> {
        self.lines.iter().filter(move |line| line.name == name)
    }

    /// The first text of this name that is not empty, on its own.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let text = self.line(name)?.text();
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// A line that cannot be read: its number and why.
pub(super) type BadLine = (usize, String);

/// Components in components, at most.
const DEPTH_MAX: usize = 8;

/// The components of a text, and the lines that belong to none.
pub(super) fn components(text: &str) -> (Vec<Component>, Vec<BadLine>) {
    let mut bad = Vec::new();
    let mut done = Vec::new();
    let mut open: Vec<Component> = Vec::new();
    for (number, raw) in unfolded(text) {
        if raw.trim().is_empty() {
            continue;
        }
        let Some(line) = parse(&raw, number) else {
            bad.push((number, "This is no line of such a file.".to_owned()));
            continue;
        };
        match line.name.as_str() {
            "BEGIN" if open.len() < DEPTH_MAX => open.push(Component {
                name: line.value.trim().to_ascii_uppercase(),
                number,
                ..Component::default()
            }),
            "END" => {
                let name = line.value.trim().to_ascii_uppercase();
                // An end that closes an outer component closes what was left open in it.
                let Some(at) = open.iter().rposition(|component| component.name == name) else {
                    bad.push((number, format!("{name} ends here and began nowhere.")));
                    continue;
                };
                for lost in open.drain(at + 1..) {
                    bad.push((lost.number, format!("{} has no end.", lost.name)));
                }
                if let Some(closed) = open.pop() {
                    match open.last_mut() {
                        Some(outer) => outer.inside.push(closed),
                        None => done.push(closed),
                    }
                }
            }
            _ => match open.last_mut() {
                Some(component) => component.lines.push(line),
                None => bad.push((number, "This stands outside of everything.".to_owned())),
            },
        }
    }
    // The end is missing: what was complete inside still counts.
    for lost in open {
        bad.push((lost.number, format!("{} has no end.", lost.name)));
        done.extend(lost.inside);
    }
    bad.sort();
    (done, bad)
}

/// Lines with their continuations joined, each with the number of its first.
fn unfolded(text: &str) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut soft = false;
    for (at, raw) in text.lines().enumerate() {
        let raw = raw.strip_suffix('\r').unwrap_or(raw);
        match (out.last_mut(), raw.strip_prefix([' ', '\t'])) {
            (Some((_, line)), _) if soft => {
                line.pop();
                line.push_str(raw);
            }
            (Some((_, line)), Some(rest)) => line.push_str(rest),
            _ => out.push((at + 1, raw.to_owned())),
        }
        // vCard 2.1 goes on after a `=` at the end of a quoted-printable line.
        soft = out.last().is_some_and(|(_, line)| {
            line.ends_with('=') && line.to_ascii_uppercase().contains("QUOTED-PRINTABLE")
        });
    }
    out
}

fn parse(raw: &str, number: usize) -> Option<Line> {
    let mut quoted = false;
    let mut parts = VecDeque::new();
    let mut part = String::new();
    let mut value = None;
    for (at, c) in raw.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => parts.push_back(std::mem::take(&mut part)),
            ':' if !quoted => {
                value = raw.get(at + 1..);
                break;
            }
            c => part.push(c),
        }
    }
    parts.push_back(part);
    let name = parts.pop_front()?;
    let name = name.rsplit('.').next().unwrap_or_default();
    let named = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(named) {
        return None;
    }
    let params: Vec<(String, String)> = parts
        .into_iter()
        .map(|part| match part.split_once('=') {
            Some((name, value)) => (name.trim().to_ascii_uppercase(), value.to_owned()),
            // vCard 2.1 gives types bare.
            None => ("TYPE".to_owned(), part),
        })
        .collect();
    let mut line = Line {
        name: name.to_ascii_uppercase(),
        params,
        value: value?.to_owned(),
        number,
    };
    let printable = line
        .params
        .iter()
        .any(|(_, value)| value.eq_ignore_ascii_case("QUOTED-PRINTABLE"));
    if printable {
        line.value = from_printable(&line.value);
    }
    Some(line)
}

/// `\n`, `\,`, `\;`, `\\` undone.
pub(super) fn unescape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n' | 'N') => out.push('\n'),
                Some(c) => out.push(c),
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
    out
}

/// The parts of a value with `;` or `,` between, each unescaped.
pub(super) fn split(value: &str, by: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut escaped = false;
    for c in value.chars() {
        if !escaped && c == by {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
        escaped = !escaped && c == '\\';
    }
    parts.iter().map(|part| unescape(part)).collect()
}

fn from_printable(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after
            .get(..2)
            .and_then(|pair| std::str::from_utf8(pair).ok())
            .and_then(|pair| u8::from_str_radix(pair, 16).ok());
        if let (b'=', Some(byte)) = (first, hex) {
            bytes.push(byte);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_unfolded_and_their_parts_told_apart() {
        let text = "BEGIN:VEVENT\r\nitem1.Summary;LANGUAGE=en;X=\"a:b;c\":One\\, two\r\n  three\\nfour\r\nEND:VEVENT\r\n";
        let (found, bad) = components(text);
        assert!(bad.is_empty());
        let line = found[0].line("SUMMARY").unwrap();
        assert_eq!(line.text(), "One, two three\nfour");
        assert_eq!((line.param("X"), line.number), (Some("a:b;c"), 2));
        assert_eq!(split("a\\;b;c\\\\;", ';'), ["a;b", "c\\", ""]);
    }

    #[test]
    fn what_is_broken_is_named_and_the_rest_is_there() {
        let text = "stray:1\nBEGIN:VCALENDAR\nno content line\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\n";
        let (found, bad) = components(text);
        let numbers: Vec<usize> = bad.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [1, 2, 3, 7]);
        assert_eq!(found[0].line("UID").unwrap().value, "1");
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn old_cards_are_quoted_printable() {
        let text = "BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:J=C3=BCrgen=\n and more\nTEL;CELL:1\nEND:VCARD\n";
        let (found, bad) = components(text);
        assert!(bad.is_empty(), "{bad:?}");
        assert_eq!(found[0].line("NOTE").unwrap().value, "Jürgen and more");
        assert_eq!(found[0].line("TEL").unwrap().param("TYPE"), Some("CELL"));
    }
}
