//! What a line is and what follows from it, without any I/O.
//!
//! | line | what becomes of it |
//! |---|---|
//! | not JSON, not UTF-8 | one -32700 with id null |
//! | an id that is null, a fraction or beyond 64 bits; a method that is no text | one -32600 |
//! | a response to what this server asked | delivered, once |
//! | anything else with `result` or `error` | dropped: a response is never answered |
//! | a request before `initialize` that does not name its version itself (`ping` may) | one -32602 |
//! | an array, after `initialize` agreed on 2025-03-26 | one array with the answers to its requests |
//! | any other array | one -32600 |
//! | a notification that makes no sense, or that names no open request | dropped |
//!
//! After `initialize` nothing more is read until it was answered, so that what follows finds the agreed version.

use std::collections::{HashMap, VecDeque};

use rmcp::model::{
    ClientJsonRpcMessage, JsonRpcMessage, ProtocolVersion, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use serde_json::{Map, Value};

use super::{reply, surrogates};

/// Requests in work at once. A client that has more of them open has stopped waiting for answers.
pub(crate) const MAX_OPEN: usize = 1024;

/// Requests in one batch.
const MAX_BATCH: usize = 128;

/// The key of `_meta` by which a request names its own version.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// What came out of one line.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// For the server, in order.
    pub(super) deliver: Vec<ClientJsonRpcMessage>,
    /// For the client, at once.
    pub(super) replies: Vec<Value>,
}

/// What becomes of an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Outgoing {
    /// It is written as it is.
    Alone,
    /// It waits for the rest of its batch.
    Held,
    /// The batch is complete.
    Batch(Value),
}

#[derive(Debug, Default)]
enum Phase {
    #[default]
    Fresh,
    /// Whose answer is awaited, and what had been agreed before: a second `initialize` that fails changes nothing.
    Initializing(RequestId, Option<ProtocolVersion>),
    Agreed(ProtocolVersion),
}

#[derive(Debug, Default)]
struct Batch {
    missing: usize,
    answers: Vec<Value>,
}

/// The state of one connection's messages.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    phase: Phase,
    /// What this server asked and is not answered, the oldest first.
    asked: VecDeque<RequestId>,
    /// The open requests, each with the batch it came in.
    open: HashMap<RequestId, Option<u64>>,
    batches: HashMap<u64, Batch>,
    next_batch: u64,
    complained: bool,
}

impl Exchange {
    /// Nothing more may be read until `initialize` was answered.
    pub(super) fn waits(&self) -> bool {
        matches!(self.phase, Phase::Initializing(..))
    }

    /// Takes one line.
    pub(super) fn take(&mut self, line: &[u8]) -> Taken {
        let mut taken = Taken::default();
        let read = serde_json::from_slice(line).or_else(|error| match surrogates::mended(line) {
            Some(line) => serde_json::from_slice(&line),
            None => Err(error),
        });
        match read {
            Ok(Value::Array(items)) => self.batch(items, &mut taken),
            Ok(Value::Object(message)) => {
                if let Some(reply) = self.one(message, None, &mut taken) {
                    taken.replies.push(reply);
                }
            }
            Ok(_) => {
                let why = "A message is a JSON object with jsonrpc, method and params.";
                taken.replies.push(reply::not_a_message(&Value::Null, why));
            }
            Err(_) => {
                // once: a client that sends garbage sends much of it
                if !std::mem::replace(&mut self.complained, true) {
                    tracing::warn!("a line that is no JSON was answered with an error");
                }
                taken.replies.push(reply::not_json());
            }
        }
        taken
    }

    /// An answer of the server is about to be written.
    pub(super) fn answered(&mut self, message: &ServerJsonRpcMessage) -> Outgoing {
        let id = match message {
            JsonRpcMessage::Response(response) => &response.id,
            JsonRpcMessage::Error(error) => match &error.id {
                Some(id) => id,
                None => return Outgoing::Alone,
            },
            JsonRpcMessage::Request(asked) => {
                // a question of a call that was given up may never be answered
                if self.asked.len() >= MAX_OPEN {
                    self.asked.pop_front();
                }
                self.asked.push_back(asked.id.clone());
                return Outgoing::Alone;
            }
            JsonRpcMessage::Notification(_) => return Outgoing::Alone,
        };
        if let Phase::Initializing(waiting, before) = &self.phase
            && waiting == id
        {
            let version = agreed(message).or_else(|| before.clone());
            self.phase = version.map_or(Phase::Fresh, Phase::Agreed);
        }
        let Some(Some(batch)) = self.open.remove(id) else {
            return Outgoing::Alone;
        };
        let answer = serde_json::to_value(message).unwrap_or(Value::Null);
        match self.settle(batch, Some(answer)) {
            Some(complete) => Outgoing::Batch(complete),
            None => Outgoing::Held,
        }
    }

    fn batch(&mut self, items: Vec<Value>, taken: &mut Taken) {
        let agreed = matches!(&self.phase, Phase::Agreed(v) if *v == ProtocolVersion::V_2025_03_26);
        let why = if !agreed {
            "A batch belongs to the protocol version 2025-03-26 only: send one message in each line."
        } else if items.is_empty() {
            "A batch may not be empty."
        } else if items.len() > MAX_BATCH {
            "A batch may have 128 messages."
        } else {
            ""
        };
        if !why.is_empty() {
            taken.replies.push(reply::not_a_message(&Value::Null, why));
            return;
        }
        let number = self.next_batch;
        self.next_batch += 1;
        // the line itself is one of the things that are missing, until all of it was looked at
        let batch = Batch {
            missing: 1,
            answers: Vec::new(),
        };
        self.batches.insert(number, batch);
        for item in items {
            let reply = if let Value::Object(message) = item {
                self.one(message, Some(number), taken)
            } else {
                let why = "A batch holds JSON objects.";
                Some(reply::not_a_message(&Value::Null, why))
            };
            if let Some(batch) = self.batches.get_mut(&number) {
                batch.answers.extend(reply);
            }
        }
        taken.replies.extend(self.settle(number, None));
    }

    fn one(
        &mut self,
        message: Map<String, Value>,
        batch: Option<u64>,
        taken: &mut Taken,
    ) -> Option<Value> {
        if message.contains_key("result") || message.contains_key("error") {
            self.response(message, taken);
            return None;
        }
        let id = match message.get("id") {
            None => None,
            Some(given) => {
                let Some(id) = readable_id(given) else {
                    let why = "An id is a text or a whole number of at most 64 bits.";
                    return Some(reply::not_a_message(&Value::Null, why));
                };
                Some(id)
            }
        };
        let shown = message.get("id").cloned().unwrap_or(Value::Null);
        let method = match message.get("method").and_then(Value::as_str) {
            Some(method) if message.get("jsonrpc").is_some_and(|v| v == "2.0") => method.to_owned(),
            _ => {
                let why = "A message has \"jsonrpc\": \"2.0\" and the name of a method.";
                return Some(reply::not_a_message(&shown, why));
            }
        };
        let Some(id) = id else {
            self.notification(&method, message, taken);
            return None;
        };
        match self.request(id, &shown, &method, message, batch) {
            Ok(message) => {
                taken.deliver.push(message);
                None
            }
            Err(reply) => Some(reply),
        }
    }

    /// What the client answers to a question.
    fn response(&mut self, message: Map<String, Value>, taken: &mut Taken) {
        let id = message.get("id").and_then(readable_id);
        let at = self
            .asked
            .iter()
            .position(|asked| Some(asked) == id.as_ref());
        let read = serde_json::from_value(Value::Object(message));
        if let (Some(at), Ok(read)) = (at, read) {
            self.asked.remove(at);
            taken.deliver.push(read);
        } else {
            tracing::debug!("a response that nothing waits for was dropped");
        }
    }

    fn request(
        &mut self,
        id: RequestId,
        shown: &Value,
        method: &str,
        mut message: Map<String, Value>,
        batch: Option<u64>,
    ) -> Result<ClientJsonRpcMessage, Value> {
        match message.get("params") {
            None | Some(Value::Object(_)) => {}
            // some clients write "nothing" so
            Some(Value::Null) => drop(message.remove("params")),
            Some(_) => return Err(reply::bad_params(shown, &cut(method))),
        }
        let initialize = method == "initialize";
        if initialize && batch.is_some() {
            let why = "initialize may not be part of a batch.";
            return Err(reply::not_a_message(shown, why));
        }
        let begun = !matches!(self.phase, Phase::Fresh);
        if !begun && !initialize && method != "ping" && !names_its_version(&message) {
            return Err(reply::not_begun(shown));
        }
        if self.open.contains_key(&id) {
            let why = "A request with this id is in work already.";
            return Err(reply::not_a_message(&Value::Null, why));
        }
        // a client asks for a sign of life just when much is open
        if self.open.len() >= MAX_OPEN && method != "ping" {
            return Err(reply::too_many(shown, MAX_OPEN));
        }
        let Ok(message) = serde_json::from_value(Value::Object(message)) else {
            let why = format!("This is not a request of {}.", cut(method));
            return Err(reply::not_a_message(shown, &why));
        };
        if initialize {
            let before = match std::mem::take(&mut self.phase) {
                Phase::Agreed(version) | Phase::Initializing(_, Some(version)) => Some(version),
                Phase::Fresh | Phase::Initializing(_, None) => None,
            };
            self.phase = Phase::Initializing(id.clone(), before);
        }
        self.open.insert(id, batch);
        if let Some(batch) = batch.and_then(|number| self.batches.get_mut(&number)) {
            batch.missing += 1;
        }
        Ok(message)
    }

    fn notification(&mut self, method: &str, message: Map<String, Value>, taken: &mut Taken) {
        if method == "notifications/cancelled" {
            let named = message.get("params").and_then(|p| p.get("requestId"));
            let Some(batch) = named
                .and_then(readable_id)
                .and_then(|id| self.open.remove(&id))
            else {
                return;
            };
            if let Some(number) = batch {
                // its answer will not come any more
                taken.replies.extend(self.settle(number, None));
            }
        } else if matches!(self.phase, Phase::Fresh) {
            return;
        }
        if let Ok(message) = serde_json::from_value(Value::Object(message)) {
            taken.deliver.push(message);
        }
    }

    fn settle(&mut self, number: u64, answer: Option<Value>) -> Option<Value> {
        let batch = self.batches.get_mut(&number)?;
        batch.missing = batch.missing.saturating_sub(1);
        batch.answers.extend(answer);
        self.complete(number)
    }

    fn complete(&mut self, number: u64) -> Option<Value> {
        if self.batches.get(&number)?.missing > 0 {
            return None;
        }
        let answers = self.batches.remove(&number)?.answers;
        (!answers.is_empty()).then_some(Value::Array(answers))
    }
}

/// The version that an answer to `initialize` agrees on.
fn agreed(message: &ServerJsonRpcMessage) -> Option<ProtocolVersion> {
    let JsonRpcMessage::Response(response) = message else {
        return None;
    };
    let ServerResult::InitializeResult(result) = &response.result else {
        return None;
    };
    Some(result.protocol_version.clone())
}

fn readable_id(given: &Value) -> Option<RequestId> {
    match given {
        Value::String(text) => Some(RequestId::String(text.as_str().into())),
        Value::Number(number) => number.as_i64().map(RequestId::Number),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn names_its_version(message: &Map<String, Value>) -> bool {
    let meta = message.get("params").and_then(|params| params.get("_meta"));
    let version = meta.and_then(|meta| meta.get(VERSION_KEY)?.as_str());
    // versions are dates, so they compare as texts
    version.is_some_and(|version| version >= ProtocolVersion::LATEST.as_str())
}

fn cut(method: &str) -> String {
    method
        .chars()
        .filter(|c| !c.is_control())
        .take(64)
        .collect()
}
