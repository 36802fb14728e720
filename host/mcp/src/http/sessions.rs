//! Sessions of clients of the older generation: so many at once, for so long. Most clients never end theirs; when there are too many, the one that was
//! used longest ago gives way, and where all are in use a new one is refused.
//!
//! Those whose version knows how to go on with a stream that was cut get the event that lets them (from 2025-11-25); older ones trip over it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use serde_json::Value;
use tokio::time::Instant;

/// Sessions at once: more editors and windows than one person has.
const SESSIONS_MAX: usize = 64;
/// How long a session is kept without a request. Clients do not begin again gladly.
const KEPT: Duration = Duration::from_hours(4);
/// One that was used within this time gives way to nobody.
const IN_USE: Duration = Duration::from_mins(5);
/// After how long a client of a stream that was cut comes again.
const RETRY: Duration = Duration::from_secs(1);
/// The first version whose clients know the event.
const RESUMES: &str = "2025-11-25";

/// Both kinds, and when each session was last used.
#[derive(Debug)]
pub(super) struct Sessions {
    pub(super) resuming: Arc<LocalSessionManager>,
    pub(super) plain: Arc<LocalSessionManager>,
    used: Mutex<HashMap<String, Instant>>,
    asked: Arc<Mutex<HashSet<Asked>>>,
}

/// A session, and the id of a request that it waits for.
type Asked = (String, String);

/// A request's id is taken until the value is dropped.
#[derive(Debug)]
pub(super) struct Held {
    asked: Arc<Mutex<HashSet<Asked>>>,
    id: Asked,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.remove(&self.id);
    }
}

/// Which sessions a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Resuming,
    Plain,
}

impl Sessions {
    pub(super) fn new() -> Self {
        let manager = |retry| {
            let mut config = SessionConfig::default();
            config.keep_alive = Some(KEPT);
            config.sse_retry = retry;
            let mut manager = LocalSessionManager::default();
            manager.session_config = config;
            Arc::new(manager)
        };
        Self {
            resuming: manager(Some(RETRY)),
            plain: manager(None),
            used: Mutex::default(),
            asked: Arc::default(),
        }
    }

    pub(super) fn retry() -> Duration {
        RETRY
    }

    /// For a client that begins, of this version.
    pub(super) fn of_version(version: Option<&str>) -> Which {
        if version.is_some_and(|version| version >= RESUMES) {
            Which::Resuming
        } else {
            Which::Plain
        }
    }

    /// Where the session is, if it is; it counts as used now.
    pub(super) async fn find(&self, id: &str) -> Option<Which> {
        let key = id.to_owned().into();
        for (which, manager) in [
            (Which::Resuming, &self.resuming),
            (Which::Plain, &self.plain),
        ] {
            if let Ok(true) = manager.has_session(&key).await {
                self.lock().insert(id.to_owned(), Instant::now());
                return Some(which);
            }
        }
        None
    }

    /// Takes an id for a request; nothing while the session waits for another one with it: one answer could not be told from the other.
    pub(super) fn hold(&self, session: &str, id: &Value) -> Option<Held> {
        let id = (session.to_owned(), id.to_string());
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.insert(id.clone()).then(|| Held {
            asked: Arc::clone(&self.asked),
            id,
        })
    }

    /// Makes room for one more; whether there is.
    pub(super) async fn room(&self) -> bool {
        let mut open: Vec<String> = Vec::new();
        for manager in [&self.resuming, &self.plain] {
            open.extend(
                manager
                    .sessions
                    .read()
                    .await
                    .keys()
                    .map(ToString::to_string),
            );
        }
        let oldest = {
            let mut used = self.lock();
            used.retain(|id, _| open.contains(id));
            if open.len() < SESSIONS_MAX {
                return true;
            }
            let of = |id: &String| used.get(id).copied();
            // one that was never used after it began counts as used longest ago
            open.into_iter().min_by_key(of)
        };
        let Some(oldest) = oldest else { return false };
        let last = self.lock().get(&oldest).copied();
        if last.is_some_and(|last| last.elapsed() < IN_USE) {
            return false;
        }
        let key = oldest.into();
        let (one, other) = (
            self.resuming.close_session(&key).await,
            self.plain.close_session(&key).await,
        );
        one.is_ok() || other.is_ok()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Instant>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
