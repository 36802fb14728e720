//! Following changes: in the key's space, with one line for each beginning and each end of it, and never on with a refused key.

use std::time::Duration;

use ensemble_broker::Verdict;

use crate::CHANGES;
use crate::support::World;

/// What the hub answers each time.
pub(crate) const CHANGED: &str =
    r#"{"cursor":"7","changed":[],"resources":["ensemble://tasks"],"more":false}"#;

#[tokio::test]
async fn it_begins_goes_on_where_it_was_and_logs_the_beginning_only() {
    let world = World::new(CHANGES);
    let mut following = world.broker.following();
    let first = following.next().await.unwrap();
    assert!(first.began && !first.more);
    assert_eq!(first.resources, ["ensemble://tasks"]);
    let second = following.next().await.unwrap();
    assert!(!second.began);
    let sent = world.hub.lock().sent.clone();
    let polls: Vec<_> = sent.iter().skip(1).collect();
    assert!(polls.iter().all(|poll| poll.space.as_deref() == Some("s1")));
    assert!(polls[0].query.is_empty());
    let after = ("after".to_owned(), "7".to_owned());
    assert!(polls[1].query.contains(&after) && polls[1].timeout > Duration::from_secs(20));
    let lines = world.lines();
    let routes: Vec<&str> = lines.iter().map(|line| line.route.as_str()).collect();
    assert_eq!(
        routes,
        ["GET /api/bridge/whoami", "GET /api/bridge/changes"]
    );
}

#[tokio::test]
async fn a_failure_and_its_end_are_one_line_each_and_lose_nothing() {
    let world = World::new(CHANGES);
    let mut following = world.broker.following();
    following.next().await.unwrap();
    let known = world.lines().len();
    // refused here, and the key is still good
    world.hub.lock().refuse = Some("/api/bridge/changes".to_owned());
    for _ in 0..3 {
        let refused = following.next().await.unwrap_err();
        assert!(!refused.key_refused);
    }
    world.hub.lock().refuse = None;
    let back = following.next().await.unwrap();
    assert!(!back.began, "it goes on where it was");
    following.next().await.unwrap();
    let lines = world.lines().split_off(known);
    let changes: Vec<Verdict> = lines
        .iter()
        .filter(|line| line.route.ends_with("changes"))
        .map(|line| line.verdict)
        .collect();
    assert_eq!(changes, [Verdict::Failed, Verdict::Permitted]);
}

#[tokio::test]
async fn a_refused_key_is_said_and_seen_by_those_who_watch() {
    let world = World::new(CHANGES);
    let watch = world.broker.watch();
    let mut following = world.broker.following();
    following.next().await.unwrap();
    world.hub.lock().refuse = Some("/api/bridge".to_owned());
    assert!(following.next().await.unwrap_err().key_refused);
    assert!(watch.borrow().is_none());
}
