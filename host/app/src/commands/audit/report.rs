//! The audit as one document, in the order in which a reviewer reads it.

use ensemble_model::{Grant, KeyGrants, Origin};
use ensemble_runtime::Plugin;
use serde::Serialize;

use super::component::{self, Component};
use super::findings::{self, Finding};
use super::host::{self, Host};
use crate::backends::installed::SetAside;
use crate::compose::Composed;
use crate::folders::Folders;

/// Changes when the form of the document does.
const FORMAT: &str = "ensemble audit 1";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    pub(super) format: &'static str,
    pub(super) program: &'static str,
    /// What the keys of each kind open; a later one adds to the first.
    pub(super) exposes: Vec<Exposed>,
    pub(super) findings: Vec<Finding>,
    pub(super) components: Vec<Component>,
    /// Installed and not offered: what they say of themselves is not believed.
    pub(super) set_aside: Vec<Aside>,
    pub(super) host: Host,
}

#[derive(Debug, Serialize)]
pub(super) struct Aside {
    id: String,
    reason: String,
}

impl From<&SetAside> for Aside {
    fn from(aside: &SetAside) -> Self {
        Self {
            id: aside.id.clone(),
            reason: aside.reason.clone(),
        }
    }
}

/// What one grant opens.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Exposed {
    pub(super) grant: &'static str,
    pub(super) components: Vec<String>,
    pub(super) tools: Vec<String>,
    /// Resources with a fixed address, and families of them.
    pub(super) resources: Vec<String>,
}

pub(super) fn of(parts: &Composed, folders: &Folders) -> Report {
    let of_one = |plugin: &Plugin| {
        let mut component = component::of(&parts.registry, plugin);
        if plugin.origin == Origin::Installed
            && let Some(installed) = &parts.installed
        {
            let approval = installed.approval(&plugin.manifest.id);
            component.approval.at = approval.ok().map(|approval| approval.at);
        }
        component
    };
    let components: Vec<Component> = parts.registry.plugins().map(of_one).collect();
    Report {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION"),
        exposes: exposes(parts),
        findings: findings::of(&components, &parts.aside),
        components,
        set_aside: parts.aside.iter().map(Aside::from).collect(),
        host: host::of(parts, folders),
    }
}

/// By grant, from the views that clients are shown.
fn exposes(parts: &Composed) -> Vec<Exposed> {
    let shown = |grants| parts.catalog.view(grants);
    let every = shown(KeyGrants::default());
    [
        (Grant::Read, KeyGrants::default()),
        (
            Grant::Changes,
            KeyGrants {
                changes: true,
                apps: false,
            },
        ),
        (
            Grant::Apps,
            KeyGrants {
                changes: false,
                apps: true,
            },
        ),
    ]
    .into_iter()
    .map(|(grant, grants)| {
        let view = shown(grants);
        let besides = |seen: &dyn Fn(&ensemble_catalog::View) -> Vec<String>| {
            let before = if grant == Grant::Read {
                Vec::new()
            } else {
                seen(&every)
            };
            let mut now = seen(&view);
            now.retain(|name| !before.contains(name));
            now
        };
        Exposed {
            grant: grant.word(),
            components: besides(&|view| view.plugins().iter().map(ToString::to_string).collect()),
            tools: besides(&|view| view.tools().iter().map(|l| l.tool.name.clone()).collect()),
            resources: besides(&|view| {
                let fixed = view.resources().iter().map(|l| l.resource.uri.clone());
                let families = view
                    .templates()
                    .iter()
                    .map(|l| l.template.uri_template.clone());
                fixed.chain(families).collect()
            }),
        }
    })
    .collect()
}
