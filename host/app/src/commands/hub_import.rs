//! `ensemble hub import`: shows what would be written, and writes it when the person says so. Works on the hub's database itself, also
//! beside a running hub. Bad rows are named, the rest is imported, and the exit code says that some were bad.

use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use ensemble_hub_server::import::plan::Counts;
use ensemble_hub_server::import::write::total;
use ensemble_hub_server::import::{self, Options, Plan, Source, Verdict};
use ensemble_hub_server::store::Store;
use ensemble_hub_server::{Admin, HubClock as _, Setting};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::hub_key::folder;
use super::hub_serve::HubTime;
use crate::cli::real_data::{Import, ImportAsked};
use crate::env::Environment;
use crate::output;

/// Rows that are shown before anything is written.
const FIRST: usize = 10;
/// Bad rows that are shown as text; JSON has up to a thousand.
const BAD: usize = 20;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    source: &'static str,
    path: String,
    space: &'a str,
    /// Whether it was written; otherwise the counts are what would be.
    written: bool,
    records: Vec<OfKind>,
    links: usize,
    first: Vec<Row>,
    bad: Vec<Bad>,
    bad_total: usize,
    notes: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OfKind {
    kind: &'static str,
    new: usize,
    changed: usize,
    unchanged: usize,
    removed: usize,
    in_trash: usize,
}

#[derive(Serialize)]
struct Row {
    verdict: &'static str,
    kind: &'static str,
    title: String,
    place: String,
}

#[derive(Serialize)]
struct Bad {
    place: String,
    reason: String,
}

pub(crate) async fn run(asked: Import, env: &dyn Environment) -> anyhow::Result<()> {
    let plain = |source, asked| (source, asked, None, Vec::new(), None);
    let (source, asked, name, columns, dates) = match asked {
        Import::Ics(asked) => plain(Source::Ics, asked),
        Import::Vcard(asked) => plain(Source::Vcard, asked),
        Import::Github(asked) => plain(Source::Github, asked),
        Import::Markdown(named) => (
            Source::Markdown,
            named.asked,
            named.source,
            Vec::new(),
            None,
        ),
        Import::Csv(table) => (
            Source::Csv,
            table.named.asked,
            table.named.source,
            table.columns,
            table.dates,
        ),
    };
    let store = Store::open(&folder(&asked.hub, env)?, Arc::new(HubTime)).await?;
    let options = Options {
        name,
        columns,
        dates: dates.map(Into::into),
        zone: time_zone(&store).await?,
        now: HubTime.now(),
    };
    let done = import(&store, source, &asked, &options).await;
    store.close().await;
    done
}

async fn time_zone(store: &Store) -> anyhow::Result<TimeZone> {
    let (owner, _) = Admin::new(store.clone()).ensure_owner().await?;
    let name = store.setting(&owner.id, Setting::TimeZone.name()).await?;
    Ok(name
        .and_then(|name| TimeZone::get(&name).ok())
        .unwrap_or(TimeZone::UTC))
}

async fn import(
    store: &Store,
    source: Source,
    asked: &ImportAsked,
    options: &Options,
) -> anyhow::Result<()> {
    let space = Admin::new(store.clone())
        .space(asked.space.as_deref())
        .await?;
    let parsed = import::read(source, &asked.path, options)?;
    let plan = Plan::of(store, space.clone(), source, parsed).await?;
    let report = |counts: &Counts, written, links| {
        report(
            &plan,
            source,
            &asked.path,
            &space.name,
            (counts, written, links),
        )
    };
    let json = asked.listing.json;
    if !json {
        output::print(&text(&report(&plan.counts(), false, 0)))?;
    }
    if !asked.preview && (asked.yes || agreed(json, &plan)?) {
        let mut shown = Progress::new();
        let written = plan
            .write(store, &mut |done, all| shown.at(done, all))
            .await;
        shown.end();
        let written = written?;
        if json {
            output::json(&report(&written.counts, true, written.links))?;
        } else {
            output::print(&outcome(&written.counts))?;
        }
    } else if json {
        output::json(&report(&plan.counts(), false, 0))?;
    } else if !asked.preview && plan.changes_anything() {
        output::note("Nothing was written: `--yes` writes it.");
    }
    match plan.bad_total {
        0 => Ok(()),
        1 => bail!("One row could not be imported."),
        count => bail!("{count} rows could not be imported."),
    }
}

/// Whether the person at the terminal says yes.
fn agreed(json: bool, plan: &Plan) -> anyhow::Result<bool> {
    if json || !io::stdin().is_terminal() || !output::on_terminal() || !plan.changes_anything() {
        return Ok(false);
    }
    Ok(output::agreed("Write this?")?)
}

fn report<'a>(
    plan: &'a Plan,
    source: Source,
    path: &Path,
    space: &'a str,
    (counts, written, links): (&Counts, bool, usize),
) -> Report<'a> {
    let mut kinds: Vec<ensemble_hub_api::Kind> = counts.keys().map(|(kind, _)| *kind).collect();
    kinds.dedup();
    let records = kinds.into_iter().map(|kind| {
        let of = |verdict| total(counts, Some(kind), verdict);
        OfKind {
            kind: kind.as_str(),
            new: of(Verdict::New),
            changed: of(Verdict::Changed),
            unchanged: of(Verdict::Unchanged),
            removed: of(Verdict::Removed),
            in_trash: of(Verdict::InTrash),
        }
    });
    let first = plan.first(FIRST).into_iter().map(|(verdict, item)| Row {
        verdict: verdict.as_str(),
        kind: item.kind.as_str(),
        title: item.title.clone(),
        place: item.place.clone(),
    });
    let bad = plan.bad.iter().map(|bad| Bad {
        place: bad.place.clone(),
        reason: bad.reason.clone(),
    });
    Report {
        source: source.as_str(),
        path: path.display().to_string(),
        space,
        written,
        records: records.collect(),
        links,
        first: first.collect(),
        bad: bad.collect(),
        bad_total: plan.bad_total,
        notes: &plan.notes,
    }
}

fn text(report: &Report<'_>) -> String {
    let mut parts = vec![format!("{} into “{}”", report.path, report.space)];
    if report.records.is_empty() {
        parts.push("There is nothing to import.".to_owned());
    } else {
        parts.push(table(&report.records));
    }
    if !report.first.is_empty() {
        let rows = report.first.iter().map(|row| {
            format!(
                "  {} {} “{}” ({})",
                row.verdict, row.kind, row.title, row.place
            )
        });
        parts.push(format!(
            "The first:\n{}",
            rows.collect::<Vec<_>>().join("\n")
        ));
    }
    if !report.bad.is_empty() {
        let rows = report.bad.iter().take(BAD);
        let mut rows: Vec<String> = rows
            .map(|bad| format!("  {}: {}", bad.place, bad.reason))
            .collect();
        let more = report.bad_total.saturating_sub(rows.len());
        if more > 0 {
            rows.push(format!("  and {more} more"));
        }
        parts.push(format!("Not imported:\n{}", rows.join("\n")));
    }
    parts.extend(report.notes.iter().cloned());
    output::plain(&parts.join("\n\n"))
}

fn table(kinds: &[OfKind]) -> String {
    let rows: Vec<Vec<String>> = kinds
        .iter()
        .map(|row| {
            let counts = [
                row.new,
                row.changed,
                row.unchanged,
                row.removed,
                row.in_trash,
            ];
            let counts = counts.iter().map(usize::to_string);
            std::iter::once(row.kind.to_owned()).chain(counts).collect()
        })
        .collect();
    let table = output::fitted(
        &["KIND", "NEW", "CHANGED", "UNCHANGED", "REMOVED", "IN TRASH"],
        &rows,
        output::room(),
    );
    table.trim_end().to_owned()
}

fn outcome(counts: &Counts) -> String {
    let of = |verdict| total(counts, None, verdict);
    let (new, changed, removed) = (of(Verdict::New), of(Verdict::Changed), of(Verdict::Removed));
    if new + changed + removed == 0 {
        return "Nothing changed since the last import.".to_owned();
    }
    let trashed = match removed {
        0 => String::new(),
        removed => format!(", {removed} to Trash"),
    };
    format!("Written: {new} new, {changed} changed{trashed}.")
}

/// How far it is, on one line of a terminal; nowhere else.
struct Progress {
    terminal: bool,
    shown: usize,
}

impl Progress {
    fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal(),
            shown: 0,
        }
    }

    fn at(&mut self, done: usize, all: usize) {
        let percent = done * 100 / all.max(1);
        if self.terminal && percent > self.shown {
            self.shown = percent;
            output::ask(&format!("\r{done} of {all} ({percent}%)"));
        }
    }

    fn end(&self) {
        if self.terminal && self.shown > 0 {
            output::note("");
        }
    }
}
