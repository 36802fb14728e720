//! Questions of a plugin as requests to a client, and what came back as its answers. A question that no client could read is the plugin's
//! fault; an answer that is not one counts as none, so that it is asked for again.
#![expect(
    deprecated,
    reason = "the newest protocol version deprecates sampling and roots and still has them"
)]

use std::sync::atomic::{AtomicU64, Ordering};

use ensemble_runtime::offer::{Answer, Question};
use rmcp::model::{
    ClientCapabilities, CreateMessageRequest, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability,
    FormElicitationCapability, InputRequest, ListRootsRequest, ListRootsResult, RootsCapabilities,
    SamplingCapability, UrlElicitationCapability,
};
use serde_json::{Value, json};

/// Tells pages to open apart for the client, within this process.
static PAGES: AtomicU64 = AtomicU64::new(1);

/// A question as a client is asked it.
///
/// # Errors
/// What is wrong with it, as the end of a sentence.
pub(crate) fn request(question: &Question) -> Result<InputRequest, String> {
    match question {
        Question::Form { message, schema } => {
            let schema: Value = serde_json::from_str(schema)
                .map_err(|_| "the schema of its form is not JSON".to_owned())?;
            let params = json!({"mode": "form", "message": message, "requestedSchema": schema});
            let params: ElicitRequestParams = serde_json::from_value(params).map_err(|_| {
                "the schema of its form is not an object with flat properties".to_owned()
            })?;
            Ok(InputRequest::Elicitation(ElicitRequest::new(params)))
        }
        Question::Page { message, url } => {
            if !url.starts_with("https://") {
                return Err("the page that it wants to be opened has no https address".to_owned());
            }
            let number = PAGES.fetch_add(1, Ordering::Relaxed);
            let params = ElicitRequestParams::UrlElicitationParams {
                meta: None,
                message: message.clone(),
                url: url.clone(),
                elicitation_id: format!("page-{number}"),
            };
            Ok(InputRequest::Elicitation(ElicitRequest::new(params)))
        }
        Question::Sampling(request) => {
            let params: CreateMessageRequestParams = serde_json::from_str(request)
                .map_err(|_| "its request for a text is not as sampling has it".to_owned())?;
            Ok(InputRequest::CreateMessage(CreateMessageRequest::new(
                params,
            )))
        }
        Question::Roots => Ok(InputRequest::ListRoots(ListRootsRequest::default())),
    }
}

/// What a client has to be able to do for a question.
pub(crate) fn needs(question: &Question) -> ClientCapabilities {
    let mut needed = ClientCapabilities::default();
    match question {
        Question::Form { .. } => {
            let form = FormElicitationCapability::default();
            needed.elicitation = Some(ElicitationCapability::new().with_form(form));
        }
        Question::Page { .. } => {
            let url = UrlElicitationCapability::default();
            needed.elicitation = Some(ElicitationCapability::new().with_url(url));
        }
        Question::Sampling(_) => needed.sampling = Some(SamplingCapability::default()),
        Question::Roots => needed.roots = Some(RootsCapabilities::default()),
    }
    needed
}

/// Whether a client can be asked it. One that only says that it can ask a person means forms.
pub(crate) fn can_be_asked(question: &Question, client: Option<&ClientCapabilities>) -> bool {
    let Some(client) = client else { return false };
    let asks = client.elicitation.as_ref();
    match question {
        Question::Form { .. } => asks.is_some_and(|asks| asks.form.is_some() || asks.url.is_none()),
        Question::Page { .. } => asks.is_some_and(|asks| asks.url.is_some()),
        Question::Sampling(_) => client.sampling.is_some(),
        Question::Roots => client.roots.is_some(),
    }
}

/// The answer that came back for a request, as it was sent; `None` where it is none.
pub(crate) fn answer(request: &Value, response: &Value) -> Option<Answer> {
    let accepted = || Answer::Accepted(response.to_string());
    match request.get("method")?.as_str()? {
        "elicitation/create" => elicited(request, response),
        "sampling/createMessage" => {
            serde_json::from_value::<CreateMessageResult>(response.clone()).ok()?;
            Some(accepted())
        }
        "roots/list" => {
            serde_json::from_value::<ListRootsResult>(response.clone()).ok()?;
            Some(accepted())
        }
        _ => None,
    }
}

fn elicited(request: &Value, response: &Value) -> Option<Answer> {
    let result: ElicitResult = serde_json::from_value(response.clone()).ok()?;
    match result.action {
        ElicitationAction::Decline => Some(Answer::Declined),
        ElicitationAction::Cancel => Some(Answer::Dismissed),
        ElicitationAction::Accept => {
            let params = request.get("params")?;
            let Some(schema) = params.get("requestedSchema") else {
                // a page was opened; what is done there does not come back this way
                return Some(Answer::Accepted("{}".to_owned()));
            };
            let content = result.content?;
            let required = schema.get("required").and_then(Value::as_array);
            let mut required = required.into_iter().flatten().filter_map(Value::as_str);
            let whole = content.is_object() && required.all(|name| content.get(name).is_some());
            whole.then(|| Answer::Accepted(content.to_string()))
        }
        // rmcp may add kinds of answers; one that is not known is none
        _ => None,
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails at once")]
mod tests {
    use super::*;

    fn form() -> Question {
        Question::Form {
            message: "Who?".to_owned(),
            schema: json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
                .to_string(),
        }
    }

    #[test]
    fn a_form_takes_what_its_schema_requires() {
        let request = serde_json::to_value(request(&form()).unwrap()).unwrap();
        assert_eq!(request["method"], "elicitation/create");
        let given = |response: Value| answer(&request, &response);
        let accepted = Answer::Accepted("{\"name\":\"A\"}".to_owned());
        assert_eq!(
            given(json!({"action": "accept", "content": {"name": "A"}})),
            Some(accepted)
        );
        assert_eq!(given(json!({"action": "decline"})), Some(Answer::Declined));
        assert_eq!(given(json!({"action": "cancel"})), Some(Answer::Dismissed));
        for none in [
            json!(12345),
            json!({"action": "accept"}),
            json!({"action": "accept", "content": {}}),
            json!({"action": "accept", "content": "A"}),
            json!({"action": "perhaps"}),
        ] {
            assert_eq!(given(none.clone()), None, "{none}");
        }
    }

    #[test]
    fn a_question_that_no_client_can_read_is_refused() {
        let page = |url: &str| Question::Page {
            message: "Sign in".to_owned(),
            url: url.to_owned(),
        };
        assert!(request(&page("https://example.org/")).is_ok());
        assert!(request(&page("file:///etc/passwd")).is_err());
        assert!(request(&page("javascript:alert(1)")).is_err());
        let form = |schema: &str| Question::Form {
            message: "?".to_owned(),
            schema: schema.to_owned(),
        };
        assert!(request(&form("[")).is_err());
        assert!(request(&form("[]")).is_err());
        assert!(request(&Question::Sampling("{}".to_owned())).is_err());
    }

    #[test]
    fn a_client_is_asked_only_what_it_said_that_it_can() {
        let client = |json: Value| serde_json::from_value::<ClientCapabilities>(json).unwrap();
        let page = Question::Page {
            message: "?".to_owned(),
            url: "https://example.org/".to_owned(),
        };
        let plain = client(json!({"elicitation": {}}));
        assert!(can_be_asked(&form(), Some(&plain)) && !can_be_asked(&page, Some(&plain)));
        let pages = client(json!({"elicitation": {"url": {}}}));
        assert!(!can_be_asked(&form(), Some(&pages)) && can_be_asked(&page, Some(&pages)));
        assert!(!can_be_asked(&Question::Roots, Some(&plain)));
        assert!(!can_be_asked(&form(), None));
        for question in [form(), page, Question::Roots] {
            assert!(can_be_asked(&question, Some(&needs(&question))));
        }
    }
}
