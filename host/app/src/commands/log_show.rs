//! `ensemble log show`: the newest lines of the decision log.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use crate::cli::ShowLog;
use crate::env::Environment;
use crate::folders::Folders;
use crate::output;

/// A line is at most about this long; so much is read from the end for each line asked for.
const LINE_BYTES: u64 = 1 << 10;

pub(crate) fn run(asked: ShowLog, env: &dyn Environment) -> anyhow::Result<()> {
    let path = Folders::of(env).decisions()?;
    let lines = newest(&path, asked.limit as usize)
        .with_context(|| format!("the decision log at {} cannot be read", path.display()))?;
    if asked.listing.json {
        return output::json(&lines);
    }
    if lines.is_empty() {
        output::note(&format!("No decisions yet in {}.", path.display()));
        return Ok(());
    }
    output::print(&render(&lines, output::room()))?;
    Ok(())
}

/// The newest lines that are whole, oldest first. No file is no lines.
pub(crate) fn newest(path: &Path, limit: usize) -> io::Result<Vec<Value>> {
    let (mut file, length) = match ensemble_plain_file::open(path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let from = length.saturating_sub(limit as u64 * LINE_BYTES);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length - from).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    // the first line may be the rest of one
    let skip = usize::from(from > 0);
    let mut lines: Vec<Value> = text
        .lines()
        .skip(skip)
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let extra = lines.len().saturating_sub(limit);
    lines.drain(..extra);
    Ok(lines)
}

/// One line for each decision, more where the terminal is narrow.
fn render(lines: &[Value], room: Option<usize>) -> String {
    let rows: Vec<Vec<String>> = lines.iter().map(|line| row(line).into()).collect();
    output::fitted(
        &["TIME", "PLUGIN", "TOOL", "WANTED", "VERDICT", "MS"],
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
    let verdict = match line.get("reason").and_then(Value::as_str) {
        Some(reason) => format!("{} ({reason})", text("verdict")),
        None => text("verdict").to_owned(),
    };
    let spent = line.get("durationMs").and_then(Value::as_u64);
    [
        time.replace('T', " "),
        line.get("plugin")
            .map_or("host", |_| text("plugin"))
            .to_owned(),
        text("tool").to_owned(),
        text("route").to_owned(),
        verdict,
        spent.map_or_else(|| "-".to_owned(), |spent| spent.to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_whole_lines_are_read_from_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.jsonl");
        assert!(newest(&path, 5).unwrap().is_empty());
        let mut text: Vec<String> = (0..5_000)
            .map(|n| format!("{{\"route\":\"GET /{n}\",\"verdict\":\"permitted\"}}"))
            .collect();
        text.push("{\"torn\":".to_owned());
        std::fs::write(&path, text.join("\n")).unwrap();
        let lines = newest(&path, 3).unwrap();
        let routes: Vec<&str> = lines.iter().map(|l| l["route"].as_str().unwrap()).collect();
        assert_eq!(routes, ["GET /4997", "GET /4998", "GET /4999"]);
    }

    #[test]
    fn a_decision_is_one_line_for_a_person() {
        let line = serde_json::json!({
            "time": "2026-11-30T10:11:12.5Z", "plugin": "context", "tool": "ensemble_search",
            "route": "GET /api/bridge/search", "verdict": "denied", "reason": "a grant", "durationMs": 4
        });
        let lines = [line, serde_json::json!({"route": "GET /api/bridge/whoami"})];
        let narrow = render(&lines, Some(80));
        assert!(
            narrow.lines().all(|line| output::columns(line) <= 80),
            "{narrow}"
        );
        assert!(narrow.contains("denied (a grant)"), "{narrow}");
        let text = render(&lines, None);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "2026-11-30 10:11:12  context  ensemble_search  GET /api/bridge/search  denied (a grant)  4"
        );
        assert!(lines[2].contains("host"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_the_log_is_an_error_and_not_waited_for() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.jsonl");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert!(newest(&path, 5).is_err());
    }
}
