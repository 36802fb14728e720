//! `ensemble log verify`: whether the decision log is as it was written. What was found is named, and the exit code is 1.

use anyhow::{Context as _, bail};
use ensemble_decision_log::{Checked, Place, Seal, SealKey, check};

use crate::backends::host_key;
use crate::cli::Listing;
use crate::env::Environment;
use crate::folders::Folders;
use crate::output;

pub(crate) fn run(asked: Listing, env: &dyn Environment) -> anyhow::Result<()> {
    let folders = Folders::of(env);
    let place = Place::of(folders.decisions()?);
    let key = match folders.host_key() {
        Ok(path) => host_key::existing(&path).context("the host's key cannot be read")?,
        Err(_) => None,
    };
    let key = key.as_ref().map(SealKey::of);
    let path = place.current().display().to_string();
    let checked = check(&place, key.as_ref())
        .with_context(|| format!("the decision log at {path} cannot be read"))?;
    if asked.json {
        output::json(&checked)?;
    } else {
        let text = said(&checked, &path);
        // in a pipe each finding stays one line
        let text = match output::room() {
            Some(room) => output::wrap(&text, room, ""),
            None => output::plain(&text),
        };
        output::print(&text)?;
    }
    if !checked.intact {
        bail!("the decision log is not as it was written");
    }
    Ok(())
}

/// What was checked, and what was found.
fn said(checked: &Checked, path: &str) -> String {
    let mut text: Vec<String> = checked.findings.iter().map(ToString::to_string).collect();
    let told = text.len() as u64;
    if checked.found > told {
        text.push(format!("Further findings: {}.", checked.found - told));
    }
    text.push(summary(checked, path));
    if checked.first.is_some_and(|first| first > 1) && checked.intact {
        text.push("The lines before them stood in files that are no longer kept.".to_owned());
    }
    let counts = [
        (checked.before, "Lines from before the chain"),
        (
            checked.torn,
            "Lines that were not written to their end, as when a process is killed",
        ),
        (
            checked.lost,
            "Decisions that could not be written, as the log says itself",
        ),
        (
            checked.behind,
            "Lines behind the one that the head names, which the next decision makes good",
        ),
    ];
    for (count, what) in counts {
        if count > 0 {
            text.push(format!("{what}: {count}."));
        }
    }
    if checked.seal == Seal::NotChecked && checked.first.is_some() {
        text.push("There is no host key here, so the seal of the head was not checked.".to_owned());
    }
    text.join("\n")
}

fn summary(checked: &Checked, path: &str) -> String {
    let older = match checked.files.len() {
        0 | 1 => String::new(),
        2 => " and one older file".to_owned(),
        files => format!(" and {} older files", files - 1),
    };
    let lines = checked.lines;
    match (checked.first, checked.last) {
        (Some(first), Some(last)) if checked.intact => format!(
            "{lines} lines in {path}{older}, numbers {first} to {last}: each is as it was written and follows the one before it, \
             and none is missing."
        ),
        (Some(_), Some(_)) => format!("{lines} lines in {path}{older} were checked."),
        _ if checked.files.is_empty() => format!("No decisions yet in {path}."),
        _ => format!("No line in {path}{older} is chained yet."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ensemble_broker::{Decision, DecisionSink as _, Verdict};
    use ensemble_decision_log::DecisionLog;
    use std::sync::Arc;

    use crate::backends::clock::SystemClock;
    use crate::env::MapEnvironment;

    #[test]
    fn a_log_is_checked_with_the_key_of_this_host() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_str().unwrap();
        let env = MapEnvironment::of(&[("HOME", home)]);
        let folders = Folders::of(&env);
        let listing = Listing { json: false };
        run(listing, &env).unwrap();
        assert!(!folders.host_key().unwrap().exists(), "nothing is made");

        let key = host_key::load(&folders.host_key().unwrap()).unwrap();
        let place = Place::of(folders.decisions().unwrap());
        let path = place.current().to_owned();
        let log = DecisionLog::to(
            place.clone(),
            Some(SealKey::of(&key)),
            Arc::new(SystemClock),
        );
        for route in ["GET /a", "GET /b"] {
            log.record(&Decision::of(
                jiff::Timestamp::UNIX_EPOCH,
                route,
                Verdict::Denied,
            ));
        }
        log.close();
        run(listing, &env).unwrap();
        run(Listing { json: true }, &env).unwrap();
        let seal = SealKey::of(&key);
        let checked = check(&place, Some(&seal)).unwrap();
        let text = said(&checked, "x.jsonl");
        assert_eq!(
            text,
            "3 lines in x.jsonl, numbers 1 to 3: each is as it was written and follows the one before it, and none is \
             missing."
        );

        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("GET /a", "GET /c")).unwrap();
        let error = run(listing, &env).unwrap_err();
        assert_eq!(
            output::sentence(&error),
            "the decision log is not as it was written"
        );
        let checked = check(&place, Some(&seal)).unwrap();
        let text = said(&checked, "x.jsonl");
        assert!(
            text.starts_with("decisions.jsonl line 2: is not as it was written\n3 lines"),
            "{text}"
        );
    }
}
