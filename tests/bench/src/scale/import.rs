//! How fast an import runs: a CSV file with descriptions, people, projects and repositories, into an empty hub, as the command does it.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};

use super::random::Random;
use super::words::Words;

/// Rows of the file.
const ROWS: usize = 40_000;

/// Records that were written in a second, reading and looking up included.
pub(super) fn rate(ensemble: &Path, folder: &Path) -> anyhow::Result<f64> {
    let (words, mut random) = (Words::new(), Random::new(5));
    let mut table = String::from("id,title,status,due,project,repo,assignee,labels,description\n");
    for row in 0..ROWS {
        let title = words.text(&mut random, 6).replace(".\n", " ");
        let body = words.text(&mut random, 60);
        let (project, repo, person) = (row % 80, row % 40, random.below(2_000));
        writeln!(
            table,
            "{row},{title},todo,2026-08-08,Project {project},acme/repo-{repo},Person {person},\"a, b\",\"{body}\""
        )?;
    }
    let file = folder.join("tasks.csv");
    std::fs::write(&file, table)?;
    let data = folder.join("import");
    let started = Instant::now();
    let done = Command::new(ensemble)
        .args(["hub", "import", "csv", "--yes", "--json", "--data"])
        .arg(&data)
        .arg(&file)
        .env_clear()
        .env("HOME", folder)
        .output()?;
    let seconds = started.elapsed().as_secs_f64();
    ensure!(
        done.status.success(),
        "the import failed: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    let report: serde_json::Value = serde_json::from_slice(&done.stdout)?;
    let kinds = report
        .get("records")
        .and_then(serde_json::Value::as_array)
        .context("no records")?;
    let new: u64 = kinds
        .iter()
        .filter_map(|kind| kind.get("new")?.as_u64())
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "some ten thousand")]
    let new = new as f64;
    Ok(new / seconds)
}
