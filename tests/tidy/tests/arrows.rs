//! The arrows of the house: who may know whom, and what only one crate knows.

use ensemble_test_tidy::packages;

/// Each crate, and the crates of this workspace that it may depend on. Nothing points back.
const ARROWS: &[(&str, &[&str])] = &[
    ("ensemble-model", &[]),
    ("ensemble-plain-file", &[]),
    ("ensemble-broker", &["ensemble-model"]),
    (
        "ensemble-decision-log",
        &["ensemble-model", "ensemble-broker", "ensemble-plain-file"],
    ),
    ("ensemble-catalog", &["ensemble-model"]),
    (
        "ensemble-runtime",
        &["ensemble-model", "ensemble-broker", "ensemble-plain-file"],
    ),
    (
        "ensemble-mcp",
        &[
            "ensemble-model",
            "ensemble-broker",
            "ensemble-catalog",
            "ensemble-runtime",
        ],
    ),
    (
        "ensemble-selftest",
        &[
            "ensemble-model",
            "ensemble-broker",
            "ensemble-catalog",
            "ensemble-runtime",
            "ensemble-mcp",
        ],
    ),
    ("ensemble-hub-api", &[]),
    ("ensemble-hub-client", &["ensemble-hub-api"]),
    (
        "ensemble-hub-server",
        &["ensemble-hub-api", "ensemble-plain-file"],
    ),
    ("ensemble-sdk", &[]),
    ("ensemble-guest-build", &[]),
    ("ensemble-first-party", &[]),
    ("plugin-context", &["ensemble-sdk"]),
    ("plugin-tasks", &["ensemble-sdk"]),
    ("plugin-records", &["ensemble-sdk"]),
    ("plugin-files", &["ensemble-sdk"]),
    ("plugin-code", &["ensemble-sdk"]),
    ("plugin-spaces", &["ensemble-sdk"]),
    ("plugin-docs", &["ensemble-sdk"]),
    ("plugin-actions", &["ensemble-sdk"]),
    ("plugin-task-changes", &["ensemble-sdk"]),
    ("plugin-file-changes", &["ensemble-sdk"]),
    (
        "ensemble",
        &[
            "ensemble-model",
            "ensemble-broker",
            "ensemble-decision-log",
            "ensemble-catalog",
            "ensemble-runtime",
            "ensemble-mcp",
            "ensemble-plain-file",
            "ensemble-hub-api",
            "ensemble-hub-client",
            "ensemble-hub-server",
            "ensemble-first-party",
            "ensemble-selftest",
        ],
    ),
];

/// What only these crates know.
const KNOWN_BY: &[(&str, &[&str])] = &[
    ("wasmtime", &["ensemble-runtime"]),
    ("wasmtime-wasi", &["ensemble-runtime"]),
    ("rmcp", &["ensemble-mcp", "ensemble-bench"]),
    ("sqlx", &["ensemble-hub-server"]),
    (
        "axum",
        &[
            "ensemble-hub-server",
            "ensemble-bench",
            "ensemble-conformance",
            "ensemble-test-fuzz",
        ],
    ),
    (
        "reqwest",
        &[
            "ensemble-hub-client",
            // Files from web links.
            "ensemble-hub-server",
            "ensemble-bench",
        ],
    ),
    ("cap-fs-ext", &["ensemble", "ensemble-hub-server"]),
    ("ignore", &["ensemble-hub-server"]),
    ("lopdf", &["ensemble-hub-server"]),
    ("calamine", &["ensemble-hub-server"]),
    ("zip", &["ensemble-hub-server"]),
    ("gix", &["ensemble", "ensemble-test-harness"]),
    ("clap", &["ensemble"]),
    (
        "anyhow",
        &["ensemble", "ensemble-bench", "ensemble-conformance"],
    ),
    ("wit-bindgen", &["ensemble-sdk"]),
];

#[test]
fn every_arrow_is_drawn_in_the_house() {
    let packages = packages();
    for (name, allowed) in ARROWS {
        let package = packages
            .get(*name)
            .unwrap_or_else(|| panic!("there is no package {name}"));
        for dependency in &package.dependencies {
            if packages.contains_key(dependency) {
                assert!(
                    allowed.contains(&dependency.as_str()),
                    "{name} must not know {dependency}"
                );
            }
        }
    }
}

#[test]
fn every_crate_of_the_product_has_its_arrows() {
    for package in packages().values() {
        let folder = package.folder.to_str().unwrap();
        if ["host/", "hub/", "plugins/", "sdk/"]
            .iter()
            .any(|part| folder.starts_with(part))
        {
            let known = ARROWS.iter().any(|(name, _)| *name == package.name);
            assert!(known, "{} is in no row of ARROWS", package.name);
        }
    }
}

#[test]
fn what_one_crate_knows_no_other_does() {
    for package in packages().values() {
        for (library, known_by) in KNOWN_BY {
            let knows = package.dependencies.iter().any(|d| d == library);
            assert!(
                !knows || known_by.contains(&package.name.as_str()),
                "{} must not know {library}",
                package.name
            );
        }
    }
}
