//! What a person sees of the demo, section by section as it happens. With `--json` nothing is shown until the end.

use serde_json::Value;

use super::report::{Report, Tool, text};
use super::stage::{BRANCH, REPOSITORY, Stage};
use crate::commands::{log_show, plugin_list};
use crate::output::{self, wrap};

/// Lines of the brief that are shown.
const BRIEF_LINES: usize = 40;

/// The teller.
pub(super) struct Show {
    json: bool,
    width: usize,
}

impl Show {
    pub(super) fn new(json: bool) -> Self {
        Self {
            json,
            width: output::width(),
        }
    }

    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    pub(super) fn opening(&self) {
        if !self.json {
            tell("Starting a hub with a demo workspace in a temporary folder …");
        }
    }

    pub(super) fn stage(&self, stage: &Stage) {
        self.section(
            "The stage",
            &format!(
                "Hub: {}\nRepository: {}, a clone of {REPOSITORY} on the branch {BRANCH}\nKeys: one that may change things, \
                 one that may only read\nEditor: `ensemble mcp`, started in that repository",
                stage.base,
                stage.repository().display()
            ),
        );
    }

    /// Said to a person only: what comes next takes seconds the first time.
    pub(super) fn compiling(&self) {
        if !self.json && output::on_terminal() {
            tell("\nCompiling the components, once …");
        }
    }

    /// Which components are loaded with a key that may change things, and which of them are not with one that only reads.
    pub(super) fn plugins(&self, all: &Value, read_only: &Value) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        let rows =
            |plugins: &Value| serde_json::from_value::<Vec<plugin_list::Row>>(plugins.clone());
        let told = |rows: &[plugin_list::Row]| -> String {
            rows.iter().map(|row| row.summary(self.width)).collect()
        };
        self.heading("Components with a key that may change things");
        tell(&told(&rows(all)?));
        let (loaded, missing): (Vec<_>, Vec<_>) = rows(read_only)?
            .into_iter()
            .partition(plugin_list::Row::is_loaded);
        self.heading("Components with a key that may only read");
        tell(&format!(
            "  The same {}, but for these:\n{}",
            loaded.len() + missing.len(),
            told(&missing)
        ));
        Ok(())
    }

    /// Every tool that a key which may change things sees.
    pub(super) fn tools(&self, tools: &[Tool]) {
        if self.json {
            return;
        }
        self.heading(&format!(
            "{} tools with a key that may change things",
            tools.len()
        ));
        tell(&listed(tools));
    }

    /// Which of `all` a key that may only read does not see.
    pub(super) fn fewer_tools(&self, read_only: &[Tool], all: &[Tool]) {
        if self.json {
            return;
        }
        let seen = |tool: &Tool| read_only.iter().any(|other| other.name == tool.name);
        let missing: Vec<Tool> = all.iter().filter(|tool| !seen(tool)).cloned().collect();
        self.heading(&format!(
            "{} tools with a key that may only read",
            read_only.len()
        ));
        tell(&format!("  The same, but for these:\n{}", listed(&missing)));
    }

    pub(super) fn brief(&self, brief: &Value) {
        let text = text(brief);
        let lines: Vec<&str> = text.lines().collect();
        let shown = lines.get(..BRIEF_LINES).unwrap_or(&lines);
        let body = shown.join("\n");
        let call = "ensemble_brief, without arguments";
        if shown.len() == lines.len() {
            return self.section(call, &body);
        }
        let left = lines.len() - shown.len();
        let cut = format!(
            "{body}\n\n[Cut here by the demo: an agent gets the other {left} lines too, and `ensemble demo --json` prints them.]"
        );
        self.section(
            &format!("{call}: the first {} of {} lines", shown.len(), lines.len()),
            &cut,
        );
    }

    pub(super) fn search(&self, search: &Value) {
        let results = search
            .pointer("/structuredContent/results")
            .and_then(Value::as_array);
        let lines: Vec<String> = results
            .into_iter()
            .flatten()
            .map(|hit| {
                let of = |name: &str| hit.get(name).and_then(Value::as_str).unwrap_or_default();
                format!("- {}: {} ({})", of("kind"), of("label"), of("why"))
            })
            .collect();
        self.section("ensemble_search “default timeout”", &lines.join("\n"));
    }

    pub(super) fn task(&self, created: &Value, read_back: &Value) {
        let body = format!(
            "{}\n\nRead back: {}",
            task_line(created),
            task_line(read_back)
        );
        self.section("ensemble_create_task, then ensemble_read", &body);
    }

    pub(super) fn refused(&self, error: &Value) {
        let message = error.get("message").and_then(Value::as_str);
        self.section(
            "ensemble_create_task with the key that may only read",
            &format!("The bridge answers: {}", message.unwrap_or("an error")),
        );
    }

    pub(super) fn decisions(&self, decisions: &[Value]) {
        if self.json {
            return;
        }
        self.heading("The decision log of these calls");
        let table = log_show::brief(decisions, output::room().map(|room| room - 2));
        let lines: Vec<String> = table.lines().map(|line| format!("  {line}")).collect();
        tell(&lines.join("\n"));
    }

    pub(super) fn closing(&self, report: &Report) {
        self.heading("Connect your own editor");
        tell(&wrap(
            "Start a hub of your own in another terminal; `--demo` gives it this workspace, `ensemble hub import` brings your \
             own records in. Make a key, and add the bridge to an editor that is started from the same terminal. Claude Code is \
             shown; docs/connect-an-editor.md has the others.",
            self.width,
            "  ",
        ));
        let program = program();
        tell(&format!("{program} hub serve --demo"));
        tell(&format!(
            "export ENSEMBLE_BRIDGE_TOKEN=\"$({program} hub key create --name editor --changes)\""
        ));
        tell(&report.connect);
    }

    fn section(&self, title: &str, body: &str) {
        if self.json {
            return;
        }
        self.heading(title);
        tell(&wrap(body, self.width, "  "));
    }

    fn heading(&self, title: &str) {
        let title = output::plain(title);
        let rule = "─".repeat(self.width.saturating_sub(output::columns(&title) + 4));
        tell(&format!("\n── {title} {rule}"));
    }
}

fn tell(text: &str) {
    if let Err(error) = output::print(text) {
        tracing::warn!(%error, "standard output cannot be written");
    }
}

/// Tools, each in one line.
fn listed(tools: &[Tool]) -> String {
    let rows: Vec<String> = tools
        .iter()
        .map(|tool| format!("  {:<24}{}", tool.name, tool.title))
        .collect();
    rows.join("\n")
}

/// A task in one line: title, status, handle.
fn task_line(result: &Value) -> String {
    let structured = result.get("structuredContent").unwrap_or(&Value::Null);
    let task = ["task", "item", "record"]
        .iter()
        .find_map(|name| structured.get(name))
        .unwrap_or(structured);
    let of = |name: &str| task.get(name).and_then(Value::as_str).unwrap_or_default();
    format!("“{}”, {}, {}", of("title"), of("status"), of("ref"))
}

/// This program, as a shell takes it: after `cargo run` there is no `ensemble` on the PATH yet.
fn program() -> String {
    std::env::current_exe().map_or_else(
        |_| "ensemble".to_owned(),
        |path| output::shell(&path.display().to_string()),
    )
}

/// The line that connects a real editor to this program. The key stays in the environment.
pub(super) fn connect() -> String {
    format!(
        "claude mcp add --transport stdio ensemble -- {} mcp",
        program()
    )
}
