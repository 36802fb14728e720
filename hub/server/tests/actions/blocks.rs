//! The text of pages, whole and block by block: what is not edited stays byte for byte.

use ensemble_hub_api::Kind;
use serde_json::{Value, json};

use crate::bench::Bench;

/// A text with everything that conversions lose.
const RICH: &str = "# Plan\r\nText with a [^1] and ![pic](a.png)  \r\n\r\n| a \\| b | c |\r\n|---|---|\r\n| 1 | 2 |\r\n\r\n<details>\r\n<summary>More</summary>\r\n\
    </details>\r\n\r\n- [ ] one\r\n  - nested\r\n\r\n````\r\n```\r\n````\r\n\r\n[^1]: A note.\r\n";

pub(crate) async fn page(bench: &Bench, title: &str, body: &str) -> String {
    let record = bench
        .rig
        .add(Kind::Page, title, json!({ "body": body }))
        .await;
    record.id
}

async fn body(bench: &Bench, id: &str) -> String {
    let store = bench.rig.store();
    store
        .record(&bench.rig.home, id)
        .await
        .unwrap()
        .unwrap()
        .body
}

async fn block_with(bench: &Bench, id: &str, words: &str) -> String {
    let answer = bench
        .act("hub_read_page_blocks", &json!({ "page": id }))
        .await;
    let blocks = Bench::ok(&answer)["blocks"].as_array().unwrap().clone();
    let found = blocks
        .iter()
        .find(|block| block["text"].as_str().unwrap().contains(words));
    found.unwrap()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn links_follow_the_text_of_a_page() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let id = page(&bench, "Notes", "").await;
    let related = async || {
        let links = bench
            .rig
            .store()
            .links_from(&bench.rig.home, &id)
            .await
            .unwrap();
        links.len()
    };
    let named = json!({ "page": id, "content": format!("[@Ana]({})", furniture.ana.handle()) });
    bench.rewrite(&id, "hub_update_page", &named).await;
    assert_eq!(related().await, 1);
    let edit = json!({ "page": id, "edits": [{ "operation": "replace_text", "find": furniture.ana.handle(), "text": furniture.task.handle() }] });
    bench.change("hub_edit_page", &edit).await;
    assert_eq!(related().await, 1);
    bench
        .rewrite(
            &id,
            "hub_update_page",
            &json!({ "page": id, "content": "Nobody." }),
        )
        .await;
    assert_eq!(related().await, 0);
}

#[tokio::test]
async fn a_text_that_is_read_and_written_back_stays_byte_for_byte() {
    let bench = Bench::new().await;
    let id = page(&bench, "Rich", RICH).await;
    let read = bench.act("hub_read_page", &json!({ "page": id })).await;
    let text = Bench::ok(&read)["body"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    let same = bench
        .act("hub_update_page", &json!({ "page": id, "content": text }))
        .await;
    assert_eq!(same.body["undoable"], false, "{:?}", same.body);
    assert_eq!(body(&bench, &id).await, RICH);
    // One word of the whole text changes one line.
    let other = text.replace("nested", "deeper");
    bench
        .rewrite(
            &id,
            "hub_update_page",
            &json!({ "page": id, "content": other }),
        )
        .await;
    assert_eq!(body(&bench, &id).await, RICH.replace("nested", "deeper"));
}

#[tokio::test]
async fn an_edit_of_one_block_leaves_all_others_byte_for_byte() {
    let bench = Bench::new().await;
    let id = page(&bench, "Rich", RICH).await;
    let heading = block_with(&bench, &id, "# Plan").await;
    let table = block_with(&bench, &id, "| 1 | 2 |").await;
    let edits = json!({ "page": id, "edits": [
        { "operation": "replace", "block": heading, "text": "# The plan" },
        { "operation": "insert_after", "block": table, "text": "Below\nit." },
        { "operation": "replace_text", "find": "nested", "text": "deeper" },
        { "operation": "append", "text": "The end." },
    ] });
    let result = bench.change("hub_edit_page", &edits).await;
    let wanted = RICH
        .replace("# Plan", "# The plan")
        .replace("| 1 | 2 |\r\n", "| 1 | 2 |\r\n\r\nBelow\r\nit.\r\n")
        .replace("nested", "deeper")
        .trim_end()
        .to_owned()
        + "\r\n\r\nThe end.\r\n";
    assert_eq!(body(&bench, &id).await, wanted);
    assert_eq!(
        result["changedBlocks"].as_array().unwrap().len(),
        4,
        "{result}"
    );

    // The ids of a block that was changed name nothing any more, and nothing of the list is made.
    let before = bench.picture().await;
    let stale = json!({ "page": id, "edits": [{ "operation": "append", "text": "x" }, { "operation": "delete", "block": heading }] });
    let refused = bench.act("hub_edit_page", &stale).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    assert!(refused.error().contains("Number 2"), "{}", refused.error());
    assert_eq!(bench.picture().await, before);

    let delete = json!({ "page": id, "edits": [{ "operation": "delete", "block": table }] });
    bench.change("hub_edit_page", &delete).await;
    assert!(!body(&bench, &id).await.contains("| 1 | 2 |"));
}

#[tokio::test]
async fn edits_that_cannot_be_meant_are_refused() {
    let bench = Bench::new().await;
    let id = page(&bench, "Twice", "same words\n\nother\n\nsame words").await;
    let wrong = async |edit: Value, words: &str| {
        bench
            .wrong(
                "hub_edit_page",
                &json!({ "page": id, "edits": [edit] }),
                words,
            )
            .await;
    };
    wrong(
        json!({ "operation": "replace", "text": "x" }),
        "`block` is missing",
    )
    .await;
    wrong(json!({ "operation": "append" }), "`text` is missing").await;
    wrong(json!({ "operation": "sing" }), "edits.0").await;
    let other = block_with(&bench, &id, "other").await;
    wrong(
        json!({ "operation": "replace", "block": other, "text": "```\nopen" }),
        "beside it",
    )
    .await;
    let find = async |words: &str| {
        let edit = json!({ "operation": "replace_text", "find": words, "text": "x" });
        bench
            .act("hub_edit_page", &json!({ "page": id, "edits": [edit] }))
            .await
    };
    let twice = find("same words").await;
    assert_eq!(twice.status, 409);
    assert!(twice.error().contains("2 times"), "{}", twice.error());
    assert_eq!(find("not there").await.status, 409);
}

#[tokio::test]
async fn appends_of_many_writers_are_all_kept() {
    let bench = Bench::new().await;
    let id = page(&bench, "Log", "Begin.").await;
    let append = async |number: usize| {
        let edit = json!({ "operation": "append", "text": format!("line {number}.") });
        let answer = bench
            .act("hub_edit_page", &json!({ "page": id, "edits": [edit] }))
            .await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
    };
    tokio::join!(
        append(0),
        append(1),
        append(2),
        append(3),
        append(4),
        append(5),
        append(6),
        append(7)
    );
    let text = body(&bench, &id).await;
    for number in 0..8 {
        assert_eq!(
            text.matches(&format!("line {number}.")).count(),
            1,
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_new_text_keeps_the_pages_below_and_does_not_drop_what_is_shown() {
    let bench = Bench::new().await;
    let diagram = bench
        .rig
        .add(Kind::Diagram, "Flow", json!({ "body": "a --> b" }))
        .await;
    let top = page(&bench, "Top", &format!("![Flow]({})", diagram.handle())).await;
    bench
        .change(
            "hub_create_page",
            &json!({ "title": "Below", "parent": top }),
        )
        .await;
    let input = json!({ "page": top, "content": "Only text.", "version": 1 });
    let refused = bench.act("hub_update_page", &input).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    assert!(
        refused.error().contains(&diagram.handle()),
        "{}",
        refused.error()
    );
    let input = json!({ "page": top, "content": "Only text.", "dropEmbedded": true });
    bench.rewrite(&top, "hub_update_page", &input).await;
    let list = bench.act("hub_list_pages", &json!({ "parent": top })).await;
    assert_eq!(Bench::ok(&list)["total"], 1);
}

#[tokio::test]
async fn a_long_block_is_read_in_parts() {
    let bench = Bench::new().await;
    let id = page(
        &bench,
        "Long",
        &format!("# Head\n\n{}", "word ".repeat(5_000)),
    )
    .await;
    let first = bench
        .act("hub_read_page_blocks", &json!({ "page": id }))
        .await;
    let block = &Bench::ok(&first)["blocks"][1];
    assert_eq!(block["truncated"], true);
    let next = json!({ "page": id, "block": block["id"], "textOffset": block["nextTextOffset"] });
    let rest = bench.act("hub_read_page_blocks", &next).await;
    let whole = format!(
        "{}{}",
        block["text"].as_str().unwrap(),
        Bench::ok(&rest)["block"]["body"]["text"].as_str().unwrap()
    );
    assert_eq!(whole, "word ".repeat(5_000));
    bench
        .wrong(
            "hub_read_page_blocks",
            &json!({ "page": id, "limit": 0 }),
            "limit",
        )
        .await;
}
