//! A hub with the demo workspace, served in this process.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ensemble_hub_server::{CreateKey, Hub, HubClock, ServeError, demo, serve};
use jiff::Timestamp;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::PATIENCE;

/// What a key may do beyond reading.
#[derive(Debug, Clone, Copy, Default)]
pub struct Grants {
    /// `--changes`.
    pub changes: bool,
    /// `--apps`.
    pub apps: bool,
}

impl Grants {
    /// Reads only.
    pub const READ: Self = Self {
        changes: false,
        apps: false,
    };
    /// Reads and changes.
    pub const CHANGES: Self = Self {
        changes: true,
        apps: false,
    };
}

/// The real clock: the demo's dates are relative to it.
#[derive(Debug)]
struct Now;

impl HubClock for Now {
    #[expect(
        clippy::disallowed_methods,
        reason = "the harness composes, as the program does"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A running hub.
#[derive(Debug)]
pub struct TestHub {
    // the folder goes last, after the database in it is closed
    hub: Hub,
    base: String,
    shutdown: CancellationToken,
    serving: JoinHandle<Result<(), ServeError>>,
    data: PathBuf,
    folder: Option<TempDir>,
}

impl TestHub {
    /// With the demo workspace, in a folder of its own.
    pub async fn start() -> Self {
        let folder = TempDir::with_prefix("ensemble-hub-")
            .unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let data = folder.path().join("hub");
        let mut hub = Self::start_in(&data).await;
        hub.folder = Some(folder);
        hub
    }

    /// With the demo workspace, in that folder: a second start in the same one finds what was there.
    pub async fn start_in(data: &Path) -> Self {
        let hub = Hub::open(data, Arc::new(Now))
            .await
            .unwrap_or_else(|error| panic!("the hub does not open: {error}"));
        demo::fill(hub.store())
            .await
            .unwrap_or_else(|error| panic!("the demo is not filled in: {error}"));
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .unwrap_or_else(|error| panic!("no port: {error}"));
        let address = listener
            .local_addr()
            .unwrap_or_else(|error| panic!("no address: {error}"));
        let shutdown = CancellationToken::new();
        let serving = tokio::spawn(serve(listener, hub.clone(), shutdown.clone()));
        answers(address).await;
        Self {
            hub,
            base: format!("http://{address}"),
            shutdown,
            serving,
            data: data.to_owned(),
            folder: None,
        }
    }

    /// Its address, for `HUB_API_URL`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Its data folder, for `--data`.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The hub itself, for what a suite wants to see behind the wire.
    pub fn hub(&self) -> &Hub {
        &self.hub
    }

    /// A new key's value.
    pub async fn key(&self, name: &str, grants: Grants) -> String {
        let asked = CreateKey {
            name: name.to_owned(),
            space: None,
            changes: grants.changes,
            apps: grants.apps,
        };
        let made = self.hub.admin().create_key(asked).await;
        let made = made.unwrap_or_else(|error| panic!("no key: {error}"));
        made.value.expose().to_owned()
    }

    /// Revokes a key by its name.
    pub async fn revoke(&self, name: &str) {
        if let Err(error) = self.hub.admin().revoke_key(name).await {
            panic!("the key is not revoked: {error}");
        }
    }

    /// Stops it and waits until its port and its database are closed.
    pub async fn stop(self) {
        self.shutdown.cancel();
        match self.serving.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => panic!("the hub failed: {error}"),
            Err(error) => panic!("the hub broke: {error}"),
        }
    }
}

/// Waits for a first answer: by then the hub has written its `api.json`.
async fn answers(address: SocketAddr) {
    let asked = async {
        let mut stream = TcpStream::connect(address).await?;
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: hub\r\nconnection: close\r\n\r\n")
            .await?;
        stream.read_u8().await
    };
    match timeout(PATIENCE, asked).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => panic!("the hub does not answer: {error}"),
        Err(late) => panic!("the hub did not answer for {PATIENCE:?} ({late})"),
    }
}
