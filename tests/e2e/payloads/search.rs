//! Search: every kind, every record by its own title, what is near, and nothing of another space.

use std::collections::BTreeSet;

use ensemble_hub_api::Kind;
use serde_json::json;

use super::probe::Probe;
use super::rows::{Rows, handle, ids};
use crate::support::names;

pub(super) async fn search(probe: &Probe, home: &Rows, second: &Rows) {
    for kind in probe.values("ensemble_search", "kinds") {
        let wanted = Kind::parse(&kind).unwrap();
        let all = home.all(&[wanted]);
        assert!(!all.is_empty(), "the demo has no {kind}");
        for record in all {
            let asked = json!({"query": record.title, "kinds": [kind]});
            let found = probe.ask(home, "ensemble_search", asked).await;
            let hits = found["results"].as_array().unwrap();
            if record.flag("enabled") == Some(false) {
                assert!(!hits.iter().any(|hit| hit["id"] == record.id), "{found}");
                continue;
            }
            assert_eq!(
                hits[0]["id"], record.id,
                "an exact title comes first: {found}"
            );
            let shown = if kind == "file" { "document" } else { &kind };
            assert!(hits.iter().all(|hit| hit["kind"] == shown), "{found}");
            for hit in hits {
                let score = hit["score"].as_f64().unwrap();
                assert!((0.0..=1.0).contains(&score) && !hit["why"].as_str().unwrap().is_empty());
                assert!(hit["excerpt"].is_string() && hit["trustLabel"].is_string());
            }
        }
    }
    for (limit, most) in [(1, 3), (2, 6), (20, 40)] {
        let asked = json!({"query": "timeout", "limit": limit});
        let found = probe.ask(home, "ensemble_search", asked).await;
        let hits = ids(&found["results"]);
        assert!(hits.len() <= most && !hits.is_empty());
        assert_eq!(
            hits.iter().collect::<BTreeSet<_>>().len(),
            hits.len(),
            "each once"
        );
        assert_eq!(
            found["hasMore"],
            hits.len() == most && limit < 20,
            "{limit}: {found}"
        );
    }
    near(probe, home).await;
    let found = probe
        .ask(second, "ensemble_search", json!({"query": "timeout"}))
        .await;
    assert_eq!(names(&found["results"], "label"), ["Timeout for the pump"]);
    let none = probe
        .ask(home, "ensemble_search", json!({"query": "zzzqqq"}))
        .await;
    assert_eq!(
        (&none["empty"], &none["results"]),
        (&json!(true), &json!([]))
    );
}

/// What is linked to the named record comes before everything else, and `why` says so.
async fn near(probe: &Probe, rows: &Rows) {
    let task = rows.one(Kind::Task, "Document the default timeout");
    let mut near = rows.neighbours(&task.id);
    near.remove(task.id.as_str());
    let asked = json!({"query": "timeout", "near": handle(task), "limit": 20});
    let found = probe.ask(rows, "ensemble_search", asked).await;
    let hits = found["results"].as_array().unwrap();
    let linked: Vec<bool> = hits
        .iter()
        .map(|hit| near.contains(hit["id"].as_str().unwrap()))
        .collect();
    assert!(linked.contains(&true) && linked.contains(&false), "{found}");
    assert!(
        linked.is_sorted_by(|before, after| before >= after),
        "{linked:?}"
    );
    for (hit, linked) in hits.iter().zip(linked) {
        let says = hit["why"]
            .as_str()
            .unwrap()
            .contains("linked to the record you named");
        assert_eq!(says, linked, "{hit}");
    }
}
