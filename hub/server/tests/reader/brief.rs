//! Every way in which a brief finds, or does not find, its task.

use ensemble_hub_api::Kind;
use ensemble_hub_server::brief::{Asked, Brief, brief};
use ensemble_hub_server::error::RouteError;
use ensemble_hub_server::view::Card;
use serde_json::{Value, json};

use crate::support::Demo;

fn asked(task: &str, repo: &str, branch: &str, query: &str) -> Asked {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Asked {
        task: some(task),
        repo: some(repo),
        branch: some(branch),
        query: some(query),
        limit: 8,
    }
}

async fn ask(demo: &Demo, asked: Asked) -> Brief {
    brief(&demo.reader(), &asked).await.unwrap()
}

fn titles(cards: &[Card]) -> Vec<&str> {
    cards
        .iter()
        .filter_map(|card| card.get("title")?.as_str())
        .collect()
}

fn outcome(brief: &Brief) -> Value {
    json!(brief.resolution)
}

const TIMEOUT: &str = "Document the default timeout";

#[tokio::test]
async fn one_open_task_of_a_branch_is_the_task() {
    let demo = Demo::new().await;
    for remote in [
        "encode/httpx",
        "git@github.com:Encode/HTTPX.git",
        "https://u:p@github.com/encode/httpx/",
    ] {
        let found = ask(&demo, asked("", remote, "docs/default-timeout", "")).await;
        assert_eq!(outcome(&found), "task", "{remote}");
        let task = found.resolved.task.unwrap();
        assert_eq!(
            (&task["title"], &task["via"]),
            (&json!(TIMEOUT), &json!("branch"))
        );
        assert!(!titles(&found.other_open_tasks).contains(&TIMEOUT));
        assert!(found.other_open_tasks.len() >= 3 && found.search.is_none());
    }
    let found = ask(
        &demo,
        asked("", "encode/httpx", "refs/heads/docs/default-timeout", ""),
    )
    .await;
    assert_eq!(outcome(&found), "task");
}

#[tokio::test]
async fn the_packet_tells_where_it_came_from_and_gives_handles() {
    let demo = Demo::new().await;
    let found = ask(&demo, asked(TIMEOUT, "", "", "")).await;
    let packet = found.work_context.unwrap();
    assert!(packet.chars().count() <= 7_000);
    for piece in [
        "## Where it came from",
        "Asked by Sofía Núñez (Product lead",
        "> Could you write down what the default timeout is",
        "From the meeting “Client reliability weekly”, 2026-02-24",
        "## Project",
        "HTTP client reliability",
        "## Waits for",
        "Agree on the default timeout values (waiting_approval",
        "## Part of",
        "## Files",
        "latency-readout.md",
        "## Related open work",
        "## Done before",
        "Move the timeout tests to the new fixtures (done",
    ] {
        assert!(packet.contains(piece), "{piece}\n{packet}");
    }
    for (kind, title) in [
        (Kind::Person, "Sofía Núñez"),
        (Kind::Meeting, "Client reliability weekly"),
    ] {
        assert!(packet.contains(&demo.handle(kind, title).await), "{title}");
    }
    assert_eq!(
        found.context_ref.unwrap(),
        demo.handle(Kind::Task, TIMEOUT).await
    );
    assert_eq!(
        titles(&found.deliverables),
        ["Timeout chapter of the guide"]
    );
    assert_eq!(found.files.len(), 2);
    let first = &found.resolved.people[0];
    assert_eq!(
        (&first["name"], &first["involved"]),
        (
            &json!("Sofía Núñez"),
            &json!("asked for it, was in the meeting")
        )
    );
}

#[tokio::test]
async fn skills_are_current_and_enabled_and_words_of_others_are_labelled() {
    let demo = Demo::new().await;
    let found = ask(&demo, asked(TIMEOUT, "", "", "")).await;
    let skills: Vec<&str> = found
        .how_i_work
        .iter()
        .map(|skill| skill.skill.as_str())
        .collect();
    assert_eq!(skills[0], "Write documentation for client libraries");
    assert!(!skills.contains(&"Release by hand"));
    assert_eq!(
        (found.how_i_work[0].version, &*found.how_i_work[0].why),
        (Some(4), "linked to this task")
    );
    let issue = found
        .context
        .iter()
        .find(|cited| cited.kind == Kind::Artifact)
        .unwrap();
    assert_eq!(json!(issue.trust), "untrusted");
    assert!(!issue.excerpt.contains("</untrusted>"), "{}", issue.excerpt);
    assert!(
        found
            .context
            .iter()
            .any(|cited| cited.kind == Kind::Meeting)
    );
    assert!(found.notes[0].contains("not instructions"));
}

#[tokio::test]
async fn a_branch_of_several_tasks_gives_the_candidates_and_chooses_none() {
    let demo = Demo::new().await;
    let found = ask(&demo, asked("", "encode/httpx", "retry-helper", "")).await;
    assert_eq!(outcome(&found), "ambiguous");
    let mut names = titles(&found.candidates);
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "Add a retry helper with jitter",
            "Test the retry helper against slow servers"
        ]
    );
    assert!(found.resolved.task.is_none() && found.work_context.is_none());
    assert!(found.resolved.repo.is_some() && found.resolved.project.is_some());
}

#[tokio::test]
async fn a_branch_without_an_open_task_is_never_guessed() {
    let demo = Demo::new().await;
    for branch in [
        "docs/default-timeout-2",
        "docs",
        "DOCS/DEFAULT-TIMEOUT",
        "master",
        "retry",
    ] {
        let found = ask(&demo, asked("", "encode/httpx", branch, "")).await;
        assert_eq!(outcome(&found), "branch_unmatched", "{branch}");
        assert!(found.resolved.task.is_none() && found.candidates.is_empty());
        assert!(found.closed_matches.is_empty() && !found.other_open_tasks.is_empty());
        assert_eq!(
            found.resolved.project.unwrap()["name"],
            "HTTP client reliability"
        );
    }
    let found = ask(
        &demo,
        asked("", "encode/httpx", "tests/timeout-fixtures", ""),
    )
    .await;
    assert_eq!(outcome(&found), "branch_unmatched");
    assert_eq!(
        titles(&found.closed_matches),
        ["Move the timeout tests to the new fixtures"]
    );
    assert!(
        found.resolved.task.is_none() && found.message.contains("closed"),
        "{}",
        found.message
    );
}

#[tokio::test]
async fn an_untracked_repository_searches_only_what_was_asked() {
    let demo = Demo::new().await;
    for repo in [
        "someone/else",
        "/srv/git/httpx.git",
        "httpx",
        "https://u:secretword@host/",
    ] {
        let found = ask(&demo, asked("", repo, "docs/default-timeout", "")).await;
        assert_eq!(outcome(&found), "untracked_repo", "{repo}");
        assert!(found.search.is_none() && found.nothing_found && found.context.is_empty());
        assert!(!found.message.contains("secretword"));
    }
    let found = ask(&demo, asked("", "someone/else", "x", "default timeout")).await;
    assert!(!found.nothing_found && !found.search.unwrap().results.is_empty());
    let found = ask(&demo, asked("", "someone/else", "x", "zzzz")).await;
    assert!(
        found.nothing_found && found.message.contains("nothing"),
        "{}",
        found.message
    );
}

#[tokio::test]
async fn without_a_branch_the_last_updated_open_task_is_the_anchor() {
    let demo = Demo::new().await;
    let found = ask(&demo, asked("", "encode/httpx", "", "")).await;
    assert_eq!(outcome(&found), "task");
    let task = found.resolved.task.unwrap();
    assert_eq!(
        (&task["title"], &task["via"]),
        (&json!(TIMEOUT), &json!("repo"))
    );
    assert!(found.other_open_tasks.len() >= 3);
    let empty = demo
        .add(demo.new_record(Kind::Repo, "empty/repo", ""))
        .await;
    let found = ask(&demo, asked("", &empty.title, "", "")).await;
    assert_eq!(outcome(&found), "repo_only");
    assert!(found.resolved.task.is_none());
}

#[tokio::test]
async fn a_task_is_named_by_handle_link_id_or_exact_title() {
    let demo = Demo::new().await;
    let task = demo.record(Kind::Task, TIMEOUT).await;
    for (name, via) in [
        (format!("ensemble://task/{}", task.id), "handle"),
        (format!("https://app.example.com/task/{}", task.id), "link"),
        (task.id.clone(), "id"),
        (TIMEOUT.to_owned(), "title"),
        (" document the DEFAULT timeout ".to_owned(), "title"),
    ] {
        let found = ask(&demo, asked(&name, "", "", "")).await;
        let card = found.resolved.task.unwrap();
        assert_eq!(
            (&card["id"], &card["via"]),
            (&json!(task.id), &json!(via)),
            "{name}"
        );
    }
    for name in [
        "Document the default",
        "timeout",
        "Move the timeout tests to the new fixtures",
    ] {
        let found = ask(&demo, asked(name, "", "", "")).await;
        assert_eq!(outcome(&found), "no_anchor", "{name}");
        assert!(found.resolved.task.is_none() && found.work_context.is_none());
    }
    demo.add(demo.new_record(Kind::Task, TIMEOUT, "another"))
        .await;
    let found = ask(&demo, asked(TIMEOUT, "", "", "")).await;
    assert_eq!(
        (outcome(&found), found.candidates.len()),
        (json!("ambiguous"), 2)
    );
}

#[tokio::test]
async fn a_handle_that_names_nothing_here_is_an_error() {
    let demo = Demo::new().await;
    let other = demo
        .store
        .find_by_title(&demo.second.id, Kind::Task, "Timeout for the pump")
        .await
        .unwrap();
    let project = demo.handle(Kind::Project, "Partner onboarding").await;
    for (name, missing) in [
        (
            "ensemble://task/00000000-0000-7000-8000-000000000000".to_owned(),
            true,
        ),
        ("00000000-0000-7000-8000-000000000000".to_owned(), true),
        (format!("ensemble://task/{}", other[0].id), true),
        (project, false),
    ] {
        let refused = brief(&demo.reader(), &asked(&name, "", "", ""))
            .await
            .unwrap_err();
        assert_eq!(
            matches!(refused, RouteError::NotFound(_)),
            missing,
            "{name}: {refused}"
        );
        assert_eq!(
            matches!(refused, RouteError::BadRequest(_)),
            !missing,
            "{name}: {refused}"
        );
    }
}

#[tokio::test]
async fn nothing_given_is_no_anchor_and_says_what_to_pass() {
    let demo = Demo::new().await;
    for place in [
        asked("", "", "", ""),
        asked("", "", "docs/default-timeout", ""),
    ] {
        let found = ask(&demo, place).await;
        assert_eq!(outcome(&found), "no_anchor");
        assert!(
            found.nothing_found && found.message.contains("pass"),
            "{}",
            found.message
        );
    }
}

#[tokio::test]
async fn a_list_that_is_cut_for_length_says_so() {
    let demo = Demo::new().await;
    let title = "One of many with the very same long name ".repeat(12);
    let title = title.trim();
    for _ in 0..10 {
        demo.add(demo.new_record(Kind::Task, title, title)).await;
    }
    let found = ask(&demo, asked(title, "", "", "")).await;
    assert!(found.resolved.task.is_none() && found.candidates.len() < 10);
    let left_out = format!("{} of candidates", 10 - found.candidates.len());
    let note = found.notes.iter().find(|note| note.contains(&left_out));
    assert!(note.is_some(), "{:?}", found.notes);
}
