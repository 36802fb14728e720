//! Subscribed resources, in both generations: who asked is told, of what was asked, and of nothing after the end of it. That nothing came is
//! seen from the next line being the answer to the next request.

use serde_json::{Value, json};

use crate::hub::Hub;
use crate::support::{Client, World, modern};

const TASK: &str = "ensemble://tasks/1";
const OTHER: &str = "ensemble://tasks/2";

async fn older(world: &World) -> Client {
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    client
}

async fn uri(client: &mut Client, method: &str, uri: &str) -> Value {
    client.ask(uri, method, json!({"uri": uri})).await
}

async fn listen(client: &mut Client, id: &str, uris: &[&str]) -> Value {
    let filter = json!({"notifications": {"resourceSubscriptions": uris}});
    client
        .send(json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": modern(filter)}))
        .await;
    client.recv().await
}

fn updated(uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
}

#[tokio::test]
async fn the_older_generation_is_told_of_what_it_subscribed_until_it_ends_it() {
    let world = World::new(Hub::Knows { changes: true });
    let (mut client, mut unasked) = (older(&world).await, older(&world).await);
    for wanted in [TASK, "ensemble://no/such", TASK] {
        let answer = uri(&mut client, "resources/subscribe", wanted).await;
        assert_eq!(answer["result"], json!({}), "{answer}");
    }
    world.changes(&[OTHER]);
    world.changes(&["ensemble://tasks", TASK]);
    assert_eq!(client.recv().await, updated(TASK));
    let ended = uri(&mut client, "resources/unsubscribe", TASK).await;
    assert_eq!(ended["result"], json!({}));
    world.changes(&[TASK]);
    world.changes(&["ensemble://no/such"]);
    assert_eq!(client.recv().await, updated("ensemble://no/such"));
    assert_eq!(unasked.ask(1, "ping", json!({})).await["result"], json!({}));
    client.leave().await;
    unasked.leave().await;
}

#[tokio::test]
async fn a_listener_is_told_with_its_id_until_it_ends_it() {
    let world = World::new(Hub::Knows { changes: true });
    let mut client = world.connect();
    let acknowledged = listen(&mut client, "one", &[TASK]).await;
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"resourceSubscriptions": [TASK]})
    );
    listen(&mut client, "two", &[OTHER]).await;
    world.changes(&[TASK]);
    let told = client.recv().await;
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], TASK);
    let id = &told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(id, "one");
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "one"}}))
        .await;
    client.ask(2, "tools/list", modern(json!({}))).await;
    world.changes(&[TASK, OTHER]);
    assert_eq!(client.recv().await["params"]["uri"], OTHER);
    client.leave().await;
}

#[tokio::test]
async fn one_follower_serves_all_and_ends_with_the_last() {
    let world = World::new(Hub::Knows { changes: true });
    let (mut one, mut two) = (older(&world).await, world.connect());
    assert!(!world.asked().contains(&"/api/bridge/changes".to_owned()));
    uri(&mut one, "resources/subscribe", TASK).await;
    listen(&mut two, "l", &[TASK]).await;
    world.followed(1).await;
    world.changes(&[TASK]);
    assert_eq!(one.recv().await, updated(TASK));
    assert_eq!(two.recv().await["params"]["uri"], TASK);
    uri(&mut one, "resources/unsubscribe", TASK).await;
    two.leave().await;
    world.followed(0).await;
    // and it begins again
    uri(&mut one, "resources/subscribe", OTHER).await;
    world.changes(&[OTHER]);
    assert_eq!(one.recv().await, updated(OTHER));
    one.leave().await;
    world.followed(0).await;
}

#[tokio::test]
async fn what_was_missed_while_the_hub_was_away_is_told_when_it_is_back() {
    let world = World::new(Hub::Dead);
    let mut client = older(&world).await;
    uri(&mut client, "resources/subscribe", TASK).await;
    // nobody can know what changed before the first answer
    world.becomes(Hub::Knows { changes: true });
    assert_eq!(client.recv().await, updated(TASK));
    world.becomes(Hub::Dead);
    world.changes(&[TASK]);
    world.becomes(Hub::Knows { changes: true });
    assert_eq!(client.recv().await, updated(TASK));
    client.leave().await;
}

#[tokio::test]
async fn a_connection_has_a_bound() {
    let world = World::new(Hub::Knows { changes: true });
    let mut client = older(&world).await;
    for n in 0..256 {
        let wanted = format!("ensemble://tasks/{n}");
        let answer = uri(&mut client, "resources/subscribe", &wanted).await;
        assert_eq!(answer["result"], json!({}), "{answer}");
    }
    let sentence = "One connection may subscribe to 256 resources: end one of its subscriptions.";
    let answer = uri(&mut client, "resources/subscribe", "ensemble://tasks/256").await;
    assert_eq!(answer["error"]["message"], sentence);
    let many: Vec<String> = (0..257).map(|n| format!("ensemble://tasks/{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let answer = listen(&mut client, "many", &many).await;
    assert_eq!(answer["error"]["message"], sentence);
    client.leave().await;
}
