//! What the demo plays on: a temporary folder with a hub, two keys and a git repository.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use ensemble_decision_log::Place;
use ensemble_hub_server::{CreateKey, Hub, ServeError};
use ensemble_model::Secret;
use tempfile::TempDir;
use tokio::process::Command;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::commands::hub_serve::{self, HubTime};
use crate::config::TOKEN;
use crate::env::{Environment, MapEnvironment};

/// The repository and branch that the demo workspace has a task for.
pub(in crate::commands) const REPOSITORY: &str = "encode/httpx";
pub(in crate::commands) const BRANCH: &str = "docs/default-timeout";

/// What is in it; of the last one nothing is ever shown.
const FILES: [(&str, &str); 5] = [
    (
        "README.md",
        "# httpx\n\nA client for HTTP.\n\n## Timeouts\n\nSee docs/timeouts.md.\n",
    ),
    (
        "pyproject.toml",
        "[project]\nname = \"httpx\"\nversion = \"1.0.0\"\n",
    ),
    (
        "docs/timeouts.md",
        "# Timeouts\n\nThe default is five seconds for each step.\n",
    ),
    ("httpx/__init__.py", "DEFAULT_TIMEOUT = 5.0\n"),
    (".env", "TOKEN=not-shown\n"),
];

/// The variables that say where this computer keeps compiled code, its key, and the person's limits.
const OF_THIS_COMPUTER: [&str; 6] = [
    "HOME",
    "APPDATA",
    "LOCALAPPDATA",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
];

/// Which of the two keys.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) enum KeyKind {
    Changes,
    ReadOnly,
}

/// The stage; dropping it removes the folder.
pub(in crate::commands) struct Stage {
    folder: TempDir,
    /// The hub's address.
    pub(in crate::commands) base: String,
    serving: JoinHandle<Result<(), ServeError>>,
    shutdown: CancellationToken,
    changes: Secret,
    read_only: Secret,
    repo: String,
}

impl Stage {
    /// Starts the hub, makes the keys and the repository, and allows its files to be read.
    pub(in crate::commands) async fn set() -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("ensemble-demo-")
            .tempdir()
            .context("no temporary folder can be made")?;
        let hub = Hub::open(&folder.path().join("hub"), Arc::new(HubTime)).await?;
        ensemble_hub_server::demo::fill(hub.store()).await?;
        let changes = key(&hub, "demo editor", true).await?;
        let read_only = key(&hub, "demo reader", false).await?;
        let checkout = folder.path().join("httpx");
        repository(&checkout)?;
        let allowed = hub.admin();
        let repo = allowed.allow_checkout(None, REPOSITORY, &checkout).await?;
        let listener = hub_serve::listen("127.0.0.1", 0).await?;
        let base = format!("http://{}", listener.local_addr()?);
        let shutdown = CancellationToken::new();
        let serving = tokio::spawn(ensemble_hub_server::serve(listener, hub, shutdown.clone()));
        Ok(Self {
            folder,
            base,
            serving,
            shutdown,
            changes,
            read_only,
            repo: repo.id,
        })
    }

    /// This program, as an editor in the repository starts it: with nothing of this process's environment but what a
    /// system needs, and with folders inside the stage.
    pub(in crate::commands) fn program(&self, key: KeyKind) -> anyhow::Result<Command> {
        let program = std::env::current_exe().context("this program cannot find itself")?;
        let secret = match key {
            KeyKind::Changes => &self.changes,
            KeyKind::ReadOnly => &self.read_only,
        };
        let mut command = Command::new(program);
        command
            .current_dir(self.repository())
            .env_clear()
            .env(TOKEN, secret.expose())
            .env("HUB_API_URL", &self.base)
            .env("HOME", self.folder.path())
            .env("XDG_DATA_HOME", self.folder.path().join("data"))
            .env("XDG_CACHE_HOME", self.folder.path().join("cache"))
            .env("XDG_STATE_HOME", self.folder.path().join("state"))
            .kill_on_drop(true);
        for name in ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR", "RUST_LOG"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        Ok(command)
    }

    /// The environment for parts of the program that are put together in this process: the hub, the key and the decision log of
    /// the stage, and the compiled code and the limits of this computer.
    pub(in crate::commands) fn environment(&self, env: &dyn Environment) -> MapEnvironment {
        let state = self.folder.path().join("state");
        let mut pairs: Vec<(&str, String)> = OF_THIS_COMPUTER
            .iter()
            .filter_map(|name| Some((*name, env.get(name)?)))
            .collect();
        pairs.push((TOKEN, self.changes.expose().to_owned()));
        pairs.push(("HUB_API_URL", self.base.clone()));
        pairs.push(("XDG_STATE_HOME", state.to_string_lossy().into_owned()));
        let pairs: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        MapEnvironment::of(&pairs)
    }

    /// The id of the repository whose checkout may be read.
    pub(in crate::commands) fn repo(&self) -> &str {
        &self.repo
    }

    /// Where the repository is.
    pub(in crate::commands) fn repository(&self) -> PathBuf {
        self.folder.path().join("httpx")
    }

    /// Where the bridge writes its decisions.
    pub(in crate::commands) fn decisions(&self) -> Place {
        Place::of(self.folder.path().join("state/ensemble/decisions.jsonl"))
    }

    /// Stops the hub and removes the folder.
    pub(in crate::commands) async fn clear(self) -> anyhow::Result<()> {
        self.shutdown.cancel();
        self.serving.await.context("the hub of the demo broke")??;
        self.folder
            .close()
            .context("the temporary folder of the demo cannot be removed")
    }
}

async fn key(hub: &Hub, name: &str, changes: bool) -> anyhow::Result<Secret> {
    let made = hub
        .admin()
        .create_key(CreateKey {
            name: name.to_owned(),
            space: None,
            changes,
            apps: false,
        })
        .await?;
    Ok(Secret::new(made.value.expose().to_owned()))
}

/// A real repository whose `origin` and branch the demo workspace knows.
fn repository(at: &Path) -> anyhow::Result<()> {
    for (path, text) in FILES {
        let path = at.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(at))?;
        std::fs::write(path, text)?;
    }
    let made = gix::init(at).map_err(|error| anyhow::Error::msg(error.to_string()))?;
    let git = made.git_dir();
    std::fs::write(git.join("HEAD"), format!("ref: refs/heads/{BRANCH}\n"))?;
    let mut config = OpenOptions::new().append(true).open(git.join("config"))?;
    write!(
        config,
        "[remote \"origin\"]\n\turl = git@github.com:{REPOSITORY}.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
    )?;
    Ok(())
}
