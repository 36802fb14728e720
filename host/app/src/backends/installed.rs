//! The plugins that a person installed: a folder for each, for its owner only, with what was approved beside it.
//!
//! ```text
//! plugins/<id>/plugin.toml
//! plugins/<id>/component.wasm
//! plugins/<id>/approved         its first line authenticates the rest, with a key that only this user's host has
//! ```
//!
//! | a folder | is |
//! |---|---|
//! | whose approval is proven, and whose `plugin.toml` is the approved one | a plugin; its component is compared when it is loaded |
//! | anything else | set aside, with the reason; never loaded, never an error for the others |

mod approval;

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use ensemble_model::limits::MAX_COMPONENT_BYTES;
use ensemble_model::manifest::MAX_MANIFEST_BYTES;
use ensemble_model::{Manifest, Origin, PluginId};
use ensemble_runtime::{Bytes, Plugin};

pub(crate) use approval::{Approval, Key, NotApproved};
use ensemble_plain_file::private as private_file;

const MANIFEST: &str = "plugin.toml";
const COMPONENT: &str = "component.wasm";
const APPROVED: &str = "approved";

/// An approval holds a surface, which is bounded, and little else.
const MAX_APPROVAL_BYTES: u64 = 1 << 20;

/// Every installed plugin.
#[derive(Debug)]
pub(crate) struct Installed {
    folder: PathBuf,
    key: Key,
}

/// One that is not loaded, and why: one sentence.
#[derive(Debug, Clone)]
pub(crate) struct SetAside {
    pub(crate) id: String,
    pub(crate) reason: String,
}

impl Installed {
    pub(crate) fn in_folder(folder: PathBuf, key: Key) -> Self {
        Self { folder, key }
    }

    /// Where the plugin of this id is, whether there is one or not.
    pub(crate) fn folder_of(&self, id: &PluginId) -> PathBuf {
        self.folder.join(id.as_str())
    }

    /// Whether something is installed under this id.
    pub(crate) fn has(&self, id: &PluginId) -> bool {
        self.folder_of(id).is_dir()
    }

    /// The ids, in order. A folder whose name is no id holds no plugin.
    pub(crate) fn ids(&self) -> io::Result<Vec<PluginId>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut ids = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            ids.extend(name.to_str().and_then(|name| name.parse().ok()));
        }
        ids.sort();
        Ok(ids)
    }

    /// Those that can be loaded, and those that cannot.
    pub(crate) fn all(&self) -> io::Result<(Vec<Plugin>, Vec<SetAside>)> {
        let (mut plugins, mut aside) = (Vec::new(), Vec::new());
        for id in self.ids()? {
            match self.plugin(&id) {
                Ok(plugin) => plugins.push(plugin),
                Err(reason) => aside.push(SetAside {
                    reason: reason.to_string(),
                    id: id.to_string(),
                }),
            }
        }
        Ok((plugins, aside))
    }

    /// What was approved, if it is proven.
    pub(crate) fn approval(&self, id: &PluginId) -> Result<Approval, NotApproved> {
        let path = self.folder_of(id).join(APPROVED);
        let bytes = ensemble_plain_file::read(&path, MAX_APPROVAL_BYTES).map_err(|error| {
            NotApproved::Unreadable {
                id: id.clone(),
                reason: error.kind().to_string(),
            }
        })?;
        Approval::proven(&self.key, id, &bytes)
    }

    fn plugin(&self, id: &PluginId) -> Result<Plugin, NotApproved> {
        let approval = self.approval(id)?;
        let folder = self.folder_of(id);
        let unreadable = |error: io::Error| NotApproved::Unreadable {
            id: id.clone(),
            reason: error.kind().to_string(),
        };
        let text = read_text(&folder.join(MANIFEST)).map_err(unreadable)?;
        if !approval.is_of_manifest(&text) {
            return Err(NotApproved::Manifest { id: id.clone() });
        }
        // it was read when it was approved
        let manifest =
            Manifest::parse(&text).map_err(|_| NotApproved::Manifest { id: id.clone() })?;
        Ok(Plugin {
            granted: approval.granted(),
            surface: approval.surface,
            digest: approval.digest,
            bytes: Bytes::File(folder.join(COMPONENT)),
            origin: Origin::Installed,
            manifest,
        })
    }

    /// Puts a plugin there, whole or not at all: it is written beside and renamed. What was there before is gone only
    /// afterwards.
    pub(crate) fn put(
        &self,
        id: &PluginId,
        manifest: &str,
        component: &[u8],
        approval: &Approval,
    ) -> anyhow::Result<()> {
        private_file::create_folder(&self.folder)?;
        // a name that no plugin can have
        let beside = |what: &str| {
            let unique = uuid::Uuid::new_v4().simple();
            self.folder.join(format!(".{what}-{unique}"))
        };
        let (draft, old, place) = (beside("new"), beside("old"), self.folder_of(id));
        private_file::create_folder(&draft)?;
        let approved = approval.sealed(&self.key)?;
        let written = write(&draft.join(MANIFEST), manifest.as_bytes())
            .and_then(|()| write(&draft.join(COMPONENT), component))
            .and_then(|()| write(&draft.join(APPROVED), &approved))
            .and_then(|()| exchange(&draft, &old, &place));
        if written.is_err() {
            // the first error is the one to tell
            drop(fs::remove_dir_all(&draft));
        }
        Ok(written?)
    }

    /// Takes a plugin away. Its folder leaves the others at once, and is then removed.
    pub(crate) fn remove(&self, id: &PluginId) -> io::Result<()> {
        let gone = self
            .folder
            .join(format!(".old-{}", uuid::Uuid::new_v4().simple()));
        fs::rename(self.folder_of(id), &gone)?;
        fs::remove_dir_all(gone)
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private_file::open(OpenOptions::new().write(true).create_new(true), path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// `draft` takes the place; what stood there goes to `old`, and comes back where the exchange fails.
fn exchange(draft: &Path, old: &Path, place: &Path) -> io::Result<()> {
    let had = match fs::rename(place, old) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    if let Err(error) = fs::rename(draft, place) {
        if had {
            fs::rename(old, place)?;
        }
        return Err(error);
    }
    if had {
        fs::remove_dir_all(old)?;
    }
    Ok(())
}

/// A manifest, as text. One that is too large or no text is read far enough to be refused by who parses it.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let (file, _) = ensemble_plain_file::open(path)?;
    let mut bytes = Vec::new();
    file.take(MAX_MANIFEST_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// A component, bounded by one byte more than any may have.
pub(crate) fn read_component(path: &Path) -> io::Result<Vec<u8>> {
    let (file, _) = ensemble_plain_file::open(path)?;
    let mut bytes = Vec::new();
    file.take(MAX_COMPONENT_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
