//! The nested cargo, free of everything that belongs to the outer build.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::target;

/// Set by the outer cargo for its own compilations; each would bend the guests or wrap their compiler.
const OUTER: [&str; 9] = [
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTDOCFLAGS",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_BUILD_DIR",
    "CLIPPY_ARGS",
    "CLIPPY_CONF_DIR",
];

/// Guests are small and compiled twice, by rustc and by the host: size first.
const PROFILE: [(&str, &str); 6] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s"),
    ("CARGO_PROFILE_RELEASE_LTO", "true"),
    ("CARGO_PROFILE_RELEASE_STRIP", "true"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_RELEASE_PANIC", "abort"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "false"),
];

/// `<target>/guests`, where `<target>` is the outer build's own folder: the nearest one above `OUT_DIR` that cargo has
/// tagged as such.
pub(crate) fn target_folder(out: &Path) -> Result<PathBuf, String> {
    out.ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").is_file())
        .map(|target| target.join("guests"))
        .ok_or_else(|| format!("no cargo target folder above {}", out.display()))
}

/// Builds `packages`; the compiler's output goes to this build script's, which cargo shows when it fails.
pub(crate) fn run(workspace: &Path, guests: &Path, packages: &[&str]) -> Result<(), String> {
    let mut cargo = command("CARGO", "cargo");
    cargo
        .current_dir(workspace)
        .args(["build", "--release", "--locked", "--target", target::NAME])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .stdout(Stdio::null());
    for name in OUTER {
        cargo.env_remove(name);
    }
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PROFILE_") {
            cargo.env_remove(name);
        }
    }
    cargo
        .envs(PROFILE)
        .env("CARGO_ENCODED_RUSTFLAGS", without_paths(workspace))
        .env("CARGO_TARGET_DIR", guests);
    let status = cargo
        .status()
        .map_err(|error| format!("cannot start cargo for the guests: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!(
            "the guests {} did not compile; the compiler's output stands above",
            packages.join(", ")
        ))
    }
}

/// Panic places hold source paths. With this machine's folders taken out, a component's digest is the same everywhere.
fn without_paths(workspace: &Path) -> OsString {
    let mut flags = OsString::new();
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let replaced = [
        (Some(workspace.to_path_buf()), "/ensemble"),
        (home, "/cargo"),
    ];
    for (folder, name) in replaced {
        let Some(folder) = folder else { continue };
        if !flags.is_empty() {
            flags.push("\u{1f}");
        }
        flags.push("--remap-path-prefix=");
        flags.push(folder);
        flags.push("=");
        flags.push(name);
    }
    flags
}

/// The program that the outer cargo names in the environment, or the one on the path.
#[expect(clippy::disallowed_methods, reason = "a build script starts compilers")]
pub(crate) fn command(variable: &str, otherwise: &str) -> Command {
    Command::new(std::env::var_os(variable).unwrap_or_else(|| OsStr::new(otherwise).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_lie_in_the_outer_target_folder() {
        let out = std::env::current_exe().unwrap();
        let guests = target_folder(&out).unwrap();
        assert!(guests.parent().unwrap().join("CACHEDIR.TAG").is_file());
        assert_eq!(guests.file_name(), Some(OsStr::new("guests")));
        assert!(target_folder(Path::new("/")).is_err());
    }

    #[test]
    fn the_workspace_stands_under_a_fixed_name() {
        let flags = without_paths(Path::new("/home/a/ensemble"));
        let flags = flags.to_str().unwrap();
        assert!(
            flags.starts_with("--remap-path-prefix=/home/a/ensemble=/ensemble"),
            "{flags}"
        );
    }
}
