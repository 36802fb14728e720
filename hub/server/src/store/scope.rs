//! The scope of a row of the search index: words that no text has, by which the index itself leaves out what is in another space or of
//! another kind. A group stands for kinds that are often asked for together, so that one word is asked instead of many.

use ensemble_hub_api::{Kind, TaskStatus};

use super::record::Record;
use crate::text::terms::literal_token;

/// Kinds that are asked of the index; more are sorted out afterwards.
const KINDS_ASKED: usize = 8;
/// Labels of one record that are looked for as a whole.
const LABELS_MAX: usize = 50;
/// The kinds that search looks through.
pub const SEARCHED: [Kind; 13] = [
    Kind::Task,
    Kind::Project,
    Kind::Person,
    Kind::Repo,
    Kind::Deliverable,
    Kind::Meeting,
    Kind::Page,
    Kind::File,
    Kind::Document,
    Kind::Artifact,
    Kind::Skill,
    Kind::Diagram,
    Kind::Plot,
];
/// Kinds whose texts are cited.
pub const CITABLE: [Kind; 7] = [
    Kind::Meeting,
    Kind::Page,
    Kind::File,
    Kind::Document,
    Kind::Artifact,
    Kind::Diagram,
    Kind::Plot,
];
/// Kinds that are often asked for together, with the name of the group in the index. A change of one needs the index to be filled again.
const GROUPS: [(&str, &[Kind]); 2] = [("_searched", &SEARCHED), ("_citable", &CITABLE)];

/// The query in the space and, where they are few or a group, the kinds; `None` for no words.
pub(super) fn scoped(space: &str, fts_query: &str, kinds: &[Kind]) -> Option<String> {
    if fts_query.trim().is_empty() {
        return None;
    }
    let group = GROUPS.iter().find(|(_, of)| *of == kinds);
    let tokens = match group {
        Some((name, _)) => vec![quoted(&in_space(space, name))],
        None if (1..=KINDS_ASKED).contains(&kinds.len()) => kinds
            .iter()
            .map(|kind| quoted(&in_space(space, kind.as_str())))
            .collect(),
        None => vec![quoted(&space_token(space))],
    };
    let scope = tokens.join(" OR ");
    Some(format!(
        "({{title body}} : ({fts_query})) AND (scope : ({scope}))"
    ))
}

pub(super) fn quoted(token: &str) -> String {
    format!("\"{token}\"")
}

pub(super) fn space_token(space: &str) -> String {
    let letters = space.chars().filter(char::is_ascii_alphanumeric);
    std::iter::once('s').chain(letters).collect()
}

/// One token for a kind or group in a space: fewer words of the index are asked than with two.
pub(super) fn in_space(space: &str, name: &str) -> String {
    format!("{}_k{name}", space_token(space))
}

pub(super) fn label_token(label: &str) -> String {
    format!("l{}", literal_token(label))
}

/// What is asked for besides words.
pub(super) fn scope(record: &Record) -> String {
    let mut scope = space_token(&record.space);
    let groups = GROUPS.iter().filter(|(_, of)| of.contains(&record.kind));
    for name in groups.map(|(name, _)| *name).chain([record.kind.as_str()]) {
        scope.push(' ');
        scope.push_str(&in_space(&record.space, name));
    }
    if record.kind == Kind::Task && is_open(record) {
        for label in record.texts("labels").into_iter().take(LABELS_MAX) {
            scope.push(' ');
            scope.push_str(&label_token(label));
        }
    }
    scope
}

fn is_open(task: &Record) -> bool {
    let status = task.status.as_deref().and_then(TaskStatus::parse);
    status.is_some_and(TaskStatus::is_open)
}
