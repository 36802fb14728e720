//! Lists the documentation pages (`docs/*.md` at the root of the repository, in the order of
//! their names), so that the hub can answer from the very pages it was built with.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo names the crate's folder")?;
    let docs = Path::new(&root).join("../../docs").canonicalize()?;
    println!("cargo::rerun-if-changed={}", docs.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut pages: Vec<PathBuf> = fs::read_dir(&docs)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    pages.retain(|page| page.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    let mut list = String::from("&[\n");
    for page in &pages {
        println!("cargo::rerun-if-changed={}", page.display());
        let slug = page
            .file_stem()
            .and_then(|stem| stem.to_str())
            .ok_or("page names are UTF-8")?;
        let path = page.to_str().ok_or("page paths are UTF-8")?;
        writeln!(list, "    ({slug:?}, include_str!({path:?})),")?;
    }
    list.push(']');
    let out = env::var_os("OUT_DIR").ok_or("cargo names the output folder")?;
    fs::write(Path::new(&out).join("docs_pages.rs"), list)?;
    Ok(())
}
