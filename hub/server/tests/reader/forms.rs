//! One text in two forms: composed, and decomposed as some systems and keyboards write it. Both find the same, and what was written stays
//! as it was written.

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::Record;
use serde_json::json;

use crate::support::{Demo, ask};

/// Composed and decomposed.
const FORMS: [(&str, &str); 2] = [
    ("r\u{e9}sum\u{e9}", "re\u{301}sume\u{301}"),
    ("학점", "\u{1112}\u{1161}\u{11a8}\u{110c}\u{1165}\u{11b7}"),
];

fn in_url(text: &str) -> String {
    let bytes = text.bytes().map(|byte| format!("%{byte:02X}"));
    bytes.collect()
}

/// A task, a person and a file of that name.
async fn named(demo: &Demo, name: &str) -> [Record; 3] {
    let mut made = Vec::new();
    for kind in [Kind::Task, Kind::Person, Kind::File] {
        let mut new = demo.new_record(kind, name, "");
        new.fields.insert("labels".into(), json!([name]));
        made.push(demo.add(new).await);
    }
    made.try_into().unwrap()
}

#[tokio::test]
async fn both_forms_find_the_same_and_the_stored_one_is_kept() {
    for (composed, decomposed) in FORMS {
        for (stored, asked) in [
            (composed, decomposed),
            (decomposed, composed),
            (decomposed, decomposed),
        ] {
            let demo = Demo::new().await;
            let [task, person, file] = named(&demo, stored).await;
            let query = in_url(asked);
            for (path, list, expected) in [
                (format!("tasks?q={query}"), "tasks", &task),
                (format!("people?q={query}"), "people", &person),
                (format!("files?query={query}"), "files", &file),
                (format!("search?q={query}&kinds=task"), "results", &task),
                (format!("search?q={query}&kinds=file"), "results", &file),
            ] {
                let found = ask(&demo, &path).await;
                assert_eq!(found[list].as_array().unwrap().len(), 1, "{path}: {found}");
                let card = &found[list][0];
                assert_eq!(card["id"], expected.id, "{path}");
                let names = ["title", "name", "label"]
                    .iter()
                    .find_map(|name| card.get(*name));
                assert_eq!(names.unwrap(), stored, "{path}");
            }
            let brief = ask(&demo, &format!("brief?task={query}")).await;
            assert_eq!(brief["resolved"]["task"]["id"], task.id, "{asked}");
        }
    }
}

/// The rule: names that differ by their form alone are one name. The exact spelling comes first; asked in any other one, neither is chosen.
#[tokio::test]
async fn of_two_titles_that_differ_by_their_form_neither_is_guessed() {
    let (composed, decomposed) = FORMS[0];
    let demo = Demo::new().await;
    let (one, two) = (named(&demo, composed).await, named(&demo, decomposed).await);
    for (asked, task) in [(composed, &one[0]), (decomposed, &two[0])] {
        let brief = ask(&demo, &format!("brief?task={}", in_url(asked))).await;
        assert_eq!(brief["resolved"]["task"]["id"], task.id, "{asked}");
    }
    let brief = ask(
        &demo,
        &format!("brief?task={}", in_url(&composed.to_uppercase())),
    )
    .await;
    assert_eq!(brief["resolution"], "ambiguous", "{brief}");
    let candidates = brief["candidates"].as_array().unwrap();
    let mut said: Vec<&str> = candidates
        .iter()
        .map(|card| card["id"].as_str().unwrap())
        .collect();
    said.sort_unstable();
    let mut both = [one[0].id.as_str(), two[0].id.as_str()];
    both.sort_unstable();
    assert_eq!(said, both);
}
