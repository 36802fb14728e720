//! The findings as SARIF 2.1.0, which code-scanning services read: one rule for each capability and each other kind of
//! finding, one result for each finding.
//!
//! A component is no source file of the reader's, so a result names it as a logical location; its digest is the fingerprint
//! by which a service knows it again.

use ensemble_model::Reach;
use ensemble_model::capability::CAPABILITIES;
use serde_json::{Value, json};

use super::findings::{Finding, RULES};
use super::report::Report;

const VERSION: &str = "2.1.0";
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn of(report: &Report) -> Value {
    let rules = rules();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| result(finding, &rules, report))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [{
            "tool": {
                "driver": {
                    "name": "ensemble audit",
                    "version": report.program,
                    "rules": rules,
                }
            },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn rules() -> Vec<Value> {
    let rule = |id: &str, text: String, level: &str| {
        json!({
            "id": id,
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": level},
        })
    };
    let kinds = RULES.iter().map(|(id, text)| {
        let level = match *id {
            "refused" | "changed" => "error",
            "third-party" | "working-folder" => "warning",
            _ => "note",
        };
        rule(id, (*text).to_owned(), level)
    });
    let capabilities = CAPABILITIES.iter().map(|capability| {
        let level = if capability.reach == Reach::Writes {
            "warning"
        } else {
            "note"
        };
        let text = format!("A component {}.", capability.does);
        rule(capability.interface, text, level)
    });
    kinds.chain(capabilities).collect()
}

fn result(finding: &Finding, rules: &[Value], report: &Report) -> Value {
    let index = rules
        .iter()
        .position(|rule| rule["id"] == finding.rule.as_str());
    let component = report.components.iter().find(|c| c.id == finding.component);
    let mut result = json!({
        "ruleId": finding.rule,
        "level": finding.level.word(),
        "message": {"text": format!("{}.", finding.says.trim_end_matches('.'))},
        "locations": [{
            "logicalLocations": [{
                "name": finding.component,
                "fullyQualifiedName": component.map_or_else(
                    || finding.component.clone(),
                    |c| format!("{}@{}", c.id, c.version),
                ),
                "kind": "module",
            }]
        }],
    });
    if let Some(index) = index {
        result["ruleIndex"] = json!(index);
    }
    if let Some(component) = component {
        result["partialFingerprints"] = json!({
            "component/sha256": component.digest,
            "finding/v1": format!("{}/{}", finding.component, finding.rule),
        });
        result["properties"] = json!({
            "origin": component.origin,
            "world": component.world,
            "grant": component.grant,
        });
    }
    result
}
