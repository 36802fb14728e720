//! What is asked for is what is shown.

use clap::Parser as _;
use serde_json::json;

use super::*;
use crate::cli::log::Log;
use crate::cli::{Cli, Command};

fn asked(arguments: &[&str]) -> ShowLog {
    let line = [&["ensemble", "log", "show"], arguments].concat();
    match Cli::try_parse_from(line).unwrap().command {
        Command::Log(Log::Show(asked)) => asked,
        other => panic!("{other:?}"),
    }
}

fn lines() -> [Value; 5] {
    let line = |day: u32, plugin: &str, tool: &str, verdict: &str| {
        json!({"time": format!("2026-11-{day}T10:11:12.5Z"), "plugin": plugin, "tool": tool,
            "route": format!("GET /{day}"), "verdict": verdict, "durationMs": 4})
    };
    [
        json!({"seq": 1, "time": "2026-11-20T10:00:00Z", "note": "begins"}),
        line(21, "context", "ensemble_search", "permitted"),
        line(22, "tasks", "ensemble_tasks", "denied"),
        json!({"time": "2026-11-23T10:00:00Z", "route": "GET /23", "verdict": "failed"}),
        line(24, "context", "ensemble_brief", "denied"),
    ]
}

#[test]
fn every_filter_leaves_what_it_names() {
    let now: Timestamp = "2026-11-25T00:00:00Z".parse().unwrap();
    for (arguments, expected) in [
        (&[][..], "20 21 22 23 24"),
        (&["--plugin", "context"], "21 24"),
        (&["--plugin", "host"], "23"),
        (&["--plugin", "nothing"], ""),
        (&["--tool", "ensemble_tasks"], "22"),
        (&["--verdict", "denied"], "22 24"),
        (&["--verdict", "failed"], "23"),
        (&["--plugin", "context", "--verdict", "denied"], "24"),
        (&["--since", "2d"], "23 24"),
        (&["--since", "2026-11-22"], "22 23 24"),
        (&["--until", "2026-11-22"], "20 21 22"),
        (&["--since", "2026-11-22T10:11:13Z", "--until", "1d"], "23"),
        (&["--since", "2026-11-22", "--until", "2026-11-22"], "22"),
    ] {
        let asked = asked(arguments);
        let wanted = Wanted::of(&asked, now).unwrap();
        assert_eq!(wanted.everything(), arguments.is_empty());
        let left = lines().into_iter().filter(|line| wanted.matches(line));
        let days: Vec<String> = left
            .map(|line| {
                line["time"]
                    .as_str()
                    .unwrap()
                    .get(8..10)
                    .unwrap()
                    .to_owned()
            })
            .collect();
        assert_eq!(days.join(" "), expected, "{arguments:?}");
    }
    let backwards = asked(&["--since", "1d", "--until", "2d"]);
    let error = Wanted::of(&backwards, now).unwrap_err().to_string();
    assert!(
        error.starts_with("--since is later than --until"),
        "{error}"
    );
}

#[test]
fn a_wrong_value_is_a_sentence_with_the_right_ones() {
    for (arguments, says) in [
        (&["--verdict", "maybe"][..], "permitted, failed, denied"),
        (&["--since", "yesterday"], "write how long ago (2h, 3d)"),
        (&["--until", "1y"], "write how long ago (2h, 3d)"),
        (&["--plugin", "A b"], "--plugin"),
        (&["--limit", "0"], "1..=10000"),
    ] {
        let line = [&["ensemble", "log", "show"], arguments].concat();
        let error = Cli::try_parse_from(line).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        assert_eq!(error.exit_code(), 2);
    }
}

#[test]
fn a_decision_is_one_line_for_a_person() {
    let mut lines = lines().to_vec();
    lines[2]["reason"] = json!("a grant");
    let narrow = render(&lines, Some(80));
    assert!(
        narrow.lines().all(|line| output::columns(line) <= 80),
        "{narrow}"
    );
    assert!(narrow.contains("denied (a grant)"), "{narrow}");
    let text = render(&lines, None);
    let rows: Vec<&str> = text.lines().collect();
    assert!(
        rows[1].contains("log      -                the chain of lines begins"),
        "{text}"
    );
    let words: Vec<&str> = rows[3].split("  ").filter(|it| !it.is_empty()).collect();
    let expected = [
        "2026-11-22 10:11:12",
        "tasks",
        "ensemble_tasks",
        "GET /22",
        "denied (a grant)",
        "4",
    ];
    let words: Vec<&str> = words.iter().map(|word| word.trim()).collect();
    assert_eq!(words, expected);
    assert!(rows[4].contains("host"), "{text}");
}
