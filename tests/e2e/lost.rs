//! The hub made a change and its answer was lost on the way: the bridge sends the same change again, and it is there once. Where every answer
//! is lost, nobody guesses what became of it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_hub_api::Kind;
use ensemble_hub_server::store::RecordQuery;
use ensemble_test_harness::{Bridge, Grants, LATEST};
use serde_json::{Value, json};

use crate::gate::Gate;
use crate::support::{World, answer, end, refusal};

const CHANGES: Grants = Grants {
    changes: true,
    apps: false,
};

/// A bridge behind a gate that loses so many answers to requests with the word.
async fn behind(world: &World, word: &'static str, answers: usize) -> (Gate, Bridge) {
    let gate = Gate::losing(world.hub.base(), word, answers).await;
    let mut command = world.command();
    command.env("HUB_API_URL", gate.base());
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    (gate, bridge)
}

async fn home(world: &World) -> String {
    let store = world.hub.hub().store();
    let owner = store.owner().await.unwrap().unwrap();
    store.home_of(&owner.id).await.unwrap().unwrap().id
}

/// How many records of a kind the owner's own space has.
async fn count(world: &World, kind: Kind) -> u64 {
    let store = world.hub.hub().store();
    let asked = RecordQuery {
        kinds: vec![kind],
        limit: 1,
        ..RecordQuery::default()
    };
    store
        .records(&home(world).await, &asked)
        .await
        .unwrap()
        .total
}

/// Each way to write something new, and the word of its request.
async fn writes(world: &World) -> [(&'static str, &'static str, Value, Kind); 4] {
    let store = world.hub.hub().store();
    let home = home(world).await;
    let pages = store.find_by_title(&home, Kind::Page, "Release checklist");
    let page = pages.await.unwrap()[0].handle();
    let comment = json!({"operation": "comment_add", "record": page, "text": "Seen."});
    [
        (
            "/write/tasks",
            "ensemble_create_task",
            json!({"title": "Once"}),
            Kind::Task,
        ),
        (
            "/act/hub_create_tasks",
            "ensemble_act",
            json!({"action": "hub_create_tasks", "input": {"tasks": [{"title": "Once more"}]}}),
            Kind::Task,
        ),
        (
            "/act/hub_manage_record",
            "ensemble_act",
            json!({"action": "hub_manage_record", "input": comment}),
            Kind::Comment,
        ),
        (
            "/write/files",
            "ensemble_upload_file",
            json!({"filename": "a.md", "dataBase64": STANDARD.encode("Once.")}),
            Kind::File,
        ),
    ]
}

#[tokio::test]
async fn a_change_whose_answer_was_lost_is_there_once() {
    let world = World::new(CHANGES).await;
    for (word, tool, arguments, kind) in writes(&world).await {
        let before = count(&world, kind).await;
        let (_gate, mut bridge) = behind(&world, word, 1).await;
        answer(&bridge.call(tool, arguments.clone()).await);
        assert_eq!(count(&world, kind).await, before + 1, "{tool}");
        // the next call is another change, meant as such, of the same title too
        answer(&bridge.call(tool, arguments).await);
        assert_eq!(count(&world, kind).await, before + 2, "{tool}");
        end(bridge).await;
    }
    world.hub.stop().await;
}

#[tokio::test]
async fn a_change_whose_answers_are_all_lost_is_not_claimed_to_have_failed() {
    let world = World::new(CHANGES).await;
    for (word, tool, arguments, kind) in writes(&world).await {
        let before = count(&world, kind).await;
        let (_gate, mut bridge) = behind(&world, word, usize::MAX).await;
        let refused = bridge.call(tool, arguments).await;
        let told = refusal(&refused);
        assert!(told.contains("may or may not"), "{tool}: {told}");
        assert_eq!(count(&world, kind).await, before + 1, "{tool}");
        end(bridge).await;
    }
    world.hub.stop().await;
}
