//! The actions on people and repositories.

use ensemble_hub_api::{Kind, relation};
use serde_json::json;

use crate::bench::Bench;

#[tokio::test]
async fn two_people_may_have_one_name_but_not_one_address() {
    let bench = Bench::new().await;
    let ana = bench.rig.furnish().await.ana;
    let asked = json!({ "name": "Ana  Souza", "email": "ana.s@example.org", "role": " Designer\n", "relationship": "asks for pages", "notes": "Tea." });
    let result = bench.change("hub_create_person", &asked).await;
    let person = &result["person"];
    assert_eq!(
        (&person["email"], &person["role"], &person["relationship"]),
        (
            &json!("ana.s@example.org"),
            &json!("Designer"),
            &json!("asks for pages")
        )
    );
    let before = bench.picture().await;
    let taken = json!({ "name": "Somebody", "email": "ANA@example.com" });
    let refused = bench.act("hub_create_person", &taken).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    assert!(
        refused.error().contains(&ana.handle()),
        "{}",
        refused.error()
    );
    bench
        .rig
        .add(
            Kind::Person,
            "Bo",
            json!({ "email": "bo@example.com", "otherEmails": ["Bo@Home.example"] }),
        )
        .await;
    let taken = json!({ "name": "Somebody", "email": "bo@home.example" });
    assert_eq!(bench.act("hub_create_person", &taken).await.status, 409);
    assert_ne!(bench.picture().await, before, "only Bo was added");
    let address = json!({ "name": "x", "email": "nowhere" });
    bench.wrong("hub_create_person", &address, "email").await;
}

#[tokio::test]
async fn an_address_is_free_again_when_its_person_is_in_trash() {
    let bench = Bench::new().await;
    let ana = bench.rig.furnish().await.ana;
    let deleted = bench
        .change("hub_delete_person", &json!({ "person": ana.id }))
        .await;
    assert_eq!(deleted["deleted"][0], ana.handle());
    let again = json!({ "name": "Ana Souza", "email": "ana@example.com" });
    Bench::ok(&bench.act("hub_create_person", &again).await);
    bench
        .wrong(
            "hub_delete_person",
            &json!({ "person": "Nobody" }),
            "Nobody",
        )
        .await;
}

#[tokio::test]
async fn a_person_is_changed_and_null_and_white_space_empty() {
    let bench = Bench::new().await;
    let ana = bench.rig.furnish().await.ana;
    let asked = json!({ "person": "Ana Souza", "role": null, "team": "Clients", "relationship": "your manager" });
    let result = bench.change("hub_update_person", &asked).await;
    let person = &result["person"];
    assert_eq!(
        (&person["team"], &person["relationship"]),
        (&json!("Clients"), &json!("your manager"))
    );
    assert!(person.get("role").is_none(), "{person}");
    let blank = json!({ "person": ana.id, "team": "  " });
    let result = bench.change("hub_update_person", &blank).await;
    assert!(result["person"].get("team").is_none(), "{result}");
    bench
        .wrong(
            "hub_update_person",
            &json!({ "person": ana.id, "team": "x".repeat(201) }),
            "team",
        )
        .await;
}

#[tokio::test]
async fn a_repository_is_linked_to_a_project_or_a_task_and_taken_off() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let (store, home) = (bench.rig.store(), bench.rig.home.as_str());
    let guide = bench.rig.add(Kind::Repo, "guide", json!({})).await;
    let project = furniture.project.id.as_str();
    let asked = json!({ "repository": "guide", "project": project });
    let result = bench.change("hub_link_repo", &asked).await;
    assert_eq!(
        (&result["linked"], &result["project"]["id"]),
        (&json!(true), &json!(project))
    );
    let again = bench.act("hub_link_repo", &asked).await;
    assert_eq!(
        (&again.body["undoable"], &again.body["message"]),
        (&json!(false), &json!("The repository already was linked."))
    );
    bench.change("hub_unlink_repo", &asked).await;
    assert_eq!(store.links_from(home, project).await.unwrap().len(), 0);

    let task = furniture.task.id.as_str();
    let other = json!({ "repository": guide.id, "task": task });
    let refused = bench.act("hub_link_repo", &other).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    assert!(refused.error().contains("httpx"), "{}", refused.error());
    bench
        .change(
            "hub_unlink_repo",
            &json!({ "repository": "httpx", "task": task }),
        )
        .await;
    bench.change("hub_link_repo", &other).await;
    let kept = store.record(home, task).await.unwrap().unwrap();
    assert_eq!(kept.text("repoId"), Some(guide.id.as_str()));
    let links = store.links_from(home, task).await.unwrap();
    let repos: Vec<&str> = links
        .iter()
        .filter(|link| link.relation == relation::REPO)
        .map(|link| link.record.id.as_str())
        .collect();
    assert_eq!(repos, [guide.id.as_str()]);

    for input in [
        json!({ "repository": "guide" }),
        json!({ "repository": "guide", "task": task, "project": project }),
    ] {
        bench.wrong("hub_link_repo", &input, "exactly one").await;
        bench.wrong("hub_unlink_repo", &input, "exactly one").await;
    }
}

#[tokio::test]
async fn what_ensemble_keeps_of_a_repository_is_changed() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    let asked = json!({ "repository": "httpx", "description": "A client.", "defaultBranch": "main", "myRole": "maintainer", "tracked": false });
    let result = bench.change("hub_update_repo", &asked).await;
    let repo = &result["repository"];
    assert_eq!(
        (
            &repo["description"],
            &repo["defaultBranch"],
            &repo["tracked"]
        ),
        (&json!("A client."), &json!("main"), &json!(false))
    );
    bench
        .wrong(
            "hub_update_repo",
            &json!({ "repository": "httpx", "tracked": "no" }),
            "tracked",
        )
        .await;
}

#[tokio::test]
async fn people_and_repositories_are_listed_by_name() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    bench.rig.add(Kind::Person, "Aaron", json!({})).await;
    let people = bench
        .act_with(&bench.reader, "hub_list_people", &json!({ "limit": 1 }))
        .await;
    let people = Bench::ok(&people);
    assert_eq!(
        (
            &people["people"][0]["name"],
            &people["total"],
            &people["hasMore"]
        ),
        (&json!("Aaron"), &json!(2), &json!(true))
    );
    assert_eq!(people["people"][0]["version"], 1);
    let repos = bench
        .act("hub_list_repos", &json!({ "query": "HTTPX" }))
        .await;
    assert_eq!(Bench::ok(&repos)["repos"][0]["fullName"], "httpx");
    bench
        .wrong(
            "hub_list_people",
            &json!({ "name": "x" }),
            "hub_list_people",
        )
        .await;
    bench
        .wrong("hub_list_repos", &json!({ "after": "nonsense" }), "after")
        .await;
}
