//! The wire of the reading routes: one file for each answer in `tests/golden/reads`. `BLESS=1` writes them anew.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use ensemble_hub_server::clock::StillClock;
use ensemble_hub_server::{CreateKey, Hub, demo};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::repos::checkout;
use crate::support::NOW;

const CASES: &[(&str, &str)] = &[
    (
        "brief_task",
        "brief?repo=encode/httpx&branch=docs/default-timeout",
    ),
    (
        "brief_ambiguous",
        "brief?repo=git@github.com:encode/httpx.git&branch=retry-helper&query=jitter&limit=2",
    ),
    (
        "brief_branch_unmatched",
        "brief?repo=encode/httpx&branch=tests/timeout-fixtures",
    ),
    ("brief_repo", "brief?repo=encode/httpx&limit=1"),
    (
        "brief_untracked_repo",
        "brief?repo=someone/else&branch=main&query=partners&limit=1",
    ),
    ("brief_no_anchor", "brief"),
    (
        "brief_unknown_task",
        "brief?task=ensemble://task/00000000-0000-7000-8000-000000000000",
    ),
    ("brief_limit_refused", "brief?limit=21"),
    ("search", "search?q=default%20timeout&limit=1"),
    ("search_people", "search?q=engineer&kinds=person&limit=2"),
    ("search_nothing", "search?q=zzzz"),
    ("search_empty", "search"),
    ("search_kind_refused", "search?q=x&kinds=event"),
    ("search_near_refused", "search?q=x&near=nonsense"),
    (
        "read_unknown",
        "read?kind=page&id=00000000-0000-7000-8000-000000000000",
    ),
    ("read_kind_refused", "read?kind=secret&id=1"),
    ("read_id_missing", "read?kind=task"),
    ("read_limit_refused", "read?kind=task&id=1&limit=8001"),
    ("projects", "projects"),
    ("repos", "repos?limit=1"),
    ("skills", "skills"),
    ("people", "people?limit=2&offset=1"),
    ("people_named", "people?q=s%C3%B3fia"),
    ("deliverables", "deliverables"),
    ("diagrams", "diagrams"),
    ("plots", "plots"),
    ("meetings", "meetings?limit=2"),
    (
        "meetings_window",
        "meetings?from=2026-03-06&to=2026-03-06T23:00:00Z",
    ),
    ("meetings_none", "meetings?from=2030-01-01"),
    ("meetings_refused", "meetings?from=tomorrow"),
    ("list_limit_refused", "plots?limit=51"),
    ("list_after_refused", "plots?after=x"),
    ("context_item_missing", "context"),
    (
        "context_unknown",
        "context?item=ensemble://page/00000000-0000-7000-8000-000000000000",
    ),
    (
        "context_rel_refused",
        "context?item=ensemble://page/1&rel=x",
    ),
    (
        "context_rel_and_packet",
        "context?item=ensemble://page/1&rel=owner&format=packet",
    ),
    ("today", "today"),
    ("decisions", "decisions"),
    ("gaps", "gaps"),
    ("docs", "docs?query=make%20a%20key&limit=2"),
    ("docs_miss", "docs?query=teleportation"),
    ("docs_query_missing", "docs"),
    ("files", "files?limit=2"),
    ("files_query", "files?query=scope%20billing"),
    ("files_nothing", "files?query=zzzz"),
    ("files_limit_refused", "files?limit=51"),
    ("files_on_refused", "files?on=ensemble://skill/1"),
    ("file_unknown", "files/00000000-0000-7000-8000-000000000000"),
    ("file_text_refused", "files/1?text=yes"),
    ("file_part_refused", "files/1?text=true&limit=20001"),
];

/// Kinds with the title of the record that is read.
const READS: &[(&str, &str)] = &[
    ("task", "Document the default timeout"),
    ("project", "HTTP client reliability"),
    ("repo", "encode/httpx"),
    ("skill", "Review a network change"),
    ("deliverable", "Timeout chapter of the guide"),
    ("person", "Sofía Núñez"),
    ("artifact", "Default timeout surprises new users"),
    ("document", "Timeout survey of partners"),
    ("meeting", "Partner onboarding kickoff"),
    ("approval", "Post the weekly update to the partner channel"),
    ("decision", "May the editor run the release script?"),
    ("diagram", "Where a request can wait"),
    ("plot", "Slowest requests by timeout"),
    ("page", "ملاحظات الاجتماع"),
    ("event", "Partner onboarding call"),
];

/// Contexts and single records: the golden file, kind and title of the record, and the rest of the query, or `/` and the list.
const CONTEXTS: &[(&str, &str, &str, &str)] = &[
    ("context_task", "task", "Document the default timeout", ""),
    ("context_person", "person", "Sofía Núñez", ""),
    (
        "context_rel",
        "project",
        "HTTP client reliability",
        "&rel=contains&limit=2&offset=1",
    ),
    (
        "context_packet",
        "task",
        "Document the default timeout",
        "&format=packet",
    ),
    (
        "context_packet_project",
        "project",
        "HTTP client reliability",
        "&format=packet",
    ),
    ("project", "project", "Partner onboarding", "/projects"),
    ("repo", "repo", "encode/httpx", "/repos"),
    ("skill", "skill", "Review a network change", "/skills"),
    ("skill_disabled", "skill", "Release by hand", "/skills"),
    ("person", "person", "Dev Okafor", "/people"),
    ("person_other_kind", "repo", "encode/httpx", "/people"),
];

/// What is asked of a repository whose checkout is allowed.
const REPO: &[(&str, &str)] = &[
    ("repo_overview", "overview"),
    ("repo_file", "file?path=src/lib.rs&limit=10&offset=4"),
    ("repo_file_protected", "file?path=deploy/id_rsa"),
    ("repo_file_binary", "file?path=docs/logo.png"),
    ("repo_file_path_refused", "file?path=../x"),
    ("repo_file_path_missing", "file"),
];

#[tokio::test]
async fn the_wire_is_as_the_golden_files_say() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(StillClock::at(NOW.parse().unwrap()));
    let hub = Hub::open(folder.path(), clock).await.unwrap();
    demo::fill(hub.store()).await.unwrap();
    let asked = CreateKey {
        name: "reader".into(),
        ..CreateKey::default()
    };
    let key = hub.admin().create_key(asked).await.unwrap().value;
    let space = hub.admin().spaces().await.unwrap()[0].id.clone();

    let folder = checkout();
    let allowed = hub.admin();
    let allowed = allowed.allow_checkout(None, "encode/httpx", folder.path());
    let repo = allowed.await.unwrap().id;
    let mut requests = requests(&hub, &space).await;
    for (name, rest) in REPO {
        requests.push(((*name).to_owned(), format!("repos/{repo}/{rest}")));
    }
    let guide = "example-labs/client-guide";
    let guide = hub
        .store()
        .find_by_title(&space, ensemble_hub_api::Kind::Repo, guide);
    let guide = &guide.await.unwrap()[0].id;
    requests.push((
        "repo_not_allowed".to_owned(),
        format!("repos/{guide}/overview"),
    ));
    let mut wrong = Vec::new();
    for (name, path) in requests {
        let request = Request::get(format!("/api/bridge/{path}"))
            .header(header::AUTHORIZATION, format!("Bearer {}", key.expose()))
            .body(Body::empty())
            .unwrap();
        let response = hub.router().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), 1_000_000).await.unwrap();
        let body: Value = serde_json::from_slice(&bytes).unwrap();
        let mut shown = json!({ "status": status, "body": body });
        if let Some(next) = shown["body"].get_mut("next") {
            // Opaque, and made of ids.
            assert!(next.as_str().is_some_and(|next| next.len() > 20));
            *next = "<cursor>".into();
        }
        if !matches_golden(
            &name,
            &normalised(&serde_json::to_string_pretty(&shown).unwrap()),
        ) {
            wrong.push(name);
        }
    }
    assert!(
        wrong.is_empty(),
        "{wrong:?} differ from tests/golden/reads: if that is meant, run with BLESS=1"
    );
}

/// Every request, under the name of its golden file.
async fn requests(hub: &Hub, space: &str) -> Vec<(String, String)> {
    let mut requests: Vec<(String, String)> = CASES
        .iter()
        .map(|(name, path)| ((*name).to_owned(), (*path).to_owned()))
        .collect();
    for (kind, title) in READS {
        let kind_of = ensemble_hub_api::Kind::parse(kind).unwrap();
        let found = hub
            .store()
            .find_by_title(space, kind_of, title)
            .await
            .unwrap();
        assert_eq!(found.len(), 1, "{title}");
        requests.push((
            format!("read_{kind}"),
            format!("read?kind={kind}&id={}&limit=300", found[0].id),
        ));
    }
    for (name, kind, title, more) in CONTEXTS {
        let kind = ensemble_hub_api::Kind::parse(kind).unwrap();
        let found = hub.store().find_by_title(space, kind, title).await.unwrap();
        let id = &found[0].id;
        let path = match more.strip_prefix('/') {
            Some(list) => format!("{list}/{id}"),
            None => format!("context?item=ensemble://{kind}/{id}{more}"),
        };
        requests.push(((*name).to_owned(), path));
    }
    for (name, title, text) in [
        ("file_details", "timeout-chart.png", ""),
        (
            "file_text",
            "latency-readout.md",
            "?text=true&offset=10&limit=60",
        ),
        ("file_no_text", "timeout-chart.png", "?text=true"),
    ] {
        let found = hub
            .store()
            .find_by_title(space, ensemble_hub_api::Kind::File, title)
            .await
            .unwrap();
        requests.push((name.to_owned(), format!("files/{}{text}", found[0].id)));
    }
    requests
}

/// Ids are new in every run: each becomes a number, in the order in which they appear.
fn normalised(text: &str) -> String {
    let mut numbers = BTreeMap::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| id_at(rest, *at).is_some())
    {
        let id = id_at(rest, at).unwrap();
        let next = numbers.len() + 1;
        let number = *numbers.entry(id.to_owned()).or_insert(next);
        out.push_str(rest.get(..at).unwrap());
        out.extend(["<id ", &number.to_string(), ">"]);
        rest = rest.get(at + id.len()..).unwrap();
    }
    out + rest + "\n"
}

fn id_at(text: &str, at: usize) -> Option<&str> {
    let id = text.get(at..at + 36)?;
    let shaped = id.bytes().enumerate().all(|(place, byte)| match place {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    shaped.then_some(id)
}

fn matches_golden(name: &str, text: &str) -> bool {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/reads");
    let file = folder.join(format!("{name}.json"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&file, text).unwrap();
        return true;
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    // As values: the order of an object's fields is no part of the wire.
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let same = value(&golden) == value(text);
    if !same {
        let first = golden
            .lines()
            .zip(text.lines())
            .find(|(golden, is)| golden != is);
        eprintln!("{name}: {first:?}");
    }
    same
}
