//! A text that was cut inside an emoji reaches JSON as half of a surrogate pair (`"\ud83d"`), which is no JSON text. Such a
//! half becomes U+FFFD, so that the request is read and answered under its own id.

/// The line with every lone half replaced; `None` when there is none.
pub(super) fn mended(line: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    let mut changed = false;
    while let Some((&first, tail)) = rest.split_first() {
        if first != b'\\' {
            out.push(first);
            rest = tail;
            continue;
        }
        let taken = match (escape(rest), rest.get(6..).and_then(escape)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                changed = true;
                out.extend_from_slice(br"\ufffd");
                rest = rest.get(6..).unwrap_or_default();
                continue;
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        let (whole, next) = rest.split_at_checked(taken).unwrap_or((rest, &[]));
        out.extend_from_slice(whole);
        rest = next;
    }
    changed.then_some(out)
}

/// The unit that `\u` and four digits at the beginning of these bytes stand for.
fn escape(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(br"\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::mended;

    fn text(line: &str) -> Option<String> {
        mended(line.as_bytes()).map(|line| String::from_utf8(line).unwrap())
    }

    #[test]
    fn only_lone_halves_are_replaced() {
        assert_eq!(text(r#"{"a":"x"}"#), None);
        assert_eq!(text(r#""\ud83d\ude80""#), None);
        assert_eq!(text(r#""cut \ud83d""#).unwrap(), r#""cut \ufffd""#);
        assert_eq!(
            text(r#""\ude80\ud83d\ud83d\ude80""#).unwrap(),
            r#""\ufffd\ufffd\ud83d\ude80""#
        );
        // a backslash that is itself escaped begins nothing
        assert_eq!(text(r#""\\ud83d""#), None);
        assert_eq!(text(r#""\ud8"#), None);
        assert_eq!(text(r"\"), None);
    }
}
