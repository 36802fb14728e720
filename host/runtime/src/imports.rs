//! What a guest can call, one file for each package. Each function translates its arguments, asks the session, and
//! translates the answer; nothing is decided here.
//!
//! An interface that a plugin does not declare is not in its linker.

mod hub;
mod run;
mod workspace;

use ensemble_model::Manifest;
use wasmtime::Engine;
use wasmtime::component::{HasSelf, Linker};

use crate::bindings::ensemble::hub::{act, change, files, read, uploads};
use crate::bindings::ensemble::run::run as run_interface;
use crate::bindings::ensemble::tools::{asking, content, offer};
use crate::bindings::ensemble::types::types;
use crate::bindings::ensemble::workspace::{folder, repository};
use crate::call::CallState;
use crate::wasi;

/// The capabilities that this version of the host links for a plugin that declares them.
pub(crate) const LINKED: &[&str] = &[
    "ensemble:hub/read",
    "ensemble:hub/change",
    "ensemble:hub/act",
    "ensemble:hub/files",
    "ensemble:hub/uploads",
    "ensemble:workspace/repository",
    "ensemble:workspace/folder",
];

/// A linker with what this plugin may import and nothing else.
pub(crate) fn linker(engine: &Engine, manifest: &Manifest) -> wasmtime::Result<Linker<CallState>> {
    let mut linker = Linker::new(engine);
    let l = &mut linker;
    wasi::link(l, manifest)?;
    types::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    content::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    asking::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    offer::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    run_interface::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    if manifest.declares("ensemble:hub/read") {
        read::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    }
    if manifest.declares("ensemble:hub/change") {
        change::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    }
    if manifest.declares("ensemble:hub/act") {
        act::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    }
    if manifest.declares("ensemble:hub/uploads") {
        uploads::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    }
    if manifest.declares("ensemble:workspace/repository") {
        repository::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    }
    if manifest.declares("ensemble:hub/files") {
        files::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    }
    if manifest.declares("ensemble:workspace/folder") {
        folder::add_to_linker::<_, HasSelf<CallState>>(l, itself)?;
    }
    Ok(linker)
}

fn itself(state: &mut CallState) -> &mut CallState {
    state
}

impl types::Host for CallState {}
impl content::Host for CallState {}
impl asking::Host for CallState {}
impl offer::Host for CallState {}
