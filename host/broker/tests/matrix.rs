//! The decision matrix: every first-party plugin × every route that any of them declares (and some that none does) × every
//! kind of key. It is a golden file, so that what a change opens or closes stands in its diff. `BLESS=1` rewrites it.
#![expect(clippy::unwrap_used, reason = "a test may fail at any line")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use ensemble_broker::{Granted, Policy};
use ensemble_model::route::{ACTIONS, UPLOADS};
use ensemble_model::{ActionName, HubPath, KeyGrants, Manifest, Method};

const KEYS: [(&str, KeyGrants); 4] = [
    (
        "read",
        KeyGrants {
            changes: false,
            apps: false,
        },
    ),
    (
        "changes",
        KeyGrants {
            changes: true,
            apps: false,
        },
    ),
    (
        "apps",
        KeyGrants {
            changes: false,
            apps: true,
        },
    ),
    (
        "both",
        KeyGrants {
            changes: true,
            apps: true,
        },
    ),
];

/// Requests that no plugin may send.
const CLOSED: [(Method, &str); 5] = [
    (Method::Get, "/api/bridge/whoami"),
    (Method::Get, "/api/connect/token"),
    (Method::Post, "/api/connect/token"),
    (Method::Post, "/api/bridge/act/hub_list_tasks/x"),
    (Method::Patch, "/api/bridge/write/keys/x"),
];

fn manifests() -> Vec<Manifest> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("plugin.toml"))
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| Manifest::parse(&std::fs::read_to_string(path).unwrap()).unwrap())
        .collect()
}

/// Whether the plugin can send this, through whichever of its capabilities.
fn may(policy: &Policy, method: Method, path: &HubPath) -> bool {
    let name = path.as_str().strip_prefix(ACTIONS);
    match name.map(ActionName::parse) {
        Some(Ok(name)) if method == Method::Post => policy.act(&name).is_ok(),
        _ if method == Method::Post && path.as_str() == UPLOADS => policy.upload().is_ok(),
        _ => policy.request(method, path).is_ok(),
    }
}

fn matrix() -> String {
    let manifests = manifests();
    let mut requests: BTreeSet<(String, &str)> = CLOSED
        .iter()
        .map(|(method, path)| ((*path).to_owned(), method.as_str()))
        .collect();
    for route in manifests.iter().flat_map(|m| &m.routes) {
        let path = route
            .pattern
            .path()
            .replace("{id}", "x")
            .replace("{name}", "x");
        requests.insert((path, route.pattern.method().as_str()));
    }
    let mut text = "# plugin | request | read changes apps both\n".to_owned();
    for manifest in &manifests {
        let granted = Granted::everything(manifest);
        for (path, method) in &requests {
            let method = match *method {
                "GET" => Method::Get,
                "POST" => Method::Post,
                _ => Method::Patch,
            };
            let asked = HubPath::parse(path).unwrap();
            let verdicts = KEYS.map(|(_, key)| {
                let policy = Policy::effective(manifest, &granted, key);
                let open = policy.call("t").is_ok() && may(&policy, method, &asked);
                if open { "yes" } else { "-" }
            });
            writeln!(
                text,
                "{} | {method} {path} | {}",
                manifest.id,
                verdicts.join(" ")
            )
            .unwrap();
        }
    }
    text
}

#[test]
fn the_matrix_is_as_it_was_decided() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/matrix.txt");
    let now = matrix();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&golden, &now).unwrap();
    }
    let decided = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(
        now == decided,
        "the decision matrix changed; BLESS=1 accepts it:\n{now}"
    );
}
