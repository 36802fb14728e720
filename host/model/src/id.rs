//! Ids are parsed once, at the edge, and passed inward as proof.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The longest plugin id, in bytes: it is a file name and a prefix of log lines.
pub const MAX_PLUGIN_ID: usize = 32;

/// Under what name a plugin is installed: `[a-z][a-z0-9-]*`, at most [`MAX_PLUGIN_ID`] bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PluginId(String);

/// Why a text is not a plugin id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "“{0}” is not a plugin id: use a lower-case letter, then lower-case letters, digits and `-`, at most 32 in all"
)]
pub struct BadPluginId(String);

impl PluginId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for PluginId {
    type Error = BadPluginId;

    fn try_from(text: String) -> Result<Self, BadPluginId> {
        let mut bytes = text.bytes();
        let first = bytes.next().is_some_and(|b| b.is_ascii_lowercase());
        let rest = bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if first && rest && text.len() <= MAX_PLUGIN_ID {
            Ok(Self(text))
        } else {
            Err(BadPluginId(crate::toml_fault::shown(&text)))
        }
    }
}

impl std::str::FromStr for PluginId {
    type Err = BadPluginId;

    fn from_str(text: &str) -> Result<Self, BadPluginId> {
        Self::try_from(text.to_owned())
    }
}

impl From<PluginId> for String {
    fn from(id: PluginId) -> Self {
        id.0
    }
}

impl fmt::Display for PluginId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The SHA-256 of some bytes, a component's for the most part, in lower-case hexadecimal. Upper case is accepted when read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

/// Why a text is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a component digest is 64 hexadecimal digits")]
pub struct BadDigest;

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::from(<[u8; 32]>::from(Sha256::digest(bytes)))
    }

    /// The 64 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<[u8; 32]> for Digest {
    /// A SHA-256 that was made elsewhere.
    fn from(hash: [u8; 32]) -> Self {
        use std::fmt::Write as _;
        let mut text = String::with_capacity(64);
        for byte in hash {
            // writing to a String cannot fail
            let written = write!(text, "{byte:02x}");
            debug_assert!(written.is_ok());
        }
        Self(text)
    }
}

impl TryFrom<String> for Digest {
    type Error = BadDigest;

    fn try_from(text: String) -> Result<Self, BadDigest> {
        if text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(BadDigest)
        }
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugin_ids_are_narrow() {
        for good in ["a", "task-changes", "x1"] {
            assert!(good.parse::<PluginId>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "A",
            "1a",
            "-a",
            "a_b",
            "a.b",
            "a/b",
            "ä",
            "..",
            &"a".repeat(33),
        ] {
            assert!(bad.parse::<PluginId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_digest_reads_either_case_and_writes_lower() {
        let digest = Digest::of(b"abc");
        assert_eq!(
            digest.as_str(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            Digest::try_from(digest.as_str().to_ascii_uppercase()),
            Ok(digest)
        );
        assert!(Digest::try_from("ab".to_owned()).is_err());
    }
}
