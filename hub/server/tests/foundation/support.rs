//! A hub in a temporary folder with a clock that stands still, and requests to it without a network.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use ensemble_hub_api::{Kind, relation};
use ensemble_hub_server::clock::StillClock;
use ensemble_hub_server::store::{Actor, NewRecord, Record, Store};
use ensemble_hub_server::text::terms::{fts_query, query_terms};
use ensemble_hub_server::{CreateKey, Hub};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;

/// The instant at which every test begins.
pub(crate) const START: &str = "2026-03-02T09:00:00Z";

/// Where tasks are added.
pub(crate) const CREATE: &str = "/api/bridge/write/tasks";

/// Where a task is changed.
pub(crate) fn task_path(id: &str) -> String {
    format!("{CREATE}/{id}")
}

/// A hub, its folder and its clock.
pub(crate) struct Rig {
    pub(crate) hub: Hub,
    pub(crate) clock: Arc<StillClock>,
    pub(crate) folder: TempDir,
    /// The owner's own space.
    pub(crate) home: String,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    /// The sentence of a refusal.
    pub(crate) fn error(&self) -> &str {
        self.body["error"].as_str().unwrap_or_default()
    }
}

impl Rig {
    pub(crate) async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let clock = Arc::new(StillClock::at(START.parse().unwrap()));
        let hub = Hub::open(folder.path(), Arc::<StillClock>::clone(&clock))
            .await
            .unwrap();
        let home = hub.admin().ensure_owner().await.unwrap().1.id;
        Self {
            hub,
            clock,
            folder,
            home,
        }
    }

    /// The same folder, opened again after its hub was closed.
    pub(crate) async fn reopen(self) -> Self {
        let hub = Hub::open(self.folder.path(), Arc::<StillClock>::clone(&self.clock))
            .await
            .unwrap();
        Self { hub, ..self }
    }

    pub(crate) fn store(&self) -> &Store {
        self.hub.store()
    }

    /// A key of the owner's own space: its value and its id.
    pub(crate) async fn key(&self, name: &str, changes: bool) -> (String, String) {
        let asked = CreateKey {
            name: name.to_owned(),
            changes,
            ..CreateKey::default()
        };
        let made = self.hub.admin().create_key(asked).await.unwrap();
        (made.value.expose().to_owned(), made.key.id)
    }

    /// Adds a record to the owner's own space.
    pub(crate) async fn add(&self, kind: Kind, title: &str, fields: Value) -> Record {
        self.add_to(&self.home, kind, title, fields).await
    }

    pub(crate) async fn add_to(
        &self,
        space: &str,
        kind: Kind,
        title: &str,
        fields: Value,
    ) -> Record {
        let mut change = self.store().change(Actor::system("test")).await.unwrap();
        let status = (kind == Kind::Task).then(|| {
            fields
                .get("status")
                .and_then(Value::as_str)
                .unwrap_or("todo")
                .to_owned()
        });
        let mut fields: Map<String, Value> = fields.as_object().cloned().unwrap_or_default();
        fields.remove("status");
        let body = fields
            .remove("body")
            .and_then(|body| body.as_str().map(str::to_owned));
        let new = NewRecord {
            status,
            fields,
            body: body.unwrap_or_default(),
            ..NewRecord::new(space, kind, title)
        };
        let record = change.create("test.create", new).await.unwrap();
        change.commit().await.unwrap();
        record
    }

    pub(crate) async fn link(&self, from: &Record, relation: &str, to: &Record) {
        let mut change = self.store().change(Actor::system("test")).await.unwrap();
        change
            .link("test.link", &from.space, (&from.id, relation, &to.id))
            .await
            .unwrap();
        change.commit().await.unwrap();
    }

    /// Sends a request; headers as (name, value).
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
        let bytes = to_bytes(body, 16 * 1024 * 1024).await.unwrap();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Answer {
            status: parts.status,
            headers: parts.headers,
            body,
        }
    }

    /// A read with a key.
    pub(crate) async fn get(&self, key: &str, path: &str) -> Answer {
        self.send(
            "GET",
            path,
            &[("authorization", &bearer(key))],
            Body::empty(),
        )
        .await
    }

    /// A JSON write with a key.
    pub(crate) async fn write(&self, method: &str, key: &str, path: &str, body: &Value) -> Answer {
        let authorization = bearer(key);
        let headers = [
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
        ];
        self.send(method, path, &headers, body.to_string()).await
    }

    /// A write with an idempotency key.
    pub(crate) async fn write_once(
        &self,
        key: &str,
        idem: &str,
        path: &str,
        body: &Value,
    ) -> Answer {
        let authorization = bearer(key);
        let headers = [
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
            ("idempotency-key", idem),
        ];
        let method = if path.ends_with("/tasks") {
            "POST"
        } else {
            "PATCH"
        };
        self.send(method, path, &headers, body.to_string()).await
    }

    /// A small workspace: a project, a repository, people, and a task in each interesting position.
    pub(crate) async fn furnish(&self) -> Furniture {
        let project = self
            .add(
                Kind::Project,
                "HTTP client",
                json!({ "summary": "The client library." }),
            )
            .await;
        let repo = self
            .add(Kind::Repo, "httpx", json!({ "fullName": "encode/httpx" }))
            .await;
        let ana = self
            .add(
                Kind::Person,
                "Ana Souza",
                json!({ "email": "ana@example.com", "role": "Maintainer" }),
            )
            .await;
        let task = self
            .add(
                Kind::Task,
                "Document the default timeout",
                json!({
                    "status": "in_progress", "priority": "p1", "owner": ana.id, "due": "2026-03-05",
                    "projectId": project.id, "repoId": repo.id, "branch": "docs/default-timeout",
                    "labels": ["docs"], "body": "Say what happens after five seconds.",
                }),
            )
            .await;
        self.link(&task, relation::PROJECT, &project).await;
        self.link(&task, relation::REPO, &repo).await;
        self.link(&task, relation::OWNER, &ana).await;
        Furniture { project, ana, task }
    }
}

/// What [`Rig::furnish`] made.
pub(crate) struct Furniture {
    pub(crate) project: Record,
    pub(crate) ana: Record,
    pub(crate) task: Record,
}

/// The header of a key.
pub(crate) fn bearer(key: &str) -> String {
    format!("Bearer {key}")
}

/// The titles of the records of a space that have these words.
pub(crate) async fn found(rig: &Rig, space: &str, words: &str) -> Vec<String> {
    let query = fts_query(&query_terms(words));
    let ids = rig.store().index_newest(space, &[(query, 50)], &[]).await;
    let ids = ids.unwrap();
    let records = rig.store().by_ids(space, &ids).await.unwrap();
    records.into_iter().map(|record| record.title).collect()
}
