//! The actions on skills.

use ensemble_hub_api::Kind;
use serde_json::json;

use crate::bench::Bench;

#[tokio::test]
async fn a_skill_is_made_changed_taken_back_switched_and_deleted() {
    let bench = Bench::new().await;
    let manage = "hub_manage_skill";
    let asked = json!({ "operation": "create", "name": "Review a change", "description": "Before a merge.", "body": "Ask for\r\nthe measurement." });
    let made = bench.change(manage, &asked).await["skill"].clone();
    assert_eq!(
        (
            &made["slug"],
            &made["provenance"],
            &made["skillVersion"],
            &made["enabled"]
        ),
        (
            &json!("review-a-change"),
            &json!("written by Zed"),
            &json!(1),
            &json!(true)
        )
    );
    let id = made["id"].as_str().unwrap();
    let update =
        json!({ "operation": "update", "skill": id, "body": "Read it twice.", "description": "" });
    let updated = bench.rewrite(id, manage, &update).await["skill"].clone();
    assert_eq!(updated["skillVersion"], 2);
    let stale =
        json!({ "operation": "update", "skill": id, "version": made["version"], "body": "Mine." });
    assert_eq!(bench.act(manage, &stale).await.status, 409);

    let restore = json!({ "operation": "restore", "skill": "review a change", "restoreVersion": made["version"] });
    let restored = bench.change(manage, &restore).await["skill"].clone();
    assert_eq!(
        (&restored["skillVersion"], &restored["description"]),
        (&json!(3), &json!("Before a merge."))
    );
    let kept = bench.rig.store().record(&bench.rig.home, id).await.unwrap();
    assert_eq!(kept.unwrap().body, "Ask for\r\nthe measurement.");
    let unknown = json!({ "operation": "restore", "skill": id, "restoreVersion": 99 });
    assert_eq!(bench.act(manage, &unknown).await.status, 404);

    let off = json!({ "operation": "disable", "skill": id });
    let card = bench.change(manage, &off).await["skill"].clone();
    assert_eq!(
        (&card["enabled"], &card["skillVersion"]),
        (&json!(false), &json!(3))
    );
    assert_eq!(bench.act(manage, &off).await.body["undoable"], false);
    bench
        .change(manage, &json!({ "operation": "enable", "skill": id }))
        .await;
    bench
        .change(manage, &json!({ "operation": "delete", "skill": id }))
        .await;
}

#[tokio::test]
async fn a_property_that_an_operation_does_not_use_is_refused() {
    let bench = Bench::new().await;
    let skill = bench
        .rig
        .add(Kind::Skill, "Mine", json!({ "body": "Text." }))
        .await
        .id;
    for (input, words) in [
        (json!({ "operation": "create", "name": "x" }), "`body`"),
        (
            json!({ "operation": "create", "name": "x", "body": "y", "skill": skill }),
            "neither",
        ),
        (
            json!({ "operation": "update", "skill": skill }),
            "Nothing to change",
        ),
        (
            json!({ "operation": "update", "body": "x" }),
            "Name the `skill`",
        ),
        (
            json!({ "operation": "delete", "skill": skill, "body": "x" }),
            "create and update",
        ),
        (
            json!({ "operation": "restore", "skill": skill }),
            "restoreVersion",
        ),
        (
            json!({ "operation": "enable", "skill": skill, "restoreVersion": 1 }),
            "restoreVersion",
        ),
        (
            json!({ "operation": "rename", "skill": skill }),
            "operation",
        ),
    ] {
        bench.wrong("hub_manage_skill", &input, words).await;
    }
    let same = json!({ "operation": "create", "name": " MINE", "body": "x" });
    let refused = bench.act("hub_manage_skill", &same).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
}

#[tokio::test]
async fn skills_are_read_with_their_versions_and_without_older_texts() {
    let bench = Bench::new().await;
    let body = json!({ "body": "The old words." });
    let skill = bench.rig.add(Kind::Skill, "Mine", body).await;
    let update =
        json!({ "operation": "update", "skill": skill.id, "version": 1, "body": "The new words." });
    Bench::ok(&bench.act("hub_manage_skill", &update).await);
    let read = bench
        .act_with(&bench.reader, "hub_read_skill", &json!({ "skill": "mine" }))
        .await;
    let read = Bench::ok(&read);
    assert_eq!(read["body"]["text"], "The new words.");
    assert_eq!(
        (&read["version"], &read["trust"]),
        (&json!(2), &json!("trusted"))
    );
    let versions = read["versions"].as_array().unwrap();
    assert_eq!(
        (
            &versions[0]["by"],
            &versions[0]["version"],
            &versions[1]["version"]
        ),
        (&json!("Zed"), &json!(2), &json!(1))
    );
    assert!(!read.to_string().contains("The old words."), "{read}");
    bench
        .wrong("hub_read_skill", &json!({ "skill": "none" }), "none")
        .await;

    bench
        .rig
        .add(Kind::Skill, "Off", json!({ "enabled": false }))
        .await;
    let on = bench.act("hub_list_skills", &json!({})).await;
    let on = Bench::ok(&on);
    let mine = &on["skills"][0];
    assert_eq!(
        (&on["total"], &mine["version"], &mine["skillVersion"]),
        (&json!(1), &read["version"], &read["skillVersion"])
    );
    let all = bench.act("hub_list_skills", &json!({ "all": true })).await;
    assert_eq!(Bench::ok(&all)["total"], 2);
    bench
        .wrong("hub_list_skills", &json!({ "all": "yes" }), "all")
        .await;
}
