//! May this component be loaded? Decided from its bytes, before anything of it is compiled.
//!
//! | import | verdict |
//! |---|---|
//! | of [`FREE_INTERFACES`] or [`CLOSED_WASI`] | given |
//! | of the plugin's world and declared, and linked by this host | given |
//! | of [`DECLARED_WASI`], declared and granted | given |
//! | of [`DECLARED_WASI`], declared and not granted | refused: no broker is asked when it is called |
//! | of [`NEVER_LINKED`] | refused, whatever is declared |
//! | in another version, or known to nobody | refused, with the version that this host gives |
//! | anything else | refused: not declared |

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use ensemble_model::limits::MAX_COMPONENT_BYTES;
use ensemble_model::world::{
    CLOSED_WASI, DECLARED_WASI, FREE_INTERFACES, NEVER_LINKED, World, split_version,
};
use ensemble_model::{Digest, Manifest, PluginId};
use wasmtime::wasmparser::{Encoding, Parser, Payload};

use super::load::LoadError;
use crate::exports::CALLABLE;
use crate::imports;
use crate::plugin::{Bytes, Plugin};

/// The track of the contract: within it every version fits.
const OURS: Track = Track {
    given: "0.1.0",
    fits: "0.1.",
};

/// The track of WASI.
const WASI: Track = Track {
    given: "0.2",
    fits: "0.2.",
};

/// Names shown of a component that is refused are cut here; nobody reads more.
const MAX_SHOWN: usize = 160;

struct Track {
    given: &'static str,
    fits: &'static str,
}

/// A component that may be compiled.
pub(super) struct Checked {
    pub(super) bytes: Cow<'static, [u8]>,
    pub(super) imports: Vec<String>,
    pub(super) exports: Vec<String>,
}

/// Reads a plugin's component and checks it.
pub(super) fn component(plugin: &Plugin) -> Result<Checked, LoadError> {
    let id = &plugin.manifest.id;
    let bytes = read(id, &plugin.bytes)?;
    let actual = Digest::of(&bytes);
    if actual != plugin.digest {
        return Err(LoadError::Digest {
            plugin: id.clone(),
            expected: plugin.digest.clone(),
            actual,
        });
    }
    for import in &plugin.manifest.imports {
        if is_ours(&import.interface) && !imports::is_linked(&import.interface) {
            return Err(LoadError::NotOffered {
                plugin: id.clone(),
                interface: import.interface.clone(),
            });
        }
    }
    let (imports, exports) = names(id, &bytes)?;
    // the worst first, so that it is what the person reads
    for import in &imports {
        check_never_linked(id, import)?;
    }
    for import in &imports {
        check_import(&plugin.manifest, import)?;
        check_granted(plugin, import)?;
    }
    check_exports(id, &exports)?;
    Ok(Checked {
        bytes,
        imports,
        exports,
    })
}

fn read(plugin: &PluginId, bytes: &Bytes) -> Result<Cow<'static, [u8]>, LoadError> {
    let too_large = || LoadError::TooLarge {
        plugin: plugin.clone(),
        limit: MAX_COMPONENT_BYTES,
    };
    let bytes = match bytes {
        Bytes::Static(bytes) => Cow::Borrowed(*bytes),
        Bytes::Read(bytes) => Cow::Owned(bytes.to_vec()),
        Bytes::File(path) => {
            Cow::Owned(read_file(path).map_err(|error| LoadError::Unreadable {
                plugin: plugin.clone(),
                reason: error.kind().to_string(),
            })?)
        }
    };
    if bytes.len() > MAX_COMPONENT_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Reads one byte more than may be there at the most, so that what is too large is noticed and not read.
fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let (file, _) = ensemble_plain_file::open(path)?;
    let mut bytes = Vec::new();
    file.take(MAX_COMPONENT_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The names of what the outermost component imports and exports.
fn names(plugin: &PluginId, bytes: &[u8]) -> Result<(Vec<String>, Vec<String>), LoadError> {
    let broken = |reason: String| LoadError::NotAComponent {
        plugin: plugin.clone(),
        reason,
    };
    let damaged = |e: wasmtime::wasmparser::BinaryReaderError| broken(short(e.message()));
    let (mut imports, mut exports) = (Vec::new(), Vec::new());
    let mut depth = 0_u32;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(damaged)? {
            Payload::Version { encoding, .. } if depth == 0 => {
                if encoding == Encoding::Module {
                    return Err(broken("it is a core module".to_owned()));
                }
                depth = 1;
            }
            Payload::Version { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(section) if depth == 1 => {
                for import in section {
                    imports.push(import.map_err(damaged)?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if depth == 1 => {
                for export in section {
                    exports.push(export.map_err(damaged)?.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    Ok((imports, exports))
}

fn check_never_linked(plugin: &PluginId, import: &str) -> Result<(), LoadError> {
    let (name, _) = split_version(import);
    let package = name.split_once('/').map_or(name, |(package, _)| package);
    if NEVER_LINKED.contains(&package) {
        return Err(LoadError::NeverLinked {
            plugin: plugin.clone(),
            import: short(import),
        });
    }
    Ok(())
}

fn check_import(manifest: &Manifest, import: &str) -> Result<(), LoadError> {
    let plugin = manifest.id.clone();
    let shown = short(import);
    let (name, version) = split_version(import);
    let free = FREE_INTERFACES.contains(&name) || CLOSED_WASI.contains(&name);
    let of_some_world = World::ALL
        .iter()
        .any(|world| world.interfaces().contains(&name));
    if !free && !of_some_world && !DECLARED_WASI.contains(&name) {
        return Err(LoadError::WrongVersion {
            plugin,
            wanted: shown,
            given: "nothing of that name".to_owned(),
        });
    }
    let track = if is_ours(name) { OURS } else { WASI };
    if !version.starts_with(track.fits) {
        return Err(LoadError::WrongVersion {
            plugin,
            wanted: shown,
            given: track.given.to_owned(),
        });
    }
    let allowed = DECLARED_WASI.contains(&name) || manifest.world.interfaces().contains(&name);
    if free || (allowed && manifest.declares(name)) {
        Ok(())
    } else {
        Err(LoadError::Undeclared {
            plugin,
            import: shown,
        })
    }
}

/// What WASI gives is used without asking the broker: it is not granted later than here.
fn check_granted(plugin: &Plugin, import: &str) -> Result<(), LoadError> {
    let (name, _) = split_version(import);
    if !DECLARED_WASI.contains(&name) || plugin.granted.interfaces.contains(name) {
        return Ok(());
    }
    Err(LoadError::NotGranted {
        plugin: plugin.manifest.id.clone(),
        import: short(import),
    })
}

/// There must be something to call, and what is there under a name of ours must be of our version. Other exports are
/// ignored: some toolchains add their own.
fn check_exports(plugin: &PluginId, exports: &[String]) -> Result<(), LoadError> {
    let mut callable = false;
    for export in exports {
        let (name, version) = split_version(export);
        if !CALLABLE.contains(&name) {
            continue;
        }
        if !version.starts_with(OURS.fits) {
            return Err(LoadError::WrongVersion {
                plugin: plugin.clone(),
                wanted: short(export),
                given: OURS.given.to_owned(),
            });
        }
        callable = true;
    }
    if callable {
        Ok(())
    } else {
        Err(LoadError::NoExports {
            plugin: plugin.clone(),
        })
    }
}

fn is_ours(name: &str) -> bool {
    name.starts_with("ensemble:")
}

/// A text of a component or of the engine, fit for a sentence: one line, no control characters, bounded.
pub(super) fn short(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MAX_SHOWN)
        .collect()
}
