//! Every action through the bridge: a valid input, a wrong one with the schema in the refusal, a key without the grant, and undo, after which
//! the hub keeps the same bytes as before. An action that has no row here fails the test, and so does a row without an action.

mod inputs;
mod reads;

use std::collections::BTreeSet;

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::{Actor, NewRecord, Record, RecordQuery};
use ensemble_test_harness::{Bridge, Grants, LATEST, Repository, picture};
use serde_json::{Value, json};

use crate::support::{World, answer, end, refusal, text};
use inputs::Input;

/// The demo, and what some actions need besides.
struct Stage {
    world: World,
    space: String,
    /// A project in Trash.
    trashed: Record,
    /// The address of a server with one file.
    served: String,
}

impl Stage {
    async fn new() -> Self {
        let grants = Grants {
            changes: true,
            apps: true,
        };
        let world = World::new(grants).await;
        let store = world.hub.hub().store();
        let owner = store.owner().await.unwrap().unwrap();
        let space = store.home_of(&owner.id).await.unwrap().unwrap().id;
        // the file to save comes from this computer, which a person has to allow
        store
            .set_setting(&owner.id, "savePrivateLinks", "true")
            .await
            .unwrap();
        let checkout = world.home.path().join("checkout");
        Repository::new()
            .branch("main")
            .remote("origin", "git@github.com:encode/httpx.git")
            .create(&checkout);
        std::fs::write(checkout.join("README.md"), "# Client\n").unwrap();
        let admin = world.hub.hub().admin();
        admin
            .allow_checkout(None, "encode/httpx", &checkout)
            .await
            .unwrap();
        let mut change = store.change(Actor::person("You")).await.unwrap();
        let project = change
            .find_by_title(&space, Kind::Project, "Partner onboarding")
            .await
            .unwrap()
            .remove(0);
        let trashed = change.trash("test.trash", &project).await.unwrap();
        let imported = NewRecord::new(space.as_str(), Kind::Task, "Imported");
        change.create("import.csv", imported).await.unwrap();
        change.commit().await.unwrap();
        let served = inputs::server().await;
        Self {
            world,
            space,
            trashed,
            served,
        }
    }

    async fn picture(&self) -> String {
        picture(self.world.hub.hub().store(), &self.space).await
    }

    async fn find(&self, kind: Kind, title: &str) -> Record {
        let asked = RecordQuery {
            kinds: vec![kind],
            ..RecordQuery::default()
        };
        let all = self
            .world
            .hub
            .hub()
            .store()
            .records(&self.space, &asked)
            .await
            .unwrap();
        let found = all.items.into_iter().find(|record| record.title == title);
        found.unwrap_or_else(|| panic!("the demo has no {kind} “{title}”"))
    }

    /// The input with the version that its record has now, where it gives one.
    async fn read(&self, input: &Value) -> Value {
        let mut input = input.clone();
        for (field, kind) in [("page", Kind::Page), ("meeting", Kind::Meeting)] {
            if let (true, Some(title)) = (input["version"].is_number(), input[field].as_str()) {
                input["version"] = self.find(kind, title).await.version.into();
            }
        }
        input
    }

    async fn handle(&self, kind: Kind, title: &str) -> String {
        self.find(kind, title).await.handle()
    }
}

async fn act(bridge: &mut Bridge, action: &str, input: &Value) -> Value {
    bridge
        .call("ensemble_act", json!({"action": action, "input": input}))
        .await
}

/// The actions that there are: name, whether it changes something, whether it needs apps.
async fn listed(bridge: &mut Bridge) -> Vec<(String, bool, bool)> {
    let found = bridge.call("ensemble_actions", json!({})).await;
    let groups = answer(&found)["groups"].as_array().unwrap().clone();
    let actions = groups
        .iter()
        .flat_map(|group| group["actions"].as_array().unwrap().clone());
    let known = |action: Value| {
        (
            action["name"].as_str().unwrap().to_owned(),
            action["write"] == true,
            action["apps"] == true,
        )
    };
    actions.map(known).collect()
}

#[tokio::test]
async fn every_action_does_what_it_says_refuses_what_it_must_and_is_undone() {
    let stage = Stage::new().await;
    let reads = stage.world.hub.key("reader", Grants::READ).await;
    let mut editor = stage.world.bridge().await;
    let mut command = stage.world.command();
    command.env("ENSEMBLE_BRIDGE_TOKEN", &reads);
    let mut reader = Bridge::start(command);
    reader.initialize(LATEST).await;

    let inputs = inputs::all(&stage).await;
    let actions = listed(&mut editor).await;
    let names: BTreeSet<&str> = actions.iter().map(|(name, ..)| name.as_str()).collect();
    let rows: BTreeSet<&str> = inputs.keys().copied().collect();
    assert_eq!(names, rows);

    for (name, writes, apps) in &actions {
        let before = stage.picture().await;
        let wrong = act(&mut editor, name, &json!({"no such property": 1})).await;
        let told = refusal(&wrong);
        assert!(
            told.contains("does not fit") && told.contains("\"type\":\"object\""),
            "{name}: {told}"
        );
        let refused = act(&mut reader, name, &json!({})).await;
        if *writes || *apps {
            assert!(refusal(&refused).contains(" key "), "{name}: {refused}");
        }
        assert_eq!(
            stage.picture().await,
            before,
            "{name}: what was refused changed something"
        );
        match &inputs[name.as_str()] {
            Input::Runs(input) => runs(&stage, &mut editor, name, input, *writes).await,
            Input::NeedsApp(input) => {
                let refused = act(&mut editor, name, input).await;
                assert!(refusal(&refused).contains("connect"), "{name}: {refused}");
                assert_eq!(stage.picture().await, before, "{name}");
            }
        }
    }
    end(editor).await;
    end(reader).await;
    stage.world.hub.stop().await;
}

/// A valid input: a read changes nothing, a change is undone to the same bytes.
async fn runs(stage: &Stage, editor: &mut Bridge, name: &str, input: &Value, writes: bool) {
    let before = stage.picture().await;
    let done = act(editor, name, &stage.read(input).await).await;
    assert_ne!(done["isError"], true, "{name}: {}", text(&done));
    let done = answer(&done);
    assert_eq!(done["action"], name, "{done}");
    assert!(done["result"].is_object(), "{name}: {done}");
    if !writes {
        assert_eq!(stage.picture().await, before, "{name} reads");
        return;
    }
    assert_ne!(stage.picture().await, before, "{name} changed nothing");
    assert_eq!(done["undoable"], true, "{name}: {done}");
    let change = done["changeId"].as_str().unwrap();
    let store = stage.world.hub.hub().store();
    let ledger = store.changes(&stage.space, None, 1).await.unwrap();
    assert_eq!(ledger.items[0].action, format!("bridge.{name}"));
    assert_eq!(ledger.items[0].actor_name, "editor", "{name}");
    let undone = store.undo(&stage.space, change, Actor::person("You")).await;
    undone.unwrap_or_else(|error| panic!("{name} is not undone: {error}"));
    assert_eq!(stage.picture().await, before, "{name} is not undone whole");
}
