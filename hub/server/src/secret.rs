//! A key's value: made once, shown once, stored only as its hash. Its `Debug` is a mask, and nothing here has a `Display`.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ensemble_hub_api::paths::KEY_PREFIX;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// Bytes of randomness in a key.
const KEY_BYTES: usize = 32;
/// Bytes of randomness in a short id.
const ID_BYTES: usize = 5;

/// The system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("The system gave no random bytes.")]
pub struct NoRandomness;

/// The value of a key.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyValue(String);

impl KeyValue {
    /// A new value: `ens_` and 43 characters of 32 random bytes.
    pub fn random() -> Result<Self, NoRandomness> {
        random(KEY_PREFIX).map(Self)
    }

    /// The value itself, to show it once or to write it into `api.json`.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    pub fn hash(&self) -> String {
        hash(&self.0)
    }
}

impl fmt::Debug for KeyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyValue(ens_…)")
    }
}

/// A new secret: `prefix` and 43 characters of 32 random bytes.
pub(crate) fn random(prefix: &str) -> Result<String, NoRandomness> {
    let mut bytes = [0_u8; KEY_BYTES];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(format!("{prefix}{}", base64url(&bytes)))
}

/// sha256 in base64url, as PKCE has it (RFC 7636 §4.2).
pub(crate) fn s256(text: &str) -> String {
    base64url(&Sha256::digest(text.as_bytes()))
}

/// What `random` gave after its prefix, masked with another secret; masked again it is as it was. Without `with` it says nothing. One secret
/// masks one value for each `purpose`.
pub(crate) fn masked(with: &str, purpose: &str, tail: &str) -> Option<String> {
    let mut bytes = URL_SAFE_NO_PAD.decode(tail).ok()?;
    let pad = Sha256::new()
        .chain_update(purpose.as_bytes())
        .chain_update([0])
        .chain_update(with.as_bytes())
        .finalize();
    if bytes.len() != pad.len() {
        return None;
    }
    bytes
        .iter_mut()
        .zip(pad)
        .for_each(|(byte, pad)| *byte ^= pad);
    Some(base64url(&bytes))
}

/// sha256, hexadecimal. A key has 256 bits of randomness, so a plain hash cannot be searched.
pub(crate) fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// sha256 over parts, each with its length, so that no two lists of parts look alike.
pub(crate) fn hash_parts(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hasher.update(part);
    }
    hex(&hasher.finalize())
}

/// Whether two hashes are equal, in a time that does not depend on where they differ.
pub(crate) fn same_hash(left: &str, right: &str) -> bool {
    left.as_bytes().ct_eq(right.as_bytes()).into()
}

/// A short random id: ten hexadecimal digits.
pub(crate) fn short_id() -> Result<String, NoRandomness> {
    let mut bytes = [0_u8; ID_BYTES];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect()
}

fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_prefix_43_characters_and_a_masked_debug() {
        let (a, b) = (KeyValue::random().unwrap(), KeyValue::random().unwrap());
        assert_ne!(a, b);
        let tail = a.expose().strip_prefix("ens_").unwrap();
        assert_eq!(tail.len(), 43);
        assert!(
            tail.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        );
        assert_eq!(format!("{a:?}"), "KeyValue(ens_…)");
        assert_eq!(a.hash().len(), 64);
    }

    #[test]
    fn what_is_masked_is_read_with_the_same_secret_only() {
        let (old, new) = (random("a_").unwrap(), random("").unwrap());
        let hidden = masked(&old, "x", &new).unwrap();
        assert_ne!(hidden, new);
        assert_eq!(masked(&old, "x", &hidden).unwrap(), new);
        assert_ne!(masked(&old, "y", &hidden).unwrap(), new);
        assert_ne!(masked(&random("a_").unwrap(), "x", &hidden).unwrap(), new);
        assert_eq!(masked(&old, "x", "short"), None);
    }

    #[test]
    fn s256_is_the_example_of_rfc_7636() {
        assert_eq!(
            s256("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn parts_are_hashed_with_their_boundaries() {
        assert_ne!(hash_parts(&[b"ab", b"c"]), hash_parts(&[b"a", b"bc"]));
    }
}
