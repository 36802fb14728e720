//! Lists what this program is built from, for `ensemble audit --format cyclonedx`: the crates that are linked into it for this
//! target, and those of the embedded components. Cargo itself is asked, offline where it is offline, and each crate's
//! checksum comes from `Cargo.lock`; crates that only build or test are not in the list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use serde::Serialize;

/// What the components are built for.
const GUEST: &str = "wasm32-wasip2";

#[derive(Debug, Default, Serialize)]
struct Crate {
    name: String,
    version: String,
    licence: String,
    /// SHA-256 of the package in its registry; none for a crate of this workspace.
    checksum: Option<String>,
    /// `name version` of the crates that it is linked with.
    uses: BTreeSet<String>,
}

fn main() -> Result<(), String> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("run by cargo only")?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("run by cargo only")?);
    let target = env::var_os("TARGET").and_then(|target| target.into_string().ok());
    let target = target.ok_or("run by cargo only")?;
    let workspace = here.ancestors().nth(2).ok_or("not in a workspace")?;
    let checksums = checksums(workspace)?;
    let host = crates(workspace, &target, &["ensemble".to_owned()], &checksums)?;
    let plugins = plugins(workspace)?;
    let guests = crates(workspace, GUEST, &plugins, &checksums)?;
    for (name, crates) in [("crates.json", host), ("guest-crates.json", guests)] {
        let all: Vec<Crate> = crates.into_values().collect();
        let json = serde_json::to_string(&all).map_err(|error| error.to_string())?;
        fs::write(out.join(name), json).map_err(|error| format!("cannot write {name}: {error}"))?;
    }
    Ok(())
}

/// The packages of the embedded components: every folder of `plugins/` with a `plugin.toml`.
fn plugins(workspace: &Path) -> Result<Vec<String>, String> {
    let folder = workspace.join("plugins");
    watch(&folder);
    let cannot = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.join("plugin.toml").is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            found.push(format!("plugin-{name}"));
        }
    }
    found.sort();
    Ok(found)
}

/// `name version` → checksum, from `Cargo.lock`.
fn checksums(workspace: &Path) -> Result<BTreeMap<String, String>, String> {
    let path = workspace.join("Cargo.lock");
    watch(&path);
    let text = fs::read_to_string(&path).map_err(|error| format!("Cargo.lock: {error}"))?;
    let lock: toml::Table =
        toml::from_str(&text).map_err(|error| format!("Cargo.lock: {error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let packages = packages.ok_or("Cargo.lock has no packages")?;
    let row = |package: &toml::Value| {
        let text = |name: &str| package.get(name)?.as_str();
        let key = format!("{} {}", text("name")?, text("version")?);
        Some((key, text("checksum")?.to_owned()))
    };
    Ok(packages.iter().filter_map(row).collect())
}

/// The crates that are linked into these packages, by `name version`.
#[expect(clippy::disallowed_methods, reason = "a build script asks cargo")]
fn crates(
    workspace: &Path,
    target: &str,
    packages: &[String],
    checksums: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Crate>, String> {
    let cargo = env::var_os("CARGO").ok_or("run by cargo only")?;
    let asked = Command::new(cargo)
        .current_dir(workspace)
        .args(["tree", "--locked", "--edges", "normal,no-proc-macro"])
        .args([
            "--target", target, "--prefix", "depth", "--format", "|{p}|{l}",
        ])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !asked.status.success() {
        return Err("cargo does not list the crates; what it says stands above".to_owned());
    }
    let text = String::from_utf8(asked.stdout).map_err(|_| "cargo lists no text")?;
    let mut found: BTreeMap<String, Crate> = BTreeMap::new();
    let mut above: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (depth, key, one) =
            row(line, workspace).ok_or_else(|| format!("not a crate: {line}"))?;
        above.truncate(depth);
        if let Some(user) = above.last().and_then(|user| found.get_mut(user)) {
            user.uses.insert(key.clone());
        }
        found.entry(key.clone()).or_insert_with(|| Crate {
            checksum: checksums.get(&key).cloned(),
            ..one
        });
        above.push(key);
    }
    Ok(found)
}

/// `2|serde v1.0.0|MIT (*)`, or with a path behind the version for a crate of this workspace.
fn row(line: &str, workspace: &Path) -> Option<(usize, String, Crate)> {
    let mut parts = line.split('|');
    let depth = parts.next()?.parse().ok()?;
    let mut package = parts.next()?.splitn(3, ' ');
    let name = package.next()?.to_owned();
    let version = package.next()?.strip_prefix('v')?.to_owned();
    if let Some(path) = package.next() {
        let path = path.trim_start_matches('(').trim_end_matches(')');
        if Path::new(path).starts_with(workspace) {
            watch(&Path::new(path).join("Cargo.toml"));
        }
    }
    let licence = parts.next()?.trim_end_matches(" (*)").to_owned();
    let one = Crate {
        version: version.clone(),
        licence,
        name: name.clone(),
        ..Crate::default()
    };
    Some((depth, format!("{name} {version}"), one))
}

fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}
