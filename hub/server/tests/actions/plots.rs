//! The actions on datasets and plots.

use ensemble_hub_api::Kind;
use ensemble_hub_server::files::{About, Source, add};
use ensemble_hub_server::store::Actor;
use serde_json::{Value, json};

use crate::bench::Bench;

const CSV: &str = "\u{feff}\"timeout\",day,p99,kind\r\n5,2026-01-01,1.5,fast\r\n10,2026-01-02,2.5,fast\r\n5,2026-01-01,3.5,\"slow, very\"\r\n10,2026-01-02,,\"slow, very\"\r\n";

async fn dataset(bench: &Bench) -> Value {
    let input = json!({ "name": "Latency", "csv": CSV });
    bench.change("hub_import_dataset", &input).await
}

fn spec() -> Value {
    json!({
        "mark": "line",
        "encoding": { "x": { "field": "timeout" }, "y": { "field": "p99", "aggregate": "mean" }, "color": { "field": "kind" } },
    })
}

#[tokio::test]
async fn a_dataset_is_imported_with_the_types_of_its_columns() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    let made = dataset(&bench).await;
    let set = &made["dataset"];
    assert_eq!((&set["rows"], &set["delimiter"]), (&json!(4), &json!(",")));
    let columns = set["columns"].as_array().unwrap();
    let types: Vec<&str> = columns
        .iter()
        .map(|c| c["type"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["number", "date", "number", "text"]);
    // The byte order mark before the first quote is no part of the name.
    assert_eq!(columns[0]["name"], "timeout");
    let semicolons = json!({ "name": "S", "csv": "a;b\n1;2\n", "project": "HTTP client" });
    let made = bench.change("hub_import_dataset", &semicolons).await;
    assert_eq!(made["dataset"]["delimiter"], ";");
    let stars = json!({ "name": "T", "csv": "1*2\n", "delimiter": "*", "header": false });
    let made = bench.change("hub_import_dataset", &stars).await;
    assert_eq!(made["dataset"]["columns"][1]["name"], "column 2");

    for (input, words) in [
        (
            json!({ "name": "X", "csv": "a,b\n1\n" }),
            "Line 2 has 1 cells",
        ),
        (
            json!({ "name": "X", "csv": "a\n\"1\n" }),
            "quote that opens in line 2",
        ),
        (json!({ "name": "X" }), "one of the two"),
        (
            json!({ "name": "X", "csv": "a", "delimiter": "\"" }),
            "`delimiter`",
        ),
        (json!({ "name": "X", "csv": "a", "sheet": 1 }), "sheet"),
    ] {
        bench.wrong("hub_import_dataset", &input, words).await;
    }
}

async fn file(bench: &Bench, name: &str, bytes: Vec<u8>) -> String {
    let about = About {
        name: name.to_owned(),
        ..About::default()
    };
    let (store, space) = (bench.rig.store(), &bench.rig.home);
    let added = add(
        store,
        space,
        Actor::person("You"),
        Source::Bytes(bytes),
        about,
    )
    .await;
    added.unwrap().record.handle()
}

#[tokio::test]
async fn a_dataset_comes_out_of_a_file_in_either_encoding() {
    let bench = Bench::new().await;
    let text = "name;count\r\nZo\u{eb};1\r\n";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [
        ("a.csv", text.as_bytes().to_vec()),
        ("b.csv", [&[0xff, 0xfe], utf16.as_slice()].concat()),
    ] {
        let file = file(&bench, name, bytes).await;
        let input = json!({ "name": name, "file": file });
        let made = bench.change("hub_import_dataset", &input).await;
        let set = made["dataset"]["ref"].as_str().unwrap();
        let got = bench
            .act("hub_get_dataset", &json!({ "dataset": set }))
            .await;
        assert_eq!(Bench::ok(&got)["rows"], json!([["Zo\u{eb}", "1"]]));
    }
    for (bytes, words) in [
        (b"a\nb\ncaf\xe9\n".to_vec(), "line 3 is not UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0".to_vec(), "cannot be read"),
        ("1,2\n".repeat(300_000).into_bytes(), "1,000,000 bytes"),
    ] {
        let file = file(&bench, "bad.csv", bytes).await;
        let input = json!({ "name": "X", "file": file });
        bench.wrong("hub_import_dataset", &input, words).await;
    }
}

#[tokio::test]
async fn rows_of_a_dataset_are_read_in_parts() {
    let bench = Bench::new().await;
    let made = dataset(&bench).await;
    let handle = made["dataset"]["ref"].as_str().unwrap();
    let list = bench
        .act_with(
            &bench.reader,
            "hub_list_datasets",
            &json!({ "query": "laten" }),
        )
        .await;
    let list = Bench::ok(&list);
    assert_eq!(list["datasets"][0]["rows"], 4);
    assert_eq!(
        list["datasets"][0]["columns"][2],
        json!({ "name": "p99", "type": "number" })
    );
    bench
        .wrong("hub_list_datasets", &json!({ "limit": 51 }), "limit")
        .await;

    let get = json!({ "dataset": handle, "offset": 1, "limit": 2 });
    let got = bench.act("hub_get_dataset", &get).await;
    let got = Bench::ok(&got);
    assert_eq!(
        got["rows"],
        json!([
            ["10", "2026-01-02", "2.5", "fast"],
            ["5", "2026-01-01", "3.5", "slow, very"]
        ])
    );
    assert_eq!(
        (&got["totalRows"], &got["nextOffset"]),
        (&json!(4), &json!(3))
    );
    assert_eq!(
        got["columns"][2],
        json!({ "name": "p99", "type": "number", "missing": 1, "min": 1.5, "max": 3.5 })
    );
    bench
        .wrong(
            "hub_get_dataset",
            &json!({ "dataset": handle, "limit": 201 }),
            "limit",
        )
        .await;
    let missing = bench
        .act(
            "hub_get_dataset",
            &json!({ "dataset": "ensemble://dataset/nothing" }),
        )
        .await;
    assert_eq!(missing.status, 404, "{:?}", missing.body);
}

#[tokio::test]
async fn a_plot_is_saved_drawn_and_changed() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    dataset(&bench).await;
    let new = json!({ "title": "Slowest", "dataset": "Latency", "spec": spec(), "project": "HTTP client" });
    let made = bench.change("hub_create_plot", &new).await;
    let plot = made["plot"]["ref"].as_str().unwrap();
    assert_eq!(made["plot"]["plotType"], "line");
    assert_eq!(
        made["plot"]["summary"],
        "A line plot of mean of p99 by timeout: 3 values in 2 series, from 1.5 to 3.5."
    );
    assert_eq!(made["data"]["leftOutRows"], 1);

    let list = bench
        .act_with(&bench.reader, "hub_list_plots", &json!({}))
        .await;
    assert_eq!(Bench::ok(&list)["plots"][0]["plotType"], "line");
    bench
        .wrong("hub_list_plots", &json!({ "words": "x" }), "words")
        .await;
    let got = bench
        .act("hub_get_plot", &json!({ "plot": plot, "svg": true }))
        .await;
    let got = Bench::ok(&got);
    assert_eq!(got["spec"], spec());
    assert_eq!(got["dataset"]["title"], "Latency");
    assert!(got["svg"].as_str().unwrap().contains("<svg"));
    bench
        .wrong(
            "hub_get_plot",
            &json!({ "plot": plot, "svg": "yes" }),
            "svg",
        )
        .await;

    let bars = json!({ "plot": plot, "spec": {
        "mark": "bar", "title": "Rows", "encoding": { "x": { "field": "kind" }, "y": { "aggregate": "count" } },
    } });
    let changed = bench.change("hub_update_plot", &bars).await;
    assert_eq!(
        changed["plot"]["summary"],
        "A bar plot of count by kind: 2 values, from 2 to 2."
    );
    assert_eq!(changed["data"]["categories"], json!(["fast", "slow, very"]));
    let words = json!({ "plot": plot, "summary": "Half of them are slow.", "project": null, "title": "Halves" });
    let changed = bench.change("hub_update_plot", &words).await;
    assert_eq!(changed["plot"]["summary"], "Half of them are slow.");
    let stale = json!({ "plot": plot, "version": 1, "title": "Mine" });
    assert_eq!(bench.act("hub_update_plot", &stale).await.status, 409);
}

#[tokio::test]
async fn what_the_grammar_does_not_have_is_named_and_refused() {
    let bench = Bench::new().await;
    dataset(&bench).await;
    let with = |at: &str, value: Value| {
        let mut spec = spec();
        *spec
            .pointer_mut(at.rsplit_once('/').unwrap().0)
            .unwrap()
            .as_object_mut()
            .unwrap()
            .entry(at.rsplit_once('/').unwrap().1)
            .or_insert(Value::Null) = value;
        json!({ "title": "X", "dataset": "Latency", "spec": spec })
    };
    for (input, words) in [
        (with("/transform", json!([])), "transform"),
        (with("/data", json!({ "values": [] })), "data"),
        (with("/mark", json!("arc")), "spec.mark"),
        (with("/encoding/size", json!({})), "size"),
        (with("/encoding/x/bin", json!(true)), "bin"),
        (with("/encoding/y/aggregate", json!("median")), "aggregate"),
        (with("/encoding/x/field", json!("nope")), "no column “nope”"),
    ] {
        bench.wrong("hub_create_plot", &input, words).await;
    }
    let made = bench
        .act(
            "hub_create_plot",
            &json!({ "title": "P", "dataset": "Latency", "spec": spec() }),
        )
        .await;
    Bench::ok(&made);
    let wrong = json!({ "plot": "P", "spec": { "mark": "bar" } });
    bench.wrong("hub_update_plot", &wrong, "encoding").await;
}

#[tokio::test]
async fn a_plot_without_its_dataset_says_so() {
    let bench = Bench::new().await;
    let made = dataset(&bench).await;
    let new = json!({ "title": "P", "dataset": "Latency", "spec": spec() });
    Bench::ok(&bench.act("hub_create_plot", &new).await);
    let store = bench.rig.store();
    let id = made["dataset"]["id"].as_str().unwrap();
    let record = store.record(&bench.rig.home, id).await.unwrap().unwrap();
    assert_eq!(record.kind, Kind::Dataset);
    let actor = Actor::person("You");
    let mut change = store.change(actor).await.unwrap();
    change.trash("test", &record).await.unwrap();
    change.commit().await.unwrap();
    let got = bench.act("hub_get_plot", &json!({ "plot": "P" })).await;
    let got = Bench::ok(&got);
    assert_eq!(got["spec"], spec());
    assert!(got["dataNote"].as_str().unwrap().contains("Trash"));
    let get = json!({ "plot": "P", "svg": true });
    let got = bench.act("hub_get_plot", &get).await;
    assert_eq!(got.status, 409, "{:?}", got.body);
    assert!(got.error().contains("Trash"), "{}", got.error());
}

#[tokio::test]
async fn what_the_demo_has_is_drawn() {
    let bench = Bench::new().await;
    ensemble_hub_server::demo::fill(bench.rig.store())
        .await
        .unwrap();
    let get = json!({ "plot": "Slowest requests by timeout", "svg": true });
    let got = bench.act("hub_get_plot", &get).await;
    assert_eq!(Bench::ok(&got)["data"]["series"], json!(["p50", "p99"]));
    let get = json!({ "diagram": "Where a request can wait", "svg": true });
    let got = bench.act("hub_get_diagram", &get).await;
    assert!(
        Bench::ok(&got)["svg"]
            .as_str()
            .unwrap()
            .contains("wait for a connection")
    );
}
