//! Base64 as it was meant, or a sentence. A long argument is sometimes cut or altered on its way through a model or a client;
//! what is read leniently then becomes a broken file that is reported as saved.
//!
//! | the text | is |
//! |---|---|
//! | the standard alphabet, padded, whole; a line end after it | read |
//! | `data:…`, the alphabet of URLs, white space inside | refused, and named |
//! | of a length that none has, with padding that is missing, or bits left over | refused as cut |
//! | longer than the largest file | refused before it is decoded |

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_model::limits::{MAX_UPLOAD_BASE64, MAX_UPLOAD_BYTES};

use crate::fault::Fault;

/// The bytes that `text` stands for.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, Fault> {
    let text = text.trim_end_matches(['\r', '\n']);
    if text.is_empty() {
        return Err(Fault::Invalid(
            "dataBase64 is empty, so there is no file to add.".to_owned(),
        ));
    }
    if text.len() > MAX_UPLOAD_BASE64 {
        return Err(too_large());
    }
    let bytes = STANDARD
        .decode(text)
        .map_err(|_| Fault::Invalid(why(text)))?;
    if bytes.len() > MAX_UPLOAD_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

/// The file has more bytes than Ensemble takes.
pub(super) fn too_large() -> Fault {
    Fault::TooLarge(format!(
        "The file is larger than the {} MB ({MAX_UPLOAD_BYTES} bytes) that Ensemble takes, so it was not added.",
        MAX_UPLOAD_BYTES >> 20
    ))
}

fn why(text: &str) -> String {
    let what = if text.starts_with("data:") {
        "begins with “data:”: give only what stands after its comma"
    } else if text.contains(char::is_whitespace) {
        "holds white space: give it in one piece"
    } else if text.contains(['-', '_']) {
        "is in the alphabet for URLs: use the standard one, with + and /"
    } else if text
        .bytes()
        .any(|b| !b.is_ascii_alphanumeric() && !b"+/=".contains(&b))
    {
        "holds characters that base64 does not have"
    } else {
        return format!(
            "dataBase64 is not whole: it has {} characters and no proper end, so it was cut or changed on the way. Nothing \
             was added; send it again, or give the file's path instead.",
            text.len()
        );
    };
    format!("dataBase64 {what}. Nothing was added.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        decode(text).expect_err(text).to_string()
    }

    #[test]
    fn what_is_whole_is_read() {
        for (text, bytes) in [
            ("aGVsbG8=", &b"hello"[..]),
            ("aGVsbG8=\n", b"hello"),
            ("aGVsbG8=\r\n", b"hello"),
            ("aGVsbA==", b"hell"),
            ("/+8=", b"\xff\xef"),
            ("AAAA", b"\0\0\0"),
        ] {
            assert_eq!(decode(text).unwrap(), bytes, "{text:?}");
        }
    }

    #[test]
    fn what_is_cut_or_altered_is_never_a_file() {
        let whole = STANDARD.encode([7_u8; 1_000]);
        // cut between two groups and without its padding, it is a whole text again: nothing in it says that more was meant
        for cut in (1..whole.len()).filter(|cut| cut % 4 != 0) {
            let text = whole.get(..cut).unwrap();
            assert!(refusal(text).contains("cut or changed"), "{cut}");
        }
        for (text, says) in [
            ("", "is empty"),
            ("\n", "is empty"),
            ("data:text/plain;base64,aGVsbG8=", "after its comma"),
            ("aGVs bG8=", "white space"),
            ("aGVs\nbG8=", "white space"),
            (" aGVsbG8=", "white space"),
            ("aGVsbG8= ", "white space"),
            ("_-8=", "alphabet for URLs"),
            ("aGVsbG8*", "characters that base64"),
            ("aGVsbG8é", "characters that base64"),
            ("aGVsbG8", "cut or changed"),
            ("aGVsbG9=", "cut or changed"),
            ("aGVsbA=", "cut or changed"),
            ("aGVsbG8==", "cut or changed"),
            ("aGVs=bG8", "cut or changed"),
            ("====", "cut or changed"),
        ] {
            let sentence = refusal(text);
            assert!(sentence.contains(says), "{text:?}: {sentence}");
        }
    }

    #[test]
    fn the_largest_file_is_taken_and_one_byte_more_is_not() {
        let text = STANDARD.encode(vec![1_u8; MAX_UPLOAD_BYTES]);
        assert_eq!(text.len(), MAX_UPLOAD_BASE64);
        assert_eq!(decode(&text).unwrap().len(), MAX_UPLOAD_BYTES);
        for more in [1, 2, 3] {
            let text = STANDARD.encode(vec![1_u8; MAX_UPLOAD_BYTES + more]);
            assert!(refusal(&text).contains("26214400"), "{more}");
        }
    }
}
