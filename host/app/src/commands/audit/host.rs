//! The host around the components.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ensemble_first_party::BUNDLED;
use ensemble_model::Limits;
use ensemble_model::world::NEVER_LINKED;
use serde::Serialize;

use super::sbom;
use crate::compose::Composed;
use crate::folders::Folders;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Host {
    pub(super) engine: String,
    /// Features of WebAssembly that the engine is made without.
    pub(super) switched_off: Vec<&'static str>,
    pub(super) linked_always: Vec<&'static str>,
    pub(super) linked_on_declaration: Vec<&'static str>,
    /// Whole packages that no linker has.
    pub(super) never_linked: Vec<&'static str>,
    pub(super) limits: BTreeMap<&'static str, u64>,
    pub(super) cache: Cache,
    /// How clients reach `ensemble mcp`.
    pub(super) transports: Vec<&'static str>,
    /// Network addresses that `ensemble mcp` listens on.
    pub(super) listens: Vec<&'static str>,
    pub(super) folders: Vec<Folder>,
    /// Built-in components that `ENSEMBLE_PLUGINS_OFF` leaves out here.
    pub(super) plugins_off: Vec<&'static str>,
}

/// Compiled code on disk.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cache {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) folder: Option<PathBuf>,
    pub(super) files: u64,
    pub(super) bytes: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Folder {
    pub(super) holds: &'static str,
    /// The path, or why there is none.
    pub(super) path: String,
    pub(super) exists: bool,
}

pub(super) fn of(parts: &Composed, folders: &Folders) -> Host {
    let facts = &parts.sandbox;
    Host {
        engine: sbom::version_of("wasmtime").map_or_else(
            || facts.engine.clone(),
            |version| format!("wasmtime {version}"),
        ),
        switched_off: facts.switched_off.clone(),
        linked_always: facts.linked_always.clone(),
        linked_on_declaration: facts.linked_on_declaration.clone(),
        never_linked: NEVER_LINKED.to_vec(),
        limits: Limits::of_host()
            .into_iter()
            .map(|row| (row.name, row.value))
            .collect(),
        cache: facts.cache.as_deref().map(cache).unwrap_or_default(),
        transports: ensemble_mcp::TRANSPORTS.to_vec(),
        listens: ensemble_mcp::LISTENS.to_vec(),
        folders: kept(folders),
        plugins_off: off(parts),
    }
}

/// A folder that cannot be read holds nothing that could be run.
fn cache(folder: &Path) -> Cache {
    let mut cache = Cache {
        folder: Some(folder.to_path_buf()),
        ..Cache::default()
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        if let Ok(about) = entry.metadata()
            && about.is_file()
        {
            cache.files += 1;
            cache.bytes += about.len();
        }
    }
    cache
}

fn kept(folders: &Folders) -> Vec<Folder> {
    [
        (
            "the host's key, which authenticates what it keeps",
            folders.host_key(),
        ),
        ("compiled code", folders.components()),
        ("the decision log", folders.decisions()),
        ("a hub of this computer", folders.hub()),
    ]
    .into_iter()
    .map(|(holds, path)| Folder {
        holds,
        exists: path.as_ref().is_ok_and(|path| path.exists()),
        path: path.map_or_else(|none| none.to_string(), |path| path.display().to_string()),
    })
    .collect()
}

fn off(parts: &Composed) -> Vec<&'static str> {
    let offered = |id: &&str| {
        let mut plugins = parts.registry.plugins();
        plugins.any(|plugin| plugin.manifest.id.as_str() == *id)
    };
    let ids = BUNDLED.iter().map(|bundled| bundled.id);
    ids.filter(|id| !offered(id)).collect()
}
