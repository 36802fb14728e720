//! What the packet of a task says, section by section: where it came from with the words asked,
//! what it says, project, people, dependencies, files, related open work, what was done before.
//! Every entry carries a handle; words of others stand as quotations.

use super::around::{Around, Involved};
use super::packet::{self, Packet, Section};
use crate::search::excerpt;
use crate::store::Record;
use crate::text::cut;
use crate::text::terms::query_terms;
use crate::text::trust::{neutral, one_line, quoted};
use crate::view::{self, handle};

/// Characters of the task's own page.
const PAGE: usize = 1_500;
/// Characters of the words asked.
const ASKED: usize = 700;
/// Characters of a piece of a meeting.
const MEETING: usize = 400;
/// Characters of a title in a list.
const TITLE: usize = 140;

/// The packet of `task`, at most `limit` characters.
pub fn packet(task: &Record, around: &Around, limit: usize) -> Packet {
    let mut left_out = Vec::new();
    let sections = [
        Section {
            heading: "Where it came from",
            entries: origin(task, around, &mut left_out),
        },
        Section {
            heading: "What it says",
            entries: page(task, &mut left_out),
        },
        Section {
            heading: "Project",
            entries: project(around),
        },
        Section {
            heading: "People",
            entries: around.people.iter().map(person).collect(),
        },
        Section {
            heading: "Waits for",
            entries: tasks(&around.depends_on),
        },
        Section {
            heading: "Is waited for by",
            entries: tasks(&around.needed_by),
        },
        Section {
            heading: "Part of",
            entries: lines(&around.deliverables),
        },
        Section {
            heading: "Files",
            entries: lines(&around.files),
        },
        Section {
            heading: "Related open work",
            entries: tasks(&around.related_open),
        },
        Section {
            heading: "Done before",
            entries: tasks(&around.done_before),
        },
        Section {
            heading: "Linked",
            entries: lines(&around.sources),
        },
    ];
    packet::render(&head(task, around), &sections, left_out, limit)
}

fn head(task: &Record, around: &Around) -> String {
    let mut facts = vec![handle(task)];
    facts.extend(task.status.clone());
    facts.extend(task.text("priority").map(|is| clipped(is, 40)));
    facts.extend(
        task.text("due")
            .map(|due| format!("due {}", clipped(due, 40))),
    );
    if let Some(repo) = &around.repo {
        facts.push(format!("repository {} {}", title(repo), handle(repo)));
    }
    facts.extend(
        task.text("branch")
            .map(|branch| format!("branch {}", one_line(branch))),
    );
    format!(
        "# {}\n{}",
        cut::excerpt(&one_line(&task.title), 300).0,
        facts.join(" · ")
    )
}

fn origin(task: &Record, around: &Around, left_out: &mut Vec<String>) -> Vec<String> {
    let mut entries = Vec::new();
    for involved in around
        .people
        .iter()
        .filter(|who| who.how.contains(&"asked for it"))
    {
        let who = &involved.person;
        entries.push(format!(
            "- Asked by {}{} {}",
            title(who),
            described(who),
            handle(who)
        ));
    }
    for meeting in &around.meetings {
        let day = meeting
            .text("start")
            .map(|start| format!(", {}", cut::head(&one_line(start), 10)));
        entries.push(format!(
            "- From the meeting “{}”{} {}",
            title(meeting),
            day.unwrap_or_default(),
            handle(meeting)
        ));
    }
    if let Some(asked) = task.text("asked") {
        let (words, short) = cut::excerpt(asked, ASKED);
        if short {
            left_out.push("the end of the words asked".to_owned());
        }
        entries.push(format!("\nThe words asked:\n\n{}", quoted(&words)));
    } else if let Some(meeting) = around.meetings.first() {
        let terms = query_terms(&task.title);
        let (words, _) = excerpt::around(view::main_text(meeting), &terms, MEETING);
        if !words.is_empty() {
            entries.push(format!("\nFrom the meeting's text:\n\n{}", quoted(&words)));
        }
    }
    if let Some(source) = task.text("source") {
        entries.push(format!("- Came in through {}", one_line(source)));
    }
    entries
}

/// The text of a record, quoted and cut.
pub(crate) fn page(task: &Record, left_out: &mut Vec<String>) -> Vec<String> {
    let (text, short) = cut::excerpt(view::main_text(task).trim(), PAGE);
    if text.is_empty() {
        return Vec::new();
    }
    if short {
        left_out.push(format!("the page after its first {PAGE} characters"));
    }
    vec![quoted(&text)]
}

fn project(around: &Around) -> Vec<String> {
    let of = |project: &Record| {
        let summary = project
            .text("summary")
            .map(|text| format!(": {}", clipped(text, 300)));
        format!(
            "- {}{} {}",
            title(project),
            summary.unwrap_or_default(),
            handle(project)
        )
    };
    around.project.iter().map(of).collect()
}

fn person(involved: &Involved) -> String {
    let who = &involved.person;
    let how = involved.how.join(", ");
    format!("- {}{}: {how} {}", title(who), described(who), handle(who))
}

/// Role, team and relationship in brackets.
pub(crate) fn described(person: &Record) -> String {
    let facts: Vec<String> = ["role", "team", "relationship"]
        .iter()
        .filter_map(|field| person.text(field))
        .map(|text| clipped(text, 100))
        .collect();
    if facts.is_empty() {
        String::new()
    } else {
        format!(" ({})", facts.join(", "))
    }
}

/// One line for each task.
pub(crate) fn tasks(records: &[Record]) -> Vec<String> {
    let line = |task: &Record| {
        let mut facts: Vec<String> = task.status.iter().cloned().collect();
        facts.extend(
            task.text("due")
                .map(|due| format!("due {}", clipped(due, 40))),
        );
        let facts = if facts.is_empty() {
            String::new()
        } else {
            format!(" ({})", facts.join(", "))
        };
        format!("- {}{facts} {}", title(task), handle(task))
    };
    records.iter().map(line).collect()
}

/// One line for each record of any other kind.
pub(crate) fn lines(records: &[Record]) -> Vec<String> {
    let line = |record: &Record| {
        let due = record
            .text("due")
            .map(|due| format!(" (due {})", clipped(due, 40)));
        let summary = record
            .text("summary")
            .map(|text| format!(": {}", clipped(text, 200)));
        let (due, summary) = (due.unwrap_or_default(), summary.unwrap_or_default());
        format!("- {}{due}{summary} {}", title(record), handle(record))
    };
    records.iter().map(line).collect()
}

/// A title as a packet shows it.
pub(crate) fn title(record: &Record) -> String {
    clipped(&record.title, TITLE)
}

fn clipped(text: &str, limit: usize) -> String {
    cut::excerpt(&one_line(&neutral(text)), limit).0
}
