//! An app is let in, or not, and put out again.

use axum::http::StatusCode;
use reqwest::Url;
use serde_json::Value;

use crate::browser::{Browser, HOST, NAME, PASSWORD, Page, Site};

const BACK: &str = "http://127.0.0.1:33418/callback";
/// The example of RFC 7636.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// A hub that is at the address where its browsers look.
async fn site() -> Site {
    let site = Site::new().await;
    site.hub.set_base_url(&format!("http://{HOST}"));
    site
}

async fn registered(browser: &mut Browser, name: &str) -> String {
    let document = serde_json::json!({ "client_name": name, "redirect_uris": [BACK], "token_endpoint_auth_method": "none" });
    let request = axum::http::Request::post("/oauth/register")
        .header("host", HOST)
        .header("content-type", "application/json");
    let answer = browser.send(request, document.to_string()).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    json(&answer)["client_id"].as_str().unwrap().to_owned()
}

fn json(page: &Page) -> Value {
    serde_json::from_str(&page.body).unwrap()
}

/// The path of the page that asks the person.
async fn begun(browser: &mut Browser, name: &str, scope: &str) -> (String, String) {
    let client = registered(browser, name).await;
    let mut fields = vec![
        ("response_type", "code"),
        ("client_id", client.as_str()),
        ("redirect_uri", BACK),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "s&1"),
    ];
    if !scope.is_empty() {
        fields.push(("scope", scope));
    }
    let url = Url::parse_with_params("http://hub/oauth/authorize", fields).unwrap();
    let path = format!("/oauth/authorize?{}", url.query().unwrap());
    let sent = browser.get(&path).await;
    assert_eq!(sent.status, StatusCode::FOUND, "{}", sent.body);
    let to = sent.header("location").to_owned();
    let path = to.strip_prefix(&format!("http://{HOST}")).unwrap();
    (path.to_owned(), client)
}

/// Sends the form of this page.
async fn answered(browser: &mut Browser, page: &Page, more: &[(&str, &str)]) -> Page {
    let (proof, request) = (page.hidden("proof"), page.hidden("request"));
    let mut fields = vec![("proof", proof.as_str()), ("request", request.as_str())];
    fields.extend(more);
    browser.post("/oauth", &fields).await
}

fn parameter(page: &Page, name: &str) -> Option<String> {
    assert_eq!(page.status, StatusCode::SEE_OTHER, "{}", page.body);
    let url = Url::parse(page.header("location")).unwrap();
    assert!(url.as_str().starts_with(BACK), "{url}");
    let mut pairs = url.query_pairs();
    pairs
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

async fn access(browser: &mut Browser, client: &str, code: &str) -> (StatusCode, Value) {
    let fields = [
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("code", code),
        ("redirect_uri", BACK),
        ("code_verifier", VERIFIER),
    ];
    let answer = browser.post_from("/oauth/token", &fields, &[]).await;
    (answer.status, json(&answer))
}

async fn whoami(browser: &mut Browser, token: &str) -> Page {
    let request = axum::http::Request::get("/api/bridge/whoami")
        .header("host", HOST)
        .header("authorization", format!("Bearer {token}"));
    browser.send(request, String::new()).await
}

#[tokio::test]
async fn an_app_is_let_in_narrower_than_it_asked_and_put_out_again() {
    let site = site().await;
    let mut browser = site.owner().await;
    let (path, client) = begun(&mut browser, "Editor", "").await;
    let page = browser.get(&path).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    for part in ["“Editor”", "127.0.0.1", "name=\"changes\"", "name=\"apps\""] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
    let (_, space) = page.body.split_once("<option value=\"").unwrap();
    let space = space.split_once('"').unwrap().0;
    let fields = [("choice", "allow"), ("space", space), ("changes", "on")];
    let done = answered(&mut browser, &page, &fields).await;
    assert_eq!(parameter(&done, "state").unwrap(), "s&1");
    assert_eq!(parameter(&done, "iss").unwrap(), format!("http://{HOST}"));
    let code = parameter(&done, "code").unwrap();
    let (status, tokens) = access(&mut browser, &client, &code).await;
    assert_eq!(status, StatusCode::OK, "{tokens}");
    let token = tokens["access_token"].as_str().unwrap();
    assert_eq!(
        tokens["scope"],
        "ensemble:read ensemble:write offline_access"
    );
    let who = json(&whoami(&mut browser, token).await);
    assert_eq!(
        (&who["canWrite"], &who["canUseApps"]),
        (&Value::Bool(true), &Value::Bool(false))
    );

    let again = answered(&mut browser, &page, &fields).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND, "answered once");

    let list = json(&browser.get("/api/mcp-oauth/connections").await);
    assert_eq!(list["connections"][0]["clientName"], "Editor");
    let page = browser.get("/connect").await;
    assert!(page.body.contains("Disconnect Editor"), "{}", page.body);
    assert!(
        page.body.contains("There is no key yet."),
        "a token is no key"
    );
    let id = list["connections"][0]["id"].as_str().unwrap();
    let to = format!("/connect/apps/{id}/disconnect");
    let wrong = browser.post(&to, &[("proof", "no")]).await;
    assert_eq!(wrong.status, StatusCode::FORBIDDEN);
    let proof = page.hidden("proof");
    let done = browser.post(&to, &[("proof", &proof)]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER);
    assert_eq!(
        whoami(&mut browser, token).await.status,
        StatusCode::UNAUTHORIZED
    );
    let page = browser.get("/connect").await;
    assert!(page.body.contains("No app is connected."), "{}", page.body);
}

#[tokio::test]
async fn a_refusal_goes_back_to_the_app_and_gives_nothing() {
    let site = site().await;
    let mut browser = site.owner().await;
    let (path, _) = begun(&mut browser, "Editor", "ensemble:read").await;
    let page = browser.get(&path).await;
    assert!(
        !page.body.contains("name=\"changes\""),
        "it did not ask for that"
    );
    let done = answered(&mut browser, &page, &[("choice", "deny")]).await;
    assert_eq!(parameter(&done, "error").unwrap(), "access_denied");
    assert_eq!(parameter(&done, "code"), None);
    assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn nobody_gets_more_than_was_asked_for() {
    let site = site().await;
    let mut browser = site.owner().await;
    let (path, client) = begun(&mut browser, "Reader", "ensemble:read").await;
    let page = browser.get(&path).await;
    let (_, space) = page.body.split_once("<option value=\"").unwrap();
    let space = space.split_once('"').unwrap().0;
    let more = [
        ("choice", "allow"),
        ("space", space),
        ("changes", "on"),
        ("apps", "on"),
    ];
    let done = answered(&mut browser, &page, &more).await;
    let code = parameter(&done, "code").unwrap();
    let (_, tokens) = access(&mut browser, &client, &code).await;
    assert_eq!(tokens["scope"], "ensemble:read offline_access");
}

#[tokio::test]
async fn the_request_is_still_there_after_the_sign_in() {
    let site = site().await;
    site.owner().await;
    let mut browser = site.browser();
    let (path, _) = begun(&mut browser, "Editor", "").await;
    let asked = browser.get(&path).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER);
    let form = browser.get(asked.header("location")).await;
    let then = form.hidden("then");
    assert_eq!(then, path);
    let done = browser.sign_in(NAME, PASSWORD, &then).await;
    assert_eq!(done.header("location"), path);
    assert!(browser.get(&path).await.body.contains("“Editor”"));
}

#[tokio::test]
async fn the_request_is_of_one_browser_for_ten_minutes_and_one_space_of_the_account() {
    let site = site().await;
    let mut browser = site.owner().await;
    let (path, _) = begun(&mut browser, "Editor", "").await;
    let page = browser.get(&path).await;
    let mut other = site.browser();
    other.sign_in(NAME, PASSWORD, "/").await;
    assert_eq!(other.get(&path).await.status, StatusCode::NOT_FOUND);
    let elsewhere = [("choice", "allow"), ("space", "of-nobody")];
    let done = answered(&mut browser, &page, &elsewhere).await;
    assert_eq!(done.status, StatusCode::BAD_REQUEST, "and it waits on");
    assert_eq!(browser.get(&path).await.status, StatusCode::OK);
    let fields = [("proof", "no"), ("request", "x"), ("choice", "deny")];
    let forged = browser.post("/oauth", &fields).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    site.clock.advance(jiff::SignedDuration::from_mins(11));
    let late = answered(&mut browser, &page, &[("choice", "deny")]).await;
    assert_eq!(late.status, StatusCode::NOT_FOUND, "{}", late.body);
}

#[tokio::test]
async fn a_name_is_text_and_the_window_stays_beside_the_one_that_opened_it() {
    let site = site().await;
    let mut browser = site.owner().await;
    let (path, _) = begun(&mut browser, "<b onclick=x>\u{202e}Bank", "").await;
    let page = browser.get(&path).await;
    assert!(!page.body.contains("<b onclick"), "{}", page.body);
    assert!(!page.body.contains('\u{202e}'), "{}", page.body);
    assert_eq!(page.header("cross-origin-opener-policy"), "");
    assert_eq!(page.header("x-frame-options"), "DENY");
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains("frame-ancestors 'none'") && !policy.contains("form-action"),
        "{policy}"
    );
}

#[tokio::test]
async fn who_is_not_signed_in_learns_of_no_app() {
    let site = site().await;
    let answer = site.browser().get("/api/mcp-oauth/connections").await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.body, "{\"error\":\"Sign in first.\"}");
}
