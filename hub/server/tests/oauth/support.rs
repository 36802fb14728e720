//! A hub at a public address, an app, and a person who allows it.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use ensemble_hub_server::clock::StillClock;
use ensemble_hub_server::oauth::{self, Scopes};
use ensemble_hub_server::{CreateKey, Hub};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, SqliteConnection};
use tempfile::TempDir;
use tower::ServiceExt as _;
use url::Url;

pub(crate) const ISSUER: &str = "https://hub.test";
pub(crate) const REDIRECT: &str = "http://127.0.0.1:33418/callback";
/// The example of RFC 7636.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(crate) const WHOAMI: &str = "/api/bridge/whoami";

pub(crate) struct Rig {
    pub(crate) hub: Hub,
    pub(crate) clock: Arc<StillClock>,
    pub(crate) folder: TempDir,
    pub(crate) owner: String,
    pub(crate) home: String,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn error(&self) -> (u16, &str) {
        let word = self.body["error"].as_str().unwrap_or_default();
        (self.status.as_u16(), word)
    }

    pub(crate) fn of(&self, name: &str) -> &str {
        self.body[name].as_str().unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .map(|value| value.to_str().unwrap())
            .unwrap_or_default()
    }
}

/// A request that waits: its id and the browser's session.
pub(crate) struct Waiting {
    pub(crate) id: String,
    pub(crate) session: String,
}

impl Rig {
    pub(crate) async fn new() -> Self {
        let rig = Self::without_address().await;
        rig.hub.set_base_url(ISSUER);
        rig
    }

    pub(crate) async fn without_address() -> Self {
        let folder = TempDir::new().unwrap();
        let start = "2026-03-02T09:00:00Z".parse().unwrap();
        let clock = Arc::new(StillClock::at(start));
        let hub = Hub::open(folder.path(), Arc::<StillClock>::clone(&clock));
        let hub = hub.await.unwrap();
        let (owner, home) = hub.admin().ensure_owner().await.unwrap();
        Self {
            hub,
            clock,
            folder,
            owner: owner.id,
            home: home.id,
        }
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.into()).unwrap();
        let response = self.hub.router().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 1024 * 1024).await.unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], Body::empty()).await
    }

    pub(crate) async fn with(&self, token: &str, path: &str) -> Answer {
        let value = format!("Bearer {token}");
        let headers = [("authorization", value.as_str())];
        self.send("GET", path, &headers, Body::empty()).await
    }

    pub(crate) async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.form_as(path, None, fields).await
    }

    pub(crate) async fn form_as(
        &self,
        path: &str,
        authorization: Option<&str>,
        fields: &[(&str, &str)],
    ) -> Answer {
        let mut headers = vec![("content-type", "application/x-www-form-urlencoded")];
        headers.extend(authorization.map(|value| ("authorization", value)));
        self.send("POST", path, &headers, query(fields)).await
    }

    pub(crate) async fn register(&self, document: &Value) -> Answer {
        let headers = [("content-type", "application/json")];
        let path = "/oauth/register";
        self.send("POST", path, &headers, document.to_string())
            .await
    }

    /// The id of a public app at [`REDIRECT`].
    pub(crate) async fn app(&self) -> String {
        let document = json!({ "client_name": "Editor", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none" });
        let answer = self.register(&document).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.of("client_id").to_owned()
    }

    /// Begins a request; `changes` replace or, with an empty value, remove parameters.
    pub(crate) async fn authorize(&self, client: &str, changes: &[(&str, &str)]) -> Answer {
        let mut fields = vec![
            ("response_type", "code"),
            ("client_id", client),
            ("redirect_uri", REDIRECT),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "s t/a+te&="),
        ];
        fields.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
        fields.extend(changes.iter().filter(|(_, value)| !value.is_empty()));
        self.get(&format!("/oauth/authorize?{}", query(&fields)))
            .await
    }

    pub(crate) async fn waiting(&self, client: &str, changes: &[(&str, &str)]) -> Waiting {
        let answer = self.authorize(client, changes).await;
        assert_eq!(answer.status, 302, "{}", answer.text);
        let id = parameter(answer.header("location"), "request").unwrap();
        let cookie = answer.header("set-cookie");
        let cookie = cookie.split(';').next().unwrap();
        let (_, session) = cookie.split_once('=').unwrap();
        Waiting {
            id,
            session: session.to_owned(),
        }
    }

    /// Where the browser goes when the person allows it.
    pub(crate) async fn allowed(&self, waiting: &Waiting, scopes: Scopes) -> String {
        let names = (waiting.id.as_str(), waiting.session.as_str());
        let answered = oauth::approve(&self.hub, names, &self.owner, &self.home, scopes);
        answered.await.unwrap().location
    }

    pub(crate) async fn code(&self, client: &str) -> String {
        let waiting = self.waiting(client, &[]).await;
        parameter(&self.allowed(&waiting, Scopes::ALL).await, "code").unwrap()
    }

    pub(crate) async fn redeem(
        &self,
        client: &str,
        code: &str,
        changes: &[(&str, &str)],
    ) -> Answer {
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("client_id", client),
            ("code", code),
            ("redirect_uri", REDIRECT),
            ("code_verifier", VERIFIER),
        ];
        fields.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
        fields.extend(changes.iter().filter(|(_, value)| !value.is_empty()));
        self.form("/oauth/token", &fields).await
    }

    /// Access and refresh token of a new connection.
    pub(crate) async fn connected(&self, client: &str) -> (String, String) {
        let code = self.code(client).await;
        tokens(&self.redeem(client, &code, &[]).await)
    }

    pub(crate) async fn refresh(&self, client: &str, token: &str, more: &[(&str, &str)]) -> Answer {
        let mut fields = vec![
            ("grant_type", "refresh_token"),
            ("client_id", client),
            ("refresh_token", token),
        ];
        fields.extend(more);
        self.form("/oauth/token", &fields).await
    }

    /// Changes the database from outside, as a removal of an account would.
    pub(crate) async fn sql(&self, statement: &'static str) {
        let mut raw = self.raw().await;
        raw.execute(statement).await.unwrap();
        raw.close().await.unwrap();
    }

    /// Rows of a table.
    pub(crate) async fn count(&self, table: &str) -> i64 {
        let mut raw = self.raw().await;
        let query = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
        let count = sqlx::query_scalar(query).fetch_one(&mut raw).await.unwrap();
        raw.close().await.unwrap();
        count
    }

    async fn raw(&self) -> SqliteConnection {
        let path = self.folder.path().join("hub.sqlite3");
        let address = format!("sqlite:{}", path.display());
        SqliteConnection::connect(&address).await.unwrap()
    }

    /// The same hub at another address.
    pub(crate) async fn moved(self, address: &str) -> Self {
        self.hub.close().await;
        let hub = Hub::open(self.folder.path(), Arc::<StillClock>::clone(&self.clock));
        let hub = hub.await.unwrap();
        hub.set_base_url(address);
        Self { hub, ..self }
    }

    pub(crate) async fn key(&self) -> String {
        let asked = CreateKey {
            name: "Key".to_owned(),
            changes: true,
            ..CreateKey::default()
        };
        let made = self.hub.admin().create_key(asked).await.unwrap();
        made.value.expose().to_owned()
    }
}

pub(crate) fn tokens(answer: &Answer) -> (String, String) {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let (access, refresh) = (answer.of("access_token"), answer.of("refresh_token"));
    assert!(
        access.starts_with("ens_") && refresh.starts_with("ert_"),
        "their prefixes"
    );
    (access.to_owned(), refresh.to_owned())
}

pub(crate) fn query(fields: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(fields).finish()
}

pub(crate) fn parameter(url: &str, name: &str) -> Option<String> {
    let url = Url::parse(url).unwrap();
    let mut pairs = url.query_pairs();
    pairs
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}
