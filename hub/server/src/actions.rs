//! The actions: what an editor or agent can have done by name, in groups. The list is the allowlist; a name that is not on it answers 404.
//!
//! An action reads or changes. What it takes is a type with a JSON Schema; an input that does not keep it is refused with the schema before
//! anything runs. A change is one transaction in the name of the key, written to the ledger as `bridge.<name>`, and can be undone as a whole.
//!
//! To add one: a type for its input, a function, and its line in the list of its group.

mod agents;
pub(crate) mod apps;
pub(crate) mod ask;
mod boards;
mod calendar;
mod code;
mod comments;
mod context;
mod desk;
mod diagrams;
mod files;
mod guides;
mod imports;
pub(crate) mod input;
mod layouts;
mod linked;
pub(crate) mod list;
mod meetings;
mod offered;
mod pages;
mod people;
mod plots;
mod prepared;
mod projects;
mod relationships;
mod reminders;
mod routines;
mod runs;
pub(crate) mod schema;
mod settings;
mod shared;
mod skills;
mod tasks;
pub(crate) mod with;

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

use crate::error::RouteError;
pub(crate) use prepared::{Fetched, Prepare, Prepared};
pub(crate) use with::{Changing, Done, Reading};

/// An action as others describe it.
#[derive(Debug, Clone)]
pub struct Described {
    pub name: &'static str,
    /// What it does, and what a guard refuses of it.
    pub does: String,
    /// Whether it changes something.
    pub writes: bool,
    /// Whether it needs connected apps.
    pub apps: bool,
    /// The JSON Schema of its input.
    pub input_schema: Value,
}

/// Every action, in the order of the groups.
pub fn described() -> Vec<Described> {
    let all = GROUPS.iter().flat_map(|group| group.actions);
    let described = all.map(|action| Described {
        name: action.name,
        does: match action.limit {
            Some(limit) => format!("{} {limit}", action.does),
            None => action.does.to_owned(),
        },
        writes: action.writes(),
        apps: action.apps,
        input_schema: (action.schema)(),
    });
    described.collect()
}

/// A running action.
pub(crate) type Running<'a, T> = Pin<Box<dyn Future<Output = Result<T, RouteError>> + Send + 'a>>;

/// What an action does.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// Reads; any key.
    Read(for<'a> fn(&'a Reading, Value) -> Running<'a, Value>),
    /// Changes; a key with changes allowed.
    Change(for<'a> fn(&'a mut Changing, Value) -> Running<'a, Done>),
}

/// One action.
#[derive(Clone, Copy)]
pub(crate) struct Action {
    pub(crate) name: &'static str,
    /// What it does, for the agent that chooses.
    pub(crate) does: &'static str,
    /// Whether it needs a key with apps allowed.
    pub(crate) apps: bool,
    /// What a guard refuses of it.
    pub(crate) limit: Option<&'static str>,
    /// The JSON Schema of its input.
    pub(crate) schema: fn() -> Value,
    pub(crate) run: Run,
    pub(crate) prepare: Option<Prepare>,
}

impl Action {
    /// Whether it changes something.
    pub(crate) const fn writes(&self) -> bool {
        matches!(self.run, Run::Change(_))
    }

    /// With what a guard refuses of it.
    pub(crate) const fn limited(self, limit: &'static str) -> Self {
        Self {
            limit: Some(limit),
            ..self
        }
    }

    /// With what is done before its transaction begins.
    pub(crate) const fn prepared(self, prepare: Prepare) -> Self {
        Self {
            prepare: Some(prepare),
            ..self
        }
    }

    /// Only for a key with apps allowed.
    pub(crate) const fn with_apps(self) -> Self {
        Self { apps: true, ..self }
    }
}

/// An action that reads: its name, the type of its input, the function, and what it does.
macro_rules! reads {
    ($name:literal, $input:ty, $run:path, $does:expr) => {{
        fn run(
            on: &$crate::actions::Reading,
            input: serde_json::Value,
        ) -> $crate::actions::Running<'_, serde_json::Value> {
            Box::pin(
                async move { $run(on, $crate::actions::input::parsed::<$input>(input)?).await },
            )
        }
        $crate::actions::Action {
            name: $name,
            does: $does,
            apps: false,
            limit: None,
            schema: $crate::actions::schema::of::<$input>,
            run: $crate::actions::Run::Read(run),
            prepare: None,
        }
    }};
}

/// An action that changes: its name, the type of its input, the function, and what it does.
macro_rules! changes {
    ($name:literal, $input:ty, $run:path, $does:expr) => {{
        fn run(
            on: &mut $crate::actions::Changing,
            input: serde_json::Value,
        ) -> $crate::actions::Running<'_, $crate::actions::Done> {
            Box::pin(
                async move { $run(on, $crate::actions::input::parsed::<$input>(input)?).await },
            )
        }
        $crate::actions::Action {
            name: $name,
            does: $does,
            apps: false,
            limit: None,
            schema: $crate::actions::schema::of::<$input>,
            run: $crate::actions::Run::Change(run),
            prepare: None,
        }
    }};
}

pub(crate) use {changes, reads};

/// Actions that belong together.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) name: &'static str,
    /// What it is about, in one line.
    pub(crate) says: &'static str,
    pub(crate) actions: &'static [Action],
}

/// Every group, in the order in which the list shows them.
pub(crate) const GROUPS: &[Group] = &[
    Group {
        name: "guides",
        says: "Playbooks: how boards, diagrams, plots and pages are made well.",
        actions: guides::ACTIONS,
    },
    Group {
        name: "tasks",
        says: "Tasks and their pages.",
        actions: tasks::ACTIONS,
    },
    Group {
        name: "pages",
        says: "Pages, as Markdown and block by block.",
        actions: pages::ACTIONS,
    },
    Group {
        name: "boards",
        says: "Boards: columns of tasks and pages.",
        actions: boards::ACTIONS,
    },
    Group {
        name: "diagrams",
        says: "Diagrams, checked and drawn.",
        actions: diagrams::ACTIONS,
    },
    Group {
        name: "plots",
        says: "Datasets, and the plots that are drawn from them.",
        actions: plots::ACTIONS,
    },
    Group {
        name: "files",
        says: "Files: what there is, and new ones; originals are never changed.",
        actions: files::ACTIONS,
    },
    Group {
        name: "projects",
        says: "Projects and their deliverables.",
        actions: projects::ACTIONS,
    },
    Group {
        name: "people",
        says: "People, and the repositories of the space.",
        actions: people::ACTIONS,
    },
    Group {
        name: "meetings",
        says: "Meeting notes.",
        actions: meetings::ACTIONS,
    },
    Group {
        name: "comments",
        says: "Comments and details of any record, and what is in Trash.",
        actions: comments::ACTIONS,
    },
    Group {
        name: "context",
        says: "What a record is linked with, search, and the screens of Ensemble.",
        actions: context::ACTIONS,
    },
    Group {
        name: "skills",
        says: "Skills and their versions.",
        actions: skills::ACTIONS,
    },
    Group {
        name: "routines",
        says: "Routines: work that begins at set times.",
        actions: routines::ACTIONS,
    },
    Group {
        name: "reminders",
        says: "Reminders and watchers.",
        actions: reminders::ACTIONS,
    },
    Group {
        name: "desk",
        says: "The person's desk.",
        actions: desk::ACTIONS,
    },
    Group {
        name: "calendar",
        says: "Events, and what the week was.",
        actions: calendar::ACTIONS,
    },
    Group {
        name: "runs",
        says: "What happened, and the runs of the hub.",
        actions: runs::ACTIONS,
    },
    Group {
        name: "agents",
        says: "Agents and their sessions.",
        actions: agents::ACTIONS,
    },
    Group {
        name: "code",
        says: "Checkouts that the person allowed.",
        actions: code::ACTIONS,
    },
    Group {
        name: "settings",
        says: "Settings, to read.",
        actions: settings::ACTIONS,
    },
    Group {
        name: "layouts",
        says: "Layouts, to read.",
        actions: layouts::ACTIONS,
    },
    Group {
        name: "imports",
        says: "What was imported.",
        actions: imports::ACTIONS,
    },
    Group {
        name: "relationships",
        says: "Connections to apps, and which records belong to which item there.",
        actions: relationships::ACTIONS,
    },
];

/// The action of this name, with its group.
pub(crate) fn find(name: &str) -> Option<(&'static Group, &'static Action)> {
    GROUPS.iter().find_map(|group| {
        let action = group.actions.iter().find(|action| action.name == name)?;
        Some((group, action))
    })
}
