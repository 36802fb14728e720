//! The state of a call that asks, sealed before it leaves the host: it comes back as it went, for the same request of the same caller, within
//! [`KEPT_FOR`], or it is refused. The client can read it and cannot change it.

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{RequestStateCodec, SealOptions};
use serde::{Deserialize, Serialize};

/// How long a person may take to answer.
pub(crate) const KEPT_FOR: Duration = Duration::from_mins(30);

/// The key of the seals of one process: 32 random bytes. It does not print.
#[derive(Clone)]
pub struct SealKey([u8; 32]);

impl From<[u8; 32]> for SealKey {
    fn from(key: [u8; 32]) -> Self {
        Self(key)
    }
}

impl std::fmt::Debug for SealKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealKey(…)")
    }
}

/// What goes out with the questions and comes back with their answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// How often this call has asked by now.
    pub(crate) round: u32,
    /// The questions by name, in the plugin's order: as they were sent, or nothing for one that this client cannot be asked.
    pub(crate) questions: Vec<(String, Option<serde_json::Value>)>,
    /// The plugin's own state, base64.
    pub(crate) state: String,
}

/// Seals and opens.
#[derive(Debug, Clone)]
pub(crate) struct Seal(RequestStateCodec);

impl Seal {
    pub(crate) fn new(key: &SealKey) -> Self {
        // a key of this type is long enough
        Self(RequestStateCodec::new_unchecked(key.0))
    }

    /// `bound` says for which request of whom it is good.
    pub(crate) fn close(&self, bound: &[u8], kept: &Kept) -> Result<String, ErrorData> {
        let options = SealOptions::new().associated_data(bound).ttl(KEPT_FOR);
        self.0.seal_json_with(kept, &options).map_err(|error| {
            ErrorData::internal_error(format!("A question could not be kept: {error}."), None)
        })
    }

    pub(crate) fn open(&self, bound: &[u8], sealed: &str) -> Result<Kept, ErrorData> {
        self.0.open_json_with(sealed, bound).map_err(|error| {
            tracing::warn!("the state of a call was refused: {error}");
            let why = "This requestState was not given out for this request, or longer than 30 minutes ago: make the request again without it.";
            ErrorData::invalid_params(why, None)
        })
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails at once")]
mod tests {
    use super::*;

    fn kept() -> Kept {
        Kept {
            round: 1,
            questions: vec![(
                "sure".to_owned(),
                Some(serde_json::json!({"method": "roots/list"})),
            )],
            state: "AQID".to_owned(),
        }
    }

    #[test]
    fn what_was_sealed_comes_back_for_the_same_request_only() {
        let seal = Seal::new(&[1; 32].into());
        let sealed = seal.close(b"k1 tools/call a", &kept()).unwrap();
        assert_eq!(seal.open(b"k1 tools/call a", &sealed).unwrap(), kept());
        let refused = |bound: &[u8], sealed: &str| {
            let error = seal.open(bound, sealed).unwrap_err();
            error.message.starts_with("This requestState was not given")
        };
        assert!(refused(b"k2 tools/call a", &sealed), "another key");
        assert!(refused(b"k1 tools/call b", &sealed), "another tool");
        assert!(refused(b"k1 tools/call a", &format!("{sealed}x")));
        assert!(refused(b"k1 tools/call a", ""));
        let another = Seal::new(&[2; 32].into());
        assert!(another.open(b"k1 tools/call a", &sealed).is_err());
    }

    #[test]
    fn no_byte_of_it_can_be_changed() {
        let seal = Seal::new(&[1; 32].into());
        let sealed = seal.close(b"b", &kept()).unwrap();
        for at in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(seal.open(b"b", &changed).is_err(), "byte {at}");
        }
    }

    #[test]
    fn a_key_does_not_print() {
        assert_eq!(format!("{:?}", SealKey::from([7; 32])), "SealKey(…)");
    }
}
