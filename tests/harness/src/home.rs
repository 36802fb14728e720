//! An environment with nothing in it but folders of its own, so that no test sees the machine it runs on.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tokio::process::Command;

/// A temporary home. Dropping it removes it.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
    cache: PathBuf,
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// An empty one. Components are compiled again.
    pub fn new() -> Self {
        Self::with_components(None)
    }

    /// An empty one, but with compiled components taken from `shared` and put there: a suite compiles each only once.
    pub fn sharing(shared: &Path) -> Self {
        Self::with_components(Some(shared))
    }

    fn with_components(shared: Option<&Path>) -> Self {
        let folder = TempDir::with_prefix("ensemble-test-")
            .unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let cache = shared.map_or_else(|| folder.path().join("cache"), Path::to_owned);
        let home = Self { folder, cache };
        make(&home.work());
        if shared.is_some() {
            // what one home compiled, another one runs only with the same key
            let data = home.path().join("data/ensemble");
            make(&data);
            private(&data.join("host.key"), &[7; 32]);
        }
        home
    }

    /// Its root.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where programs are started: an empty folder in no repository.
    pub fn work(&self) -> PathBuf {
        self.path().join("work")
    }

    /// Where a hub keeps its data when no folder is named.
    pub fn hub_data(&self) -> PathBuf {
        self.path().join("data/ensemble/hub")
    }

    /// Where compiled components are kept.
    pub fn components(&self) -> PathBuf {
        self.cache.join("ensemble/components")
    }

    /// Where the bridge writes its decisions.
    pub fn decisions(&self) -> PathBuf {
        self.path().join("state/ensemble/decisions.jsonl")
    }

    /// The program, in [`Home::work`], with this home and nothing else of the environment. It ends with its handle.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.work())
            .env_clear()
            .env("HOME", self.path())
            .env("XDG_DATA_HOME", self.path().join("data"))
            .env("XDG_CACHE_HOME", &self.cache)
            .env("XDG_STATE_HOME", self.path().join("state"))
            .kill_on_drop(true);
        if let Some(root) = std::env::var_os("SystemRoot") {
            command.env("SystemRoot", root);
        }
        command
    }
}

fn make(folder: &Path) {
    std::fs::create_dir_all(folder)
        .unwrap_or_else(|error| panic!("cannot make {}: {error}", folder.display()));
}

fn private(file: &Path, bytes: &[u8]) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
        .open(file)
        .and_then(|mut file| file.write_all(bytes));
    written.unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
}
