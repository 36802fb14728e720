//! The self-test of the shipped binary: every plugin works, and every attack ends as it has to. Times are told and not judged.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{command, home, printed, run};

fn rows(text: &str) -> Vec<Value> {
    let rows: Vec<Value> = serde_json::from_str(text).unwrap();
    let different: Vec<String> = rows
        .iter()
        .filter(|row| row["verdict"] != "holds")
        .map(|row| format!("{row:#}"))
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
    rows
}

#[tokio::test]
async fn every_plugin_of_the_program_loads_lists_and_answers() {
    let output = run(&home(), &["selftest", "--json"]).await;
    assert_eq!(rows(&printed(&output)).len(), 10);
}

#[tokio::test]
async fn every_attack_ends_as_expected_and_others_are_answered() {
    let home = home();
    let output = command(&home, &["selftest", "--hostile", "--json"])
        .env("RUST_LOG", "trace,cranelift=off,wasmtime=off")
        .output()
        .await
        .unwrap();
    let rows = rows(&String::from_utf8(output.stdout.clone()).unwrap());
    assert!(output.status.success(), "{:?}", output.status);
    let attacks: BTreeSet<&str> = rows
        .iter()
        .map(|row| row["attack"].as_str().unwrap())
        .collect();
    assert_eq!(attacks.len(), rows.len());
    for row in &rows {
        let beside = &row["beside"];
        assert!(
            beside.is_null() || beside["calls"].as_u64().unwrap() > 0,
            "{row}"
        );
    }
    // the planted key begins so; neither standard output nor the whole log has it
    for stream in [&output.stdout, &output.stderr] {
        assert!(!String::from_utf8_lossy(stream).contains("ens_canary"));
    }
    // nothing of it stays behind
    assert!(!home.decisions().exists());
}
