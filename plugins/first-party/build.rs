//! Compiles the first-party plugins and writes the table that `lib.rs` includes.
//!
//! To add a plugin: 1. its crate under `plugins/` with `plugin.toml` and `surface.json`; 2. its folder's name in `PLUGINS`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use ensemble_guest_build::{Built, Guests};

/// In the order in which they are listed.
const PLUGINS: [&str; 10] = [
    "context",
    "tasks",
    "records",
    "files",
    "code",
    "spaces",
    "docs",
    "actions",
    "task-changes",
    "file-changes",
];

fn main() -> Result<(), String> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("run by cargo only")?);
    let workspace = here.ancestors().nth(2).ok_or("not in a workspace")?;
    let mut guests = Guests::new(workspace);
    for id in PLUGINS {
        guests = guests.package(&format!("plugin-{id}"), &format!("plugins/{id}"));
    }
    let built = guests.build()?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("run by cargo only")?);
    fs::write(out.join("bundled.rs"), table(workspace, &built))
        .map_err(|error| format!("cannot write the table of plugins: {error}"))
}

fn table(workspace: &Path, built: &[Built]) -> String {
    let rows: Vec<String> = PLUGINS
        .iter()
        .zip(built)
        .map(|(id, built)| {
            let folder = workspace.join("plugins").join(id);
            [
                "    Bundled {".to_owned(),
                format!("        id: {id:?},"),
                format!(
                    "        manifest: include_str!({}),",
                    quoted(&folder.join("plugin.toml"))
                ),
                format!(
                    "        surface: include_str!({}),",
                    quoted(&folder.join("surface.json"))
                ),
                format!("        wasm: include_bytes!({}),", quoted(&built.wasm)),
                format!("        sha256: {:?},", built.sha256),
                "    },\n".to_owned(),
            ]
            .join("\n")
        })
        .collect();
    format!(
        "/// Every first-party plugin, in the order in which they are listed.\n\
         pub static BUNDLED: &[Bundled] = &[\n{}];\n",
        rows.concat()
    )
}

/// A path as a Rust literal, with a Windows path's backslashes escaped.
fn quoted(path: &Path) -> String {
    format!("{:?}", path.to_string_lossy())
}
