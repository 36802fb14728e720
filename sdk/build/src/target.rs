//! The compiler target of guests: there, or added, or a sentence that says how to add it.

use std::path::Path;
use std::process::Stdio;

use crate::compiler::command;

/// The target's name.
pub(crate) const NAME: &str = "wasm32-wasip2";

/// Makes sure that the standard library of the target is installed. `rustup` works on the toolchain that compiles now:
/// it reads `RUSTUP_TOOLCHAIN`, which the outer build has set where rustup runs it.
pub(crate) fn ensure() -> Result<(), String> {
    if installed()? {
        return Ok(());
    }
    let added = command("RUSTUP", "rustup")
        .args(["target", "add", NAME])
        .stdout(Stdio::null())
        .status();
    match added {
        Ok(status) if status.success() && installed()? => Ok(()),
        Ok(_) => Err(format!(
            "the Rust target {NAME} is not installed and could not be added; run: rustup target add {NAME}"
        )),
        Err(_) => Err(format!(
            "the Rust target {NAME} is not installed and there is no rustup to add it; \
             install it with your Rust toolchain's package manager, or use rustup"
        )),
    }
}

fn installed() -> Result<bool, String> {
    let output = command("RUSTC", "rustc")
        .args(["--print", "target-libdir", "--target", NAME])
        .output()
        .map_err(|error| format!("cannot start rustc: {error}"))?;
    let folder = String::from_utf8_lossy(&output.stdout);
    Ok(output.status.success() && Path::new(folder.trim()).is_dir())
}
