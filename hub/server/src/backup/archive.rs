//! The archive itself: written in the manifest's order, and read with the manifest in hand. An entry that the manifest does not name, that
//! is no plain file or that has another size is never written anywhere.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::{BackupError, DATABASE, FORM, Manifest, ORIGINALS, VERSION, io_error, shown};

/// The first entry.
pub(super) const MANIFEST: &str = "manifest.json";
/// Bytes of a manifest: a million files.
const MANIFEST_MAX: u64 = 256 * 1024 * 1024;
/// Bytes copied at once.
const BUFFER: usize = 256 * 1024;

/// The originals below a folder, by their names in the archive; what is no original is left out.
pub(super) fn originals(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    let parts = match fs::read_dir(folder) {
        Ok(parts) => parts,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(error),
    };
    for part in parts {
        let part = part?;
        if !part.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(part.path())? {
            let file = file?;
            let names = (part.file_name(), file.file_name());
            let (Some(part), Some(hash)) = (names.0.to_str(), names.1.to_str()) else {
                continue;
            };
            let name = format!("{ORIGINALS}/{part}/{hash}");
            if file.file_type()?.is_file() && is_original(&name) {
                found.push((name, file.path()));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// `originals/ab/ab…`: 64 hexadecimal digits in the folder of their first two.
fn is_original(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    let [ORIGINALS, part, hash] = parts.as_slice() else {
        return false;
    };
    let digits = |text: &str| {
        text.bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    part.len() == 2 && hash.len() == 64 && digits(hash) && hash.starts_with(part)
}

/// Writes the archive and makes sure that it is on the disk.
pub(super) fn write(
    file: &File,
    manifest: &Manifest,
    sources: &[(String, PathBuf)],
) -> io::Result<()> {
    let mut builder = tar::Builder::new(BufWriter::with_capacity(BUFFER, file));
    let mtime = u64::try_from(manifest.made.as_second()).unwrap_or(0);
    let header = |size: u64| {
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(0o600);
        header.set_mtime(mtime);
        header.set_entry_type(tar::EntryType::Regular);
        header
    };
    let text = serde_json::to_vec_pretty(manifest)?;
    builder.append_data(&mut header(text.len() as u64), MANIFEST, text.as_slice())?;
    for ((name, path), entry) in sources.iter().zip(&manifest.entries) {
        let data = ensemble_plain_file::open(path)?.0.take(entry.size);
        builder.append_data(&mut header(entry.size), name, data)?;
    }
    let mut out = builder.into_inner()?;
    out.flush()?;
    file.sync_all()
}

/// Reads a whole archive and compares every entry with the manifest. `name` is what errors call it.
pub(super) fn check(path: &Path, name: &str) -> Result<Manifest, BackupError> {
    each(path, name, |_, data| hash(data))
}

/// Writes the entries of an archive into an empty folder, each compared with the manifest.
pub(super) fn unpack(path: &Path, folder: &Path) -> Result<Manifest, BackupError> {
    each(path, &shown(path), |name, data| {
        let to = folder.join(name);
        if let Some(parent) = to.parent() {
            crate::store::create_private_folder(parent)?;
        }
        let mut open = OpenOptions::new();
        open.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
        let file = open.open(to)?;
        let mut copy = Copy {
            from: data,
            to: file,
        };
        let done = hash(&mut copy)?;
        copy.to.sync_all()?;
        Ok(done)
    })
}

/// Reads through `from` and writes what was read.
struct Copy<'a> {
    from: &'a mut dyn Read,
    to: File,
}

impl Read for Copy<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        self.to.write_all(buffer.get(..count).unwrap_or_default())?;
        Ok(count)
    }
}

/// Gives every entry of an archive to `take`, which answers its size and hash.
fn each(
    path: &Path,
    shown: &str,
    mut take: impl FnMut(&str, &mut dyn Read) -> io::Result<(u64, String)>,
) -> Result<Manifest, BackupError> {
    let failed = |source| io_error(Path::new(shown), source);
    let none = || BackupError::NoBackup {
        path: shown.to_owned(),
    };
    let damaged = |entry: &str| BackupError::Damaged {
        path: shown.to_owned(),
        entry: entry.to_owned(),
    };
    let (file, _) = ensemble_plain_file::open(path).map_err(failed)?;
    let mut archive = tar::Archive::new(BufReader::with_capacity(BUFFER, file));
    let mut entries = archive.entries().map_err(|_| none())?;
    let first = entries.next().ok_or_else(none)?.map_err(|_| none())?;
    let manifest = manifest(first).ok_or_else(none)?;
    if manifest.version > VERSION {
        return Err(BackupError::Newer {
            path: shown.to_owned(),
        });
    }
    let mut wanted: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
    for entry in &manifest.entries {
        let named = entry.name == DATABASE || is_original(&entry.name);
        let new = wanted
            .insert(&entry.name, (entry.size, &entry.sha256))
            .is_none();
        if !named || !new {
            return Err(damaged(MANIFEST));
        }
    }
    if !wanted.contains_key(DATABASE) {
        return Err(damaged(MANIFEST));
    }
    for entry in entries {
        let mut entry = entry.map_err(|_| damaged("its end"))?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let plain = entry.header().entry_type() == tar::EntryType::Regular;
        let known = wanted
            .remove(name.as_str())
            .filter(|(size, _)| plain && *size == entry.size());
        let Some((size, sha256)) = known else {
            return Err(damaged(&crate::store::one_line(&name)));
        };
        let (read, hash) = take(&name, &mut entry).map_err(failed)?;
        if read != size || hash != sha256 {
            return Err(damaged(&name));
        }
    }
    match wanted.first_key_value() {
        Some((missing, _)) => Err(damaged(missing)),
        None => Ok(manifest),
    }
}

fn manifest(mut entry: tar::Entry<'_, impl Read>) -> Option<Manifest> {
    if entry.path_bytes().as_ref() != MANIFEST.as_bytes() || entry.size() > MANIFEST_MAX {
        return None;
    }
    let mut text = Vec::new();
    entry.read_to_end(&mut text).ok()?;
    let manifest: Manifest = serde_json::from_slice(&text).ok()?;
    (manifest.form == FORM).then_some(manifest)
}

/// The size and the sha256 of everything that `data` gives.
pub(super) fn hash(data: &mut dyn Read) -> io::Result<(u64, String)> {
    use std::fmt::Write as _;
    let mut hash = Sha256::new();
    let mut size = 0_u64;
    let mut buffer = vec![0; BUFFER];
    loop {
        let count = match data.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hash.update(buffer.get(..count).unwrap_or_default());
        size += count as u64;
    }
    let mut hex = String::with_capacity(64);
    for byte in hash.finalize() {
        // Writing to a String cannot fail.
        _ = write!(hex, "{byte:02x}");
    }
    Ok((size, hex))
}
