//! The way of an app through a real browser: its person signs in on the way, takes a grant away, allows it, finds it listed and disconnects it. Pictures of
//! each page, light, dark and narrow, are left in the target folder for whoever changes a page to look at.
//!
//! Needs Chromium and its driver (Debian: `chromium`, `chromium-driver`). Without them the test says so and does nothing, except in CI, where it fails.

use std::path::PathBuf;
use std::process::Stdio;

use ensemble_test_harness::PATIENCE;
use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio::time::timeout;
use url::Url;

use crate::person::{NAME, PASSWORD};
use crate::support::{Asker, Served};

/// The driver, on a port of its own choice.
async fn driver() -> Option<(Child, String)> {
    let started = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn();
    let Ok(mut driver) = started else {
        let in_ci = std::env::vars().any(|(name, _)| name == "ENSEMBLE_CI");
        assert!(
            !in_ci,
            "chromedriver is missing: install chromium and chromium-driver"
        );
        eprintln!("SKIPPED: chromedriver is not installed, so that no browser was started");
        return None;
    };
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    loop {
        let line = timeout(PATIENCE, lines.next_line()).await.unwrap();
        let line = line.unwrap().expect("the driver says its port");
        if let Some((_, port)) = line.split_once("successfully on port ") {
            let port = port.trim_end_matches('.').to_owned();
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Some((driver, format!("http://127.0.0.1:{port}")));
        }
    }
}

async fn browser(driver: &str) -> Client {
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1100,900",
    ];
    let capabilities = json!({"goog:chromeOptions": {"args": arguments}});
    ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities.as_object().unwrap().clone())
        .connect(driver)
        .await
        .unwrap()
}

/// Pictures of the page as it stands, in both colour schemes and narrow.
async fn pictures(client: &Client, name: &str) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pages");
    std::fs::create_dir_all(&folder).unwrap();
    for (scheme, width) in [("light", 1100), ("dark", 1100), ("light", 390)] {
        client.set_window_size(width, 900).await.unwrap();
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        let command = Cdp("Emulation.setEmulatedMedia", json!({"features": features}));
        client.issue_cmd(command).await.unwrap();
        let picture = client.screenshot().await.unwrap();
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        std::fs::write(folder.join(format!("{name}-{scheme}-{width}.png")), picture).unwrap();
    }
    client.set_window_size(1100, 900).await.unwrap();
}

/// A command of the browser's own protocol.
#[derive(Debug)]
struct Cdp(&'static str, serde_json::Value);

impl fantoccini::wd::WebDriverCompatibleCommand for Cdp {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        let body = json!({"cmd": self.0, "params": self.1});
        (http::Method::POST, Some(body.to_string()))
    }
}

/// Where an app waits for its answer: gives the path of the first request.
async fn app_waits() -> (String, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = format!("http://{}/callback", listener.local_addr().unwrap());
    let waiting = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = vec![0; 8192];
        let read = stream.read(&mut head).await.unwrap();
        head.truncate(read);
        let answer = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<h1>Connected</h1>";
        stream.write_all(answer.as_bytes()).await.unwrap();
        let head = String::from_utf8(head).unwrap();
        head.split(' ').nth(1).unwrap().to_owned()
    });
    (at, waiting)
}

/// Waits for an element, or says which page there is instead.
async fn appears(client: &Client, locator: Locator<'_>) -> Element {
    match client.wait().for_element(locator).await {
        Ok(element) => element,
        Err(error) => {
            let (at, page) = (client.current_url().await, client.source().await);
            panic!("{error} for {locator:?} at {at:?}: {page:?}");
        }
    }
}

async fn fill(client: &Client, name: &str, text: &str) {
    let css = format!("input[name={name}]");
    let field = appears(client, Locator::Css(&css)).await;
    // a name may stand there already
    field.clear().await.unwrap();
    field.send_keys(text).await.unwrap();
}

async fn press(client: &Client, label: &str) {
    let path = format!("//button[normalize-space()='{label}']");
    let button = appears(client, Locator::XPath(&path)).await;
    button.click().await.unwrap();
}

/// Chooses a name and a password, and signs out again.
async fn signs_up(client: &Client, link: &str) {
    client.goto(link).await.unwrap();
    pictures(client, "set-up").await;
    fill(client, "name", NAME).await;
    fill(client, "password", PASSWORD).await;
    fill(client, "again", PASSWORD).await;
    press(client, "Sign in with these").await;
    press(client, "Sign out").await;
    let field = Locator::Css("input[name=password]");
    appears(client, field).await;
    pictures(client, "sign-in").await;
}

/// Where an app that may be answered at `back` sends the browser, and its id.
async fn app_begins(hub: &Served, back: &str) -> (String, String) {
    let document = json!({"client_name": "Browser app", "redirect_uris": [back], "token_endpoint_auth_method": "none"});
    let register = Asker::new(&format!("{}/oauth/register", hub.base));
    let registered = register.raw(document.to_string()).await.message();
    let id = registered["client_id"].as_str().unwrap().to_owned();
    let fields = [
        ("response_type", "code"),
        ("client_id", &id),
        ("redirect_uri", back),
        (
            "code_challenge",
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        ),
        ("code_challenge_method", "S256"),
        ("state", "st"),
    ];
    let url = Url::parse_with_params(&format!("{}/oauth/authorize", hub.base), fields).unwrap();
    (url.into(), id)
}

/// The app's access token for what came back to it.
async fn app_gets(hub: &Served, id: &str, back: &str, path: &str) -> String {
    let came = Url::parse(&format!("http://x{path}")).unwrap();
    let mut pairs = came.query_pairs();
    let code = pairs
        .find(|(name, _)| name == "code")
        .unwrap()
        .1
        .into_owned();
    let fields = [
        ("grant_type", "authorization_code"),
        ("client_id", id),
        ("code", code.as_str()),
        ("redirect_uri", back),
        (
            "code_verifier",
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        ),
    ];
    let tokens = crate::oauth::token(hub, &fields).await.message();
    assert_eq!(
        tokens["scope"],
        "ensemble:read ensemble:write offline_access"
    );
    tokens["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_person_lets_an_app_in_and_puts_it_out_in_a_browser() {
    let Some((_driver, address)) = driver().await else {
        return;
    };
    let hub = Served::hub(&[]).await;
    let link = hub.run(&["hub", "sign-in"]).await;
    let client = browser(&address).await;
    signs_up(&client, &link).await;

    let (back, waiting) = app_waits().await;
    let (url, id) = app_begins(&hub, &back).await;
    client.goto(&url).await.unwrap();
    // the sign-in comes first, and leads back to the request
    fill(&client, "name", NAME).await;
    fill(&client, "password", PASSWORD).await;
    press(&client, "Sign in").await;
    let space = Locator::Css("select[name=space]");
    appears(&client, space).await;
    pictures(&client, "consent").await;
    let apps = client.find(Locator::Css("input[name=apps]")).await.unwrap();
    apps.click().await.unwrap();
    press(&client, "Allow").await;
    let path = timeout(PATIENCE, waiting).await.unwrap().unwrap();
    assert!(
        path.contains("code=") && path.contains("state=st"),
        "{path}"
    );
    let token = app_gets(&hub, &id, &back, &path).await;
    let app = Asker::new(&hub.mcp()).with_key(&token);
    assert!(app.tools().await.len() > 20);

    client.goto(&format!("{}/connect", hub.base)).await.unwrap();
    let text = client.source().await.unwrap();
    assert!(
        text.contains("Browser app") && text.contains("reads and changes"),
        "{text}"
    );
    pictures(&client, "connect").await;
    press(&client, "Disconnect").await;
    let none = Locator::XPath("//p[normalize-space()='No app is connected.']");
    appears(&client, none).await;
    assert_eq!(app.ask("ping", json!({})).await.refusal().0, 401);
    for page in ["plugins", "log"] {
        client.goto(&format!("{}/{page}", hub.base)).await.unwrap();
        pictures(&client, page).await;
    }
    client.close().await.unwrap();
}
