//! Prompts: listed from the approved surfaces, made by a fresh instance in the key's default space. A prompt that needs an argument, or is
//! given one that it does not take, is refused before the plugin runs.

use ensemble_catalog::ListedPrompt;
use ensemble_model::surface::Prompt;
use ensemble_runtime::offer::{Pause, PromptStep, Resumption};
use rmcp::model::{
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, JsonObject, ListPromptsResult,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;

use crate::asking::{Asker, Asking, Next, Unasked};
use crate::calls::{self, Closed};
use crate::convert::prompts as convert_prompts;
use crate::errors;
use crate::server::{BridgeServer, is_modern, listed};
use crate::tools::caller;

pub(crate) async fn list(
    server: &BridgeServer,
    context: &RequestContext<RoleServer>,
) -> ListPromptsResult {
    server.bridge.first_answer().await;
    let view = server.connection.show_prompts(&server.bridge);
    server.bridge.compared(&view).await;
    let items = view.prompts().iter();
    let items = items.filter(|l| server.bridge.lists(&l.plugin));
    let items = items.map(|l| convert_prompts::prompt(&l.prompt));
    listed!(server, context, ListPromptsResult, items)
}

pub(crate) async fn get(
    server: &BridgeServer,
    request: GetPromptRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<GetPromptResponse, ErrorData> {
    let (listed, caller) = visible(server, &request.name).await?;
    let given = request.arguments.unwrap_or_default();
    let asker = Asker {
        caller: &caller,
        method: "prompts/get",
        name: &request.name,
        arguments: &Value::Object(given.clone()),
    };
    let arguments = arguments(&listed.prompt, &given)?;
    let state = request.request_state.as_deref();
    let (mut asking, mut next) =
        Asking::begin(server, context, &asker, request.input_responses, state)?;
    loop {
        let resumed = match next {
            None => None,
            Some(Next::Again(resumed)) => Some(resumed),
            Some(Next::Ask(asks)) => return Ok(asks.into()),
        };
        match once(server, context, &listed, &arguments, resumed).await? {
            Went::Done(result) => return Ok(result.into()),
            Went::Asks(pause) => {
                let then = asking.go_on(pause).await;
                next = Some(then.map_err(|unasked| unasked_of(&listed, unasked, context))?);
            }
        }
    }
}

enum Went {
    Done(GetPromptResult),
    Asks(Pause),
}

/// One run of a prompt.
async fn once(
    server: &BridgeServer,
    context: &RequestContext<RoleServer>,
    listed: &ListedPrompt,
    arguments: &[(String, String)],
    resumed: Option<Resumption>,
) -> Result<Went, ErrorData> {
    let (owner, name) = (&listed.plugin, &listed.prompt.name);
    let opened = calls::open(server, owner, &format!("prompt {name}"), None, context).await;
    let opened = opened.map_err(|closed| match closed {
        Closed::Absent => errors::unknown_prompt(name),
        Closed::Fault(fault) => errors::unmade(&fault),
    })?;
    let mark = opened.mark();
    let registry = server.bridge.registry();
    let step = opened
        .run(|session, events| {
            registry.get_prompt(owner, session, name, arguments, resumed, events)
        })
        .await;
    let messages = match step {
        Ok(PromptStep::Done(messages)) => messages,
        Ok(PromptStep::Ask(pause)) => return Ok(Went::Asks(pause)),
        Err(error) => {
            server.bridge.ask();
            return Err(errors::unmade_call(&error));
        }
    };
    let version = context.protocol_version();
    let mut result = convert_prompts::messages(messages, version.as_ref());
    result.description.clone_from(&listed.prompt.description);
    if let Some(mark) = mark {
        convert_prompts::mark(&mut result, owner, &mark);
    }
    if is_modern(context) {
        let meta = result.meta.get_or_insert_default();
        meta.0.extend(server.meta().0);
    }
    Ok(Went::Done(result))
}

/// What the client reads where a question was not asked.
fn unasked_of(
    listed: &ListedPrompt,
    unasked: Unasked,
    context: &RequestContext<RoleServer>,
) -> ErrorData {
    match unasked {
        Unasked::Failed(error) => error,
        Unasked::Bad(reason) => {
            ErrorData::internal_error(errors::bad_question(&listed.plugin, &reason), None)
        }
        Unasked::Needs(capabilities) if is_modern(context) => {
            ErrorData::missing_required_client_capability(*capabilities)
        }
        Unasked::Needs(_) => {
            ErrorData::invalid_request(errors::cannot_ask(&listed.prompt.name), None)
        }
    }
}

/// The prompt as this caller sees it, and who calls.
async fn visible(server: &BridgeServer, name: &str) -> Result<(ListedPrompt, String), ErrorData> {
    let bridge = &server.bridge;
    if bridge.widest().prompt(name).is_none() {
        return Err(errors::unknown_prompt(name));
    }
    let principal = bridge.principal().await;
    let principal = principal.map_err(|fault| errors::unmade(&fault))?;
    let listed = bridge.view_of(principal.grants).prompt(name).cloned();
    let listed = listed.ok_or_else(|| errors::unknown_prompt(name))?;
    Ok((listed, caller(&principal)))
}

/// The arguments by name, in the order in which the prompt lists them.
fn arguments(prompt: &Prompt, given: &JsonObject) -> Result<Vec<(String, String)>, ErrorData> {
    let bad = |why: String| ErrorData::invalid_params(why, None);
    let name = &prompt.name;
    for key in given.keys() {
        if !prompt.arguments.iter().any(|known| known.name == *key) {
            let key = errors::shown(key);
            return Err(bad(format!(
                "The prompt {name} takes no argument “{key}”{}",
                known(prompt)
            )));
        }
    }
    let mut arguments = Vec::new();
    for argument in &prompt.arguments {
        match given.get(&argument.name) {
            Some(Value::String(text)) => arguments.push((argument.name.clone(), text.clone())),
            // some clients write "nothing" so
            None | Some(Value::Null) if !argument.required => {}
            None | Some(Value::Null) => {
                return Err(bad(format!(
                    "The prompt {name} needs the argument “{}”.",
                    argument.name
                )));
            }
            Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                return Err(bad(format!(
                    "The argument “{}” of the prompt {name} is a text.",
                    argument.name
                )));
            }
        }
    }
    Ok(arguments)
}

/// What a prompt takes, as the end of a sentence.
fn known(prompt: &Prompt) -> String {
    let names: Vec<&str> = prompt.arguments.iter().map(|a| a.name.as_str()).collect();
    if names.is_empty() {
        return ".".to_owned();
    }
    format!(": it takes {}.", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_those_that_the_prompt_lists() {
        let prompt: Prompt = serde_json::from_value(serde_json::json!({
            "name": "plan", "arguments": [{"name": "day", "required": true}, {"name": "tone"}]
        }))
        .unwrap();
        let read = |given: Value| {
            let given = given.as_object().unwrap().clone();
            arguments(&prompt, &given).map_err(|error| error.message.into_owned())
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            read(serde_json::json!({"tone": "dry", "day": "today"})).unwrap(),
            [pair("day", "today"), pair("tone", "dry")]
        );
        assert_eq!(
            read(serde_json::json!({"day": "today", "tone": null})).unwrap(),
            [pair("day", "today")]
        );
        let refused = |given| read(given).unwrap_err();
        assert_eq!(
            refused(serde_json::json!({})),
            "The prompt plan needs the argument “day”."
        );
        assert_eq!(
            refused(serde_json::json!({"day": 1})),
            "The argument “day” of the prompt plan is a text."
        );
        assert_eq!(
            refused(serde_json::json!({"day": "x", "space": "y"})),
            "The prompt plan takes no argument “space”: it takes day, tone."
        );
    }
}
