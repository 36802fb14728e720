//! What a running call tells its client: progress, when the client gave a token for it; log lines, from the level that the
//! client asked for. Both are bounded, and neither ever holds up the call.
//!
//! Progress only grows. At most [`PER_SECOND`] reports are sent in a second, the last one always; a call that is silent for
//! [`HEARTBEAT`] says that it is still at work, so that clients do not give it up.
#![expect(
    deprecated,
    reason = "the newest protocol version deprecates logging and still has it; clients use it"
)]

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ensemble_runtime::{CatalogPart, Events, Level};
use rmcp::model::{
    LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken,
};
use rmcp::{Peer, RoleServer};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::lists::Lists;
use crate::updates::Updates;

/// Reports of progress in one second: more than a person can follow.
const PER_SECOND: u32 = 20;

/// Clients give a call up after 60 seconds of silence, some after 30.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Notifications that may wait for a slow client; what does not fit is counted and named at the end.
const QUEUE: usize = 64;

/// By how much a heartbeat grows the progress: it has to grow, and it should not overtake the next real step.
const BEAT: f64 = 0.001;

/// From which level a client wants log lines; nothing, unless it asked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Threshold(Option<LoggingLevel>);

impl Threshold {
    pub(crate) fn from(level: Option<LoggingLevel>) -> Self {
        Self(level)
    }

    fn lets(self, level: LoggingLevel) -> bool {
        self.0.is_some_and(|least| rank(level) >= rank(least))
    }
}

fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}

fn level_of(level: Level) -> LoggingLevel {
    match level {
        Level::Debug => LoggingLevel::Debug,
        Level::Info => LoggingLevel::Info,
        Level::Warning => LoggingLevel::Warning,
        Level::Error => LoggingLevel::Error,
    }
}

#[derive(Debug)]
enum Told {
    Progress(Report),
    Log(LoggingLevel, String),
}

#[derive(Debug, Clone, PartialEq)]
struct Report {
    done: f64,
    total: Option<f64>,
    message: Option<String>,
}

/// Who hears of changes besides the client that called.
#[derive(Debug)]
pub(crate) struct Listeners {
    pub(crate) lists: Lists,
    /// Nobody where the call works in another space than resources show.
    pub(crate) updates: Option<Updates>,
}

/// The call's side.
#[derive(Debug)]
pub(crate) struct CallEvents {
    plugin: String,
    wants_progress: bool,
    threshold: Threshold,
    queue: mpsc::Sender<Told>,
    pace: Mutex<Pace>,
    listeners: Listeners,
    given_up: CancellationToken,
}

/// The client's side: has to be run beside the call.
#[derive(Debug)]
pub(crate) struct Teller {
    queue: mpsc::Receiver<Told>,
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    plugin: String,
    last: Option<Report>,
}

#[derive(Debug)]
struct Pace {
    second: Instant,
    sent: u32,
    done: f64,
    /// The newest report that was not sent.
    pending: Option<Report>,
    /// The lists that this call has said to be changed.
    changed: Vec<CatalogPart>,
    left_out: u32,
}

/// The two sides of one call.
pub(crate) fn events(
    plugin: &str,
    listeners: Listeners,
    token: Option<ProgressToken>,
    threshold: Threshold,
    peer: Peer<RoleServer>,
    given_up: CancellationToken,
) -> (CallEvents, Teller) {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let call = CallEvents {
        plugin: plugin.to_owned(),
        wants_progress: token.is_some(),
        threshold,
        queue: sender,
        pace: Mutex::new(Pace::new(Instant::now())),
        listeners,
        given_up,
    };
    let teller = Teller {
        queue: receiver,
        peer,
        token,
        plugin: plugin.to_owned(),
        last: None,
    };
    (call, teller)
}

impl Pace {
    fn new(now: Instant) -> Self {
        Self {
            second: now,
            sent: 0,
            done: f64::NEG_INFINITY,
            pending: None,
            changed: Vec::new(),
            left_out: 0,
        }
    }

    /// What may be sent now of what was reported.
    fn admit(&mut self, report: Report, now: Instant) -> Option<Report> {
        if !report.done.is_finite() || report.done <= self.done {
            return None;
        }
        self.done = report.done;
        if now.saturating_duration_since(self.second) >= Duration::from_secs(1) {
            self.second = now;
            self.sent = 0;
        }
        if self.sent >= PER_SECOND {
            self.pending = Some(report);
            return None;
        }
        self.sent += 1;
        self.pending = None;
        Some(report)
    }
}

impl CallEvents {
    fn pace(&self) -> std::sync::MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was kept back: the newest report, and how many lines did not fit.
    fn kept_back(&self) -> (Option<Report>, u32) {
        let mut pace = self.pace();
        (pace.pending.take(), std::mem::take(&mut pace.left_out))
    }
}

impl Events for CallEvents {
    fn log(&self, level: Level, message: &str) {
        let plugin = self.plugin.as_str();
        match level {
            Level::Debug => tracing::debug!(plugin, "{message}"),
            Level::Info => tracing::info!(plugin, "{message}"),
            Level::Warning => tracing::warn!(plugin, "{message}"),
            Level::Error => tracing::error!(plugin, "{message}"),
        }
        let level = level_of(level);
        if self.threshold.lets(level) {
            let told = Told::Log(level, message.to_owned());
            if self.queue.try_send(told).is_err() {
                self.pace().left_out += 1;
            }
        }
    }

    fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        if !self.wants_progress {
            return;
        }
        let report = Report {
            done,
            total: total.filter(|total| total.is_finite()),
            message: message.map(ToOwned::to_owned),
        };
        let mut pace = self.pace();
        if let Some(report) = pace.admit(report, Instant::now())
            && let Err(mpsc::error::TrySendError::Full(Told::Progress(report))) =
                self.queue.try_send(Told::Progress(report))
        {
            pace.pending = Some(report);
        }
    }

    // The lists show approved surfaces, and a client that reads them again finds those. Once for each list and call: a guest that
    // says it in a loop must not make every client read in a loop.
    fn changed(&self, which: CatalogPart) {
        let mut pace = self.pace();
        if !pace.changed.contains(&which) {
            pace.changed.push(which);
            drop(pace);
            self.listeners.lists.tell(which);
        }
    }

    // The hub tells of its records by itself; this is for what only the guest knows of.
    fn resource_updated(&self, uri: &str) {
        tracing::debug!(plugin = self.plugin, "resource updated");
        if let Some(updates) = &self.listeners.updates {
            updates.tell(uri);
        }
    }

    fn cancelled(&self) -> bool {
        self.given_up.is_cancelled()
    }
}

impl Teller {
    /// Passes on what the call tells, until dropped. It does not end by itself.
    pub(crate) async fn run(&mut self) -> std::convert::Infallible {
        let mut silent_since = Instant::now();
        let started = silent_since;
        loop {
            let silence = tokio::time::sleep_until(silent_since + HEARTBEAT);
            tokio::select! {
                Some(told) = self.queue.recv() => self.tell(told).await,
                () = silence => {
                    let sign = beat(self.last.as_ref(), started.elapsed());
                    self.tell(Told::Progress(sign)).await;
                }
            }
            silent_since = Instant::now();
        }
    }

    /// Passes on what is left when the call is over.
    pub(crate) async fn finish(mut self, events: &CallEvents) {
        while let Ok(told) = self.queue.try_recv() {
            self.tell(told).await;
        }
        let (report, left_out) = events.kept_back();
        if let Some(report) = report {
            self.tell(Told::Progress(report)).await;
        }
        if left_out > 0 {
            let cut = format!("{left_out} more log lines of this call were left out.");
            self.tell(Told::Log(LoggingLevel::Warning, cut)).await;
        }
    }

    // A client that cannot be told has left, and the end of the connection ends the call.
    async fn tell(&mut self, told: Told) {
        let sent = match told {
            Told::Progress(report) => {
                let Some(token) = &self.token else { return };
                // a heartbeat may have gone past it
                if self.last.as_ref().is_some_and(|l| report.done <= l.done) {
                    return;
                }
                let mut param = ProgressNotificationParam::new(token.clone(), report.done);
                param.total = report.total;
                param.message.clone_from(&report.message);
                self.last = Some(report);
                self.peer.notify_progress(param).await
            }
            Told::Log(level, message) => {
                let param = LoggingMessageNotificationParam::new(level, Value::String(message))
                    .with_logger(self.plugin.clone());
                self.peer.notify_logging_message(param).await
            }
        };
        if let Err(error) = sent {
            tracing::debug!("a notification was not sent: {error}");
        }
    }
}

/// The sign of life of a call that reported this last.
fn beat(last: Option<&Report>, since: Duration) -> Report {
    let (done, total) = last.map_or((0.0, None), |last| (last.done, last.total));
    Report {
        done: done + BEAT,
        total,
        message: Some(format!("Still at work after {} seconds.", since.as_secs())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(done: f64) -> Report {
        Report {
            done,
            total: None,
            message: None,
        }
    }

    #[test]
    fn progress_grows_and_keeps_its_pace() {
        let now = Instant::now();
        let mut pace = Pace::new(now);
        let sent = |pace: &mut Pace, done| pace.admit(report(done), now).is_some();
        assert!(sent(&mut pace, 0.0));
        assert!(!sent(&mut pace, 0.0), "it did not grow");
        assert!(!sent(&mut pace, -1.0) && !sent(&mut pace, f64::NAN));
        let count = (1..100).filter(|n| sent(&mut pace, f64::from(*n))).count();
        assert_eq!(count, 19);
        assert_eq!(pace.pending, Some(report(99.0)), "the newest one is kept");
        let later = now + Duration::from_secs(1);
        assert!(pace.admit(report(100.0), later).is_some());
        assert_eq!(pace.pending, None);
    }

    #[test]
    fn a_sign_of_life_grows_too_and_leaves_room_for_the_next_step() {
        let first = beat(None, HEARTBEAT);
        let second = beat(Some(&first), 2 * HEARTBEAT);
        assert!(second.done > first.done && second.done < 1.0);
        assert_eq!(
            second.message.as_deref(),
            Some("Still at work after 20 seconds.")
        );
        let step = Report {
            total: Some(5.0),
            ..report(3.0)
        };
        let third = beat(Some(&step), HEARTBEAT);
        assert!(third.done > 3.0 && third.done < 4.0 && third.total == Some(5.0));
    }

    #[test]
    fn nothing_is_logged_to_a_client_that_did_not_ask() {
        let warning = Threshold::from(Some(LoggingLevel::Warning));
        assert!(!Threshold::default().lets(LoggingLevel::Emergency));
        assert!(!warning.lets(LoggingLevel::Info));
        assert!(warning.lets(LoggingLevel::Warning) && warning.lets(LoggingLevel::Error));
    }
}
