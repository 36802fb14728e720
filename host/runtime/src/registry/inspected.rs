//! What can be known of a component without compiling it.

use ensemble_model::world::split_version;

/// A component that would be loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inspected {
    /// The names of its imports with their versions, as its bytes have them.
    pub imports: Vec<String>,
    /// The names of its exports with their versions, as its bytes have them.
    pub exports: Vec<String>,
    /// What its linker would have, without versions: what is not here, it cannot call.
    pub linked: Vec<&'static str>,
    /// Whether compiled code of it is kept, and proven to be this host's.
    pub compiled: bool,
}

impl Inspected {
    /// Whether its bytes import that interface, in whichever version.
    pub fn imports_interface(&self, interface: &str) -> bool {
        self.imports
            .iter()
            .any(|import| split_version(import).0 == interface)
    }
}
