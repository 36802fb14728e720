//! `ensemble selftest`: every plugin of this program at work, or with `--hostile` the attacks of `ensemble-selftest` on the parts
//! that serve an editor. In a temporary folder, with a hub of its own.

mod well_behaved;

use std::sync::Arc;

use anyhow::{Context as _, bail};
use ensemble_catalog::Entry;
use ensemble_decision_log::{DecisionLog, Place};
use ensemble_first_party::BUNDLED;
use ensemble_model::{Manifest, Origin, Secret, Surface};
use ensemble_selftest::{Host, Row, Verdict};
use tempfile::TempDir;

use crate::backends::clock::SystemClock;
use crate::backends::hub::HubBackend;
use crate::cli::SelfTest;
use crate::config::{Configuration, TOKEN};
use crate::env::{Environment, MapEnvironment};
use crate::folders::Folders;
use crate::{logging, output};

/// What stands before the further lines of a paragraph, in twelve columns as its label.
const INDENT: &str = "            ";

pub(crate) async fn run(asked: SelfTest, env: &dyn Environment) -> anyhow::Result<()> {
    let json = asked.listing.json;
    let tell = |row: &Row| {
        if !json && let Err(error) = output::print(&render(row, output::width())) {
            tracing::debug!(%error, "standard output is closed");
        }
    };
    let rows = if asked.hostile {
        hostile(tell).await?
    } else {
        well_behaved::rows(env, tell).await?
    };
    let different = rows.iter().filter(|row| !row.holds()).count();
    if json {
        output::json(&rows)?;
    } else {
        output::print(&format!(
            "{} of {} as expected\n",
            rows.len() - different,
            rows.len()
        ))?;
    }
    if different > 0 {
        bail!("{different} of {} lines are not as expected", rows.len());
    }
    Ok(())
}

async fn hostile(tell: impl FnMut(&Row)) -> anyhow::Result<Vec<Row>> {
    let folder =
        TempDir::with_prefix("ensemble-selftest-").context("no temporary folder can be made")?;
    let canary = canary();
    logging::watch(canary.clone());
    let file = folder.path().join("decisions.jsonl");
    let log = Arc::new(DecisionLog::to(
        Place::of(file.clone()),
        None,
        Arc::new(SystemClock),
    ));
    let closing = Arc::clone(&log);
    let host = Host {
        folder: folder.path().to_owned(),
        canary,
        connect: Box::new(|base, key| {
            let env = MapEnvironment::of(&[(TOKEN, key.expose()), ("HUB_API_URL", base)]);
            Arc::new(HubBackend::new(Configuration::of(&env, &Folders::of(&env))))
        }),
        log,
        recorded: Box::new(move || {
            closing.close();
            std::fs::read_to_string(&file).unwrap_or_else(|error| format!("unreadable: {error}"))
        }),
        logged: Box::new(logging::held_the_secret),
        built_in: built_in()?,
        clock: Arc::new(SystemClock),
    };
    Ok(ensemble_selftest::hostile(host, tell).await?)
}

/// A key that opens nothing, other at each run, so that nothing can know it beforehand.
fn canary() -> Secret {
    let random = || uuid::Uuid::new_v4().simple().to_string();
    Secret::new(format!("ens_canary{}{}", random(), random()))
}

fn built_in() -> anyhow::Result<Vec<Entry>> {
    let entry = |bundled: &ensemble_first_party::Bundled| {
        Ok(Entry {
            manifest: Manifest::parse(bundled.manifest)?,
            surface: Surface::parse(bundled.surface)?,
            origin: Origin::BuiltIn,
        })
    };
    BUNDLED.iter().map(entry).collect()
}

/// Three paragraphs: the attack with its verdict and its cost, what was expected, what was observed.
fn render(row: &Row, width: usize) -> String {
    let verdict = match row.verdict {
        Verdict::Holds => "holds",
        Verdict::Differs => "DIFFERS",
    };
    let cost = row.beside.map_or_else(String::new, |beside| {
        format!(
            "; {} calls beside it, p99 {} µs ({} × quiet)",
            beside.calls, beside.p99_us, beside.ratio
        )
    });
    let paragraph = |label: &str, text: &str| {
        let text = output::wrap(&output::plain(text), width, INDENT);
        format!("{label:<12}{}\n", text.trim())
    };
    [
        paragraph(
            verdict,
            &format!("{} ({} ms{cost})", row.attack, row.verdict_ms),
        ),
        paragraph("  expected", &row.expected),
        paragraph("  observed", &row.observed),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_row_shows_what_was_expected_and_what_was_observed() {
        let row = Row::of(
            "a loop",
            &["stopped"],
            "refused: it was stopped\u{1b}".to_owned(),
            Duration::from_millis(7),
        );
        assert_eq!(
            render(&row, 60),
            "holds       a loop (7 ms)\n  expected  stopped\n  observed  refused: it was stopped\n"
        );
    }
}
