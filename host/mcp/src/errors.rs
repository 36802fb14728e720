//! What a failure looks like to the client. A sentence reaches the model as the text of a result; a JSON-RPC error is for
//! what could not be routed at all.

use ensemble_broker::Fault;
use ensemble_model::PluginId;
use ensemble_runtime::CallError;
use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use serde_json::json;

/// How much of a name that a client sent is shown again.
const SHOWN: usize = 80;

/// Why the bridge stopped serving before its client left.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The task that serves the connection ended by itself.
    #[error("The connection to the editor ended unexpectedly.")]
    Ended(#[source] tokio::task::JoinError),
}

/// The tool does not exist, or not for this caller.
pub(crate) fn unknown_tool(name: &str) -> ErrorData {
    ErrorData::invalid_params(format!("Unknown tool: {}", shown(name)), None)
}

/// The resource does not exist, or not for this caller. rmcp turns the code into -32602 for the newer generation.
pub(crate) fn unknown_resource(uri: &str) -> ErrorData {
    let uri = shown(uri);
    ErrorData::resource_not_found(
        format!("Unknown resource: {uri}"),
        Some(json!({"uri": uri})),
    )
}

/// The prompt does not exist, or not for this caller.
pub(crate) fn unknown_prompt(name: &str) -> ErrorData {
    ErrorData::invalid_params(format!("Unknown prompt: {}", shown(name)), None)
}

/// A prompt or a suggestion that was not made: neither has an `isError`, so the sentence is the error's message.
pub(crate) fn unmade(fault: &Fault) -> ErrorData {
    match fault {
        Fault::NotFound(sentence) | Fault::Invalid(sentence) => {
            ErrorData::invalid_params(sentence.clone(), None)
        }
        Fault::Denied(_)
        | Fault::Conflict(_)
        | Fault::Unavailable(_)
        | Fault::RateLimited(_)
        | Fault::TooLarge(_)
        | Fault::Cancelled
        | Fault::Failed(_) => ErrorData::internal_error(fault.to_string(), None),
    }
}

/// The same for a call that did not come to its end.
pub(crate) fn unmade_call(error: &CallError) -> ErrorData {
    match fault_of(error) {
        Some(fault) => unmade(fault),
        None => ErrorData::internal_error(error.to_string(), None),
    }
}

/// A plugin that asked something that nobody can be asked.
pub(crate) fn bad_question(plugin: &PluginId, reason: &str) -> String {
    format!("The plugin {plugin} asked something that cannot be passed on: {reason}.")
}

/// A client of the older generation that cannot be asked what a tool or prompt has to know.
pub(crate) fn cannot_ask(name: &str) -> String {
    format!(
        "{name} has to ask something, and this client does not say that it can pass such a question on."
    )
}

/// Every list is one page, so no cursor was ever given out.
pub(crate) fn unknown_cursor() -> ErrorData {
    ErrorData::invalid_params(
        "This cursor is not known: every list comes in one page.",
        None,
    )
}

/// Parameters of a method that exists.
pub(crate) fn bad_params(method: &str) -> ErrorData {
    let why = match method {
        "initialize" => {
            "initialize needs protocolVersion (a text), capabilities and clientInfo with name and version.".to_owned()
        }
        "tools/call" => "tools/call needs name (a text) and arguments (an object, or nothing).".to_owned(),
        "logging/setLevel" => {
            "logging/setLevel needs level: debug, info, notice, warning, error, critical, alert or emergency.".to_owned()
        }
        _ => format!("The parameters of {} are not as the protocol says.", shown(method)),
    };
    ErrorData::invalid_params(why, None)
}

/// A method that this server does not have.
pub(crate) fn unknown_method(method: &str) -> ErrorData {
    let why = format!("There is no method {} here.", shown(method));
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None)
}

/// A failed read: `resources/read` has no `isError`, so the sentence is the error's message.
pub(crate) fn unread(uri: &str, fault: &Fault) -> ErrorData {
    match fault {
        Fault::NotFound(sentence) => {
            ErrorData::resource_not_found(sentence.clone(), Some(json!({"uri": shown(uri)})))
        }
        Fault::Invalid(sentence) => ErrorData::invalid_params(sentence.clone(), None),
        Fault::Denied(_)
        | Fault::Conflict(_)
        | Fault::Unavailable(_)
        | Fault::RateLimited(_)
        | Fault::TooLarge(_)
        | Fault::Cancelled
        | Fault::Failed(_) => ErrorData::internal_error(fault.to_string(), None),
    }
}

/// The same for a call that did not come to its end.
pub(crate) fn unread_call(uri: &str, error: &CallError) -> ErrorData {
    match fault_of(error) {
        Some(fault) => unread(uri, fault),
        None => ErrorData::internal_error(error.to_string(), None),
    }
}

/// What the guest itself answered, where it was the guest.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only one of the endings is the guest's own answer"
)]
fn fault_of(error: &CallError) -> Option<&Fault> {
    match error {
        CallError::Guest(fault) => Some(fault),
        _ => None,
    }
}

/// Text that a client sent, fit to be shown again: short and without control characters.
pub(crate) fn shown(text: &str) -> String {
    cut(text, SHOWN)
}

/// A sentence that has such text in it.
pub(crate) fn shown_long(text: &str) -> String {
    cut(text, 4 * SHOWN)
}

fn cut(text: &str, most: usize) -> String {
    let mut short: String = text
        .chars()
        .filter(|c| !c.is_control())
        .take(most)
        .collect();
    if text.chars().count() > most {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_shown_short_and_clean() {
        let error = unknown_tool(&format!("a\u{1b}[31m\n{}", "ä".repeat(200)));
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
        assert!(error.message.starts_with("Unknown tool: a[31mä"));
        assert!(error.message.chars().count() < 100);
    }

    #[test]
    fn a_failed_read_keeps_its_kind() {
        let code = |fault| unread("ensemble://tasks/1", &fault).code;
        assert_eq!(
            code(Fault::NotFound("x".to_owned())),
            ErrorCode::RESOURCE_NOT_FOUND
        );
        assert_eq!(
            code(Fault::Invalid("x".to_owned())),
            ErrorCode::INVALID_PARAMS
        );
        let error = unread(
            "u",
            &Fault::Unavailable("Ensemble is not running.".to_owned()),
        );
        assert_eq!(error.code, ErrorCode::INTERNAL_ERROR);
        assert_eq!(error.message, "Ensemble is not running.");
    }
}
