//! Bytes as text: UTF-8 and UTF-16, with or without a byte order mark. Anything else is refused with its place: guessing an encoding
//! changes names.

/// The text, without its byte order mark.
pub(crate) fn decode(bytes: &[u8]) -> Result<String, String> {
    if let Some(rest) = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]) {
        return utf8(rest);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        return utf16(rest, u16::from_be_bytes);
    }
    // Without a mark, UTF-16 of nearly any text has a zero in every other byte of its beginning.
    match bytes {
        [0, b, ..] if *b != 0 => utf16(bytes, u16::from_be_bytes),
        [b, 0, ..] if *b != 0 => utf16(bytes, u16::from_le_bytes),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.split(|byte| *byte == b'\n').count();
        format!("line {line} is not UTF-8: save the file as UTF-8 and import it again.")
    })?;
    if text.contains('\0') {
        return Err("it is not a text file.".to_owned());
    }
    Ok(text.to_owned())
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let wrong = || "it is damaged UTF-16: save the file as UTF-8 and import it again.".to_owned();
    if !rest.is_empty() {
        return Err(wrong());
    }
    let units = pairs.iter().map(|pair| unit(*pair));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    let text = text.map_err(|_| wrong())?;
    if text.contains('\0') {
        return Err("it is not a text file.".to_owned());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn texts_are_the_same_in_every_encoding_and_marks_are_gone() {
        let text = "\"a,b\",c\r\nÄ,漢🦀\n";
        let le: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [
            text.as_bytes().to_vec(),
            [&[0xef, 0xbb, 0xbf], text.as_bytes()].concat(),
            [&[0xff, 0xfe], le.as_slice()].concat(),
            [&[0xfe, 0xff], be.as_slice()].concat(),
            le,
            be,
        ] {
            assert_eq!(decode(&bytes).unwrap(), text);
        }
        assert_eq!(decode(b"").unwrap(), "");
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_line() {
        assert!(
            decode(b"a\nb\ncaf\xe9\n")
                .unwrap_err()
                .starts_with("line 3 is not UTF-8")
        );
        assert!(decode(b"\x89PNG\r\n\x1a\n\0\0").is_err());
        assert!(decode(b"\xff\xfea").unwrap_err().contains("UTF-16"));
        assert!(decode(b"\xff\xfe\x00\xd8").is_err());
        assert_eq!(
            decode(b"PK\x03\x04\0\0").unwrap_err(),
            "it is not a text file."
        );
    }
}
