//! The first-party plugins, embedded: what the build compiled, its manifest, and the surface that was approved for it.
//!
//! Nothing here decides whether one is loaded; that is the host's, by the key's grants.
#![forbid(unsafe_code)]

use std::fmt;

/// One plugin of this program.
#[derive(Clone, Copy)]
pub struct Bundled {
    /// The id that its manifest gives.
    pub id: &'static str,
    /// The text of its `plugin.toml`.
    pub manifest: &'static str,
    /// The text of its `surface.json`: what it lists, served before the component is loaded.
    pub surface: &'static str,
    /// The component.
    pub wasm: &'static [u8],
    /// The component's SHA-256, in lower-case hexadecimal.
    pub sha256: &'static str,
}

impl fmt::Debug for Bundled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundled")
            .field("id", &self.id)
            .field("bytes", &self.wasm.len())
            .field("sha256", &self.sha256)
            .finish_non_exhaustive()
    }
}

/// The plugin of this id.
pub fn find(id: &str) -> Option<&'static Bundled> {
    BUNDLED.iter().find(|plugin| plugin.id == id)
}

#[cfg(test)]
mod tests;

include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
