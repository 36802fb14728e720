//! Reading the repository for the tests of this package: which files there are, and what the crates say they depend on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// Every file below `folder` with one of these endings, as paths from the root, sorted; build output is left out.
pub fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(&root().join(folder), endings, &mut found);
    found.sort();
    found
}

fn walk(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path
            .file_name()
            .and_then(|n| n.to_str())
            .unwrap_or_default();
        if path.is_dir() {
            if !matches!(name, "target" | ".git" | "node_modules") {
                walk(&path, endings, found);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path.strip_prefix(root()).unwrap_or(&path).to_path_buf());
        }
    }
}

/// The text of a file, by its path from the root; a file that cannot be read fails the test with its name.
pub fn text(path: &Path) -> String {
    match std::fs::read_to_string(root().join(path)) {
        Ok(text) => text,
        Err(error) => format!("cannot read {}: {error}", path.display()),
    }
}

/// One package of the workspace.
#[derive(Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its folder, from the root.
    pub folder: PathBuf,
    /// What its library and programs depend on; not what its tests do.
    pub dependencies: Vec<String>,
}

/// All packages, by name.
pub fn packages() -> BTreeMap<String, Package> {
    let mut packages = BTreeMap::new();
    for path in files("", &["Cargo.toml"]) {
        let Ok(manifest) = text(&path).parse::<toml::Table>() else {
            continue;
        };
        let name = manifest
            .get("package")
            .and_then(|p| p.get("name"))
            .and_then(|n| n.as_str());
        let Some(name) = name else { continue };
        let dependencies = manifest.get("dependencies").and_then(|d| d.as_table());
        let package = Package {
            name: name.to_owned(),
            folder: path.parent().unwrap_or(&path).to_path_buf(),
            dependencies: dependencies
                .map(|d| d.keys().cloned().collect())
                .unwrap_or_default(),
        };
        packages.insert(package.name.clone(), package);
    }
    packages
}
