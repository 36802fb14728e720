//! What was built in, as CycloneDX 1.6: each crate that is linked into this program, and each embedded component with its
//! digest and the crates that components are made from. The lists are made by the build (`build.rs`); nothing here is looked
//! up when it is asked for.

use anyhow::Context as _;
use ensemble_first_party::BUNDLED;
use serde::Deserialize;
use serde_json::{Value, json};

/// Linked into the program.
const CRATES: &str = include_str!(concat!(env!("OUT_DIR"), "/crates.json"));

/// Linked into its components.
const GUEST_CRATES: &str = include_str!(concat!(env!("OUT_DIR"), "/guest-crates.json"));

/// How the packages of components are called.
const PLUGIN: &str = "plugin-";

#[derive(Debug, Deserialize)]
struct Crate {
    name: String,
    version: String,
    licence: String,
    checksum: Option<String>,
    uses: Vec<String>,
}

fn crates(json: &str) -> anyhow::Result<Vec<Crate>> {
    serde_json::from_str(json).context("the list of crates in this program is damaged")
}

/// The version of a crate that is linked into this program.
pub(super) fn version_of(name: &str) -> Option<String> {
    let crates = crates(CRATES).ok()?;
    let found = crates.into_iter().find(|one| one.name == name);
    found.map(|one| one.version)
}

pub(super) fn document() -> anyhow::Result<Value> {
    let (host, guests) = (crates(CRATES)?, crates(GUEST_CRATES)?);
    let program = host
        .iter()
        .find(|one| one.name == env!("CARGO_PKG_NAME"))
        .context("this program is not in its own list")?;
    let mut components: Vec<Value> = Vec::new();
    let mut dependencies = vec![json!({
        "ref": reference("host", &key(program)),
        "dependsOn": depends(
            "host",
            &program.uses,
            BUNDLED.iter().map(|bundled| format!("component/{}", bundled.id)),
        ),
    })];
    for one in host.iter().filter(|one| one.name != program.name) {
        components.push(library("host", one));
        dependencies.push(dependency("host", one));
    }
    for bundled in BUNDLED {
        let package = format!("{PLUGIN}{}", bundled.id);
        let made = guests.iter().find(|one| one.name == package);
        components.push(json!({
            "type": "application",
            "bom-ref": format!("component/{}", bundled.id),
            "name": bundled.id,
            "version": made.map_or(env!("CARGO_PKG_VERSION"), |made| &made.version),
            "description": "A WebAssembly component, embedded in this program",
            "mime-type": "application/wasm",
            "hashes": [{"alg": "SHA-256", "content": bundled.sha256}],
        }));
        dependencies.push(json!({
            "ref": format!("component/{}", bundled.id),
            "dependsOn": made.map(|made| depends("guest", &made.uses, std::iter::empty())).unwrap_or_default(),
        }));
    }
    for one in guests.iter().filter(|one| !one.name.starts_with(PLUGIN)) {
        components.push(library("guest", one));
        dependencies.push(dependency("guest", one));
    }
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": reference("host", &key(program)),
                "name": program.name,
                "version": program.version,
                "licenses": licences(program),
            }
        },
        "components": components,
        "dependencies": dependencies,
    }))
}

fn library(side: &str, one: &Crate) -> Value {
    let mut library = json!({
        "type": "library",
        "bom-ref": reference(side, &key(one)),
        "name": one.name,
        "version": one.version,
        "licenses": licences(one),
    });
    // a crate of this workspace is in no registry
    if let Some(checksum) = &one.checksum {
        library["purl"] = json!(format!(
            "pkg:cargo/{}@{}",
            one.name,
            one.version.replace('+', "%2B")
        ));
        library["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    library
}

/// One expression, in which the old form `MIT/Apache-2.0` is `MIT OR Apache-2.0`.
fn licences(one: &Crate) -> Value {
    if one.licence.is_empty() {
        return json!([]);
    }
    json!([{"expression": one.licence.replace('/', " OR ")}])
}

fn dependency(side: &str, one: &Crate) -> Value {
    json!({
        "ref": reference(side, &key(one)),
        "dependsOn": depends(side, &one.uses, std::iter::empty()),
    })
}

fn depends(side: &str, uses: &[String], besides: impl Iterator<Item = String>) -> Vec<String> {
    uses.iter()
        .map(|used| reference(side, used))
        .chain(besides)
        .collect()
}

fn key(one: &Crate) -> String {
    format!("{} {}", one.name, one.version)
}

/// The same crate can be linked into both sides, with other features.
fn reference(side: &str, key: &str) -> String {
    format!("{side}/{}", key.replace(' ', "@"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn names(document: &Value) -> Vec<&str> {
        let components = document["components"].as_array().unwrap();
        components
            .iter()
            .map(|c| c["name"].as_str().unwrap())
            .collect()
    }

    #[test]
    fn the_list_has_what_is_linked_and_not_what_only_builds_or_tests() {
        let document = document().unwrap();
        let names = names(&document);
        for linked in [
            "wasmtime",
            "rmcp",
            "tokio",
            "ensemble-broker",
            "context",
            "ensemble-sdk",
        ] {
            assert!(names.contains(&linked), "{linked}");
        }
        for not_linked in [
            "proptest",
            "ensemble-test-harness",
            "cc",
            "serde_derive",
            "syn",
        ] {
            assert!(!names.contains(&not_linked), "{not_linked}");
        }
    }

    #[test]
    fn every_reference_leads_somewhere_and_is_one() {
        let document = document().unwrap();
        let components = document["components"].as_array().unwrap();
        let mut known: BTreeSet<&str> = components
            .iter()
            .map(|c| c["bom-ref"].as_str().unwrap())
            .collect();
        assert_eq!(known.len(), components.len());
        known.insert(
            document["metadata"]["component"]["bom-ref"]
                .as_str()
                .unwrap(),
        );
        for row in document["dependencies"].as_array().unwrap() {
            assert!(known.contains(row["ref"].as_str().unwrap()), "{row}");
            for used in row["dependsOn"].as_array().unwrap() {
                assert!(known.contains(used.as_str().unwrap()), "{row}");
            }
        }
    }

    #[test]
    fn every_crate_of_a_registry_has_its_checksum_and_address() {
        for one in document().unwrap()["components"].as_array().unwrap() {
            let ours = one["name"].as_str().unwrap().starts_with("ensemble")
                || one["type"] == "application";
            assert_eq!(one.get("purl").is_none(), ours, "{one}");
            if !ours {
                assert_eq!(
                    one["hashes"][0]["content"].as_str().unwrap().len(),
                    64,
                    "{one}"
                );
            }
        }
    }

    #[test]
    fn the_engine_is_named_with_its_exact_version() {
        assert!(version_of("wasmtime").unwrap().starts_with("48."));
    }
}
