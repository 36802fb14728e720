//! The server to compare with: two tools as plain functions behind the same protocol library.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use ensemble_hub_client::{Bearer, Call, HubClient};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};

#[derive(Clone)]
struct Native {
    hub: Arc<HubClient>,
}

/// Serves until standard input ends.
pub(crate) fn serve() -> anyhow::Result<()> {
    let env = |name: &str| std::env::var(name).with_context(|| format!("{name} is not set"));
    let hub = HubClient::new(
        &env("HUB_API_URL")?,
        &Bearer::new(env("ENSEMBLE_BRIDGE_TOKEN")?),
    )?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let server = Native { hub: Arc::new(hub) };
        let running = server.serve(rmcp::transport::stdio_pipes()).await?;
        running.waiting().await?;
        anyhow::Ok(())
    })?;
    runtime.shutdown_background();
    Ok(())
}

fn tool(name: &'static str, property: &str, kind: &str) -> Tool {
    let schema = json!({"type": "object", "properties": {property: {"type": kind}}});
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name, name, Arc::new(schema))
}

impl ServerHandler for Native {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("native", "1"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![
            tool("echo", "text", "string"),
            tool("ensemble_tasks", "limit", "integer"),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        if request.name == "echo" {
            let text = arguments
                .get("text")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            return Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into());
        }
        let failed =
            |error: &dyn std::fmt::Display| ErrorData::internal_error(error.to_string(), None);
        let limit = arguments
            .get("limit")
            .map(Value::to_string)
            .unwrap_or_default();
        let query = [("limit", limit.as_str())];
        let mut call = Call::get("/api/bridge/tasks", Duration::from_secs(10));
        call.query = &query;
        let reply = self.hub.request(call).await.map_err(|e| failed(&e))?;
        let value: Value = reply.json().map_err(|e| failed(&e))?;
        let mut result = CallToolResult::success(vec![ContentBlock::text(value.to_string())]);
        result.structured_content = Some(value);
        Ok(result.into())
    }
}
