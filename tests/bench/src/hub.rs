//! The hub that both servers ask: the real one, with the demo workspace, in a folder of its own.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, ensure};
use ensemble_hub_client::{Bearer, HubClient};
use ensemble_hub_server::HubClock;
use jiff::Timestamp;
use serde_json::Value;

/// The moment at which a workspace is prepared.
#[derive(Debug)]
pub(crate) struct Now(pub(crate) Timestamp);

impl HubClock for Now {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// A running hub and a key of it. Dropping it ends the hub.
pub(crate) struct Hub {
    child: Child,
    url: String,
    key: String,
    folder: PathBuf,
}

impl Hub {
    /// Starts the hub with the demo workspace and makes a key that may change things.
    pub(crate) fn start(ensemble: &Path, folder: &Path) -> anyhow::Result<Self> {
        Self::start_with(ensemble, folder, &["--demo"])
    }

    /// The same with what its data folder, `hub`, has already.
    pub(crate) fn start_plain(ensemble: &Path, folder: &Path) -> anyhow::Result<Self> {
        Self::start_with(ensemble, folder, &[])
    }

    fn start_with(ensemble: &Path, folder: &Path, options: &[&str]) -> anyhow::Result<Self> {
        let data = folder.join("hub");
        let command = |arguments: &[&str]| {
            let mut command = Command::new(ensemble);
            command.args(arguments).arg("--data").arg(&data);
            command.env_clear().env("HOME", folder).current_dir(folder);
            command
        };
        let mut child = command(&["hub", "serve", "--listen", "127.0.0.1:0"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let url = match address(&mut child) {
            Ok(url) => url,
            Err(error) => {
                child.kill()?;
                return Err(error);
            }
        };
        let made = command(&[
            "hub",
            "key",
            "create",
            "--name",
            "bench",
            "--changes",
            "--json",
        ])
        .output()?;
        ensure!(
            made.status.success(),
            "no key: {}",
            String::from_utf8_lossy(&made.stderr)
        );
        let made: Value = serde_json::from_slice(&made.stdout)?;
        let key = made
            .get("key")
            .and_then(Value::as_str)
            .context("no key in the answer")?
            .to_owned();
        Ok(Self {
            child,
            url,
            key,
            folder: folder.to_owned(),
        })
    }

    /// A client of it with its key.
    pub(crate) fn client(&self) -> anyhow::Result<HubClient> {
        Ok(HubClient::new(&self.url, &Bearer::new(&*self.key))?)
    }

    /// Its resident memory, in MB.
    pub(crate) fn resident(&self) -> anyhow::Result<f64> {
        crate::measure::resident_of(self.child.id())
    }

    /// A server that asks it: this program with this argument.
    pub(crate) fn server(&self, program: &Path, argument: &str) -> Command {
        let mut command = command(program, argument, &self.folder);
        command
            .env("HUB_API_URL", &self.url)
            .env("ENSEMBLE_BRIDGE_TOKEN", &self.key);
        command
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        if self.child.kill().is_ok() && self.child.wait().is_err() {
            // it is gone, which is what was wanted
        }
    }
}

/// A program with this argument, whose home is this folder and that finds nothing else of this computer's.
pub(crate) fn command(program: &Path, argument: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .arg(argument)
        .env_clear()
        .env("HOME", folder)
        .current_dir(folder);
    command
}

/// Where the hub says that it is, in the first line that it prints once it can be found.
fn address(child: &mut Child) -> anyhow::Result<String> {
    let said = child.stdout.as_mut().context("no standard output")?;
    let mut line = String::new();
    BufReader::new(said).read_line(&mut line)?;
    let url = line.trim().strip_prefix("Ensemble hub on ");
    Ok(url.context("the hub did not start")?.to_owned())
}
