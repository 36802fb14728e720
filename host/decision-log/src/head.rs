//! The head: the last line's number and hash, in a file of its own, so that lines that are cut off the end are missed. It is sealed with
//! the host's key: who may write in the log's folder and may not read that key cannot make a head.
//!
//! It is one JSON line of a fixed length that is written over the one before in one go, and it is what processes lock.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use ensemble_model::Digest;
use ensemble_plain_file::private;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::files::Place;
use crate::line::{NoHead, Position};

/// More than the longest head: four numbers of twenty digits, two hashes, the names.
const LENGTH: usize = 320;
/// What the host's key is turned into, so that no seal is anything else's.
const CONTEXT: &str = "ensemble 2026-12-01 decision log head";

/// The key of the seal.
#[derive(Clone)]
pub struct SealKey(Zeroizing<[u8; 32]>);

impl SealKey {
    /// Derived from the host's key.
    pub fn of(host_key: &[u8; 32]) -> Self {
        Self(Zeroizing::new(blake3::derive_key(CONTEXT, host_key)))
    }

    fn seal(&self, text: &str) -> blake3::Hash {
        blake3::keyed_hash(&self.0, text.as_bytes())
    }
}

impl std::fmt::Debug for SealKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealKey(…)")
    }
}

/// What the head says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// The number of the first line that is kept.
    pub(crate) first: u64,
    /// The number of the first line in the newest file.
    pub(crate) begins: u64,
    /// How long the newest file is.
    pub(crate) bytes: u64,
    /// The number of the last line.
    pub(crate) seq: u64,
    pub(crate) hash: Digest,
}

#[derive(Serialize, Deserialize)]
struct Sealed {
    #[serde(flatten)]
    head: Head,
    #[serde(skip_serializing_if = "Option::is_none")]
    seal: Option<String>,
}

/// What was found in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    Head(Head),
    /// Not one to continue from.
    None(NoHead),
}

impl Head {
    pub(crate) fn position(&self) -> Position {
        Position {
            seq: self.seq,
            hash: self.hash.clone(),
        }
    }

    /// Writes it over the one before.
    pub(crate) fn write(&self, file: &mut File, key: Option<&SealKey>) -> io::Result<()> {
        let text = serde_json::to_string(self)?;
        let sealed = Sealed {
            head: self.clone(),
            seal: key.map(|key| key.seal(&text).to_string()),
        };
        let mut line = serde_json::to_string(&sealed)?;
        let blanks = (LENGTH - 1).saturating_sub(line.len());
        line.push_str(&" ".repeat(blanks));
        line.push('\n');
        file.seek(SeekFrom::Start(0))?;
        file.write_all(line.as_bytes())
    }
}

/// Opens the head's file for writing and waits until no other process has its turn. It ends when the file is closed.
pub(crate) fn lock(place: &Place) -> io::Result<File> {
    private::create_folder(place.folder())?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = private::open(&mut options, &place.head())?;
    file.lock()?;
    private::make_private(&file)?;
    Ok(file)
}

/// Reads it. Without a key its seal is not looked at.
pub(crate) fn read(file: &mut File, key: Option<&SealKey>) -> io::Result<Found> {
    let mut text = Vec::with_capacity(LENGTH);
    file.seek(SeekFrom::Start(0))?;
    file.take(LENGTH as u64 + 1).read_to_end(&mut text)?;
    if text.is_empty() {
        return Ok(Found::None(NoHead::Missing));
    }
    let damaged = Found::None(NoHead::Damaged);
    if text.len() != LENGTH {
        return Ok(damaged);
    }
    let Ok(Sealed { head, seal }) = serde_json::from_slice(&text) else {
        return Ok(damaged);
    };
    let Some(key) = key else {
        return Ok(Found::Head(head));
    };
    let seal = seal.and_then(|seal| blake3::Hash::from_hex(seal).ok());
    // blake3 compares its hashes in constant time
    let expected = key.seal(&serde_json::to_string(&head)?);
    Ok(match seal {
        Some(seal) if seal == expected => Found::Head(head),
        _ => Found::None(NoHead::Unsealed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head {
            first: 1,
            begins: u64::MAX,
            bytes: u64::MAX,
            seq: u64::MAX,
            hash: Digest::of(b"x"),
        }
    }

    #[test]
    fn a_head_is_read_back_by_its_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::of(folder.path().join("deep/decisions.jsonl"));
        let (key, other) = (SealKey::of(&[1; 32]), SealKey::of(&[2; 32]));
        let mut file = lock(&place).unwrap();
        assert!(private::is_private(&file).unwrap());
        let none = |why| Found::None(why);
        assert_eq!(read(&mut file, None).unwrap(), none(NoHead::Missing));
        head().write(&mut file, Some(&key)).unwrap();
        assert_eq!(file.metadata().unwrap().len(), LENGTH as u64);
        assert_eq!(read(&mut file, Some(&key)).unwrap(), Found::Head(head()));
        assert_eq!(read(&mut file, None).unwrap(), Found::Head(head()));
        let refused = read(&mut file, Some(&other)).unwrap();
        assert_eq!(refused, none(NoHead::Unsealed));
        head().write(&mut file, None).unwrap();
        let refused = read(&mut file, Some(&key)).unwrap();
        assert_eq!(refused, none(NoHead::Unsealed));
        file.set_len(100).unwrap();
        assert_eq!(read(&mut file, None).unwrap(), none(NoHead::Damaged));
        assert_eq!(format!("{key:?}"), "SealKey(…)");
    }

    #[test]
    fn no_byte_of_a_sealed_head_can_be_changed() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::of(folder.path().join("decisions.jsonl"));
        let key = SealKey::of(&[1; 32]);
        let mut file = lock(&place).unwrap();
        head().write(&mut file, Some(&key)).unwrap();
        let text = std::fs::read(place.head()).unwrap();
        let end = text.iter().rposition(|byte| *byte == b'}').unwrap();
        for at in 0..=end {
            let mut changed = text.clone();
            changed[at] = if changed[at] == b'1' { b'2' } else { b'1' };
            std::fs::write(place.head(), &changed).unwrap();
            let found = read(&mut file, Some(&key)).unwrap();
            assert_ne!(found, Found::Head(head()), "byte {at}");
            assert!(matches!(found, Found::None(_)), "byte {at}");
        }
    }
}
