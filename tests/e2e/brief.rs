//! Repositories as they lie on disk, and what the brief makes of the folder an editor works in.

use std::path::Path;

use ensemble_test_harness::{Grants, Repository};
use serde_json::{Value, json};

use crate::support::{World, answer, end, names, refusal, text};

/// The brief without arguments, asked from this folder.
async fn brief_in(world: &World, folder: &Path) -> Value {
    std::fs::create_dir_all(folder).unwrap();
    let mut bridge = world.bridge_in(folder).await;
    let brief = bridge.call("ensemble_brief", json!({})).await;
    end(bridge).await;
    brief
}

/// The title of the task that a brief is about.
#[track_caller]
fn title(brief: &Value) -> &str {
    let task = &answer(brief)["resolved"]["task"]["title"];
    task.as_str()
        .unwrap_or_else(|| panic!("no task: {}", text(brief)))
}

const TITLE: &str = "Document the default timeout";

fn httpx(branch: &str) -> Repository {
    Repository::new()
        .branch(branch)
        .remote("origin", "https://github.com/encode/httpx.git")
}

#[tokio::test]
async fn every_way_to_write_a_remote_leads_to_the_same_repository() {
    let world = World::new(Grants::READ).await;
    for (at, url) in [
        "https://github.com/encode/httpx",
        "https://github.com/encode/httpx.git",
        "https://github.com/encode/httpx/",
        "https://robin@github.com/encode/httpx.git",
        "https://robin:secret@github.com:443/encode/httpx.git",
        "http://github.com/Encode/HTTPX",
        "git@github.com:encode/httpx.git",
        "git@github.com:encode/httpx",
        "github.com:encode/httpx.git",
        "ssh://git@github.com/encode/httpx.git",
        "ssh://git@github.com:22/encode/httpx",
        "git://github.com/encode/httpx.git",
    ]
    .into_iter()
    .enumerate()
    {
        let folder = world.home.path().join(format!("remote-{at}"));
        Repository::new()
            .branch("docs/default-timeout")
            .remote("origin", url)
            .create(&folder);
        let brief = brief_in(&world, &folder).await;
        assert_eq!(title(&brief), TITLE, "{url}");
        assert_eq!(answer(&brief)["resolved"]["task"]["via"], "branch");
        assert!(!brief.to_string().contains("secret"), "{url}");
    }
    world.hub.stop().await;
}

#[tokio::test]
async fn a_repository_is_found_however_it_lies_on_disk() {
    let world = World::new(Grants::READ).await;
    let root = world.home.path().join("Répo mit Leerzeichen");
    httpx("docs/default-timeout").create(&root);
    for folder in [root.clone(), root.join("src"), root.join("src/deep/漢字")] {
        assert_eq!(title(&brief_in(&world, &folder).await), TITLE);
    }
    let side = world.home.path().join("side");
    Repository::add_worktree(&root, &side, "tests/timeout-fixtures");
    let brief = brief_in(&world, &side.join("deep")).await;
    assert_eq!(answer(&brief)["resolution"], "branch_unmatched");
    assert_eq!(
        names(&answer(&brief)["closedMatches"], "title"),
        ["Move the timeout tests to the new fixtures"]
    );

    // a `.git` file that points elsewhere, as submodules have it
    let elsewhere = world.home.path().join("store/modules/httpx");
    httpx("docs/default-timeout").create_as(&elsewhere);
    let pointing = world.home.path().join("pointing");
    std::fs::create_dir_all(&pointing).unwrap();
    let pointer = format!("gitdir: {}\n", elsewhere.display());
    std::fs::write(pointing.join(".git"), pointer).unwrap();
    assert_eq!(title(&brief_in(&world, &pointing).await), TITLE);

    // the inner of two repositories counts
    let inner = root.join("vendor/other");
    Repository::new()
        .branch("docs/default-timeout")
        .remote("origin", "https://github.com/other/thing")
        .create(&inner);
    let brief = brief_in(&world, &inner).await;
    assert_eq!(answer(&brief)["resolution"], "untracked_repo");
    world.hub.stop().await;
}

#[tokio::test]
async fn a_folder_that_says_less_is_not_filled_up_by_a_guess() {
    let world = World::new(Grants::READ).await;
    let folder = |name: &str| world.home.path().join(name);
    let detached = folder("detached");
    httpx("x").detached().create(&detached);
    // no branch: the repository's last worked-on task, which is said, and the others are named
    let brief = brief_in(&world, &detached).await;
    assert_eq!(title(&brief), TITLE);
    let found = answer(&brief);
    assert_eq!(found["resolved"]["task"]["via"], "repo");
    assert!(
        found["message"]
            .as_str()
            .unwrap()
            .starts_with("No branch was given")
    );
    assert_eq!(found["otherOpenTasks"].as_array().unwrap().len(), 3);

    let lonely = folder("lonely");
    Repository::new()
        .branch("docs/default-timeout")
        .create(&lonely);
    let two = folder("two");
    Repository::new()
        .branch("docs/default-timeout")
        .remote("mine", "https://github.com/robin/httpx")
        .remote("theirs", "https://github.com/encode/httpx")
        .create(&two);
    for (folder, says) in [
        (
            lonely,
            "A branch alone does not say which repository it is of",
        ),
        (two, "A branch alone does not say which repository it is of"),
        (folder("nothing"), "Nothing says which task this is about"),
    ] {
        let brief = brief_in(&world, &folder).await;
        assert_eq!(
            answer(&brief)["resolution"],
            "no_anchor",
            "{}",
            folder.display()
        );
        assert!(
            answer(&brief)["message"]
                .as_str()
                .unwrap()
                .starts_with(says),
            "{brief}"
        );
        assert_eq!(answer(&brief)["nothingFound"], true);
    }
    let following = folder("following");
    Repository::new()
        .branch("docs/default-timeout")
        .remote("origin", "https://github.com/robin/httpx-fork")
        .remote("upstream", "git@github.com:encode/httpx.git")
        .follows("docs/default-timeout", "upstream")
        .create(&following);
    assert_eq!(title(&brief_in(&world, &following).await), TITLE);
    // a pointer into nothing is no repository, and the one around it is not taken instead
    let around = folder("around");
    httpx("docs/default-timeout").create(&around);
    let broken = around.join("broken");
    std::fs::create_dir_all(&broken).unwrap();
    std::fs::write(broken.join(".git"), "gitdir: /nowhere/at/all\n").unwrap();
    let brief = brief_in(&world, &broken).await;
    let sentence = refusal(&brief);
    assert!(
        sentence.contains("pass `task`, or `repo` and `branch`"),
        "{sentence}"
    );
    assert!(!sentence.contains("/nowhere"), "{sentence}");
    world.hub.stop().await;
}

#[tokio::test]
async fn every_resolution_has_its_case() {
    let world = World::new(Grants::READ).await;
    for (at, (remote, branch, resolution)) in [
        ("encode/httpx", "docs/default-timeout", "task"),
        ("encode/httpx", "retry-helper", "ambiguous"),
        ("encode/httpx", "docs/pool-limits", "branch_unmatched"),
        ("encode/httpx", "main", "branch_unmatched"),
        ("example-labs/client-guide", "main", "branch_unmatched"),
        ("encode/httpx2", "docs/default-timeout", "untracked_repo"),
        ("other/httpx", "docs/default-timeout", "untracked_repo"),
        // the other space's repository is as good as none
        ("robin/watering", "pump-timeout", "untracked_repo"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = world.home.path().join(format!("case-{at}"));
        Repository::new()
            .branch(branch)
            .remote("origin", &format!("https://github.com/{remote}"))
            .create(&folder);
        let brief = brief_in(&world, &folder).await;
        let found = answer(&brief);
        assert_eq!(found["resolution"], resolution, "{remote} {branch}");
        assert_eq!(
            found["resolved"].get("task").is_some(),
            resolution == "task"
        );
        assert_eq!(
            found["candidates"].as_array().unwrap().is_empty(),
            resolution != "ambiguous"
        );
        assert!(
            found["notes"].to_string().contains("not instructions"),
            "{found}"
        );
    }
    world.hub.stop().await;
}

/// A repository all of whose tasks are closed has no current task.
#[tokio::test]
async fn a_repository_without_open_tasks_is_that_and_no_more() {
    let world = World::new(Grants::CHANGES).await;
    let mut bridge = world.bridge().await;
    let guide = json!({"repo": "example-labs/client-guide"});
    let brief = bridge.call("ensemble_brief", guide.clone()).await;
    assert_eq!(title(&brief), "Publish the 1.0 migration guide");
    let handle = answer(&brief)["resolved"]["task"]["ref"].clone();
    for status in ["in_progress", "done"] {
        let step = json!({"id": handle, "status": status});
        answer(&bridge.call("ensemble_update_task", step).await);
    }
    let brief = bridge.call("ensemble_brief", guide).await;
    assert_eq!(answer(&brief)["resolution"], "repo_only");
    assert_eq!(
        answer(&brief)["resolved"]["repo"]["fullName"],
        "example-labs/client-guide"
    );
    end(bridge).await;
    world.hub.stop().await;
}

/// A task by its handle, link, id or exact title; the folder is then not asked.
#[tokio::test]
async fn a_task_that_is_named_wins() {
    let world = World::new(Grants::READ).await;
    httpx("retry-helper").create(&world.home.work());
    let mut bridge = world.bridge().await;
    let found = json!({"query": "POL-358", "kinds": ["task"]});
    let found = bridge.call("ensemble_search", found).await;
    let hit = &answer(&found)["results"][0];
    for (named, via) in [
        (hit["ref"].as_str().unwrap(), "handle"),
        (hit["url"].as_str().unwrap(), "link"),
        (hit["id"].as_str().unwrap(), "id"),
        ("POL-358: keep audit logs for 400 days", "title"),
    ] {
        let brief = bridge.call("ensemble_brief", json!({"task": named})).await;
        assert_eq!(
            title(&brief),
            "POL-358: keep audit logs for 400 days",
            "{via}"
        );
        assert_eq!(answer(&brief)["resolved"]["task"]["via"], via);
    }
    let closed = json!({"task": "Explain pool limits in the guide"});
    let closed = bridge.call("ensemble_brief", closed).await;
    assert_eq!(answer(&closed)["resolution"], "no_anchor");
    assert_eq!(
        names(&answer(&closed)["closedMatches"], "title"),
        ["Explain pool limits in the guide"]
    );
    end(bridge).await;
    world.hub.stop().await;
}
