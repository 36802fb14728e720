//! Where the binary is, and what it printed.

use std::path::{Path, PathBuf};
use std::process::Output;

use ensemble_test_harness::Home;
use serde_json::Value;
use tokio::process::Command;

/// The binary under test.
pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_ensemble"))
}

/// A home in which components are compiled once for the whole suite.
pub(crate) fn home() -> Home {
    Home::sharing(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("program-cache"))
}

/// The command with these arguments.
pub(crate) fn command(home: &Home, arguments: &[&str]) -> Command {
    let mut command = home.command(program());
    command.args(arguments);
    command
}

/// Runs it to its end.
pub(crate) async fn run(home: &Home, arguments: &[&str]) -> Output {
    command(home, arguments).output().await.unwrap()
}

/// Its standard output, which has to be a success.
pub(crate) fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Its one sentence of failure: exit code 1, nothing on standard output.
pub(crate) fn failure(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let line = text.lines().find(|line| line.starts_with("error: "));
    line.unwrap_or_else(|| panic!("{text}")).to_owned()
}

/// The text of a tool's result.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// The sentence of a result that has to be an error.
pub(crate) fn refusal(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    text(result)
}
