//! rmcp's own client, over both endpoints and in both generations.

use ensemble_test_harness::PATIENCE;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation, ProtocolVersion,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, serve_client_with_lifecycle};
use serde_json::json;
use tokio::time::timeout;

use crate::support::{Served, with_crypto};

async fn works(url: &str, key: Option<&str>, version: ProtocolVersion) {
    with_crypto();
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.to_owned());
    if let Some(key) = key {
        config = config.auth_header(key);
    }
    let transport = StreamableHttpClientTransport::from_config(config);
    let client = ClientConfig::new(
        ClientCapabilities::default(),
        Implementation::new("client", "1"),
    )
    .with_protocol_version(version.clone());
    let lifecycle = if version == ProtocolVersion::V_2026_07_28 {
        ClientLifecycleMode::Discover {
            preferred_versions: vec![version.clone()],
        }
    } else {
        ClientLifecycleMode::Initialize
    };
    let started = serve_client_with_lifecycle(client, transport, lifecycle);
    let client = timeout(PATIENCE, started).await.unwrap().unwrap();
    let tools = client.list_all_tools().await.unwrap();
    assert!(tools.iter().any(|tool| tool.name == "ensemble_create_task"));
    let mut call = CallToolRequestParams::new("ensemble_create_task");
    call.arguments = json!({"title": format!("From a client of {version}")})
        .as_object()
        .cloned();
    let made = client.call_tool(call).await.unwrap();
    assert_ne!(made.is_error, Some(true), "{made:?}");
    let mut call = CallToolRequestParams::new("ensemble_search");
    call.arguments = json!({"query": format!("client of {version}")})
        .as_object()
        .cloned();
    let found = serde_json::to_string(&client.call_tool(call).await.unwrap()).unwrap();
    assert!(found.contains("From a client"), "{found}");
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn both_generations_work_over_both_endpoints() {
    let hub = Served::hub(&[]).await;
    let key = hub.key("editor", &["--changes"]).await;
    let bridge = Served::bridge(&hub.base, &key, &[]).await;
    for version in [
        ProtocolVersion::V_2025_06_18,
        ProtocolVersion::V_2025_11_25,
        ProtocolVersion::V_2026_07_28,
    ] {
        works(&bridge.mcp(), None, version.clone()).await;
        works(&hub.mcp(), Some(&key), version).await;
    }
}
