//! Compiles every test guest under `tests/components/` and writes the table that `lib.rs` includes.
//!
//! To add a guest: a folder under `tests/components/` with a crate named `probe-…`. Nothing else.

use std::path::{Path, PathBuf};
use std::{env, fs};

use ensemble_guest_build::{Built, Guests};

fn main() -> Result<(), String> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("run by cargo only")?);
    let workspace = here.ancestors().nth(2).ok_or("not in a workspace")?;
    let mut guests = Guests::new(workspace);
    for (package, folder) in probes(&workspace.join("tests/components"))? {
        guests = guests.package(&package, &folder);
    }
    let built = guests.build()?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("run by cargo only")?);
    fs::write(out.join("components.rs"), table(&built))
        .map_err(|error| format!("cannot write the table of test guests: {error}"))
}

/// Package and folder of each test guest, by the package's name.
fn probes(components: &Path) -> Result<Vec<(String, String)>, String> {
    // A new folder has to be seen as well as a changed one.
    watch(components);
    let cannot = |error: std::io::Error| format!("cannot read {}: {error}", components.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(components).map_err(cannot)? {
        let folder = entry.map_err(cannot)?.path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        let name = manifest
            .lines()
            .find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
            .filter(|name| name.starts_with("probe-"))
            .ok_or_else(|| format!("{}: a test guest is named probe-…", folder.display()))?;
        let folder = folder.file_name().unwrap_or_default().to_string_lossy();
        found.push((name.to_owned(), format!("tests/components/{folder}")));
    }
    found.sort();
    Ok(found)
}

fn table(built: &[Built]) -> String {
    let rows: Vec<String> = built
        .iter()
        .map(|built| {
            let path = built.wasm.to_string_lossy();
            format!("    ({:?}, include_bytes!({path:?})),\n", built.package)
        })
        .collect();
    format!(
        "/// Every test guest by its package's name, in that order.\n\
         pub static COMPONENTS: &[(&str, &[u8])] = &[\n{}];\n",
        rows.concat()
    )
}

fn watch(folder: &Path) {
    println!("cargo::rerun-if-changed={}", folder.display());
}
