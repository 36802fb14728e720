//! One component: what it is, what it can reach and why, what it cannot reach, and within which limits.

use std::collections::BTreeMap;

use ensemble_model::capability::{self, CAPABILITIES};
use ensemble_model::{Digest, Origin};
use ensemble_runtime::{Inspected, LoadError, Plugin, Registry};
use jiff::Timestamp;
use serde::Serialize;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::commands) struct Component {
    pub(in crate::commands) id: String,
    pub(in crate::commands) version: String,
    pub(in crate::commands) title: String,
    pub(in crate::commands) digest: String,
    pub(in crate::commands) origin: &'static str,
    pub(super) world: &'static str,
    /// The grant that a key needs before the component exists for it.
    pub(in crate::commands) grant: &'static str,
    /// Whether its tools take a space; the host binds it, and the component never learns which.
    pub(super) takes_space: bool,
    pub(in crate::commands) tools: Vec<String>,
    pub(super) resources: Vec<String>,
    /// SHA-256 of all that it lists, as approved: names, texts, schemas.
    pub(super) surface: String,
    /// As its bytes name them.
    pub(super) imports: Vec<String>,
    pub(super) exports: Vec<String>,
    pub(in crate::commands) capabilities: Vec<Capability>,
    pub(in crate::commands) routes: Vec<Route>,
    /// Capabilities that its linker does not have: it cannot call them at all.
    pub(super) not_linked: Vec<&'static str>,
    pub(super) limits: BTreeMap<&'static str, u64>,
    /// Whether proven compiled code of it is kept.
    pub(super) compiled: bool,
    pub(in crate::commands) approval: Approval,
    /// Why it is not loaded for any key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::commands) refused: Option<String>,
    #[serde(skip)]
    pub(super) in_the_folder: Option<&'static str>,
}

/// Something that it declares.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::commands) struct Capability {
    pub(in crate::commands) interface: String,
    pub(in crate::commands) does: &'static str,
    pub(super) reach: &'static str,
    pub(in crate::commands) reason: String,
    pub(in crate::commands) granted: bool,
    pub(in crate::commands) linked: bool,
    /// Whether its bytes import it.
    pub(super) imported: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::commands) struct Route {
    pub(in crate::commands) request: String,
    pub(super) through: &'static str,
    pub(in crate::commands) reason: String,
    pub(in crate::commands) granted: bool,
}

/// Who approved a component that is only looked at.
pub(in crate::commands) const NOBODY: &str = "nobody yet";

/// Who approved it, and what is otherwise since then.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::commands) struct Approval {
    pub(in crate::commands) by: &'static str,
    /// When; a built-in one was approved when this program was built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Timestamp>,
    pub(super) changes: Vec<String>,
}

pub(in crate::commands) fn of(registry: &Registry, plugin: &Plugin) -> Component {
    let manifest = &plugin.manifest;
    let (inspected, refused, changes) = match registry.inspect(&manifest.id) {
        Ok(inspected) => (inspected, None, Vec::new()),
        Err(error) => {
            let changes = changes(&error);
            (Inspected::default(), Some(error.to_string()), changes)
        }
    };
    let surface = &plugin.surface;
    let fixed = surface.resources.iter().map(|r| r.uri.clone());
    let families = surface
        .resource_templates
        .iter()
        .map(|t| t.uri_template.clone());
    Component {
        id: manifest.id.to_string(),
        version: manifest.version.clone(),
        title: manifest.title.clone(),
        digest: plugin.digest.to_string(),
        origin: plugin.origin.word(),
        world: manifest.world.name(),
        grant: manifest.grant.word(),
        takes_space: manifest.space,
        tools: surface.tools.iter().map(|tool| tool.name.clone()).collect(),
        resources: fixed.chain(families).collect(),
        surface: Digest::of(surface.render().as_bytes()).to_string(),
        capabilities: capabilities(plugin, &inspected),
        routes: routes(plugin),
        not_linked: not_linked(&inspected),
        limits: plugin
            .granted
            .limits(manifest)
            .rows()
            .into_iter()
            .map(|row| (row.name, row.value))
            .collect(),
        compiled: inspected.compiled,
        imports: sorted(inspected.imports),
        exports: sorted(inspected.exports),
        approval: Approval {
            by: match plugin.origin {
                Origin::BuiltIn => "this program",
                Origin::Installed => "the person who installed it",
            },
            at: None,
            changes,
        },
        refused,
        in_the_folder: capability::in_the_folder(manifest),
    }
}

/// Nothing but the component itself can have changed in a plugin that is offered: everything else is authenticated with it.
fn changes(refused: &LoadError) -> Vec<String> {
    match refused {
        LoadError::Digest {
            expected, actual, ..
        } => vec![format!("component: was {expected}, is {actual}")],
        _ => Vec::new(),
    }
}

/// In an order of its own: in the bytes they stand as the linker happened to leave them.
fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names
}

fn capabilities(plugin: &Plugin, inspected: &Inspected) -> Vec<Capability> {
    let imports = &plugin.manifest.imports;
    let row = |import: &ensemble_model::manifest::Import| {
        let interface = &import.interface;
        let known = capability::find(interface);
        Capability {
            interface: interface.clone(),
            does: known.map_or("is not known to this host", |known| known.does),
            reach: known.map_or("unknown", |known| known.reach.word()),
            reason: import.reason.clone(),
            granted: plugin.granted.interfaces.contains(interface),
            linked: inspected.linked.contains(&interface.as_str()),
            imported: inspected.imports_interface(interface),
        }
    };
    imports.iter().map(row).collect()
}

fn routes(plugin: &Plugin) -> Vec<Route> {
    let row = |route: &ensemble_model::manifest::Route| {
        let pattern = route.pattern.to_string();
        Route {
            through: route.pattern.interface(),
            reason: route.reason.clone(),
            granted: plugin.granted.routes.contains(&pattern),
            request: pattern,
        }
    };
    plugin.manifest.routes.iter().map(row).collect()
}

fn not_linked(inspected: &Inspected) -> Vec<&'static str> {
    let names = CAPABILITIES.iter().map(|capability| capability.interface);
    names
        .filter(|interface| !inspected.linked.contains(interface))
        .collect()
}
