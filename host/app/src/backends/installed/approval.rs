//! What a person approved, and the proof that it was on this computer: a keyed hash over all of it, with a key of its own
//! that is derived from the host's.
//!
//! file = the hash in hexadecimal ‖ line end ‖ JSON

use std::collections::BTreeSet;

use ensemble_broker::Granted;
use ensemble_model::{Digest, Manifest, PluginId, Surface};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Parts this key from the one of compiled code; changes whenever the form of the file does.
const PURPOSE: &str = "ensemble 2026 approval of an installed plugin 1";

/// Why something that is installed is not a plugin. Each text is one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotApproved {
    #[error("The files of the plugin {id} cannot be read ({reason}): install it again.")]
    Unreadable { id: PluginId, reason: String },
    #[error(
        "The approval of the plugin {id} is not one of this host's: look at it with `ensemble plugin inspect {id}`, and approve it with `ensemble plugin approve {id}`."
    )]
    Unproven { id: PluginId },
    #[error(
        "The plugin.toml of the plugin {id} is not the approved one: see what is otherwise with `ensemble plugin approve {id}`."
    )]
    Manifest { id: PluginId },
}

/// The key of approvals. It does not print.
pub(crate) struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    pub(crate) fn of_host(key: &[u8; 32]) -> Self {
        Self(blake3::derive_key(PURPOSE, key))
    }
}

/// What a person approved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Approval {
    pub(crate) id: PluginId,
    pub(crate) version: String,
    pub(crate) at: Timestamp,
    /// Of the component.
    pub(crate) digest: Digest,
    /// The text of `plugin.toml`, so that a later one can be shown beside it.
    pub(crate) manifest: String,
    /// Granted capabilities, without versions.
    pub(crate) interfaces: BTreeSet<String>,
    /// Granted routes, as they are declared.
    pub(crate) routes: BTreeSet<String>,
    pub(crate) surface: Surface,
}

impl Approval {
    /// All that the manifest declares.
    pub(crate) fn of(
        manifest: &Manifest,
        text: &str,
        digest: Digest,
        surface: Surface,
        at: Timestamp,
    ) -> Self {
        let granted = Granted::everything(manifest);
        Self {
            id: manifest.id.clone(),
            version: manifest.version.clone(),
            at,
            digest,
            manifest: text.to_owned(),
            interfaces: granted.interfaces,
            routes: granted.routes,
            surface,
        }
    }

    pub(crate) fn is_of_manifest(&self, text: &str) -> bool {
        self.manifest == text
    }

    pub(crate) fn granted(&self) -> Granted {
        Granted {
            interfaces: self.interfaces.clone(),
            routes: self.routes.clone(),
            // what the person's own configuration says is put in where the plugins are composed
            ..Granted::default()
        }
    }

    /// As it is kept.
    pub(crate) fn sealed(&self, key: &Key) -> serde_json::Result<Vec<u8>> {
        let json = serde_json::to_vec_pretty(self)?;
        let proof = blake3::keyed_hash(&key.0, &json).to_hex();
        Ok([proof.as_bytes(), b"\n", &json].concat())
    }

    /// What is kept, if this host sealed it for this plugin.
    pub(super) fn proven(key: &Key, id: &PluginId, bytes: &[u8]) -> Result<Self, NotApproved> {
        let unproven = || NotApproved::Unproven { id: id.clone() };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (proof, json) = end
            .and_then(|end| bytes.split_at_checked(end))
            .ok_or_else(unproven)?;
        let json = json.get(1..).unwrap_or_default();
        let proof = blake3::Hash::from_hex(proof).map_err(|_| unproven())?;
        // blake3 compares its hashes in constant time
        if blake3::keyed_hash(&key.0, json) != proof {
            return Err(unproven());
        }
        let approval: Self = serde_json::from_slice(json).map_err(|_| unproven())?;
        // the approval of one plugin is none of another
        if approval.id == *id {
            Ok(approval)
        } else {
            Err(unproven())
        }
    }
}
