//! `api.json`: how programs of the same person find a running hub. Only its owner can read it; it holds this run's token. It appears whole or
//! not at all, and a hub removes it only while it is still its own.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ensemble_hub_api::paths::API_FILE;
use serde_json::{Value, json};

use crate::secret::KeyValue;

/// The file of a running hub.
#[derive(Debug)]
pub struct ApiFile {
    path: PathBuf,
    contents: Vec<u8>,
}

impl ApiFile {
    /// Writes the file into the data folder: `{port, token, pid, url}`, mode 0600, by renaming a finished one into place.
    pub(super) fn write(folder: &Path, port: u16, url: &str, token: &KeyValue) -> io::Result<Self> {
        let pid = std::process::id();
        let value: Value = json!({ "port": port, "token": token.expose(), "pid": pid, "url": url });
        let contents = format!("{value}\n").into_bytes();
        let path = folder.join(API_FILE);
        let unfinished = folder.join(format!(".{API_FILE}.{pid}"));
        crate::store::create_private_folder(folder)?;
        let written =
            write_private(&unfinished, &contents).and_then(|()| fs::rename(&unfinished, &path));
        if let Err(error) = written {
            // Best effort: the error that matters is the first one.
            drop(fs::remove_file(&unfinished));
            return Err(error);
        }
        Ok(Self { path, contents })
    }

    /// Removes the file, unless another hub has put its own there.
    pub(super) fn remove(self) {
        let most = self.contents.len() as u64;
        if ensemble_plain_file::read(&self.path, most).is_ok_and(|now| now == self.contents)
            && let Err(error) = fs::remove_file(&self.path)
        {
            tracing::warn!(error = %error, "hub.api_file.not_removed");
        }
    }
}

fn write_private(path: &Path, contents: &[u8]) -> io::Result<()> {
    // A left-over of an earlier process with the same id may be open to others.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut open = fs::OpenOptions::new();
    open.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    let mut file = open.open(path)?;
    file.write_all(contents)?;
    file.sync_all()
}
