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

/// Interfaces that are linked together, and how. The tables of these are the only way into a linker: what an audit shows
/// is read from them.
pub(crate) struct Link {
    /// Without versions.
    pub(crate) names: &'static [&'static str],
    pub(crate) add: fn(&mut Linker<CallState>) -> wasmtime::Result<()>,
}

/// What every plugin has: types, and the reporting channel.
const ALWAYS: &[Link] = &[
    Link {
        names: &["ensemble:types/types"],
        add: |l| types::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:tools/content"],
        add: |l| content::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:tools/asking"],
        add: |l| asking::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:tools/offer"],
        add: |l| offer::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:run/run"],
        add: |l| run_interface::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
];

/// The capabilities that this version of the host links, each for a plugin that declares it.
const DECLARED: &[Link] = &[
    Link {
        names: &["ensemble:hub/read"],
        add: |l| read::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:hub/change"],
        add: |l| change::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:hub/act"],
        add: |l| act::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:hub/files"],
        add: |l| files::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:hub/uploads"],
        add: |l| uploads::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:workspace/repository"],
        add: |l| repository::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
    Link {
        names: &["ensemble:workspace/folder"],
        add: |l| folder::add_to_linker::<_, HasSelf<CallState>>(l, itself),
    },
];

/// What every plugin is given, whatever it declares.
pub(crate) fn always() -> impl Iterator<Item = &'static Link> {
    wasi::ALWAYS.iter().chain(ALWAYS)
}

/// What a plugin is given that declares it.
pub(crate) fn on_declaration() -> impl Iterator<Item = &'static Link> {
    wasi::DECLARED.iter().chain(DECLARED)
}

/// Whether this host links the interface for a plugin that declares it.
pub(crate) fn is_linked(interface: &str) -> bool {
    on_declaration().any(|link| link.names.contains(&interface))
}

/// What goes into this plugin's linker.
fn links(manifest: &Manifest) -> impl Iterator<Item = &'static Link> {
    let declared = |link: &&Link| link.names.iter().any(|name| manifest.declares(name));
    always().chain(on_declaration().filter(declared))
}

/// The interfaces in this plugin's linker, without versions.
pub(crate) fn linked(manifest: &Manifest) -> Vec<&'static str> {
    links(manifest)
        .flat_map(|link| link.names)
        .copied()
        .collect()
}

/// A linker with what this plugin may import and nothing else.
pub(crate) fn linker(engine: &Engine, manifest: &Manifest) -> wasmtime::Result<Linker<CallState>> {
    let mut linker = Linker::new(engine);
    for link in links(manifest) {
        (link.add)(&mut linker)?;
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

#[cfg(test)]
mod tests;
