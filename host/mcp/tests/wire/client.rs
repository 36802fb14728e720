//! rmcp's own client, in both generations.

use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::{ClientLifecycleMode, ServiceExt as _, serve_client_with_lifecycle};
use tokio_util::sync::CancellationToken;

use crate::hub::Hub;
use crate::support::World;

#[tokio::test]
async fn the_older_generation_lists_and_calls() {
    let world = World::new(Hub::Knows { changes: true });
    let (client, server) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(server);
    let bridge = world.bridge.clone();
    let served = tokio::spawn(ensemble_mcp::serve(
        bridge,
        reader,
        writer,
        CancellationToken::new(),
    ));
    let client = ().serve(client).await.unwrap();
    let info = client.peer_info().unwrap();
    assert_eq!(info.protocol_version, ProtocolVersion::V_2025_11_25);
    check(&client).await;
    client.cancel().await.unwrap();
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn the_newer_generation_lists_and_calls() {
    let world = World::new(Hub::Knows { changes: true });
    let (client, server) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(server);
    let bridge = world.bridge.clone();
    let served = tokio::spawn(ensemble_mcp::serve(
        bridge,
        reader,
        writer,
        CancellationToken::new(),
    ));
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let client = serve_client_with_lifecycle((), client, lifecycle)
        .await
        .unwrap();
    let info = client.peer_info().unwrap();
    assert_eq!(info.protocol_version, ProtocolVersion::V_2026_07_28);
    check(&client).await;
    client.cancel().await.unwrap();
    served.await.unwrap().unwrap();
}

async fn check(client: &rmcp::Peer<rmcp::RoleClient>) {
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["ensemble_tasks", "ensemble_create_task"]);
    assert_eq!(client.list_all_resources().await.unwrap().len(), 1);
    assert_eq!(client.list_all_resource_templates().await.unwrap().len(), 1);
    let call = CallToolRequestParams::new("ensemble_tasks");
    let answer = client.call_tool(call).await.unwrap();
    assert_eq!(answer.is_error, Some(true));
}
