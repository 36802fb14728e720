//! What a key may not see leaves no sign: a record of another space answers as one that never was, in lists, counts, refusals and candidates;
//! and a name means one record or none.

use ensemble_hub_api::{Kind, relation};
use serde_json::json;

use crate::support::{CREATE, Rig};

/// What only the secret records contain.
const SECRET: &str = "Zeppelin";

/// Two hubs that differ in what their second space holds answer alike in the first one.
#[tokio::test]
async fn another_space_leaves_no_sign() {
    let rigs = [Rig::new().await, Rig::new().await];
    let nobody = "00000000-0000-7000-8000-000000000000";
    let mut answers = Vec::new();
    for (full, rig) in rigs.iter().enumerate() {
        rig.add(Kind::Project, "Open project", json!({})).await;
        let person = rig.add(Kind::Person, "Ana", json!({})).await;
        let mut ids = vec![nobody.to_owned(); 4];
        if full == 1 {
            let space = rig.hub.admin().create_space("Other").await.unwrap().id;
            let kinds = [Kind::Project, Kind::Person, Kind::Skill, Kind::Event];
            let mut records = Vec::new();
            for kind in kinds {
                let fields = json!({ "start": "2026-03-03T09:00:00.000Z", "body": SECRET });
                records.push(rig.add_to(&space, kind, SECRET, fields).await);
            }
            // A link over the border is not made.
            rig.link(&records[0], relation::OWNER, &person).await;
            ids = records.into_iter().map(|record| record.id).collect();
        }
        let (key, _) = rig.key("k", true).await;
        let mut of_rig = Vec::new();
        for path in paths(&ids, &person.id) {
            let answer = rig.get(&key, &path).await;
            let text = answer.body.to_string().replace(&person.id, "<ana>");
            of_rig.push((answer.status, without_ids(&text, &ids)));
        }
        for people in [json!([SECRET]), json!([ids[1]]), json!(["Zep"])] {
            let body = json!({ "title": "t", "people": people });
            let refused = rig.write("POST", &key, CREATE, &body).await;
            assert_eq!(refused.status, 400, "{people}");
            of_rig.push((refused.status, without_ids(refused.error(), &ids)));
        }
        answers.push(of_rig);
    }
    for (none, some) in answers[0].iter().zip(&answers[1]) {
        assert_eq!(none, some);
        assert!(!none.1.is_empty());
    }
}

fn paths(ids: &[String], open: &str) -> Vec<String> {
    let [project, person, skill, event] = ids else {
        unreachable!("four ids");
    };
    [
        "people?q=zeppelin".to_owned(),
        "people?limit=1".to_owned(),
        "skills".to_owned(),
        "meetings".to_owned(),
        "tasks".to_owned(),
        "search?q=zeppelin".to_owned(),
        format!("search?q=ana&near=ensemble://project/{project}"),
        format!("projects/{project}"),
        format!("people/{person}"),
        format!("skills/{skill}"),
        format!("repos/{project}"),
        format!("context?item=ensemble://project/{project}"),
        format!("context?kind=event&item={event}"),
        format!("context?kind=person&item={event}"),
        format!("context?item=ensemble://person/{open}"),
        format!("context?item=ensemble://person/{open}&rel=owns"),
        format!("context?item=ensemble://person/{open}&format=packet"),
        format!("read?kind=person&id={person}"),
        "brief?task=Zeppelin".to_owned(),
    ]
    .into_iter()
    .map(|path| format!("/api/bridge/{path}"))
    .collect()
}

/// An answer without what differs anyway: ids, and the words that were asked for.
fn without_ids(text: &str, ids: &[String]) -> String {
    let text = ids.iter().fold(text.to_owned(), |text, id| {
        text.replace(id.as_str(), "<id>")
    });
    let ids = text
        .split('"')
        .filter(|part| uuid::Uuid::try_parse(part).is_ok());
    let ids: Vec<String> = ids.map(str::to_owned).collect();
    ids.into_iter()
        .fold(text, |text, id| text.replace(&id, "<other>"))
}

#[tokio::test]
async fn a_name_is_whole_or_its_candidates_are_named() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", true).await;
    let exact = rig.add(Kind::Person, "reviewer", json!({})).await;
    let peer = rig.add(Kind::Person, "peer-reviewer", json!({})).await;
    for name in ["reviewer", "Reviewer", " reviewer "] {
        let body = json!({ "title": name, "people": [name] });
        let made = rig.write("POST", &key, CREATE, &body).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        let id = made.body["task"]["id"].as_str().unwrap();
        let links = rig.store().links_from(&rig.home, id).await.unwrap();
        assert_eq!((links.len(), &links[0].record.id), (1, &exact.id), "{name}");
    }
    let body = json!({ "title": "t", "people": ["review"] });
    let refused = rig.write("POST", &key, CREATE, &body).await;
    assert_eq!(
        refused.error(),
        format!(
            "No person is called exactly “review”: give the whole name, or the id of one of {} (peer-reviewer), {} (reviewer).",
            peer.id, exact.id
        )
    );
    // The list finds both, each with its id.
    let listed = rig.get(&key, "/api/bridge/people?q=review").await.body;
    assert_eq!(listed["total"], 2);
}
