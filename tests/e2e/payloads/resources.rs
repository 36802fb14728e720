//! Resources and templates: the same rows as through the tools.

use ensemble_hub_api::Kind;
use serde_json::{Value, json};

use super::probe::Probe;
use super::rows::Rows;
use crate::support::{RESOURCES, TEMPLATES};

pub(super) async fn every_resource(probe: &Probe, home: &Rows) {
    for uri in RESOURCES {
        let list = uri.strip_prefix("ensemble://").unwrap();
        let mut read = probe.read(home, uri).await;
        let mut called = probe
            .ask(home, &format!("ensemble_{list}"), json!({}))
            .await;
        for answer in [&mut read, &mut called] {
            // it begins with the moment of the question
            answer.as_object_mut().unwrap().remove("window");
        }
        assert_eq!(read, called, "{uri}");
    }
    for template in TEMPLATES {
        if let Some(list) = template
            .strip_suffix("/{id}")
            .and_then(|t| t.strip_prefix("ensemble://"))
            && list != "items/{kind}"
        {
            by_id(probe, home, list).await;
        }
    }
    for name in probe.values("ensemble_read", "kind") {
        let kind = Kind::parse(if name == "meeting_note" {
            "meeting"
        } else {
            &name
        })
        .unwrap();
        for record in home.all(&[kind]) {
            let read = probe
                .read(home, &format!("ensemble://items/{name}/{}", record.id))
                .await;
            let called = json!({"kind": name, "id": record.id});
            assert_eq!(read, probe.ask(home, "ensemble_read", called).await);
        }
    }
}

/// Every record of a list by its id.
async fn by_id(probe: &Probe, home: &Rows, list: &str) {
    let kind = match list {
        "people" => Kind::Person,
        plural => Kind::parse(plural.strip_suffix('s').unwrap()).unwrap(),
    };
    for record in home.all(&[kind]) {
        if record.flag("enabled") == Some(false) {
            continue;
        }
        let read = probe
            .read(home, &format!("ensemble://{list}/{}", record.id))
            .await;
        let card: &Value = if kind == Kind::Task {
            &read["task"]
        } else {
            &read
        };
        assert_eq!(card["id"], record.id, "{list}");
        if kind == Kind::Task {
            task_links(home, &record.id, &read);
        }
    }
}

#[track_caller]
fn task_links(home: &Rows, id: &str, read: &Value) {
    let row = home.get(id).unwrap();
    assert_eq!(read["body"]["text"], row.body);
    let links = read["links"].as_array().unwrap();
    let near = home.neighbours(id);
    assert_eq!(read["linksTotal"], links.len());
    let mut ends: Vec<&str> = links
        .iter()
        .map(|link| link["ref"].as_str().unwrap().rsplit('/').next().unwrap())
        .collect();
    ends.push(id);
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends, near.into_iter().collect::<Vec<_>>(), "{}", row.title);
}
