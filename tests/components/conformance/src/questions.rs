//! What the suite wants to be asked. A table of rounds: each tool asks its questions in turn and then answers with what it was given.
//! Between two rounds it keeps nothing but the number of the round.

use ensemble_sdk::{
    Answer, Block, Message, Output, Pause, PromptStep, Question, Resumption, ToolStep, Value, json,
};

use crate::prompts::said;

/// The prompt that asks first.
pub(crate) const PROMPT: &str = "test_input_required_result_prompt";

/// Asking tools without arguments.
pub(crate) const TOOLS: &[(&str, &str)] = &[
    (
        "test_elicitation_sep1034_defaults",
        "Asks with a form of defaults.",
    ),
    (
        "test_elicitation_sep1330_enums",
        "Asks with a form of choices.",
    ),
    (
        "test_missing_capability",
        "Cannot do without the client's model.",
    ),
    ("test_streaming_elicitation", "Asks the person."),
    ("test_input_required_result_elicitation", "Asks for a name."),
    (
        "test_input_required_result_sampling",
        "Asks the client's model.",
    ),
    (
        "test_input_required_result_list_roots",
        "Asks for the client's folders.",
    ),
    (
        "test_input_required_result_request_state",
        "Asks and keeps a state.",
    ),
    (
        "test_input_required_result_multiple_inputs",
        "Asks three things at once.",
    ),
    ("test_input_required_result_multi_round", "Asks twice."),
    (
        "test_input_required_result_tampered_state",
        "Asks and keeps a state.",
    ),
    (
        "test_input_required_result_capabilities",
        "Asks what the client can be asked.",
    ),
];

type Questions = Vec<(String, Question)>;

/// One step of an asking tool; `None` for a tool that does not ask.
pub(crate) fn step(
    name: &str,
    arguments: &Value,
    resumed: Option<&Resumption>,
) -> Option<ToolStep> {
    let rounds = rounds(name, arguments)?;
    let round = resumed.map_or(0, |resumed| {
        usize::from(resumed.state.first().copied().unwrap_or_default())
    });
    let must = name == "test_missing_capability";
    if let Some(resumed) = resumed
        && must
        && all_unsupported(resumed)
    {
        // it cannot do without: the host says so to the client
        return rounds.into_iter().next().map(|first| ask(first, 1));
    }
    if let Some(questions) = rounds.into_iter().nth(round) {
        let next = u8::try_from(round + 1).unwrap_or(u8::MAX);
        return Some(ask(questions, next));
    }
    resumed.map(|resumed| ToolStep::Done(answered(name, resumed)))
}

/// One step of [`PROMPT`].
pub(crate) fn prompt(resumed: Option<&Resumption>) -> PromptStep {
    let Some(resumed) = resumed else {
        return PromptStep::Ask(Pause {
            questions: vec![form(
                "user_context",
                "What context should the prompt use?",
                "context",
                "string",
            )],
            state: Vec::new(),
        });
    };
    let text = format!("The context is {}.", shown(resumed));
    PromptStep::Done(Vec::<Message>::from([said(Block::plain(text))]))
}

fn ask(questions: Questions, next: u8) -> ToolStep {
    ToolStep::Ask(Pause {
        questions,
        state: vec![next],
    })
}

fn all_unsupported(resumed: &Resumption) -> bool {
    let mut answers = resumed.answers.iter();
    answers.all(|(_, answer)| matches!(answer, Answer::Unsupported))
}

/// The questions of each round.
fn rounds(name: &str, arguments: &Value) -> Option<Vec<Questions>> {
    let given = |argument: &str| arguments[argument].as_str().unwrap_or_default();
    let name_form = || form("user_name", "What is your name?", "name", "string");
    let rounds = match name {
        "test_sampling" => vec![vec![sampling("sampled", given("prompt"))]],
        "test_missing_capability" => vec![vec![sampling("sampled", "Say something.")]],
        "test_elicitation" => vec![vec![whole(
            "user",
            given("message"),
            &json!({
                "username": { "type": "string", "description": "User's response" },
                "email": { "type": "string", "description": "User's email address" }
            }),
            &["username", "email"],
        )]],
        "test_elicitation_sep1034_defaults" => vec![vec![defaults()]],
        "test_elicitation_sep1330_enums" => vec![vec![choices()]],
        "test_streaming_elicitation" | "test_input_required_result_elicitation" => {
            vec![vec![name_form()]]
        }
        "test_input_required_result_sampling" => vec![vec![sampling(
            "capital_question",
            "What is the capital of France?",
        )]],
        "test_input_required_result_list_roots" => vec![vec![roots()]],
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state" => {
            vec![vec![form("confirm", "Please confirm", "ok", "boolean")]]
        }
        "test_input_required_result_multiple_inputs" => {
            vec![vec![
                name_form(),
                sampling("greeting", "Generate a greeting"),
                roots(),
            ]]
        }
        "test_input_required_result_multi_round" => vec![
            vec![form(
                "step1",
                "Step 1: What is your name?",
                "name",
                "string",
            )],
            vec![form(
                "step2",
                "Step 2: What is your favorite color?",
                "color",
                "string",
            )],
        ],
        "test_input_required_result_capabilities" => {
            vec![vec![
                name_form(),
                sampling("greeting", "Generate a greeting"),
            ]]
        }
        _ => return None,
    };
    Some(rounds)
}

fn answered(name: &str, resumed: &Resumption) -> Output {
    if all_unsupported(resumed) {
        return Output::unsuccessful("This client cannot be asked.");
    }
    let shown = shown(resumed);
    let text = match name {
        "test_sampling" => format!("LLM response: {shown}"),
        "test_elicitation" => format!("User response: {shown}"),
        "test_input_required_result_request_state" => format!("state-ok {shown}"),
        _ => format!("Elicitation completed: {shown}"),
    };
    Output::text(text)
}

fn shown(resumed: &Resumption) -> String {
    let one = |answer: &Answer| match answer {
        Answer::Accepted(json) => format!("action=accept, content={json}"),
        Answer::Declined => "action=decline".to_owned(),
        Answer::Dismissed => "action=cancel".to_owned(),
        Answer::Unsupported => "this client cannot be asked".to_owned(),
    };
    let all: Vec<String> = resumed
        .answers
        .iter()
        .map(|(_, answer)| one(answer))
        .collect();
    all.join("; ")
}

fn form(name: &str, message: &str, field: &str, kind: &str) -> (String, Question) {
    let mut properties = json!({});
    properties[field] = json!({ "type": kind });
    whole(name, message, &properties, &[field])
}

fn whole(name: &str, message: &str, properties: &Value, required: &[&str]) -> (String, Question) {
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    (
        name.to_owned(),
        Question::Form((message.to_owned(), schema.to_string())),
    )
}

fn sampling(name: &str, prompt: &str) -> (String, Question) {
    let request = json!({
        "messages": [{ "role": "user", "content": { "type": "text", "text": prompt } }],
        "maxTokens": 100
    });
    (name.to_owned(), Question::Sampling(request.to_string()))
}

fn roots() -> (String, Question) {
    ("client_roots".to_owned(), Question::Roots)
}

fn defaults() -> (String, Question) {
    let properties = json!({
        "name": { "type": "string", "description": "User name", "default": "John Doe" },
        "age": { "type": "integer", "description": "User age", "default": 30 },
        "score": { "type": "number", "description": "User score", "default": 95.5 },
        "status": {
            "type": "string", "description": "User status",
            "enum": ["active", "inactive", "pending"], "default": "active"
        },
        "verified": { "type": "boolean", "description": "Verification status", "default": true }
    });
    whole(
        "defaults",
        "Please review and update the form fields with defaults",
        &properties,
        &[],
    )
}

fn choices() -> (String, Question) {
    let titled = |first: &str| {
        json!([
            { "const": "value1", "title": format!("First {first}") },
            { "const": "value2", "title": format!("Second {first}") },
            { "const": "value3", "title": format!("Third {first}") }
        ])
    };
    let plain = ["option1", "option2", "option3"];
    let properties = json!({
        "untitledSingle": { "type": "string", "enum": plain },
        "titledSingle": { "type": "string", "oneOf": titled("Option") },
        "legacyEnum": {
            "type": "string", "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"]
        },
        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
        "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } }
    });
    whole(
        "choices",
        "Please select options from the enum fields",
        &properties,
        &[],
    )
}
