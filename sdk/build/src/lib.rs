//! Compiles guest crates into components, from the build script of a crate that embeds them.
//!
//! One nested cargo builds all asked packages with the guests' own profile, in the guests' own target folder
//! `<target>/guests`: a nested cargo in the outer folder would wait for the outer one's lock for ever. Nothing of the
//! outer build's flags, wrappers or profile leaks in, so the same sources give the same bytes in dev, release and clippy.
//!
//! `ENSEMBLE_SKIP_GUESTS=1` builds nothing and says so; it is for editors that only analyse the code.

mod compiler;
mod target;

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The guests of one build script.
#[derive(Debug)]
pub struct Guests {
    workspace: PathBuf,
    packages: Vec<Package>,
}

#[derive(Debug)]
struct Package {
    name: String,
    folder: PathBuf,
}

/// One compiled component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// The cargo package that it was built from.
    pub package: String,
    /// A copy in the build script's `OUT_DIR`, which no other build touches.
    pub wasm: PathBuf,
    /// Of the bytes, in lower-case hexadecimal.
    pub sha256: String,
}

impl Guests {
    /// Guests of the cargo workspace in this folder.
    pub fn new(workspace: impl Into<PathBuf>) -> Self {
        Self {
            workspace: workspace.into(),
            packages: Vec::new(),
        }
    }

    /// Adds a package, whose sources lie in `folder` of the workspace.
    #[must_use]
    pub fn package(mut self, name: &str, folder: &str) -> Self {
        self.packages.push(Package {
            name: name.to_owned(),
            folder: self.workspace.join(folder),
        });
        self
    }

    /// Builds them all, in the order in which they were added. Empty where `ENSEMBLE_SKIP_GUESTS` is set.
    ///
    /// # Errors
    /// A sentence that says what is missing and what to do. The guest compiler's own output stands before it.
    pub fn build(self) -> Result<Vec<Built>, String> {
        self.watch();
        if std::env::var_os("ENSEMBLE_SKIP_GUESTS").is_some_and(|value| value != "0") {
            say("cargo::warning=ENSEMBLE_SKIP_GUESTS is set: no guest is compiled or embedded");
            return Ok(Vec::new());
        }
        let out = PathBuf::from(
            std::env::var_os("OUT_DIR").ok_or("guests are built by build scripts only")?,
        );
        target::ensure()?;
        let guests = compiler::target_folder(&out)?;
        let names: Vec<&str> = self.packages.iter().map(|p| p.name.as_str()).collect();
        compiler::run(&self.workspace, &guests, &names)?;
        self.packages
            .iter()
            .map(|package| take(package, &guests, &out))
            .collect()
    }

    /// What a component is made from.
    fn watch(&self) {
        let shared = [
            "wit",
            "sdk/rust",
            "Cargo.toml",
            "Cargo.lock",
            "rust-toolchain.toml",
        ];
        let shared = shared.iter().map(|path| self.workspace.join(path));
        let own = self.packages.iter().map(|package| package.folder.clone());
        for path in shared.chain(own) {
            say(&format!("cargo::rerun-if-changed={}", path.display()));
        }
        say("cargo::rerun-if-env-changed=ENSEMBLE_SKIP_GUESTS");
    }
}

/// Copies a component to `OUT_DIR`, and touches the copy only when its bytes are others.
fn take(package: &Package, guests: &Path, out: &Path) -> Result<Built, String> {
    let file = format!("{}.wasm", package.name.replace('-', "_"));
    let from = guests.join(target::NAME).join("release").join(&file);
    let bytes = fs::read(&from).map_err(|error| {
        format!(
            "the package {} gave no component at {}: {error}",
            package.name,
            from.display()
        )
    })?;
    let to = out.join(&file);
    if fs::read(&to).ok().as_deref() != Some(&bytes) {
        fs::write(&to, &bytes)
            .map_err(|error| format!("cannot write {}: {error}", to.display()))?;
    }
    Ok(Built {
        package: package.name.clone(),
        wasm: to,
        sha256: hex(&Sha256::digest(&bytes)),
    })
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

#[expect(clippy::print_stdout, reason = "how a build script speaks to cargo")]
fn say(line: &str) {
    println!("{line}");
}
