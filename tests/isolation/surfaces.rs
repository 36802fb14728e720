//! What each first-party component really lists is what was approved, and what it really imports is what it declares.
//!
//! After a wanted change: `BLESS=1 cargo test -p ensemble-runtime --test isolation surfaces`, then read the difference.

use std::path::PathBuf;

use ensemble_first_party::BUNDLED;
use ensemble_model::world::{CLOSED_WASI, FREE_INTERFACES, split_version};
use ensemble_model::{Manifest, Surface};

use crate::bench::{Bench, plugin, runtime};

fn bundled(at: usize) -> Bench {
    let bundled = &BUNDLED[at];
    let mut plugin = plugin(Manifest::parse(bundled.manifest).unwrap(), bundled.wasm);
    plugin.surface = Surface::parse(bundled.surface).unwrap_or_default();
    assert_eq!(plugin.digest.as_str(), bundled.sha256);
    assert_eq!(plugin.manifest.id.as_str(), bundled.id);
    Bench::with(runtime(), plugin)
}

#[tokio::test]
async fn the_surface_of_each_component_is_the_approved_one() {
    assert!(!BUNDLED.is_empty());
    let mut different = Vec::new();
    for (at, bundled_plugin) in BUNDLED.iter().enumerate() {
        let bench = bundled(at);
        let session = bench.session("surface").await;
        let live = bench.registry.surface(&bench.id, session).await.unwrap();
        if live.render() == bundled_plugin.surface {
            continue;
        }
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../plugins")
            .join(bundled_plugin.id)
            .join("surface.json");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(file, live.render()).unwrap();
        } else {
            different.push(format!(
                "{}: the component lists\n{}",
                bundled_plugin.id,
                live.render()
            ));
        }
    }
    assert!(
        different.is_empty(),
        "not as approved in surface.json (BLESS=1 approves it):\n{}",
        different.join("\n")
    );
}

#[tokio::test]
async fn each_component_imports_what_it_declares_and_nothing_else() {
    for at in 0..BUNDLED.len() {
        let bench = bundled(at);
        let manifest = &bench.registry.plugin(&bench.id).unwrap().manifest;
        let mut declared: Vec<&str> = manifest
            .imports
            .iter()
            .map(|import| import.interface.as_str())
            .collect();
        declared.sort_unstable();
        let facts = bench.registry.inspect(&bench.id).unwrap();
        let mut imported: Vec<&str> = facts
            .imports
            .iter()
            .map(|import| split_version(import).0)
            .filter(|name| !FREE_INTERFACES.contains(name) && !CLOSED_WASI.contains(name))
            .collect();
        imported.sort_unstable();
        assert_eq!(imported, declared, "{}", manifest.id);
    }
}

/// What the builder's computer is called and keeps has no business in what everybody gets.
#[test]
fn no_component_holds_anything_of_the_computer_it_was_built_on() {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let workspace = workspace.ancestors().nth(2).unwrap().display().to_string();
    // what is this short stands in every binary
    let telling = |value: &String| value.len() > 5 && value.contains(['/', '\\', '@']);
    let mut secrets: Vec<String> = std::env::vars()
        .flat_map(|(_, value)| value.split(':').map(str::to_owned).collect::<Vec<_>>())
        .filter(telling)
        .filter(|value| !value.starts_with("/usr") && !value.starts_with("/bin"))
        .collect();
    secrets.push(workspace);
    secrets.extend(std::env::home_dir().map(|home| format!("{}/", home.display())));
    assert!(secrets.len() > 2);
    let guests = ensemble_test_artifacts::COMPONENTS.iter();
    let guests = guests.map(|(name, bytes)| (*name, *bytes));
    let bundled = BUNDLED.iter().map(|bundled| (bundled.id, bundled.wasm));
    for (name, bytes) in guests.chain(bundled) {
        for secret in &secrets {
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            // the value itself is not said: it is the builder's
            assert!(!found, "{name} holds a value of the builder's environment");
        }
    }
}
