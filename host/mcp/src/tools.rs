//! Tools: listed from the approved surfaces, called through a fresh instance. The order of a call: is it visible, do its
//! arguments keep the published schema, does the broker open it, what did it answer. Cancelled is dropped: the instance and
//! the hub request that it waits for end with the future.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};

use ensemble_broker::Fault;
use ensemble_catalog::{Listed, prepare, promise};
use ensemble_model::Principal;
use ensemble_runtime::offer::{Output, Pause, Resumption, ToolStep};
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ListToolsResult};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;

use crate::asking::{Asker, Asking, Next, Unasked};
use crate::calls::{self, Closed};
use crate::server::{BridgeServer, is_modern, listed};
use crate::{convert, errors};

pub(crate) async fn list(
    server: &BridgeServer,
    context: &RequestContext<RoleServer>,
) -> ListToolsResult {
    server.bridge.first_answer().await;
    let view = server.connection.show_tools(&server.bridge);
    server.bridge.compared(&view).await;
    let listed = view.tools().iter();
    let items = listed.filter(|l| server.bridge.lists(&l.plugin));
    let items = items.map(convert::tool);
    listed!(server, context, ListToolsResult, items)
}

pub(crate) async fn call(
    server: &BridgeServer,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let name = request.name;
    let failed = |why: &dyn std::fmt::Display| Ok(convert::failed(&why.to_string()).into());
    let (listed, caller) = match visible(server, &name).await? {
        Ok(seen) => seen,
        Err(fault) => return failed(&fault),
    };
    let given = request.arguments.map(Value::Object);
    let asker = Asker {
        caller: &caller,
        method: "tools/call",
        name: &name,
        arguments: &given.clone().unwrap_or_default(),
    };
    let prepared = match prepare(&listed, given) {
        Ok(prepared) => prepared,
        Err(error) => return failed(&error),
    };
    let state = request.request_state.as_deref();
    let (mut asking, begun) =
        Asking::begin(server, context, &asker, request.input_responses, state)?;
    let mut next = begun;
    // a name for something else: what is called is what the name was made for
    let arguments = match &listed.calls {
        Some(calls) => calls.arguments(prepared.arguments),
        None => prepared.arguments,
    };
    let arguments = Value::Object(arguments).to_string();
    loop {
        let resumed = match next {
            None => None,
            Some(Next::Again(resumed)) => Some(resumed),
            Some(Next::Ask(asks)) => return Ok(asks.into()),
        };
        let run = Run {
            listed: &listed,
            arguments: arguments.clone(),
            space: prepared.space.as_deref(),
        };
        match run.once(server, context, resumed).await? {
            Went::Done(result) => return Ok(result.into()),
            Went::Asks(pause) => match asking.go_on(pause).await {
                Ok(then) => next = Some(then),
                Err(unasked) => return unasked_of(&listed, unasked, context).map(Into::into),
            },
        }
    }
}

/// One run of a tool.
struct Run<'a> {
    listed: &'a Listed,
    arguments: String,
    space: Option<&'a str>,
}

enum Went {
    Done(CallToolResult),
    Asks(Pause),
}

impl Run<'_> {
    async fn once(
        self,
        server: &BridgeServer,
        context: &RequestContext<RoleServer>,
        resumed: Option<Resumption>,
    ) -> Result<Went, ErrorData> {
        let (plugin, name) = (&self.listed.plugin, &self.listed.tool.name);
        let tool = self.listed.calls.as_ref().map_or(name.as_str(), |c| c.tool);
        let opened = match calls::open(server, plugin, tool, self.space, context).await {
            Ok(opened) => opened,
            Err(Closed::Absent) => return Err(errors::unknown_tool(name)),
            Err(Closed::Fault(fault)) => {
                // the key has lost the grant since it was listed: then the tool is not there any more
                let gone = server.bridge.view().tool(name).is_none();
                if matches!(fault, Fault::Denied(_)) && gone {
                    return Err(errors::unknown_tool(name));
                }
                return Ok(Went::Done(convert::failed(&fault.to_string())));
            }
        };
        let mark = opened.mark();
        let registry = server.bridge.registry();
        let step = opened
            .run(|session, events| {
                registry.call_tool(plugin, session, tool, self.arguments, resumed, events)
            })
            .await;
        let mut result = match step {
            Ok(ToolStep::Ask(pause)) => return Ok(Went::Asks(pause)),
            Ok(ToolStep::Done(output)) => answered(self.listed, output, context),
            Err(error) => {
                // where the key was refused, what it sees follows; otherwise this asks nobody
                server.bridge.ask();
                convert::failed(&error.to_string())
            }
        };
        if let Some(mark) = mark {
            convert::mark(&mut result, plugin, &mark);
        }
        Ok(Went::Done(result))
    }
}

/// What the client reads of an answer.
fn answered(
    listed: &Listed,
    output: Output,
    context: &RequestContext<RoleServer>,
) -> CallToolResult {
    let version = context.protocol_version();
    let promised = listed.tool.output_schema.is_some();
    let result = convert::output(&listed.plugin, output, promised, version.as_ref());
    kept(listed, result)
}

/// What the client reads where a question was not asked.
fn unasked_of(
    listed: &Listed,
    unasked: Unasked,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    match unasked {
        Unasked::Failed(error) => Err(error),
        Unasked::Bad(reason) => Ok(convert::failed(&errors::bad_question(
            &listed.plugin,
            &reason,
        ))),
        Unasked::Needs(capabilities) if is_modern(context) => {
            Err(ErrorData::missing_required_client_capability(*capabilities))
        }
        Unasked::Needs(_) => Ok(convert::failed(&errors::cannot_ask(&listed.tool.name))),
    }
}

/// The result, or that its structured content breaks what the tool promised.
fn kept(listed: &Listed, result: CallToolResult) -> CallToolResult {
    let structured = result.structured_content.as_ref();
    let Some(place) = structured.and_then(|answer| promise::broken(listed, answer)) else {
        return result;
    };
    let place: String = place.chars().filter(|c| !c.is_control()).take(80).collect();
    convert::failed(&format!(
        "The plugin {} answered with structured content that does not keep the schema of its tool (at “{place}”).",
        listed.plugin
    ))
}

/// The tool as this caller sees it, and who calls. A name that no key sees is unknown at once; for the others it has to be known who is
/// calling, and where that cannot be known the reason is the answer.
async fn visible(
    server: &BridgeServer,
    name: &str,
) -> Result<Result<(Listed, String), Fault>, ErrorData> {
    let bridge = &server.bridge;
    if bridge.widest().tool(name).is_none() {
        return Err(errors::unknown_tool(name));
    }
    match bridge.principal().await {
        Ok(principal) => match bridge.view_of(principal.grants).tool(name) {
            Some(listed) => Ok(Ok((listed.clone(), caller(&principal)))),
            None => Err(errors::unknown_tool(name)),
        },
        Err(fault) => Ok(Err(fault)),
    }
}

/// Whom a sealed state is good for: two keys can have one name.
pub(crate) fn caller(principal: &Principal) -> String {
    let id = principal.key_id.as_ref();
    id.unwrap_or(&principal.key_name).clone()
}

/// Runs a future and turns a panic in it into an error, so that its caller is answered.
pub(crate) async fn caught<T>(
    work: impl Future<Output = Result<T, ErrorData>> + Send,
) -> Result<T, ErrorData> {
    Caught(Box::pin(work)).await
}

struct Caught<'a, T>(Pin<Box<dyn Future<Output = Result<T, ErrorData>> + Send + 'a>>);

impl<T> Future for Caught<'_, T> {
    type Output = Result<T, ErrorData>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = std::panic::catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(cx)));
        polled.unwrap_or_else(|_| {
            let why = "The bridge failed inside itself; its log on standard error says where.";
            Poll::Ready(Err(ErrorData::internal_error(why, None)))
        })
    }
}
