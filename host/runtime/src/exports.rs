//! What this host can call of a component. Each interface is bound by its presence, not by a world, so that a component
//! with tools alone and one with resources alone both load, and other exports can be added later.

use ensemble_model::world::split_version;
use wasmtime::component::InstancePre;

use crate::bindings::exports::ensemble::tools::{completion, prompts, resources, tools};

/// A component must export at least one of these.
pub(crate) const CALLABLE: &[&str] = &[TOOLS, RESOURCES, PROMPTS];

const TOOLS: &str = "ensemble:tools/tools";
const RESOURCES: &str = "ensemble:tools/resources";
const PROMPTS: &str = "ensemble:tools/prompts";
const COMPLETION: &str = "ensemble:tools/completion";

/// Where a component's exports are.
pub(crate) struct Exports {
    pub(crate) tools: Option<tools::GuestIndices>,
    pub(crate) resources: Option<resources::GuestIndices>,
    pub(crate) prompts: Option<prompts::GuestIndices>,
    pub(crate) completion: Option<completion::GuestIndices>,
}

impl Exports {
    /// Finds them, and checks that the functions behind each name are those of the contract.
    pub(crate) fn find<T>(pre: &InstancePre<T>, names: &[String]) -> wasmtime::Result<Self> {
        let exported = |wanted: &str| names.iter().any(|name| split_version(name).0 == wanted);
        Ok(Self {
            tools: exported(TOOLS)
                .then(|| tools::GuestIndices::new(pre))
                .transpose()?,
            resources: exported(RESOURCES)
                .then(|| resources::GuestIndices::new(pre))
                .transpose()?,
            prompts: exported(PROMPTS)
                .then(|| prompts::GuestIndices::new(pre))
                .transpose()?,
            completion: exported(COMPLETION)
                .then(|| completion::GuestIndices::new(pre))
                .transpose()?,
        })
    }
}
