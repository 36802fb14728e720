//! What a reviewer must see, the worst first:
//!
//! | level | finding |
//! |---|---|
//! | error | a component is refused; it is otherwise than it was approved |
//! | warning | it is not part of this program; it works in the editor's folder; it can change something |
//! | note | what else it can reach; it declares what it does not use, or what was not granted |

use serde::Serialize;

use super::component::{Capability, Component};
use crate::backends::installed::SetAside;

/// How much a reviewer should care; the words are those of SARIF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Error,
    Warning,
    Note,
}

impl Level {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One thing that a reviewer should know, as a sentence that begins with the component's id.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding {
    pub(super) level: Level,
    /// The capability's interface, or one of [`RULES`].
    pub(super) rule: String,
    pub(super) component: String,
    pub(super) says: String,
}

/// The rules besides one for each capability.
pub(super) const RULES: [(&str, &str); 6] = [
    ("refused", "A component is refused and never loaded."),
    (
        "changed",
        "A component is otherwise than it was when it was approved.",
    ),
    ("third-party", "A component is not part of this program."),
    (
        "working-folder",
        "A component works with files of the editor's folder.",
    ),
    (
        "not-used",
        "A component declares a capability that it does not import.",
    ),
    (
        "not-granted",
        "A component declares what the person did not grant.",
    ),
];

/// Everything there is to say, sorted by level and then in the order of the components.
pub(super) fn of(components: &[Component], aside: &[SetAside]) -> Vec<Finding> {
    let mut found: Vec<Finding> = aside.iter().map(of_aside).collect();
    found.extend(components.iter().flat_map(of_one));
    found.sort_by_key(|finding| finding.level);
    found
}

/// One that is installed and not offered: nothing of what it says of itself is shown here.
fn of_aside(aside: &SetAside) -> Finding {
    Finding {
        level: Level::Error,
        rule: "changed".to_owned(),
        component: aside.id.clone(),
        says: aside.reason.clone(),
    }
}

fn of_one(component: &Component) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |level, rule: &str, says: String| {
        found.push(Finding {
            level,
            rule: rule.to_owned(),
            component: component.id.clone(),
            says,
        });
    };
    let id = &component.id;
    if let Some(refused) = &component.refused
        && component.approval.changes.is_empty()
    {
        add(
            Level::Error,
            "refused",
            format!("{id} is refused: {refused}"),
        );
    }
    for change in &component.approval.changes {
        add(
            Level::Error,
            "changed",
            format!("{id} is otherwise than it was approved: {change}"),
        );
    }
    if component.origin != "built-in" {
        add(
            Level::Warning,
            "third-party",
            format!("{id} is not part of this program; a person installed it"),
        );
    }
    if let Some(does) = component.in_the_folder {
        add(
            Level::Warning,
            "working-folder",
            format!("{id} {does}, by paths that the host checks; it never sees their bytes"),
        );
    }
    for capability in &component.capabilities {
        let Some((level, says)) = of_capability(component, capability) else {
            continue;
        };
        add(level, &capability.interface, says);
        if !capability.imported {
            add(
                Level::Note,
                "not-used",
                format!(
                    "{id} declares {} and does not import it",
                    capability.interface
                ),
            );
        }
        if !capability.granted {
            add(
                Level::Note,
                "not-granted",
                format!(
                    "{id} declares {}, which was not granted",
                    capability.interface
                ),
            );
        }
    }
    found
}

/// A capability's own finding; the one of the folder is told by its direction above.
fn of_capability(component: &Component, capability: &Capability) -> Option<(Level, String)> {
    if capability.interface == "ensemble:workspace/folder" {
        return None;
    }
    let level = if capability.reach == "writes" {
        Level::Warning
    } else {
        Level::Note
    };
    let key = match component.grant {
        "read" => "for every key".to_owned(),
        grant => format!("for a key with {grant} allowed"),
    };
    Some((
        level,
        format!("{} {}, {key}", component.id, capability.does),
    ))
}
