//! A test guest with one tool for each thing that a hostile plugin would try.
//!
//! To add a case: 1. its name in `probes.rs`, after which the compiler asks for 2. what it does, in [`run`], and 3. its verdict,
//! in `host/selftest`.

mod exhaust;
mod heap;
mod lies;
mod memory;
mod peek;
mod probes;

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::run::{self, Level};
use ensemble_sdk::{
    Answer, Embedded, Error, Listed, Output, Pause, Question, Resources, Resumption, Template,
    Tool, ToolStep, Tools, Value, json,
};

use probes::Probe;

struct Kit;

impl Tools for Kit {
    fn tools() -> Vec<Tool> {
        lies::list().unwrap_or_else(|| Probe::ALL.map(lies::tool).into())
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        let probe = Probe::ALL.into_iter().find(|probe| probe.name() == name);
        let probe = probe.ok_or_else(|| ensemble_sdk::unknown_tool(name))?;
        run(probe, &arguments)
    }

    fn step(name: &str, arguments: Value, resumed: Option<Resumption>) -> Result<ToolStep, Error> {
        if name == Probe::Ask.name() {
            return Ok(ask(resumed));
        }
        Self::call(name, arguments).map(ToolStep::Done)
    }
}

fn run(probe: Probe, arguments: &Value) -> Result<Output, Error> {
    match probe {
        Probe::Echo => Ok(Output::text(text(arguments, "text"))),
        // asks in `step`, and is not called otherwise
        Probe::Ask => Err(ensemble_sdk::unknown_tool(probe.name())),
        Probe::Fail => Err(Error::Conflict(
            "The task was changed meanwhile.".to_owned(),
        )),
        Probe::Panic => exhaust::break_off(),
        Probe::Exit => exhaust::end(),
        Probe::State => Ok(Output::text(exhaust::count().to_string())),
        Probe::Spin => exhaust::spin(),
        // what they do, they do while the arguments arrive
        Probe::SpinInAllocation | Probe::CallInAllocation => Ok(Output::text("it went on")),
        Probe::SpinInCleanup => Ok(Output::text(heap::armed())),
        Probe::AllocLoop => exhaust::allocate(),
        Probe::Recurse => Ok(Output::text(exhaust::recurse(0).to_string())),
        Probe::RecurseWidely => Ok(Output::text(exhaust::recurse_widely(0).to_string())),
        Probe::BigOutput => Ok(Output::text("x".repeat(number(arguments, "bytes")))),
        Probe::ManyBlocks => Ok(exhaust::blocks(number(arguments, "blocks"))),
        Probe::ManyPairs => exhaust::pairs(&text(arguments, "path"), number(arguments, "pairs")),
        Probe::ManyRequests => {
            exhaust::requests(&text(arguments, "path"), number(arguments, "requests"))
        }
        Probe::BigLogLine => {
            run::log(Level::Info, &"x".repeat(number(arguments, "bytes")));
            Ok(Output::text("said"))
        }
        Probe::LogFlood => Ok(exhaust::chatter(number(arguments, "lines"))),
        Probe::FloodStdout => peek::flood(number(arguments, "lines")),
        Probe::ReadStdin => peek::stdin(),
        Probe::ReadEnvArgs => Ok(peek::surroundings()),
        Probe::GetRoute => {
            hub::get_text(&text(arguments, "path"), Query::none()).map(Output::json_text)
        }
        Probe::Query => {
            let query = Query::none().with(&text(arguments, "name"), text(arguments, "value"));
            hub::get_text(&text(arguments, "path"), query).map(Output::json_text)
        }
        Probe::ShowAFile => Ok(peek::file()),
        Probe::Structured => Ok(lies::structured(arguments)),
        Probe::Lie => lies::wanted().map(Output::text),
        Probe::SearchMemory => peek::memory(arguments),
    }
}

fn ask(resumed: Option<Resumption>) -> ToolStep {
    let Some(resumed) = resumed else {
        return ToolStep::Ask(Pause {
            questions: vec![(
                "sure".to_owned(),
                Question::Form((
                    "Are you sure?".to_owned(),
                    json!({
                        "type": "object",
                        "properties": { "sure": { "type": "boolean" } },
                        "required": ["sure"]
                    })
                    .to_string(),
                )),
            )],
            state: vec![1, 2, 3],
        });
    };
    let answer = match resumed.answers.first() {
        Some((name, Answer::Accepted(json))) => format!("{name}: {json}"),
        _ => "no".to_owned(),
    };
    ToolStep::Done(Output::text(format!("{answer} {:?}", resumed.state)))
}

impl Resources for Kit {
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

ensemble_sdk::export!(Kit: tools, resources);
