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

/// The connection to the hub, which alone holds the key.
pub trait HubPort: Send + Sync + std::fmt::Debug {
    /// Whether there is a usable key at all, without a request. `Err` is the sentence for the person: a missing or
    /// malformed key is a configuration error, never an empty answer.
    fn credential(&self) -> Result<(), String>;

    /// Sends one request.
    fn request<'a>(&'a self, permit: &'a Permit, request: HubRequest) -> PortFuture<'a, HubReply>;
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
