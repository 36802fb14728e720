//! What a view shows: tools, resources, families of resources and prompts, each with whose it is.

use std::sync::{Arc, OnceLock};

use ensemble_model::surface::{Prompt, Resource, ResourceTemplate, Tool};
use ensemble_model::{KeyGrants, PluginId};

use crate::named::Calls;
use crate::schema;

/// A schema, compiled when it is first needed.
pub(crate) type Validator = Arc<OnceLock<Result<jsonschema::Validator, String>>>;

/// One tool as a caller sees it, with whose it is.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Whose it is.
    pub plugin: PluginId,
    /// Its published form; `space` is in its schema where the plugin takes one.
    pub tool: Tool,
    /// Whether the host takes `space` out of the arguments.
    pub takes_space: bool,
    /// What a key needs for it.
    pub needs: KeyGrants,
    /// What is called for it, where it is a name for something else.
    pub calls: Option<Calls>,
    /// Whether a client is told what its token needs for it.
    pub scoped: bool,
    pub(crate) validator: Validator,
    pub(crate) promise: Validator,
}

/// One resource, with whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedResource {
    /// Whose it is.
    pub plugin: PluginId,
    /// Its published form.
    pub resource: Resource,
}

/// One family of resources, with whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTemplate {
    /// Whose it is.
    pub plugin: PluginId,
    /// Its published form.
    pub template: ResourceTemplate,
}

/// One prompt, with whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPrompt {
    /// Whose it is.
    pub plugin: PluginId,
    /// Its published form.
    pub prompt: Prompt,
}

impl Listed {
    /// A tool that needs what its plugin does.
    pub(crate) fn of(plugin: PluginId, tool: Tool, takes_space: bool) -> Self {
        Self {
            plugin,
            tool: if takes_space {
                schema::with_space(tool)
            } else {
                tool
            },
            takes_space,
            needs: KeyGrants::default(),
            calls: None,
            scoped: false,
            validator: Arc::default(),
            promise: Arc::default(),
        }
    }
}
