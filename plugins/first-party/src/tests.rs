//! What is embedded fits together, and every approved surface can be used by every client.

use std::collections::BTreeSet;

use ensemble_model::{Grant, Manifest, Surface};
use serde_json::Value;

use crate::{BUNDLED, Bundled, find};

/// Bytes of all surfaces together, which a client puts before its model: about 25 000 tokens at four bytes each, less room for
/// other servers.
const MAX_SURFACES: usize = 60_000;

fn surface(plugin: &Bundled) -> Value {
    serde_json::from_str(plugin.surface).unwrap()
}

fn tools() -> Vec<Value> {
    BUNDLED
        .iter()
        .flat_map(|plugin| surface(plugin)["tools"].as_array().unwrap().clone())
        .collect()
}

#[test]
fn the_plugins_stand_in_their_order() {
    let ids: Vec<&str> = BUNDLED.iter().map(|plugin| plugin.id).collect();
    assert_eq!(
        ids,
        [
            "context",
            "tasks",
            "records",
            "files",
            "code",
            "spaces",
            "docs",
            "actions",
            "task-changes",
            "file-changes"
        ]
    );
    assert_eq!(find("docs").unwrap().id, "docs");
    assert!(find("none").is_none());
}

fn manifest(plugin: &Bundled) -> Manifest {
    Manifest::parse(plugin.manifest).unwrap()
}

#[test]
fn the_host_takes_every_manifest() {
    for plugin in BUNDLED {
        let manifest = manifest(plugin);
        assert_eq!(manifest.id.as_str(), plugin.id);
        assert_eq!(manifest.space, plugin.id != "spaces");
        assert!(
            !manifest.routes.is_empty(),
            "{} declares no route",
            plugin.id
        );
    }
}

#[test]
fn the_host_writes_every_surface_as_it_stands() {
    for plugin in BUNDLED {
        assert_eq!(
            Surface::parse(plugin.surface).unwrap().render(),
            plugin.surface,
            "{}",
            plugin.id
        );
    }
}

#[test]
fn a_plugin_that_only_reads_offers_only_tools_that_read() {
    for plugin in BUNDLED {
        let reads = manifest(plugin).grant == Grant::Read;
        for tool in Surface::parse(plugin.surface).unwrap().tools {
            // saveTo of the first writes a file into the working folder; the second runs what the hub lets the key run
            let reads =
                reads && !["ensemble_get_file", "ensemble_act"].contains(&tool.name.as_str());
            assert_eq!(tool.annotations.read_only_hint, reads, "{}", tool.name);
        }
    }
}

#[test]
fn a_component_is_embedded_with_its_digest() {
    for plugin in BUNDLED {
        // The preamble of a component, as against that of a core module.
        assert_eq!(
            plugin.wasm.get(..8),
            Some(&b"\0asm\x0d\0\x01\0"[..]),
            "{}",
            plugin.id
        );
        assert_eq!(plugin.sha256.len(), 64);
        assert!(
            plugin.wasm.len() < 400_000,
            "{}: {} bytes",
            plugin.id,
            plugin.wasm.len()
        );
    }
}

#[test]
fn tool_names_are_unique_and_short() {
    let mut names = BTreeSet::new();
    for tool in tools() {
        let name = tool["name"].as_str().unwrap().to_owned();
        assert!(name.len() <= 49 && name.starts_with("ensemble_"), "{name}");
        assert!(names.insert(name.clone()), "{name} twice");
    }
    assert_eq!(names.len(), 27);
}

#[test]
fn every_schema_is_plain_enough_for_every_client() {
    for tool in tools() {
        let name = tool["name"].as_str().unwrap();
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{name}");
        assert_eq!(schema["additionalProperties"], false, "{name}");
        for word in [
            "anyOf", "oneOf", "allOf", "not", "if", "enum", "const", "$ref", "$defs",
        ] {
            assert!(schema.get(word).is_none(), "{name} has {word}");
        }
        let properties = schema["properties"].as_object().unwrap();
        assert!(
            !properties.contains_key("space"),
            "{name}: the host adds space"
        );
        for (argument, schema) in properties {
            check_property(&format!("{name}.{argument}"), schema);
        }
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(
                properties.contains_key(required.as_str().unwrap()),
                "{name}: {required}"
            );
        }
    }
}

fn check_property(place: &str, schema: &Value) {
    assert!(
        schema["description"]
            .as_str()
            .is_some_and(|text| text.ends_with('.')),
        "{place}"
    );
    match schema["type"].as_str() {
        Some("string") => {
            let bounded = ["enum", "maxLength", "pattern"]
                .iter()
                .any(|word| schema.get(word).is_some());
            assert!(bounded, "{place} has no bound");
        }
        Some("integer") => {
            assert!(
                schema.get("minimum").is_some() && schema.get("maximum").is_some(),
                "{place}"
            );
        }
        Some("array") => {
            assert!(schema.get("maxItems").is_some(), "{place} has no bound");
            assert!(schema["items"]["type"].is_string(), "{place} has no items");
        }
        // what an action takes is the hub's to say
        Some("object") => assert_eq!(place, "ensemble_act.input"),
        Some("boolean") => assert!(schema["default"].is_boolean(), "{place} has no default"),
        other => panic!("{place} is {other:?}"),
    }
}

#[test]
fn all_surfaces_together_leave_room_for_work() {
    let size: usize = BUNDLED.iter().map(|plugin| plugin.surface.len()).sum();
    assert!(size < MAX_SURFACES, "{size} bytes");
}
