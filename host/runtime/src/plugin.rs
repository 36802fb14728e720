//! A plugin as the component registry takes it: declaration, grant, approved surface, and where its bytes are.

use std::path::PathBuf;
use std::sync::Arc;

use ensemble_broker::Granted;
use ensemble_model::{Digest, Manifest, Origin, Surface};

/// Where a component's bytes are.
#[derive(Debug, Clone)]
pub enum Bytes {
    /// Embedded in this program.
    Static(&'static [u8]),
    /// In a file, read when the component is loaded.
    File(PathBuf),
    /// Read already, by who is about to decide whether it is approved.
    Read(Arc<[u8]>),
}

/// One plugin.
#[derive(Debug, Clone)]
pub struct Plugin {
    /// What it says it is and needs.
    pub manifest: Manifest,
    /// What a person allowed it.
    pub granted: Granted,
    /// What was approved for listing, so that a list needs no component.
    pub surface: Surface,
    /// What the bytes have to be.
    pub digest: Digest,
    /// The component.
    pub bytes: Bytes,
    /// Where it comes from.
    pub origin: Origin,
}
