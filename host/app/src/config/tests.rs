//! Every rule about keys, addresses and `api.json`, as a table of environments.

use std::path::Path;

use super::*;
use crate::env::MapEnvironment;

const INTERNAL: (&str, &str) = ("ENSEMBLE_BRIDGE_USE_INTERNAL_TOKEN", "true");
const ALLOWED: (&str, &str) = ("ENSEMBLE_BRIDGE_ALLOW_DEFAULT_INTERNAL_TOKEN", "true");
const URL: (&str, &str) = ("HUB_API_URL", "http://127.0.0.1:4999");
const KEY: (&str, &str) = ("ENSEMBLE_BRIDGE_TOKEN", "ens_mine");

fn configuration(data: &Path, pairs: &[(&str, &str)]) -> Configuration {
    let mut all = pairs.to_vec();
    let data = data.to_str().unwrap();
    all.push(("XDG_DATA_HOME", data));
    let env = MapEnvironment::of(&all);
    Configuration::of(&env, &Folders::of(&env))
}

fn hub_runs(data: &Path, port: u16) {
    let folder = data.join("ensemble/hub");
    std::fs::create_dir_all(&folder).unwrap();
    let text = format!(r#"{{"port":{port},"token":"ens_launch{port}","pid":1}}"#);
    std::fs::write(folder.join("api.json"), text).unwrap();
}

fn hub_stops(data: &Path) {
    std::fs::remove_file(data.join("ensemble/hub/api.json")).unwrap();
}

fn verdict(configuration: &Configuration) -> String {
    match configuration.connection() {
        Ok(connection) => format!("{} {}", connection.base, connection.bearer.expose()),
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn the_table_without_a_running_hub() {
    let data = tempfile::tempdir().unwrap();
    let cases: [(&[(&str, &str)], &str); 9] = [
        (&[KEY, URL], "http://127.0.0.1:4999 ens_mine"),
        (&[KEY], "http://127.0.0.1:4000 ens_mine"),
        (&[KEY, ("HUB_API_PORT", "5")], "http://127.0.0.1:5 ens_mine"),
        (&[URL], "NoToken"),
        (&[], "NoTokenNoHub"),
        (&[("ENSEMBLE_BRIDGE_TOKEN", "x"), URL], "Token(NotAKey)"),
        (&[KEY, ("HUB_API_URL", "x")], "Address(NotHttp)"),
        (
            &[INTERNAL, ALLOWED],
            "http://127.0.0.1:4000 dev-internal-token",
        ),
        (
            &[
                INTERNAL,
                ALLOWED,
                ("HUB_API_URL", "https://hub.example.org"),
            ],
            "DefaultInternalElsewhere",
        ),
    ];
    for (pairs, expected) in cases {
        assert_eq!(
            verdict(&configuration(data.path(), pairs)),
            expected,
            "{pairs:?}"
        );
    }
}

#[test]
fn the_table_with_a_running_hub() {
    let data = tempfile::tempdir().unwrap();
    hub_runs(data.path(), 4123);
    let cases: [(&[(&str, &str)], &str); 6] = [
        (&[KEY, URL], "http://127.0.0.1:4999 ens_mine"),
        (&[KEY], "http://127.0.0.1:4123 ens_mine"),
        (&[], "http://127.0.0.1:4123 ens_launch4123"),
        (&[URL], "NoToken"),
        (&[("ENSEMBLE_BRIDGE_TOKEN", "")], "Token(Empty)"),
        (
            &[INTERNAL, ("ENSEMBLE_INTERNAL_TOKEN", "private")],
            "http://127.0.0.1:4123 private",
        ),
    ];
    for (pairs, expected) in cases {
        assert_eq!(
            verdict(&configuration(data.path(), pairs)),
            expected,
            "{pairs:?}"
        );
    }
}

#[test]
fn only_where_no_key_is_set_does_the_bridge_act_as_the_owner() {
    let data = tempfile::tempdir().unwrap();
    hub_runs(data.path(), 4123);
    let cases: [(&[(&str, &str)], bool); 4] = [
        (&[], true),
        (&[KEY], false),
        (&[INTERNAL, ("ENSEMBLE_INTERNAL_TOKEN", "private")], false),
        (&[("ENSEMBLE_BRIDGE_TOKEN", "")], false),
    ];
    for (pairs, without) in cases {
        let configuration = configuration(data.path(), pairs);
        assert_eq!(configuration.without_key(), without, "{pairs:?}");
    }
}

#[test]
fn a_hub_that_restarts_is_found_again_and_one_that_closed_is_said_to_be_closed() {
    let data = tempfile::tempdir().unwrap();
    let configuration = configuration(data.path(), &[]);
    hub_runs(data.path(), 4123);
    let connection = configuration.connection().unwrap();
    assert_eq!(connection.unreachable, APP_CLOSED);
    hub_runs(data.path(), 4124);
    assert_eq!(
        verdict(&configuration),
        "http://127.0.0.1:4124 ens_launch4124"
    );
    hub_stops(data.path());
    assert_eq!(
        configuration.connection().unwrap_err().to_string(),
        APP_CLOSED
    );
    hub_runs(data.path(), 4125);
    assert_eq!(
        verdict(&configuration),
        "http://127.0.0.1:4125 ens_launch4125"
    );
}

#[test]
fn nothing_of_the_key_is_in_the_debug_output() {
    let data = tempfile::tempdir().unwrap();
    let configuration = configuration(data.path(), &[("ENSEMBLE_BRIDGE_TOKEN", "ens_canary")]);
    let connection = configuration.connection().unwrap();
    assert!(!format!("{configuration:?} {connection:?}").contains("canary"));
}
