//! Tools: listed from the approved surfaces, called through a fresh instance. The order of a call: is it visible, do its
//! arguments keep the published schema, does the broker open it, what did it answer. Cancelled is dropped: the instance and
//! the hub request that it waits for end with the future.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};

use ensemble_broker::Fault;
use ensemble_catalog::{Listed, prepare, promise};
use ensemble_runtime::CallError;
use ensemble_runtime::offer::ToolStep;
use rmcp::model::{CallToolRequestParams, CallToolResult, ListToolsResult};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;

use crate::calls::{self, Closed};
use crate::server::{BridgeServer, listed};
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
) -> Result<CallToolResult, ErrorData> {
    let name = request.name;
    let listed = match visible(server, &name).await? {
        Ok(listed) => listed,
        Err(fault) => return Ok(convert::failed(&fault.to_string())),
    };
    let prepared = match prepare(&listed, request.arguments.map(Value::Object)) {
        Ok(prepared) => prepared,
        Err(error) => return Ok(convert::failed(&error.to_string())),
    };
    let space = prepared.space.as_deref();
    let opened = match calls::open(server, &listed.plugin, &name, space, context).await {
        Ok(opened) => opened,
        Err(Closed::Absent) => return Err(errors::unknown_tool(&name)),
        Err(Closed::Fault(fault)) => {
            // the key has lost the grant since it was listed: then the tool is not there any more
            if matches!(fault, Fault::Denied(_)) && server.bridge.view().tool(&name).is_none() {
                return Err(errors::unknown_tool(&name));
            }
            return Ok(convert::failed(&fault.to_string()));
        }
    };
    let mark = opened.mark();
    let arguments = Value::Object(prepared.arguments).to_string();
    let registry = server.bridge.registry();
    let step = opened
        .run(|session, events| {
            registry.call_tool(&listed.plugin, session, &name, arguments, None, events)
        })
        .await;
    let mut result = answered(server, &listed, step, context);
    if let Some(mark) = mark {
        convert::mark(&mut result, &listed.plugin, &mark);
    }
    Ok(result)
}

/// What the client reads of how a call went.
fn answered(
    server: &BridgeServer,
    listed: &Listed,
    step: Result<ToolStep, CallError>,
    context: &RequestContext<RoleServer>,
) -> CallToolResult {
    match step {
        Ok(ToolStep::Done(output)) => {
            let version = context.protocol_version();
            let promised = listed.tool.output_schema.is_some();
            let result = convert::output(&listed.plugin, output, promised, version.as_ref());
            kept(listed, result)
        }
        Ok(ToolStep::Ask(_)) => convert::failed(&format!(
            "The tool {} wants to ask something, and this version of the bridge cannot pass questions on.",
            listed.tool.name
        )),
        Err(error) => {
            // where the key was refused, what it sees follows; otherwise this asks nobody
            server.bridge.ask();
            convert::failed(&error.to_string())
        }
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

/// The tool as this caller sees it. A name that no key sees is unknown at once; for the others it has to be known who is
/// calling, and where that cannot be known the reason is the answer.
async fn visible(server: &BridgeServer, name: &str) -> Result<Result<Listed, Fault>, ErrorData> {
    let bridge = &server.bridge;
    if bridge.widest().tool(name).is_none() {
        return Err(errors::unknown_tool(name));
    }
    match bridge.principal().await {
        Ok(principal) => match bridge.view_of(principal.grants).tool(name) {
            Some(listed) => Ok(Ok(listed.clone())),
            None => Err(errors::unknown_tool(name)),
        },
        Err(fault) => Ok(Err(fault)),
    }
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
