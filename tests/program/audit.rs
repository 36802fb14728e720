//! `ensemble audit` on a fresh computer: no hub, no network, nothing compiled, and still the whole of it.

use std::path::PathBuf;

use ensemble_first_party::BUNDLED;
use ensemble_test_harness::Home;
use serde_json::Value;

use crate::support::{home, printed, run};

/// The audit in that form, on a computer on which nothing was done yet.
async fn audit(home: &Home, format: &str) -> String {
    printed(&run(home, &["audit", "--format", format]).await)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// What differs between two builds or two computers is masked.
fn masked(text: &str, home: &Home) -> String {
    let mut text = text.replace(home.path().to_str().unwrap(), "<home>");
    for bundled in BUNDLED {
        text = text.replace(bundled.sha256, "<sha256>");
    }
    let report = json(&text);
    for component in report["components"].as_array().unwrap() {
        text = text.replace(component["surface"].as_str().unwrap(), "<surface>");
    }
    text.replace(report["host"]["engine"].as_str().unwrap(), "<engine>")
}

#[tokio::test]
async fn the_audit_is_as_approved() {
    let home = Home::new();
    let text = masked(&audit(&home, "json").await, &home);
    let file =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/program/golden/audit.json");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let approved = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        text, approved,
        "audit.json differs: run with BLESS=1, and read the difference"
    );
    assert_eq!(
        audit(&home, "json").await,
        printed(&run(&home, &["audit", "--json"]).await)
    );
}

#[tokio::test]
async fn what_a_key_exposes_stands_first_and_fits_the_page() {
    let home = Home::new();
    let text = audit(&home, "text").await;
    let wide: Vec<&str> = text.lines().filter(|l| l.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    let places: Vec<usize> = [
        "What a key exposes",
        "Every key: ",
        "A key with changes allowed, besides: ",
        "Findings",
        "context 0.1.0, built-in",
        "The host",
        "127.0.0.1:4010 and",
    ]
    .iter()
    .map(|heading| {
        text.find(heading)
            .unwrap_or_else(|| panic!("no {heading} in\n{text}"))
    })
    .collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[tokio::test]
async fn the_worst_finding_stands_first_and_none_is_missing() {
    let home = Home::new();
    let report = json(&audit(&home, "json").await);
    let findings = report["findings"].as_array().unwrap();
    let levels: Vec<&str> = findings
        .iter()
        .map(|f| f["level"].as_str().unwrap())
        .collect();
    let rank = |level: &&str| ["error", "warning", "note"].iter().position(|l| l == level);
    assert!(levels.iter().map(rank).is_sorted(), "{levels:?}");
    let has = |component: &str, rule: &str| {
        findings
            .iter()
            .any(|f| f["component"] == component && f["rule"] == rule && f["level"] == "warning")
    };
    assert!(has("files", "working-folder") && has("file-changes", "working-folder"));
    assert!(has("task-changes", "ensemble:hub/change") && has("actions", "ensemble:hub/act"));
    for component in report["components"].as_array().unwrap() {
        let declared = component["capabilities"].as_array().unwrap();
        for capability in declared {
            assert_eq!(capability["linked"], true, "{component}");
            let interface = capability["interface"].as_str().unwrap();
            let not_linked = component["notLinked"].as_array().unwrap();
            assert!(!not_linked.iter().any(|name| name == interface));
        }
    }
}

#[tokio::test]
async fn sarif_has_what_the_standard_requires_and_a_result_for_each_finding() {
    let home = home();
    let report = json(&audit(&home, "json").await);
    let sarif = json(&audit(&home, "sarif").await);
    assert_eq!(sarif["version"], "2.1.0");
    let runs = sarif["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert!(driver["name"].is_string());
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string());
    }
    let results = runs[0]["results"].as_array().unwrap();
    assert_eq!(results.len(), report["findings"].as_array().unwrap().len());
    for result in results {
        assert!(result["message"]["text"].is_string(), "{result}");
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let rule = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[rule]["id"], result["ruleId"]);
        let location = &result["locations"][0]["logicalLocations"][0];
        assert!(location["fullyQualifiedName"].is_string(), "{result}");
    }
}

#[tokio::test]
async fn the_list_of_what_was_built_in_has_every_component_by_its_digest() {
    let home = home();
    let document = json(&audit(&home, "cyclonedx").await);
    assert_eq!(document["bomFormat"], "CycloneDX");
    assert_eq!(document["specVersion"], "1.6");
    let components = document["components"].as_array().unwrap();
    for bundled in BUNDLED {
        let of = components
            .iter()
            .find(|c| c["bom-ref"] == format!("component/{}", bundled.id))
            .unwrap();
        assert_eq!(of["hashes"][0]["content"], bundled.sha256);
    }
}
