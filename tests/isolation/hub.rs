//! A hub, a clock and a log that tests can look into.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_broker::{
    Decision, DecisionSink, Download, Fault, FileRequest, FolderPort, HubPort, HubReply,
    HubRequest, Location, Permit, PortFuture, RepositoryPort, Saved, Target,
};
use ensemble_model::{Clock, Digest};
use jiff::Timestamp;
use tokio::sync::Semaphore;

/// The route that is never answered.
pub(crate) const HANG: &str = "/api/bridge/hang";

/// Answers everything with one object, but [`HANG`] never.
#[derive(Debug)]
pub(crate) struct FakeHub {
    pub(crate) requests: Mutex<Vec<HubRequest>>,
    /// One permit for each request to [`HANG`] that has arrived.
    pub(crate) arrived: Semaphore,
    /// Requests to [`HANG`] that were given up.
    pub(crate) given_up: Arc<AtomicUsize>,
    /// The bytes of every file.
    pub(crate) original: Mutex<Vec<u8>>,
    /// The time that each megabyte of a file takes to arrive.
    pub(crate) piece_takes: Mutex<Duration>,
    /// What was downloaded, in order.
    pub(crate) downloads: Mutex<Vec<FileRequest>>,
}

impl FakeHub {
    pub(crate) fn new() -> Self {
        Self {
            requests: Mutex::default(),
            arrived: Semaphore::new(0),
            given_up: Arc::default(),
            original: Mutex::default(),
            piece_takes: Mutex::default(),
            downloads: Mutex::default(),
        }
    }

    /// The paths that were asked for, but for the host's own questions.
    pub(crate) fn paths(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests
            .iter()
            .map(|request| request.path.to_string())
            .filter(|path| !path.ends_with("/whoami") && !path.ends_with("/spaces"))
            .collect()
    }
}

struct GivenUp(Arc<AtomicUsize>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl HubPort for FakeHub {
    fn credential(&self) -> Result<(), String> {
        Ok(())
    }

    fn request<'a>(&'a self, _: &'a Permit, request: HubRequest) -> PortFuture<'a, HubReply> {
        Box::pin(async move {
            let path = request.path.to_string();
            self.requests.lock().unwrap().push(request);
            let body = match path.as_str() {
                "/api/bridge/whoami" => {
                    r#"{"canWrite":true,"canUseApps":true,"keyName":"test","defaultSpace":{"id":"s1","name":"One"}}"#
                }
                "/api/bridge/spaces" => r#"{"spaces":[{"id":"s1","name":"One","usable":true}]}"#,
                HANG => {
                    let _given_up = GivenUp(Arc::clone(&self.given_up));
                    self.arrived.add_permits(1);
                    std::future::pending().await
                }
                "/api/bridge/write/files" => {
                    let requests = self.requests.lock().unwrap();
                    let sent = requests.last().and_then(|r| r.body.clone()).unwrap();
                    return Ok(HubReply { body: kept(&sent) });
                }
                _ => r#"{"ok":true}"#,
            };
            Ok(HubReply {
                body: body.to_owned(),
            })
        })
    }

    fn download<'a>(
        &'a self,
        _: &'a Permit,
        request: FileRequest,
    ) -> PortFuture<'a, Box<dyn Download>> {
        let whole = self.original.lock().unwrap().clone();
        let sha256 = Digest::of(&whole).to_string();
        let arriving = match request.part {
            None => whole,
            Some((first, length)) => whole
                .into_iter()
                .skip(usize::try_from(first).unwrap())
                .take(length as usize)
                .collect(),
        };
        self.downloads.lock().unwrap().push(request);
        let download = Pieces {
            size: arriving.len() as u64,
            sha256,
            left: arriving.chunks(1 << 20).rev().map(<[u8]>::to_vec).collect(),
            each_takes: *self.piece_takes.lock().unwrap(),
        };
        Box::pin(async move { Ok(Box::new(download) as Box<dyn Download>) })
    }
}

/// What a hub says of the file that it was sent.
fn kept(body: &str) -> String {
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let data = body["dataBase64"].as_str().unwrap();
    let bytes = STANDARD.decode(data).unwrap();
    let (size, sha256) = (bytes.len(), Digest::of(&bytes));
    format!(r#"{{"size":{size},"sha256":"{sha256}"}}"#)
}

/// A file in pieces.
#[derive(Debug)]
struct Pieces {
    size: u64,
    sha256: String,
    left: Vec<Vec<u8>>,
    each_takes: Duration,
}

impl Download for Pieces {
    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn sha256(&self) -> Option<&str> {
        Some(&self.sha256)
    }

    fn next(&mut self) -> PortFuture<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            // a slow line
            if !self.each_takes.is_zero() && !self.left.is_empty() {
                tokio::time::sleep(self.each_takes).await;
            }
            Ok(self.left.pop())
        })
    }
}

/// A folder that takes every path but those with `..`, and says how much it took.
#[derive(Debug, Default)]
pub(crate) struct FakeFolder(pub(crate) Mutex<Vec<(String, usize)>>);

impl FolderPort for FakeFolder {
    fn check<'a>(&'a self, _: &'a Permit, target: Target<'a>) -> PortFuture<'a, ()> {
        let refused = target.path.contains("..");
        Box::pin(async move {
            if refused {
                return Err(Fault::Invalid("That leads out.".to_owned()).into());
            }
            Ok(())
        })
    }

    fn open<'a>(&'a self, _: &'a Permit, path: &'a str, _: u64) -> PortFuture<'a, Vec<u8>> {
        let refused = path.contains("..");
        Box::pin(async move {
            if refused {
                return Err(Fault::Invalid("That leads out.".to_owned()).into());
            }
            Ok(b"a file".to_vec())
        })
    }

    fn save<'a>(
        &'a self,
        _: &'a Permit,
        target: Target<'a>,
        mut content: Box<dyn Download>,
    ) -> PortFuture<'a, Saved> {
        Box::pin(async move {
            let mut bytes = Vec::new();
            while let Some(chunk) = content.next().await? {
                bytes.extend(chunk);
            }
            let path = target.path.to_owned();
            self.0.lock().unwrap().push((path.clone(), bytes.len()));
            Ok(Saved {
                path,
                bytes: bytes.len() as u64,
                sha256: Digest::of(&bytes).to_string(),
            })
        })
    }
}

/// A repository, and how often it was asked for.
#[derive(Debug, Default)]
pub(crate) struct FakeRepository {
    pub(crate) asked: Mutex<Vec<()>>,
}

impl RepositoryPort for FakeRepository {
    fn locate<'a>(&'a self, _: &'a Permit) -> PortFuture<'a, Location> {
        self.asked.lock().unwrap().push(());
        Box::pin(async move {
            Ok(Location {
                repo: Some("owner/name".to_owned()),
                branch: Some("main".to_owned()),
            })
        })
    }

    fn directory(&self) -> PathBuf {
        PathBuf::from("/work")
    }
}

/// Real for durations, and always the same instant for the wall.
#[derive(Debug)]
pub(crate) struct FixedClock;

/// What [`FixedClock`] says: 2033-05-18T03:33:20Z.
pub(crate) const NOW: i64 = 2_000_000_000;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(NOW).unwrap()
    }

    fn instant(&self) -> Instant {
        Instant::now()
    }
}

/// The decision log, in memory.
#[derive(Debug, Default)]
pub(crate) struct Decisions(Mutex<Vec<Decision>>);

impl DecisionSink for Decisions {
    fn record(&self, decision: &Decision) {
        self.0.lock().unwrap().push(decision.clone());
    }
}

impl Decisions {
    /// All of it.
    pub(crate) fn lines(&self) -> Vec<Decision> {
        self.0.lock().unwrap().clone()
    }

    /// Why the calls ended, in the order in which they did; a dash where all was well.
    pub(crate) fn endings(&self) -> Vec<String> {
        let decisions = self.0.lock().unwrap();
        decisions
            .iter()
            .filter(|line| line.route == "call")
            .map(|line| line.reason.clone().unwrap_or_else(|| "-".to_owned()))
            .collect()
    }
}
