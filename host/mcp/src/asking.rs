//! A call that asks before it answers. The plugin's questions go to the client, and the plugin is called again with the answers and its own
//! state; nothing of it runs meanwhile. One rule for both generations:
//!
//! | the client | gets |
//! |---|---|
//! | of the newer generation | a result that asks, with the state sealed; it makes the request again with both |
//! | of the older generation | the questions as requests, while its own request waits |
//! | that cannot be asked one of them | nothing of that one: the plugin is told `unsupported`, and may go on without |
//!
//! A plugin that asks again what it was told to be unsupported cannot go on without, and the client is told what it would need. Answers
//! that come with the first request are used where they fit its questions; where one is missing or is none, the same is asked again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_runtime::offer::{Answer, Pause, Question, Resumption};
use rmcp::model::{
    ClientCapabilities, ErrorCode, InputRequest, InputRequests, InputRequiredResult,
    InputResponses, ServerRequest,
};
use rmcp::service::{RequestContext, ServiceError};
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;

use crate::convert::questions;
use crate::seal::{KEPT_FOR, Kept, Seal};
use crate::server::{self, BridgeServer};

/// How often one call may ask: more is a plugin that goes round in circles.
const MAX_ROUNDS: u32 = 16;

/// Questions at once: more than a person answers in one go.
const MAX_QUESTIONS: usize = 8;

/// One request, as far as it asks.
pub(crate) struct Asking<'a> {
    server: &'a BridgeServer,
    context: &'a RequestContext<RoleServer>,
    seal: Seal,
    /// Whose request this is, and which.
    bound: Vec<u8>,
    /// Answers that came with this request and are not used yet.
    ahead: InputResponses,
    round: u32,
    /// What the plugin was told that the client cannot be asked.
    unsupported: Vec<String>,
}

/// What comes after the questions.
pub(crate) enum Next {
    /// The plugin is called again.
    Again(Resumption),
    /// The client is asked, and makes its request again.
    Ask(InputRequiredResult),
}

/// Why a question was not asked.
pub(crate) enum Unasked {
    /// The client cannot be asked it, and the plugin cannot do without.
    Needs(Box<ClientCapabilities>),
    /// The plugin is at fault; the end of a sentence.
    Bad(String),
    /// The client is not there any more, or something of the host failed.
    Failed(ErrorData),
}

/// Which request it is.
pub(crate) struct Asker<'a> {
    /// Who calls: the key's id or name.
    pub(crate) caller: &'a str,
    /// `tools/call` or `prompts/get`.
    pub(crate) method: &'a str,
    /// Of the tool or prompt.
    pub(crate) name: &'a str,
    /// As the client gave them.
    pub(crate) arguments: &'a Value,
}

impl Asker<'_> {
    fn bound(&self) -> Vec<u8> {
        let mut arguments = self.arguments.clone();
        arguments.sort_all_objects();
        let parts = [self.caller, self.method, self.name];
        // as JSON, so that no two lists of parts give the same bytes
        serde_json::json!([parts, arguments])
            .to_string()
            .into_bytes()
    }
}

impl<'a> Asking<'a> {
    /// Begins with what came with the request. There is something to go on with where it carries a sealed state.
    pub(crate) fn begin(
        server: &'a BridgeServer,
        context: &'a RequestContext<RoleServer>,
        asker: &Asker<'_>,
        responses: Option<InputResponses>,
        state: Option<&str>,
    ) -> Result<(Self, Option<Next>), ErrorData> {
        let modern = server::is_modern(context);
        let mut asking = Self {
            server,
            context,
            seal: server.bridge.seal().clone(),
            bound: asker.bound(),
            ahead: responses.filter(|_| modern).unwrap_or_default(),
            round: 0,
            unsupported: Vec::new(),
        };
        let Some(state) = state.filter(|_| modern) else {
            return Ok((asking, None));
        };
        let kept = asking.seal.open(&asking.bound, state)?;
        asking.round = kept.round;
        let next = asking.answered(&kept, false)?;
        Ok((asking, Some(next)))
    }

    /// The plugin has asked.
    pub(crate) async fn go_on(&mut self, pause: Pause) -> Result<Next, Unasked> {
        self.round += 1;
        if self.round > MAX_ROUNDS {
            return Err(Unasked::Bad(format!(
                "it asked more than {MAX_ROUNDS} times in one call"
            )));
        }
        let kept = self.kept(pause)?;
        if server::is_modern(self.context) {
            return self.answered(&kept, true).map_err(Unasked::Failed);
        }
        self.unsupported = unsupported(&kept);
        let mut answers = Vec::with_capacity(kept.questions.len());
        for (name, request) in &kept.questions {
            let given = match request {
                None => Answer::Unsupported,
                Some(request) => self.ask(request).await?,
            };
            answers.push((name.clone(), given));
        }
        resumed(&kept, answers).map_err(Unasked::Failed)
    }

    /// The questions as they go out, and nothing for each that this client cannot be asked.
    fn kept(&self, pause: Pause) -> Result<Kept, Unasked> {
        let Pause { questions, state } = pause;
        if questions.len() > MAX_QUESTIONS {
            return Err(Unasked::Bad(format!(
                "it asked more than {MAX_QUESTIONS} questions at once"
            )));
        }
        let client = self.context.client_capabilities();
        let mut kept: Vec<(String, Option<Value>)> = Vec::with_capacity(questions.len());
        for (name, question) in questions {
            if kept.iter().any(|(earlier, _)| *earlier == name) {
                return Err(Unasked::Bad(
                    "two of its questions have one name".to_owned(),
                ));
            }
            let asked = request(&question).map_err(Unasked::Bad)?;
            let can = questions::can_be_asked(&question, client.as_ref());
            if !can && self.unsupported.contains(&name) {
                return Err(Unasked::Needs(Box::new(questions::needs(&question))));
            }
            kept.push((name, can.then_some(asked)));
        }
        Ok(Kept {
            round: self.round,
            questions: kept,
            state: STANDARD.encode(state),
        })
    }

    /// Goes on with the answers that are there, or asks for all of them where one is not. A pause without questions is a plugin that
    /// wants to be called again later: it goes out once.
    fn answered(&mut self, kept: &Kept, fresh: bool) -> Result<Next, ErrorData> {
        self.unsupported = unsupported(kept);
        let mut answers = Vec::with_capacity(kept.questions.len());
        for (name, request) in &kept.questions {
            let given = match request {
                None => Some(Answer::Unsupported),
                Some(request) => {
                    let response = self.ahead.get(name);
                    response.and_then(|response| questions::answer(request, response))
                }
            };
            let Some(given) = given else {
                return self.asks(kept);
            };
            answers.push((name.clone(), given));
        }
        if fresh && kept.questions.is_empty() {
            return self.asks(kept);
        }
        // an answer is used once
        self.ahead.clear();
        resumed(kept, answers)
    }

    /// The result that asks.
    fn asks(&self, kept: &Kept) -> Result<Next, ErrorData> {
        let mut requests = InputRequests::new();
        for (name, request) in &kept.questions {
            if let Some(request) = request {
                let request: InputRequest = read(request)?;
                requests.insert(name.clone(), request);
            }
        }
        let requests = (!requests.is_empty()).then_some(requests);
        let sealed = self.seal.close(&self.bound, kept)?;
        let mut result = InputRequiredResult::new(requests, Some(sealed));
        result.meta = Some(self.server.meta());
        Ok(Next::Ask(result))
    }

    /// Asks a client of the older generation, and waits as long as the person takes.
    async fn ask(&self, request: &Value) -> Result<Answer, Unasked> {
        let asked: InputRequest = read(request).map_err(Unasked::Failed)?;
        let sent = match asked {
            InputRequest::CreateMessage(asked) => ServerRequest::CreateMessageRequest(asked),
            InputRequest::Elicitation(asked) => ServerRequest::ElicitRequest(asked),
            InputRequest::ListRoots(asked) => ServerRequest::ListRootsRequest(asked),
            _ => return Ok(Answer::Unsupported),
        };
        let waiting = self.context.peer.send_request(sent);
        match tokio::time::timeout(KEPT_FOR, waiting).await {
            Ok(Ok(response)) => {
                let response = serde_json::to_value(response).unwrap_or_default();
                // there is no way to ask again but to ask again, and the client has just failed at that
                Ok(questions::answer(request, &response).unwrap_or(Answer::Dismissed))
            }
            Ok(Err(ServiceError::McpError(error))) if error.code == ErrorCode::METHOD_NOT_FOUND => {
                Ok(Answer::Unsupported)
            }
            Ok(Err(ServiceError::McpError(_))) => Ok(Answer::Declined),
            Ok(Err(error)) => {
                let why = format!("The question did not reach the client: {error}.");
                Err(Unasked::Failed(ErrorData::internal_error(why, None)))
            }
            Err(_) => Ok(Answer::Dismissed),
        }
    }
}

/// What the plugin is called again with.
fn resumed(kept: &Kept, answers: Vec<(String, Answer)>) -> Result<Next, ErrorData> {
    let state = STANDARD.decode(&kept.state).map_err(|error| {
        ErrorData::internal_error(format!("The state of a call is damaged: {error}."), None)
    })?;
    Ok(Next::Again(Resumption { answers, state }))
}

fn unsupported(kept: &Kept) -> Vec<String> {
    let without = kept.questions.iter().filter(|(_, asked)| asked.is_none());
    without.map(|(name, _)| name.clone()).collect()
}

/// A question as JSON: this is how it is kept.
fn request(question: &Question) -> Result<Value, String> {
    let request = questions::request(question)?;
    serde_json::to_value(request)
        .map_err(|error| format!("a question of it cannot be sent: {error}"))
}

fn read(request: &Value) -> Result<InputRequest, ErrorData> {
    serde_json::from_value(request.clone()).map_err(|error| {
        ErrorData::internal_error(format!("A question is damaged: {error}."), None)
    })
}
