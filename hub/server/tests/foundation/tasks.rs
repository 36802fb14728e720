//! Reading tasks: filters, pages and bounds of the list, and one task with its surroundings.

use ensemble_hub_api::{Kind, TaskStatus};
use serde_json::{Value, json};

use crate::support::Rig;

fn titles(body: &Value) -> Vec<&str> {
    body["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|task| task["title"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn the_list_shows_all_but_dropped_newest_change_first() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", false).await;
    for status in TaskStatus::ALL {
        rig.clock.advance(jiff::SignedDuration::from_secs(1));
        rig.add(
            Kind::Task,
            status.as_str(),
            json!({ "status": status.as_str() }),
        )
        .await;
    }
    rig.add(Kind::Page, "not a task", json!({})).await;
    let cases = [
        (
            "/api/bridge/tasks",
            vec![
                "done",
                "blocked",
                "waiting_approval",
                "in_progress",
                "todo",
                "proposed",
            ],
        ),
        (
            "/api/bridge/tasks?status=open",
            vec![
                "blocked",
                "waiting_approval",
                "in_progress",
                "todo",
                "proposed",
            ],
        ),
        ("/api/bridge/tasks?status=dropped", vec!["dropped"]),
        ("/api/bridge/tasks?q=WAITING", vec!["waiting_approval"]),
        (
            "/api/bridge/tasks?q=&status=",
            vec![
                "done",
                "blocked",
                "waiting_approval",
                "in_progress",
                "todo",
                "proposed",
            ],
        ),
        ("/api/bridge/tasks?q=nothing", vec![]),
    ];
    for (path, expected) in cases {
        let answer = rig.get(&key, path).await;
        assert_eq!(titles(&answer.body), expected, "{path}");
        assert_eq!(answer.body["hasMore"], json!(false));
    }
}

#[tokio::test]
async fn pages_are_whole_and_say_how_to_go_on() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", false).await;
    for number in 0..45 {
        rig.add(Kind::Task, &format!("T{number:02}"), json!({}))
            .await;
    }
    let mut seen = Vec::new();
    let mut offset = json!(0);
    while offset.is_number() {
        let answer = rig
            .get(&key, &format!("/api/bridge/tasks?offset={offset}"))
            .await
            .body;
        assert_eq!(answer["total"], json!(45));
        seen.extend(titles(&answer).into_iter().map(str::to_owned));
        assert_eq!(answer["hasMore"], json!(answer["nextOffset"].is_number()));
        if answer["hasMore"] == json!(true) {
            assert!(
                answer["notes"]
                    .to_string()
                    .contains(&format!("offset {}", answer["nextOffset"]))
            );
        }
        offset = answer["nextOffset"].clone();
    }
    let expected: Vec<String> = (0..45)
        .rev()
        .map(|number| format!("T{number:02}"))
        .collect();
    assert_eq!(seen, expected);
    let past = rig
        .get(&key, "/api/bridge/tasks?offset=4000000000")
        .await
        .body;
    assert_eq!((titles(&past), &past["hasMore"]), (vec![], &json!(false)));
}

#[tokio::test]
async fn a_parameter_out_of_bounds_is_400_with_what_it_needs() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", false).await;
    let long = format!("/api/bridge/tasks?q={}", "a".repeat(10_001));
    let cases = [
        (
            "/api/bridge/tasks?limit=0",
            "`limit` has to be a whole number from 1 to 50.",
        ),
        (
            "/api/bridge/tasks?limit=51",
            "`limit` has to be a whole number from 1 to 50.",
        ),
        (
            "/api/bridge/tasks?limit=-1",
            "`limit` has to be a whole number from 1 to 50.",
        ),
        (
            "/api/bridge/tasks?limit=2.5",
            "`limit` has to be a whole number from 1 to 50.",
        ),
        (
            "/api/bridge/tasks?offset=x",
            "`offset` has to be a whole number from 0 on.",
        ),
        (
            "/api/bridge/tasks?limit=1&limit=2",
            "`limit` has to be given once.",
        ),
        (long.as_str(), "`q` has to be at most 10000 characters."),
        (
            "/api/bridge/tasks?status=later",
            "`status` has to be open, or one of proposed, todo, in_progress, waiting_approval, blocked, done, dropped.",
        ),
    ];
    for (path, sentence) in cases {
        let answer = rig.get(&key, path).await;
        assert_eq!((answer.status.as_u16(), answer.error()), (400, sentence));
    }
}

#[tokio::test]
async fn one_task_comes_with_the_start_of_its_page_and_its_links() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", false).await;
    let furniture = rig.furnish().await;
    let answer = rig
        .get(&key, &format!("/api/bridge/tasks/{}", furniture.task.id))
        .await
        .body;
    assert_eq!(answer["task"]["owner"], "Ana Souza");
    assert_eq!(answer["task"]["project"], "HTTP client");
    assert_eq!(answer["task"]["repo"], "encode/httpx");
    assert_eq!(
        (&answer["linksTotal"], &answer["body"]["truncated"]),
        (&json!(3), &json!(false))
    );
    let long = rig
        .add(Kind::Task, "Long", json!({ "body": "é".repeat(9_000) }))
        .await;
    let body = &rig
        .get(&key, &format!("/api/bridge/tasks/{}", long.id))
        .await
        .body["body"];
    assert_eq!(
        (&body["totalCharacters"], &body["nextOffset"]),
        (&json!(9_000), &json!(4_000))
    );

    let project = rig
        .get(&key, &format!("/api/bridge/tasks/{}", furniture.project.id))
        .await;
    assert_eq!(
        (project.status.as_u16(), project.error()),
        (404, "That id is a project, not a task.")
    );
    let nothing = rig.get(&key, "/api/bridge/tasks/%F0%9F%8E%89").await;
    assert_eq!(
        (nothing.status.as_u16(), nothing.error()),
        (404, "There is no task with that id in this space.")
    );
}

#[tokio::test]
async fn a_list_of_the_longest_tasks_stays_small() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", false).await;
    for _ in 0..50 {
        rig.add(
            Kind::Task,
            &"漢".repeat(500),
            json!({ "body": "字".repeat(20_000) }),
        )
        .await;
    }
    let (mut shown, mut after) = (0, String::new());
    while shown < 50 {
        let path = format!("/api/bridge/tasks?limit=50{after}");
        let answer = rig.get(&key, &path).await.body;
        assert!(answer.to_string().len() < 80_000);
        shown += titles(&answer).len();
        assert_eq!(answer["hasMore"], shown < 50);
        after = format!("&after={}", answer["next"].as_str().unwrap_or_default());
    }
    assert_eq!(shown, 50);
}
