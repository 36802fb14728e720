//! What the broker can have done for it. Each method takes a [`Permit`], which only the broker constructs, so that no
//! backend can be reached around a decision. The backends live in `app`.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use ensemble_model::{HubPath, Method};

use crate::fault::Fault;
use crate::policy::Permit;

/// What a port method returns.
pub type PortFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, PortFault>> + Send + 'a>>;

/// Why a backend did not do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortFault {
    /// The reason, as the guest and the person may see it.
    pub fault: Fault,
    /// The other side did not accept the key or one of its grants (401, 403): what is known of the key is stale.
    pub key_refused: bool,
}

impl From<Fault> for PortFault {
    fn from(fault: Fault) -> Self {
        Self {
            fault,
            key_refused: false,
        }
    }
}

/// One request, as decided. The backend adds the address, the key, and for a change an idempotency key that stays the
/// same over its own retries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubRequest {
    /// GET reads, everything else changes.
    pub method: Method,
    /// Below `/api/`.
    pub path: HubPath,
    /// Encoded by the backend.
    pub query: Vec<(String, String)>,
    /// JSON.
    pub body: Option<String>,
    /// The id for `x-ensemble-space`; `None` is the key's default.
    pub space: Option<String>,
    /// After this the answer is of no use any more.
    pub timeout: Duration,
    /// A longer answer is a fault.
    pub max_response: usize,
}

/// A successful answer: JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubReply {
    /// UTF-8 JSON.
    pub body: String,
}

/// The original of a file, as decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRequest {
    /// Below `/api/`.
    pub path: HubPath,
    /// The id for `x-ensemble-space`; `None` is the key's default.
    pub space: Option<String>,
    /// Where to begin and how many bytes at the most; `None` is all of it.
    pub part: Option<(u64, u32)>,
    /// After this it is of no use any more.
    pub timeout: Duration,
}

/// Bytes that come from the hub. Dropping it ends the transfer.
pub trait Download: Send + std::fmt::Debug {
    /// How many bytes there will be, as the hub says.
    fn size(&self) -> Option<u64>;

    /// The SHA-256 of the whole file, as the hub says: 64 lower-case hexadecimal digits.
    fn sha256(&self) -> Option<&str>;

    /// The next bytes; `None` at the end. An end that comes too early is a fault.
    fn next(&mut self) -> PortFuture<'_, Option<Vec<u8>>>;
}

/// The connection to the hub, which alone holds the key.
pub trait HubPort: Send + Sync + std::fmt::Debug {
    /// Whether there is a usable key at all, without a request. `Err` is the sentence for the person: a missing or
    /// malformed key is a configuration error, never an empty answer.
    fn credential(&self) -> Result<(), String>;

    /// Sends one request.
    fn request<'a>(&'a self, permit: &'a Permit, request: HubRequest) -> PortFuture<'a, HubReply>;

    /// Begins to receive the original of a file.
    fn download<'a>(
        &'a self,
        permit: &'a Permit,
        request: FileRequest,
    ) -> PortFuture<'a, Box<dyn Download>>;
}

/// Where the editor is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// `owner/name` of the repository, where a remote names it.
    pub repo: Option<String>,
    /// The branch that is checked out; `None` when the head is detached.
    pub branch: Option<String>,
}

/// The repository around the working directory; only a local transport has one.
pub trait RepositoryPort: Send + Sync + std::fmt::Debug {
    /// Finds repository and branch. No repository is an empty location, not a fault.
    fn locate<'a>(&'a self, permit: &'a Permit) -> PortFuture<'a, Location>;

    /// The directory that it looks from, for `ensemble status`.
    fn directory(&self) -> PathBuf;
}

/// Where a file is to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target<'a> {
    /// As the caller wrote it: relative, or absolute and inside the folder.
    pub path: &'a str,
    /// Whether a file that is there may be replaced.
    pub overwrite: bool,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Relative to the folder.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// 64 lower-case hexadecimal digits.
    pub sha256: String,
}

/// The folder that the editor works in; only a local transport has one. Nothing outside of it is ever read or written,
/// whatever the path says and whatever is put into its way.
pub trait FolderPort: Send + Sync + std::fmt::Debug {
    /// Whether a file could be written there, from the path and what the folder holds now.
    fn check<'a>(&'a self, permit: &'a Permit, target: Target<'a>) -> PortFuture<'a, ()>;

    /// Reads a plain file of the folder, whole, from one opening of it. What is larger than `at_most` bytes, or may hold a
    /// secret, is a fault.
    fn open<'a>(
        &'a self,
        permit: &'a Permit,
        path: &'a str,
        at_most: u64,
    ) -> PortFuture<'a, Vec<u8>>;

    /// Writes the whole download there, or nothing. Dropping the future leaves nothing behind.
    fn save<'a>(
        &'a self,
        permit: &'a Permit,
        target: Target<'a>,
        content: Box<dyn Download>,
    ) -> PortFuture<'a, Saved>;
}
