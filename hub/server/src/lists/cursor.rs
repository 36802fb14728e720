//! The `next` of a list as text: opaque to the caller, and refused by any other list. It grants nothing: a list reads the space of the request.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::store::{Key, Mark};

/// Where a part of a list ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub mark: Mark,
    /// How many records came until there.
    pub position: u32,
}

impl Cursor {
    /// The text of this cursor in the list called `name`.
    pub fn text(&self, name: &str) -> String {
        let key = match &self.mark.key {
            Key::At(at) => json!(at),
            Key::Text(text) => json!(text),
        };
        let parts = json!([name, self.mark.seq, key, self.mark.id, self.position]);
        URL_SAFE_NO_PAD.encode(parts.to_string())
    }

    /// Reads the cursor of the list called `name`.
    pub fn parse(text: &str, name: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text.trim()).ok()?;
        let parts: Vec<Value> = serde_json::from_slice(&bytes).ok()?;
        let [list, seq, key, id, position] = parts.as_slice() else {
            return None;
        };
        let key = match key {
            Value::Number(at) => Key::At(at.as_i64()?),
            Value::String(text) => Key::Text(text.clone()),
            _ => return None,
        };
        (list.as_str()? == name).then_some(())?;
        Some(Self {
            mark: Mark {
                seq: seq.as_i64()?,
                key,
                id: id.as_str()?.to_owned(),
            },
            position: u32::try_from(position.as_u64()?).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key() -> impl Strategy<Value = Key> {
        prop_oneof![
            any::<i64>().prop_map(Key::At),
            any::<String>().prop_map(Key::Text)
        ]
    }

    proptest! {
        #[test]
        fn a_cursor_reads_as_it_was_written_in_its_own_list_only(
            key in key(), seq in any::<i64>(), id in "[a-z0-9-]{1,40}", position in any::<u32>()
        ) {
            let cursor = Cursor { mark: Mark { seq, key, id }, position };
            let text = cursor.text("people");
            prop_assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            prop_assert_eq!(Cursor::parse(&text, "people"), Some(cursor));
            prop_assert_eq!(Cursor::parse(&text, "repos"), None);
        }

        #[test]
        fn any_other_text_is_no_cursor(text in any::<String>(), bytes in any::<Vec<u8>>()) {
            prop_assert_eq!(Cursor::parse(&text, "people"), None);
            prop_assert_eq!(Cursor::parse(&URL_SAFE_NO_PAD.encode(bytes), "people"), None);
        }
    }

    #[test]
    fn the_longest_key_fits_into_what_a_request_may_send() {
        // What a list is ordered by is at most 200 characters of a name, at four bytes each.
        let key = Key::Text("\u{20000}".repeat(200));
        let mark = Mark {
            seq: i64::MAX,
            key,
            id: "a".repeat(36),
        };
        let text = Cursor {
            mark,
            position: u32::MAX,
        }
        .text("deliverables");
        assert!(
            text.len() <= ensemble_hub_api::limits::CURSOR_MAX,
            "{}",
            text.len()
        );
    }
}
