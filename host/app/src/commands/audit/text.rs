//! The audit for a person: top-down, never wider than asked. What a key exposes, what to look at, then each component and
//! the host in full.

use std::collections::BTreeMap;

use super::component::{Component, NOBODY};
use super::findings::Level;
use super::host::Host;
use super::report::{Exposed, Report};
use crate::output;

/// Columns of the labels in front of what stands beside them.
const LABEL: usize = 14;

pub(super) fn render(report: &Report, width: usize) -> String {
    let mut page = Page {
        text: String::new(),
        width,
    };
    page.title("What a key exposes");
    for exposed in &report.exposes {
        exposes(&mut page, exposed, &report.components);
    }
    page.title("Findings");
    for finding in &report.findings {
        if finding.level != Level::Note {
            page.row(finding.level.word(), &finding.says);
        }
    }
    let notes = report.findings.iter().filter(|f| f.level == Level::Note);
    page.row(
        "note",
        &format!("{} notes; --json has them all", notes.count()),
    );
    for component in &report.components {
        self::component(&mut page, component);
    }
    page.title("The host");
    host(&mut page, &report.host, report.program);
    page.text
}

fn exposes(page: &mut Page, exposed: &Exposed, components: &[Component]) {
    let head = match exposed.grant {
        "read" => "Every key".to_owned(),
        grant => format!("A key with {grant} allowed, besides"),
    };
    page.line(&format!(
        "{head}: {}, {}",
        count(exposed.tools.len(), "tool"),
        count(exposed.resources.len(), "resource")
    ));
    for id in &exposed.components {
        if let Some(component) = components.iter().find(|c| c.id == *id) {
            page.row(&format!("  {id}"), &does(component));
        }
    }
    page.text.push('\n');
}

/// What a component can do, in one line: each capability once, the one of the folder by its direction.
fn does(component: &Component) -> String {
    let capability = |interface: &str, does: &'static str| match interface {
        "ensemble:workspace/folder" => component.in_the_folder.unwrap_or(does),
        _ => does,
    };
    let all: Vec<&str> = component
        .capabilities
        .iter()
        .map(|c| capability(&c.interface, c.does))
        .collect();
    if all.is_empty() {
        "reaches nothing: it answers from its own bytes".to_owned()
    } else {
        all.join("; ")
    }
}

/// One component alone.
pub(in crate::commands) fn one(component: &Component, width: usize) -> String {
    let mut page = Page {
        text: String::new(),
        width,
    };
    self::component(&mut page, component);
    page.text
}

fn component(page: &mut Page, component: &Component) {
    page.title(&format!(
        "{} {}, {}",
        component.id, component.version, component.origin
    ));
    if let Some(refused) = &component.refused {
        page.row("REFUSED", refused);
    }
    page.row("sha256", &component.digest);
    page.row("lists", &component.surface);
    page.row("world", component.world);
    page.row(
        "needs",
        &match component.grant {
            "read" => "any key".to_owned(),
            grant => format!("a key with {grant} allowed"),
        },
    );
    page.row("tools", &listed(&component.tools));
    if !component.resources.is_empty() {
        page.row("resources", &listed(&component.resources));
    }
    for capability in &component.capabilities {
        let mut words = vec![capability.reach];
        for (holds, missing) in [
            (capability.granted, "NOT GRANTED"),
            (capability.linked, "NOT LINKED"),
            (capability.imported, "not imported"),
        ] {
            if !holds {
                words.push(missing);
            }
        }
        page.row(
            "may use",
            &format!(
                "{} ({}): {}",
                capability.interface,
                words.join(", "),
                capability.reason
            ),
        );
    }
    for route in &component.routes {
        let mark = if route.granted { "" } else { " (NOT GRANTED)" };
        page.row(
            "route",
            &format!("{}{mark}: {}", route.request, route.reason),
        );
    }
    page.row("imports", &listed(&component.imports));
    page.row("exports", &listed(&component.exports));
    page.row("cannot call", &listed(&component.not_linked));
    page.row("limits", &numbers(&component.limits));
    page.row(
        "code",
        if component.compiled {
            "compiled, and authenticated by this host's key"
        } else {
            "not compiled yet"
        },
    );
    page.row("approved", &approved(component));
}

fn approved(component: &Component) -> String {
    let at = component.approval.at.map(|at| format!(" on {at}"));
    let by = format!("{}{}", component.approval.by, at.unwrap_or_default());
    if component.approval.by == NOBODY {
        format!("by {by}")
    } else if component.approval.changes.is_empty() {
        format!("by {by}; nothing is otherwise since")
    } else {
        format!(
            "by {by}; since then: {}",
            component.approval.changes.join("; ")
        )
    }
}

fn host(page: &mut Page, host: &Host, program: &str) {
    page.row("program", &format!("ensemble {program}"));
    page.row("engine", &host.engine);
    page.row("without", &listed(&host.switched_off));
    page.row("gives all", &listed(&host.linked_always));
    page.row("if declared", &listed(&host.linked_on_declaration));
    page.row("never", &listed(&host.never_linked));
    page.row("limits", &numbers(&host.limits));
    page.row("serves", &listed(&host.transports));
    page.row(
        "listens",
        &if host.listens.is_empty() {
            "on no network address".to_owned()
        } else {
            listed(&host.listens)
        },
    );
    page.row(
        "kept code",
        &match &host.cache.folder {
            None => "none: every start compiles".to_owned(),
            Some(folder) => format!(
                "{}, {} bytes, in {}",
                count(
                    usize::try_from(host.cache.files).unwrap_or(usize::MAX),
                    "file"
                ),
                host.cache.bytes,
                folder.display()
            ),
        },
    );
    for folder in &host.folders {
        let missing = if folder.exists {
            ""
        } else {
            " (not there yet)"
        };
        page.row(
            "folder",
            &format!("{}: {}{missing}", folder.holds, folder.path),
        );
    }
    if !host.plugins_off.is_empty() {
        page.row("left out", &listed(&host.plugins_off));
    }
}

fn listed<T: AsRef<str>>(items: &[T]) -> String {
    if items.is_empty() {
        return "none".to_owned();
    }
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    items.join(", ")
}

fn numbers(limits: &BTreeMap<&'static str, u64>) -> String {
    let each: Vec<String> = limits
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    each.join(", ")
}

fn count(number: usize, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}

struct Page {
    text: String,
    width: usize,
}

impl Page {
    fn title(&mut self, title: &str) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
        self.text.push_str(&output::wrap(title, self.width, ""));
        self.text.push('\n');
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(&output::wrap(line, self.width, ""));
    }

    /// What stands beside a label, going on below itself. Nothing of it is cut: a word that is wider than the page is parted.
    fn row(&mut self, label: &str, says: &str) {
        let beside = LABEL + 2;
        let mut label = label.to_owned();
        if output::columns(&label) > LABEL {
            self.line(&label);
            label.clear();
        }
        for line in output::parted(says, self.width.saturating_sub(beside)) {
            self.text.push_str(&label);
            self.text
                .push_str(&" ".repeat(beside.saturating_sub(output::columns(&label))));
            self.text.push_str(&line);
            self.text.push('\n');
            label.clear();
        }
    }
}
