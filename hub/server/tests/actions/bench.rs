//! A hub to run actions on, and a picture of everything that it keeps, to compare before and after.

use ensemble_hub_server::store::Actor;
use serde_json::{Value, json};

use crate::picture::picture;
use crate::support::{Answer, Rig, bearer};

/// A hub with a key that may change things and one that may not.
pub(crate) struct Bench {
    pub(crate) rig: Rig,
    pub(crate) key: String,
    pub(crate) reader: String,
}

impl Bench {
    pub(crate) async fn new() -> Self {
        let rig = Rig::new().await;
        let (key, _) = rig.key("Zed", true).await;
        let (reader, _) = rig.key("reader", false).await;
        Self { rig, key, reader }
    }

    /// Runs an action with the key that may change things.
    pub(crate) async fn act(&self, action: &str, input: &Value) -> Answer {
        self.act_with(&self.key, action, input).await
    }

    pub(crate) async fn act_with(&self, key: &str, action: &str, input: &Value) -> Answer {
        let authorization = bearer(key);
        let headers = [
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
        ];
        let path = format!("/api/bridge/act/{action}");
        let body = json!({ "input": input }).to_string();
        self.rig.send("POST", &path, &headers, body).await
    }

    /// The result of an action that has to succeed.
    #[track_caller]
    pub(crate) fn ok(answer: &Answer) -> &Value {
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        &answer.body["result"]
    }

    /// Runs a change that has to succeed, checks what every change keeps, undoes it, and runs it again: its result.
    ///
    /// What every change keeps: a key that only reads is refused and changes nothing; undoing gives back the same bytes.
    pub(crate) async fn change(&self, action: &str, input: &Value) -> Value {
        self.change_read(None, action, input).await
    }

    /// The same with the version that the record with this id has at the moment, as who read it knows it.
    pub(crate) async fn rewrite(&self, id: &str, action: &str, input: &Value) -> Value {
        self.change_read(Some(id), action, input).await
    }

    async fn change_read(&self, id: Option<&str>, action: &str, input: &Value) -> Value {
        let input = &self.with_version(id, input).await;
        let before = self.picture().await;
        let refused = self.act_with(&self.reader, action, input).await;
        assert_eq!(refused.status, 403, "{action}: {:?}", refused.body);
        assert_eq!(
            self.picture().await,
            before,
            "{action} of a reader changed something"
        );

        let answer = self.act(action, input).await;
        assert_eq!(answer.status, 200, "{action}: {:?}", answer.body);
        assert_eq!(answer.body["undoable"], true, "{action}: {:?}", answer.body);
        assert_ne!(self.picture().await, before, "{action} changed nothing");
        self.undo(answer.body["changeId"].as_str().unwrap()).await;
        assert_eq!(
            self.picture().await,
            before,
            "{action} was not undone whole"
        );

        let again = self.act(action, &self.with_version(id, input).await).await;
        Self::ok(&again).clone()
    }

    async fn with_version(&self, id: Option<&str>, input: &Value) -> Value {
        let mut input = input.clone();
        if let Some(id) = id {
            let record = self.rig.store().record(&self.rig.home, id).await.unwrap();
            input["version"] = record.unwrap().version.into();
        }
        input
    }

    /// An input that is refused with the schema and a sentence with these words, changing nothing.
    pub(crate) async fn wrong(&self, action: &str, input: &Value, words: &str) {
        let before = self.picture().await;
        let answer = self.act(action, input).await;
        assert_eq!(answer.status, 400, "{action}: {:?}", answer.body);
        assert!(
            answer.error().contains(words),
            "{action}: {}",
            answer.error()
        );
        assert_eq!(
            answer.body["inputSchema"]["type"], "object",
            "{action} gave no schema"
        );
        assert_eq!(self.picture().await, before, "{action} changed something");
    }

    pub(crate) async fn undo(&self, change: &str) {
        let store = self.rig.store();
        store
            .undo(&self.rig.home, change, Actor::person("You"))
            .await
            .unwrap();
    }

    /// Everything that reads can show of the owner's space, without the versions.
    pub(crate) async fn picture(&self) -> String {
        picture(self.rig.store(), &self.rig.home).await
    }
}
