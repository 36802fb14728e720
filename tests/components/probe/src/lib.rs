//! A test guest with one tool for each thing that a hostile plugin would try.
//!
//! To add a case: 1. its arm in [`Probe::call`]; 2. its test in `tests/isolation/`, which also lists its name.

mod exhaust;
mod peek;

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::run::{self, Level};
use ensemble_sdk::{
    Answer, Embedded, Error, Listed, Output, Pause, Question, Resources, Resumption, Template,
    Tool, ToolStep, Tools, Value, json,
};

struct Probe;

/// The tools that take nothing, then those that take something.
const TOOLS: [&str; 19] = [
    "spin",
    "alloc_loop",
    "recurse",
    "recurse_widely",
    "flood_stdout",
    "read_stdin",
    "read_env_args",
    "panic",
    "exit",
    "log_flood",
    "state",
    "ask",
    "show_a_file",
    "fail",
    "echo",
    "get_route",
    "big_output",
    "many_blocks",
    "big_log_line",
];

impl Tools for Probe {
    fn tools() -> Vec<Tool> {
        TOOLS
            .iter()
            .map(|name| Tool::read(name, name, "One thing that a hostile plugin would try."))
            .collect()
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "echo" => Ok(Output::text(text(&arguments, "text"))),
            "spin" => exhaust::spin(),
            "alloc_loop" => exhaust::allocate(),
            "recurse" => Ok(Output::text(exhaust::recurse(0).to_string())),
            "recurse_widely" => Ok(Output::text(exhaust::recurse_widely(0).to_string())),
            "flood_stdout" => peek::flood(number(&arguments, "lines")),
            "read_stdin" => peek::stdin(),
            "read_env_args" => Ok(peek::surroundings()),
            "panic" => exhaust::break_off(),
            "exit" => std::process::exit(7),
            "log_flood" => {
                for line in 0..number(&arguments, "lines") {
                    run::log(Level::Info, &format!("line {line}"));
                    run::progress(1.0, None, Some("still here"));
                }
                Ok(Output::text("said"))
            }
            "big_log_line" => {
                run::log(Level::Info, &"x".repeat(number(&arguments, "bytes")));
                Ok(Output::text("said"))
            }
            "big_output" => Ok(Output::text("x".repeat(number(&arguments, "bytes")))),
            "many_blocks" => Ok(exhaust::blocks(number(&arguments, "blocks"))),
            "state" => Ok(Output::text(exhaust::count().to_string())),
            "get_route" => {
                hub::get_text(&text(&arguments, "path"), Query::none()).map(Output::json_text)
            }
            "show_a_file" => Ok(peek::file()),
            "fail" => Err(Error::Conflict(
                "The task was changed meanwhile.".to_owned(),
            )),
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }

    fn step(name: &str, arguments: Value, resumed: Option<Resumption>) -> Result<ToolStep, Error> {
        if name != "ask" {
            return Self::call(name, arguments).map(ToolStep::Done);
        }
        let Some(resumed) = resumed else {
            return Ok(ToolStep::Ask(Pause {
                questions: vec![(
                    "sure".to_owned(),
                    Question::Form(("Are you sure?".to_owned(), json!({}).to_string())),
                )],
                state: vec![1, 2, 3],
            }));
        };
        let answer = match resumed.answers.first() {
            Some((name, Answer::Accepted(json))) => format!("{name}: {json}"),
            _ => "no".to_owned(),
        };
        Ok(ToolStep::Done(Output::text(format!(
            "{answer} {:?}",
            resumed.state
        ))))
    }
}

impl Resources for Probe {
    fn resources() -> Vec<Listed> {
        vec![Listed::json("probe://one", "one", "One", "A resource.")]
    }

    fn templates() -> Vec<Template> {
        vec![Template::json("probe://{id}", "any", "Any", "Resources.")]
    }

    fn read(uri: &str) -> Result<Vec<Embedded>, Error> {
        match uri {
            "probe://one" => Ok(vec![Embedded::json(uri, "{\"one\":1}")]),
            "probe://spin" => exhaust::spin(),
            "probe://big" => Ok(vec![Embedded::json(uri, "x".repeat(6 << 20))]),
            other => Err(Error::unknown_resource(other)),
        }
    }
}

fn text(arguments: &Value, name: &str) -> String {
    arguments[name].as_str().unwrap_or_default().to_owned()
}

fn number(arguments: &Value, name: &str) -> usize {
    arguments[name]
        .as_u64()
        .and_then(|number| usize::try_from(number).ok())
        .unwrap_or_default()
}

ensemble_sdk::export!(Probe: tools, resources);
