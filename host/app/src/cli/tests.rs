//! Every help page is a golden file in `tests/golden`; `BLESS=1` writes them.

use std::path::PathBuf;

use clap::CommandFactory as _;

use super::*;

fn pages(command: &clap::Command, path: &str, out: &mut Vec<(String, String)>) {
    let mut shown = command.clone().term_width(100);
    out.push((path.to_owned(), shown.render_long_help().to_string()));
    for sub in command.get_subcommands() {
        pages(sub, &format!("{path}-{}", sub.get_name()), out);
    }
}

fn all_pages() -> Vec<(String, String)> {
    let mut command = Cli::command();
    command.build();
    let mut out = Vec::new();
    pages(&command, "help", &mut out);
    out
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "whether to write the golden files is said by the environment"
)]
fn every_help_page_is_as_approved() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let bless = std::env::var("BLESS").is_ok();
    let pages = all_pages();
    for (name, text) in &pages {
        let file = folder.join(format!("{name}.txt"));
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, text).unwrap();
        }
        let approved = std::fs::read_to_string(&file)
            .unwrap_or_else(|_| panic!("{name}.txt is missing: run with BLESS=1"));
        assert_eq!(*text, approved, "{name}.txt differs: run with BLESS=1");
    }
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, pages.len(), "a golden file belongs to no page");
}

#[test]
fn every_option_and_command_is_explained() {
    fn check(command: &clap::Command, path: &str) {
        assert!(command.get_about().is_some(), "{path} has no text");
        for argument in command.get_arguments() {
            assert!(
                argument.get_help().is_some(),
                "{path}: {} has no text",
                argument.get_id()
            );
        }
        for sub in command.get_subcommands() {
            check(sub, &format!("{path} {}", sub.get_name()));
        }
    }
    let mut command = Cli::command();
    command.build();
    check(&command, "ensemble");
    command.debug_assert();
}

#[test]
fn an_address_to_listen_on_is_a_host_and_a_port() {
    let of = |text: &str| host_and_port(text).ok();
    assert_eq!(of("127.0.0.1:0"), Some(("127.0.0.1".to_owned(), 0)));
    assert_eq!(of("[::1]:4000"), Some(("::1".to_owned(), 4000)));
    assert_eq!(of("localhost:4000"), Some(("localhost".to_owned(), 4000)));
    for bad in ["", "4000", ":4000", "::1:4000", "a:b", "a:70000", "[]:1"] {
        assert_eq!(of(bad), None, "{bad}");
    }
}

#[test]
fn wrong_usage_is_refused() {
    for line in [
        &["ensemble", "hub", "key", "create"][..],
        &["ensemble", "hub", "serve", "--listen", "here"],
        &["ensemble", "log", "show", "--limit", "0"],
        &["ensemble", "nothing"],
        &["ensemble", "mcp", "extra"],
        &["ensemble"],
    ] {
        assert_eq!(
            Cli::try_parse_from(line).unwrap_err().exit_code(),
            2,
            "{line:?}"
        );
    }
}
