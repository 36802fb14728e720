//! `ensemble log show`: the newest lines of the decision log that match, over all its files.

use std::io;

use anyhow::{Context as _, bail};
use ensemble_decision_log::{Newest, Place, newest};
use ensemble_hub_server::web::LogFilter;
use ensemble_model::Clock as _;
use jiff::Timestamp;
use serde_json::Value;

use crate::backends::clock::SystemClock;
use crate::cli::log::{ShowLog, ShownVerdict, moment};
use crate::env::Environment;
use crate::folders::Folders;
use crate::output;

/// What a plugin is called where the host asked for itself.
const HOST: &str = "host";

pub(crate) fn run(asked: &ShowLog, env: &dyn Environment) -> anyhow::Result<()> {
    let place = Place::of(Folders::of(env).decisions()?);
    let wanted = Wanted::of(asked, SystemClock.now())?;
    let found = read(&place, asked.limit as usize, &wanted).with_context(|| {
        let path = place.current().display();
        format!("the decision log at {path} cannot be read")
    })?;
    if found.unreadable > 0 {
        let lines = found.unreadable;
        output::note(&format!(
            "Lines that cannot be read: {lines}. `ensemble log verify` names them."
        ));
    }
    if asked.listing.json {
        return output::json(&found.lines);
    }
    if found.lines.is_empty() {
        let path = place.current().display();
        output::note(&if wanted.everything() {
            format!("No decisions yet in {path}.")
        } else {
            format!("No decision in {path} matches.")
        });
        return Ok(());
    }
    output::print(&render(&found.lines, output::room()))?;
    Ok(())
}

/// The newest decisions that match what stands on the hub's page, newest last.
///
/// # Errors
/// A sentence for the page.
pub(crate) fn matching(
    place: &Place,
    limit: usize,
    filter: &LogFilter,
) -> Result<Vec<Value>, String> {
    let time = |what: &str, text: &Option<String>| {
        let moment = text.as_deref().map(moment).transpose();
        moment.map_err(|form| format!("{what}: {form}."))
    };
    let now = SystemClock.now();
    let since = time("Since", &filter.since)?;
    let until = time("Until", &filter.until)?;
    let verdict = match filter.verdict.as_deref() {
        None => None,
        Some(asked) => Some(
            ["permitted", "failed", "denied"]
                .into_iter()
                .find(|verdict| *verdict == asked)
                .ok_or("Verdict: choose permitted, failed or denied.")?,
        ),
    };
    let wanted = Wanted {
        plugin: filter.plugin.as_deref(),
        tool: filter.tool.as_deref(),
        verdict,
        since: since.and_then(|since| since.begin(now)),
        until: until.and_then(|until| until.end(now)),
    };
    let decided = |line: &Value| is_decision(line) && wanted.matches(line);
    match newest(place, limit, decided) {
        Ok(found) => Ok(found.lines),
        Err(error) => Err(format!(
            "The decision log cannot be read: {}.",
            error.kind()
        )),
    }
}

fn read(place: &Place, limit: usize, wanted: &Wanted<'_>) -> io::Result<Newest> {
    newest(place, limit, |line| wanted.matches(line))
}

/// Whether the line is a decision, and not about the log itself.
pub(crate) fn is_decision(line: &Value) -> bool {
    line.get("verdict").is_some()
}

/// What was asked for.
#[derive(Debug, Default)]
struct Wanted<'a> {
    plugin: Option<&'a str>,
    tool: Option<&'a str>,
    verdict: Option<&'static str>,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

impl<'a> Wanted<'a> {
    fn of(asked: &'a ShowLog, now: Timestamp) -> anyhow::Result<Self> {
        let since = asked.since.and_then(|since| since.begin(now));
        let until = asked.until.and_then(|until| until.end(now));
        if let (Some(since), Some(until)) = (since, until)
            && since > until
        {
            bail!("--since is later than --until: nothing is between {since} and {until}");
        }
        Ok(Self {
            plugin: asked.plugin.as_ref().map(ensemble_model::PluginId::as_str),
            tool: asked.tool.as_deref(),
            verdict: asked.verdict.map(|verdict| match verdict {
                ShownVerdict::Permitted => "permitted",
                ShownVerdict::Failed => "failed",
                ShownVerdict::Denied => "denied",
            }),
            since,
            until,
        })
    }

    fn everything(&self) -> bool {
        let texts = [self.plugin, self.tool, self.verdict];
        texts.iter().all(Option::is_none) && self.since.is_none() && self.until.is_none()
    }

    fn matches(&self, line: &Value) -> bool {
        let is = |name: &str, wanted: Option<&str>| {
            let text = line.get(name).and_then(Value::as_str);
            wanted.is_none_or(|wanted| text == Some(wanted))
        };
        let plugin = match self.plugin {
            Some(HOST) => line.get("plugin").is_none() && is_decision(line),
            plugin => is("plugin", plugin),
        };
        plugin && is("tool", self.tool) && is("verdict", self.verdict) && self.in_time(line)
    }

    fn in_time(&self, line: &Value) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let time = line.get("time").and_then(Value::as_str);
        let Some(time) = time.and_then(|time| time.parse::<Timestamp>().ok()) else {
            return false;
        };
        self.since.is_none_or(|since| time >= since) && self.until.is_none_or(|until| time <= until)
    }
}

/// One line for each decision, more where the terminal is narrow.
fn render(lines: &[Value], room: Option<usize>) -> String {
    let rows: Vec<Vec<String>> = lines.iter().map(|line| row(line).into()).collect();
    output::fitted(
        &["TIME (UTC)", "PLUGIN", "TOOL", "WANTED", "VERDICT", "MS"],
        &rows,
        room,
    )
}

/// The same in fewer columns, for a section of the demo: the time is left out.
pub(crate) fn brief(lines: &[Value], room: Option<usize>) -> String {
    let rows: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            let [_, plugin, tool, rest @ ..] = row(line);
            let who = if tool == "-" { plugin } else { tool };
            std::iter::once(who).chain(rest).collect()
        })
        .collect();
    output::fitted(&["TOOL", "WANTED", "VERDICT", "MS"], &rows, room)
}

fn row(line: &Value) -> [String; 6] {
    let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or("-");
    let time: String = text("time").chars().take(19).collect();
    let time = time.replace('T', " ");
    if let Some(note) = line.get("note").and_then(Value::as_str) {
        let none = || "-".to_owned();
        return [
            time,
            "log".to_owned(),
            none(),
            said(note, line),
            none(),
            none(),
        ];
    }
    let verdict = match line.get("reason").and_then(Value::as_str) {
        Some(reason) => format!("{} ({reason})", text("verdict")),
        None => text("verdict").to_owned(),
    };
    let spent = line.get("durationMs").and_then(Value::as_u64);
    [
        time,
        line.get("plugin")
            .map_or(HOST, |_| text("plugin"))
            .to_owned(),
        text("tool").to_owned(),
        text("route").to_owned(),
        verdict,
        spent.map_or_else(|| "-".to_owned(), |spent| spent.to_string()),
    ]
}

/// What the log says of itself.
fn said(note: &str, line: &Value) -> String {
    match note {
        "begins" => "the chain of lines begins".to_owned(),
        "torn" => "the line before was not written to its end".to_owned(),
        "lost" => {
            let lines = line.get("lines").and_then(Value::as_u64).unwrap_or(0);
            format!("decisions that could not be written: {lines}")
        }
        "no-head" => "the head could not be trusted".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests;
