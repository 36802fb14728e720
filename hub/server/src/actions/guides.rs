//! Playbooks: how something is done well here, as short texts of our own. To add one: its file in `guides/`, and its line in [`TOPICS`].

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Action, Reading, reads};
use crate::error::RouteError;

/// The group.
pub(super) const ACTIONS: &[Action] = &[reads!(
    "hub_how_to",
    Asked,
    how_to,
    "A playbook for doing something well here: boards, diagrams, plots, pages, tasks, files or meetings. Without a topic, the list of them."
)];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Topic {
    Boards,
    Diagrams,
    Plots,
    Pages,
    Tasks,
    Files,
    Meetings,
}

/// Each topic with what it is called, what it is about, and its text.
const TOPICS: [(Topic, &str, &str, &str); 7] = [
    (
        Topic::Tasks,
        "tasks",
        "Adding tasks, moving them, saying what was done.",
        include_str!("guides/tasks.md"),
    ),
    (
        Topic::Pages,
        "pages",
        "Writing and editing pages without losing what is there.",
        include_str!("guides/pages.md"),
    ),
    (
        Topic::Boards,
        "boards",
        "Columns of tasks and pages.",
        include_str!("guides/boards.md"),
    ),
    (
        Topic::Diagrams,
        "diagrams",
        "Drawing, checking and changing diagrams.",
        include_str!("guides/diagrams.md"),
    ),
    (
        Topic::Plots,
        "plots",
        "From a table of values to a plot.",
        include_str!("guides/plots.md"),
    ),
    (
        Topic::Files,
        "files",
        "Saving files and working with their text.",
        include_str!("guides/files.md"),
    ),
    (
        Topic::Meetings,
        "meetings",
        "Before a meeting, its notes, and what follows from it.",
        include_str!("guides/meetings.md"),
    ),
];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Asked {
    /// What it is about; the list of topics when left out.
    topic: Option<Topic>,
}

async fn how_to(_: &Reading, asked: Asked) -> Result<Value, RouteError> {
    let found = TOPICS
        .iter()
        .find(|(topic, ..)| Some(*topic) == asked.topic);
    if let Some((_, name, _, text)) = found {
        return Ok(json!({ "topic": name, "text": text }));
    }
    let topics: Vec<Value> = TOPICS
        .iter()
        .map(|(_, name, says, _)| json!({ "topic": name, "says": says }))
        .collect();
    Ok(json!({ "topics": topics }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::{GROUPS, find};

    /// Every action that a playbook names is one that there is, so that none sends an agent astray.
    #[test]
    fn a_playbook_names_only_actions_of_its_kind() {
        let complete = GROUPS.iter().all(|group| !group.actions.is_empty());
        for (_, name, _, text) in TOPICS {
            assert!(text.starts_with("# ") && text.len() > 300, "{name}");
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for word in words.filter(|word| word.starts_with("hub_")) {
                assert!(find(word).is_some() || !complete, "{name}: {word}");
            }
        }
    }
}
