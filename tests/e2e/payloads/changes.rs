//! The two writes: what the database has afterwards is what was asked, and what the answer says.

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::Record;
use serde_json::{Value, json};

use super::probe::Probe;
use super::rows::{Rows, handle};
use crate::support::{World, answer};

/// Writes, without comparing the answer with rows that were read before.
async fn write(probe: &Probe, rows: &Rows, tool: &str, arguments: Value) -> Value {
    let result = probe.write(rows, tool, arguments).await;
    answer(&result)["task"].clone()
}

/// The rows as they are now, which the answer has to agree with.
async fn now(world: &World, rows: &Rows, card: &Value) -> (Rows, Record) {
    let rows = Rows::of(world.hub.hub(), rows.name.as_deref()).await;
    rows.vouch("a write", card);
    let task = rows.get(card["id"].as_str().unwrap()).unwrap().clone();
    (rows, task)
}

pub(super) async fn tasks(probe: &Probe, world: &World, home: &Rows, second: &Rows) {
    created(probe, world, home).await;
    let asked = json!({"title": "In the second space", "projectName": "Allotment"});
    let card = write(probe, second, "ensemble_create_task", asked).await;
    let (rows, task) = now(world, second, &card).await;
    assert_eq!(task.space, second.space);
    assert_eq!(
        task.text("projectId"),
        Some(rows.one(Kind::Project, "Allotment").id.as_str())
    );
    let card = write(
        probe,
        &rows,
        "ensemble_update_task",
        json!({"id": task.id, "status": "todo"}),
    )
    .await;
    let (_, task) = now(world, second, &card).await;
    assert_eq!(task.status.as_deref(), Some("todo"));
    assert!(
        Rows::of(world.hub.hub(), None)
            .await
            .get(&task.id)
            .is_none()
    );
    moved(probe, world, home).await;
}

async fn created(probe: &Probe, world: &World, home: &Rows) {
    let project = home.one(Kind::Project, "HTTP client reliability");
    let meeting = home.one(Kind::Meeting, "Client reliability weekly");
    let (dev, yuki) = (
        home.one(Kind::Person, "Dev Okafor"),
        home.one(Kind::Person, "田中 由紀"),
    );
    for (by, status) in [("projectId", "proposed"), ("projectName", "todo")] {
        let title = format!("日本語 🚀 é by {by}");
        let page = "# One\n\nمرحبا → ‎done\n";
        let mut asked = json!({
            "title": title, "page": page, "due": "2031-02-28", "people": [dev.title, yuki.id],
            "status": status, "from": handle(meeting),
        });
        asked[by] = json!(if by == "projectId" {
            &project.id
        } else {
            &project.title
        });
        let card = write(probe, home, "ensemble_create_task", asked).await;
        let (rows, task) = now(world, home, &card).await;
        assert_eq!(
            (task.title.as_str(), task.status.as_deref()),
            (title.as_str(), Some(status))
        );
        assert!(task.body.contains("# One\n\nمرحبا → "), "{}", task.body);
        assert_eq!(task.text("due"), Some("2031-02-28"));
        assert_eq!(task.text("projectId"), Some(project.id.as_str()));
        let near = rows.neighbours(&task.id);
        for linked in [dev, yuki, meeting, project] {
            assert!(
                near.contains(linked.id.as_str()),
                "{} is not linked",
                linked.title
            );
        }
        let ledger = world
            .hub
            .hub()
            .store()
            .ledger_of(&rows.space, &task.id)
            .await
            .unwrap();
        assert!(
            ledger.iter().any(|row| row.action == "bridge.create_task"),
            "{ledger:?}"
        );
    }
}

/// Through every status that may be asked for, with a note, and not where the title is another one.
async fn moved(probe: &Probe, world: &World, home: &Rows) {
    let task = home.one(Kind::Task, "Send the usage numbers to Sofía");
    let path = ["in_progress", "waiting_approval", "blocked", "todo", "done"];
    let mut offered = probe.values("ensemble_update_task", "status");
    offered.sort();
    let mut walked: Vec<&str> = path.to_vec();
    walked.sort_unstable();
    assert_eq!(offered, walked, "a status is not tried");
    for status in path {
        let asked = json!({"id": handle(task), "status": status, "note": format!("Now {status}."), "matchTitle": task.title});
        let card = write(probe, home, "ensemble_update_task", asked).await;
        let (_, row) = now(world, home, &card).await;
        assert_eq!(row.status.as_deref(), Some(status));
        assert!(
            row.body.starts_with(&task.body) && row.body.contains(&format!("> Now {status}.")),
            "{}",
            row.body
        );
    }
    let (before, asked) = (
        Rows::of(world.hub.hub(), None).await,
        json!({"id": task.id, "note": "x", "matchTitle": "Another"}),
    );
    let refused = probe.refused(home, "ensemble_update_task", asked).await;
    assert!(refused.contains(&task.title), "{refused}");
    let after = Rows::of(world.hub.hub(), None).await;
    assert_eq!(
        before.get(&task.id),
        after.get(&task.id),
        "nothing was written"
    );
}
