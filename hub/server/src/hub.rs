//! The hub as one value: its store, its limits, and this run's launch token. Cheap to clone; clones are the same hub.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use axum::Router;
use jiff::tz::TimeZone;

use crate::admin::{Admin, Setting};
use crate::admission::ADMITTED_PER_MINUTE;
use crate::clock::HubClock;
use crate::limiter::WriteLimiter;
use crate::oauth;
use crate::secret::{KeyValue, same_hash};
use crate::store::{OpenError, Store, StoreError};
use crate::web::{Checks, HostPages};

/// The owner's name until the person gives another.
pub const OWNER_NAME: &str = "You";
/// The name of the owner's own space until the person gives another.
pub const HOME_NAME: &str = "Personal";
/// Where links to records point until the hub knows its own address.
const DEFAULT_BASE: &str = "http://127.0.0.1:4000";

/// A hub on its database.
#[derive(Clone, Debug)]
pub struct Hub(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    data_dir: PathBuf,
    writes: WriteLimiter,
    oauth: oauth::State,
    launch: KeyValue,
    launch_hash: String,
    base_url: OnceLock<String>,
    sign_ins: WriteLimiter,
    clock: Arc<dyn HubClock>,
    admissions: OnceLock<WriteLimiter>,
    password_checks: Checks,
    host: OnceLock<Arc<dyn HostPages>>,
}

/// Passwords that are tried for one name in a minute.
const SIGN_INS_PER_MINUTE: u32 = 10;

impl Hub {
    /// Opens the hub in `data_dir` (made when it is missing, for its owner alone), with an owner account and its own space.
    ///
    /// # Errors
    /// [`OpenError`]; its text is a sentence for the person.
    pub async fn open(data_dir: &Path, clock: Arc<dyn HubClock>) -> Result<Self, OpenError> {
        let store = Store::open(data_dir, Arc::clone(&clock)).await?;
        if let Err(error) = store.ensure_owner(OWNER_NAME, HOME_NAME).await {
            return Err(OpenError::Unusable { source: error });
        }
        let launch = KeyValue::random().map_err(|_| OpenError::Random)?;
        Ok(Self(Arc::new(Inner {
            store,
            data_dir: data_dir.to_owned(),
            oauth: oauth::State::new(&clock),
            writes: WriteLimiter::new(Arc::clone(&clock)),
            sign_ins: WriteLimiter::per_minute(Arc::clone(&clock), SIGN_INS_PER_MINUTE),
            admissions: OnceLock::new(),
            clock,
            password_checks: Checks::default(),
            host: OnceLock::new(),
            launch_hash: launch.hash(),
            launch,
            base_url: OnceLock::new(),
        })))
    }

    /// The store, for what is composed around the hub (demo data, administration).
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The folder that the hub was opened in.
    pub fn data_dir(&self) -> &Path {
        &self.0.data_dir
    }

    /// Keys and spaces, for the command line.
    pub fn admin(&self) -> Admin {
        Admin::new(self.0.store.clone())
    }

    /// All routes.
    pub fn router(&self) -> Router {
        crate::routes::router(self.clone())
    }

    /// The base of links to records, without a slash at its end.
    pub fn base_url(&self) -> &str {
        self.0.base_url.get().map_or(DEFAULT_BASE, String::as_str)
    }

    /// Sets the base of links once: the public URL when one is configured, else what [`crate::serve()`] listens on. A later call changes nothing.
    pub fn set_base_url(&self, url: &str) {
        self.0
            .base_url
            .get_or_init(|| url.trim_end_matches('/').to_owned());
    }

    /// Gives the pages what they show of the host that runs beside this hub. A later call changes nothing.
    pub fn set_host(&self, host: Arc<dyn HostPages>) {
        self.0.host.get_or_init(|| host);
    }

    pub(crate) fn host(&self) -> Option<Arc<dyn HostPages>> {
        self.0.host.get().cloned()
    }

    /// Sets how many requests a minute each space may make at `/mcp`, once. A later call changes nothing.
    pub fn set_admissions(&self, per_minute: u32) {
        let limiter = || WriteLimiter::per_minute(Arc::clone(&self.0.clock), per_minute);
        self.0.admissions.get_or_init(limiter);
    }

    pub(crate) fn admissions(&self) -> &WriteLimiter {
        let clock = || Arc::clone(&self.0.clock);
        let limiter = || WriteLimiter::per_minute(clock(), ADMITTED_PER_MINUTE);
        self.0.admissions.get_or_init(limiter)
    }

    pub(crate) fn sign_ins(&self) -> &WriteLimiter {
        &self.0.sign_ins
    }

    pub(crate) fn password_checks(&self) -> &Checks {
        &self.0.password_checks
    }

    /// The time zone of this account's person. One that this machine does not know is shown as what is used instead, UTC.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub async fn time_zone(&self, account: &str) -> Result<TimeZone, StoreError> {
        let name = self
            .0
            .store
            .setting(account, Setting::TimeZone.name())
            .await?;
        let zone = name.and_then(|name| TimeZone::get(&name).ok());
        Ok(zone.unwrap_or(TimeZone::UTC))
    }

    /// This run's token, which acts like a full key of the owner. It stands in `api.json` and nowhere else.
    pub fn launch_token(&self) -> &KeyValue {
        &self.0.launch
    }

    pub(crate) fn is_launch_hash(&self, hash: &str) -> bool {
        same_hash(&self.0.launch_hash, hash)
    }

    pub(crate) fn writes(&self) -> &WriteLimiter {
        &self.0.writes
    }

    pub(crate) fn oauth(&self) -> &oauth::State {
        &self.0.oauth
    }

    /// Sets once where documents about apps come from, instead of the public network. A later call changes nothing.
    pub fn set_documents(&self, source: Arc<dyn oauth::Documents>) {
        self.0.oauth.documents().get_or_init(|| source);
    }

    /// Sets once what `/.well-known/openai-apps-challenge` gives. A later call changes nothing.
    pub fn set_apps_challenge(&self, value: &str) {
        let kept = self.0.oauth.apps_challenge();
        kept.get_or_init(|| value.to_owned());
    }

    /// Lets running statements finish and closes the database.
    pub async fn close(&self) {
        self.0.store.close().await;
    }
}
