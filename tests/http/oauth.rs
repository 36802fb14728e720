//! An app that is given nothing but the hub's address, through a client library that others use: it finds the server, registers, sends the person to the
//! page, gets tokens, calls tools, asks for more, and is put out.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{
    AuthClient, AuthorizationCallback, AuthorizationManager, AuthorizationRequest,
    AuthorizationSession,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, serve_client_with_lifecycle};
use serde_json::{Value, json};

use crate::person::Person;
use crate::support::{Answer, Asker, Served, with_crypto};

const BACK: &str = "http://127.0.0.1:33418/callback";

/// An app that was let in with these grants, and its tokens.
async fn let_in(hub: &Served, person: &mut Person, grants: &[&str]) -> AuthorizationManager {
    with_crypto();
    let manager = AuthorizationManager::new_allowing_private_addresses(hub.mcp());
    let mut manager = manager.await.unwrap();
    let found = manager.resolve_metadata().await.unwrap();
    manager.set_metadata(found.metadata);
    let asked = AuthorizationRequest::new(BACK).with_client_name("Test app");
    let session = AuthorizationSession::new(manager, asked).await;
    let session = session.unwrap_or_else(|(_, error)| panic!("{error}"));
    let back = person.allows(session.get_authorization_url(), grants).await;
    assert!(back.starts_with(BACK), "{back}");
    AuthorizationCallback::from_redirect_url(&back).unwrap();
    session.handle_callback_url(&back).await.unwrap();
    session.auth_manager
}

#[tokio::test]
async fn an_app_finds_its_way_in_and_works_through_a_client_library() {
    let hub = Served::hub(&[]).await;
    let mut person = Person::signed_in(&hub).await;
    let manager = let_in(&hub, &mut person, &["changes"]).await;
    let token = manager.get_access_token().await.unwrap();
    assert!(token.starts_with("ens_"));
    let client = AuthClient::new(
        reqwest::Client::builder().no_proxy().build().unwrap(),
        manager,
    );
    let config = StreamableHttpClientTransportConfig::with_uri(hub.mcp());
    let transport = StreamableHttpClientTransport::with_client(client, config);
    let client = ClientConfig::new(
        ClientCapabilities::default(),
        Implementation::new("app", "1"),
    );
    let client = serve_client_with_lifecycle(client, transport, ClientLifecycleMode::Initialize);
    let client = client.await.unwrap();
    let tools = client.list_all_tools().await.unwrap();
    let has = |name: &str| tools.iter().any(|tool| tool.name == name);
    assert!(
        has("ensemble_action_hub_create_page") && !has("ensemble_act"),
        "actions by name"
    );
    let mut call = CallToolRequestParams::new("ensemble_create_task");
    call.arguments = json!({"title": "From an app"}).as_object().cloned();
    let made = client.call_tool(call).await.unwrap();
    assert_ne!(made.is_error, Some(true), "{made:?}");
    client.cancel().await.unwrap();
    let page = person.get(&format!("{}/connect", hub.base)).await;
    assert!(page.text.contains("Test app") && page.text.contains("reads and changes"));
}

/// The answer of the token endpoint, as an app without a library asks it.
pub(crate) async fn token(hub: &Served, fields: &[(&str, &str)]) -> Answer {
    let query = reqwest::Url::parse_with_params("http://x/", fields).unwrap();
    let asker = Asker::new(&format!("{}/oauth/token", hub.base));
    let request = asker
        .request(reqwest::Method::POST)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(query.query().unwrap().to_owned());
    asker.send(request).await
}

#[tokio::test]
async fn what_was_not_allowed_is_asked_for_and_what_was_ended_is_gone() {
    let hub = Served::hub(&[]).await;
    let mut person = Person::signed_in(&hub).await;
    let manager = Arc::new(let_in(&hub, &mut person, &[]).await);
    let (client, tokens) = manager.get_credentials().await.unwrap();
    let tokens = serde_json::to_value(tokens.unwrap()).unwrap();
    let access = tokens["access_token"].as_str().unwrap().to_owned();
    let app = Asker::new(&hub.mcp()).with_key(&access);
    let title = json!({"name": "ensemble_create_task", "arguments": {"title": "No"}});
    let refused = app.ask("tools/call", title).await;
    assert_eq!(refused.refusal().0, 403);
    let challenge = refused.header("www-authenticate");
    for part in [
        "error=\"insufficient_scope\"",
        "scope=\"ensemble:read ensemble:write offline_access\"",
        "resource_metadata=\"http://",
    ] {
        assert!(challenge.contains(part), "{challenge}");
    }
    let unknown = json!({"name": "no_such_tool", "arguments": {}});
    assert_eq!(
        app.ask("tools/call", unknown).await.status,
        200,
        "an unknown tool is no scope"
    );

    let refresh = tokens["refresh_token"].as_str().unwrap();
    let again = [
        ("grant_type", "refresh_token"),
        ("client_id", client.as_str()),
        ("refresh_token", refresh),
    ];
    let next = token(&hub, &again).await.message();
    let next_access = next["access_token"].as_str().unwrap();
    let app = Asker::new(&hub.mcp()).with_key(next_access);
    assert!(app.tools().await.len() > 20);

    let list = person
        .get(&format!("{}/api/mcp-oauth/connections", hub.base))
        .await;
    let list: Value = serde_json::from_str(&list.text).unwrap();
    let id = list["connections"][0]["id"].as_str().unwrap();
    let proof = person
        .get(&format!("{}/connect", hub.base))
        .await
        .hidden("proof");
    let path = format!("/connect/apps/{id}/disconnect");
    assert_eq!(person.post(&path, &[("proof", &proof)]).await.status, 303);
    assert_eq!(app.ask("tools/list", json!({})).await.refusal().0, 401);
    let next_refresh = next["refresh_token"].as_str().unwrap();
    let ended = [again[0], again[1], ("refresh_token", next_refresh)];
    let ended = token(&hub, &ended).await;
    assert_eq!(
        (ended.status, &ended.message()["error"]),
        (400, &json!("invalid_grant"))
    );
    let (_, said) = hub.end().await;
    for secret in [access.as_str(), refresh, next_access, next_refresh] {
        assert!(!said.contains(secret), "no token is in the log");
    }
}
