//! One call: a fresh instance, until its answer or its end. Whatever ends it, the store is dropped and never entered again.
//!
//! The deadline holds twice. A guest that computes is stopped by the epoch, which also makes it yield at every tick, so that
//! it cannot hold a thread of the executor, and one that goes on for long shares a lane with others like it ([`paced`]). A guest that waits for the host is not seen by the epoch; the timer around the
//! whole call drops it, and with it the request that it waits for.

mod live;
mod paced;

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use ensemble_broker::{Fault, Session};
use ensemble_model::{Limits, PluginId};
use wasmtime::component::ResourceTable;
use wasmtime::{Trap, UpdateDeadline};
use wasmtime_wasi::{I32Exit, WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_io::IoView;

use crate::limiter::{Limiter, Met};
use crate::log::CallLog;
use crate::offer::NotShowable;
use crate::registry::LoadError;

pub(crate) use live::Live;
pub(crate) use paced::Lane;

/// Characters of a reason; the engine's are one short sentence.
const MAX_REASON: usize = 200;

/// Why a call gave no result. Each text is one sentence for a person, and names the plugin where it is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The component answered so.
    #[error(transparent)]
    Guest(#[from] Fault),
    /// The component is not loaded and will not be.
    #[error(transparent)]
    Refused(#[from] LoadError),
    /// The component broke off.
    #[error(
        "The plugin {plugin} broke off ({reason}): nothing of the call is left, and the next one starts afresh."
    )]
    Trapped {
        /// Which plugin.
        plugin: PluginId,
        /// What the engine says, without addresses.
        reason: String,
    },
    /// The component wanted more than one call may hold.
    #[error("The plugin {plugin} was stopped: it wanted {what}, which one call may not have.")]
    Limit {
        /// Which plugin.
        plugin: PluginId,
        /// Which limit, with its number.
        what: String,
    },
    /// The call was not over in time.
    #[error("The plugin {plugin} was stopped: one call may take {}, and it was not done.", seconds(*limit))]
    Deadline {
        /// Which plugin.
        plugin: PluginId,
        /// The time that it had.
        limit: Duration,
    },
    /// The answer is larger than one may be.
    #[error(
        "The plugin {plugin} answered {bytes} bytes, and one answer may have {limit}: ask for less at once."
    )]
    OutputTooLarge {
        /// Which plugin.
        plugin: PluginId,
        /// Its answer.
        bytes: usize,
        /// The most.
        limit: usize,
    },
    /// The answer is not one that can be passed on.
    #[error("The plugin {plugin} gave an answer that cannot be shown: {reason}.")]
    BadOutput {
        /// Which plugin.
        plugin: PluginId,
        /// What is wrong with it.
        reason: String,
    },
    /// The component has no such export.
    #[error("The plugin {plugin} has no {what}.")]
    NoExport {
        /// Which plugin.
        plugin: PluginId,
        /// `tools`, `resources`, `prompts` or `completion`.
        what: &'static str,
    },
    /// Too many calls are waiting already.
    #[error("The bridge is busy: {waiting} calls are waiting already. Try again in a moment.")]
    Busy {
        /// How many may wait.
        waiting: usize,
    },
}

impl CallError {
    /// The word under which the decision log files it.
    fn word(&self) -> &'static str {
        match self {
            Self::Guest(fault) => fault.word(),
            Self::Refused(_) => "refused",
            Self::Trapped { .. } => "trapped",
            Self::Limit { .. } => "limit",
            Self::Deadline { .. } => "deadline",
            Self::OutputTooLarge { .. } => "output-too-large",
            Self::BadOutput { .. } => "bad-output",
            Self::NoExport { .. } => "no-export",
            Self::Busy { .. } => "busy",
        }
    }
}

fn seconds(time: Duration) -> String {
    if time.subsec_millis() == 0 {
        format!("{} seconds", time.as_secs())
    } else {
        format!("{} milliseconds", time.as_millis())
    }
}

/// Runs a call to its end or to the session's deadline, and tells the session how it ended. Dropped before that, the
/// session files it as cancelled.
pub(crate) async fn concluded<T>(
    plugin: &PluginId,
    session: &Arc<Session>,
    lane: &Lane,
    work: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    let work = pin!(work);
    let mut work = pin!(paced::paced(lane, work));
    let outcome = loop {
        match tokio::time::timeout(session.remaining(), work.as_mut()).await {
            Ok(outcome) => break outcome,
            // a file that is being saved has moved the deadline
            Err(_) if !session.remaining().is_zero() => {}
            Err(_) => {
                break Err(CallError::Deadline {
                    plugin: plugin.clone(),
                    limit: session.limits().deadline,
                });
            }
        }
    };
    session.ended(outcome.as_ref().err().map(|e| e.word().to_owned()));
    outcome
}

/// What the host keeps for one instance.
pub(crate) struct CallState {
    session: Arc<Session>,
    pub(crate) log: CallLog,
    limiter: Limiter,
    wasi: WasiCtx,
    table: ResourceTable,
}

impl CallState {
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// What to do when the epoch has advanced: let others run, or end.
    fn at_tick(&self) -> wasmtime::Result<UpdateDeadline> {
        if self.session.remaining().is_zero() {
            return Err(Overdue.into());
        }
        Ok(UpdateDeadline::Yield(1))
    }
}

impl WasiView for CallState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl IoView for CallState {
    fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }
}

/// Ends a guest that computes past its deadline.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("overdue")]
struct Overdue;

/// What became of a guest, from the error with which it ended.
fn verdict(plugin: &PluginId, session: &Session, error: &wasmtime::Error) -> CallError {
    let plugin = plugin.clone();
    if error.is::<Overdue>() {
        return CallError::Deadline {
            plugin,
            limit: session.limits().deadline,
        };
    }
    if let Some(what) = limit_met(error, session.limits()) {
        return CallError::Limit { plugin, what };
    }
    let reason = if let Some(trap) = error.downcast_ref::<Trap>() {
        trap.to_string()
    } else if let Some(exit) = error.downcast_ref::<I32Exit>() {
        format!("it ended itself with code {}", exit.0)
    } else {
        cut(&error.root_cause().to_string())
    };
    CallError::Trapped { plugin, reason }
}

/// Which limit ended a guest, if one did.
fn limit_met(error: &wasmtime::Error, limits: &Limits) -> Option<String> {
    if let Some(met) = error.downcast_ref::<Met>() {
        return Some(met.to_string());
    }
    if error.downcast_ref::<Trap>() == Some(&Trap::StackOverflow) {
        return Some("a deeper stack".to_owned());
    }
    // the engine has no types for these
    let said = error.root_cause().to_string();
    if said.contains("store handle limit exceeded") {
        return Some(format!("more than {} handles", limits.handles));
    }
    let exhausted = "fuel allocated for hostcalls has been exhausted";
    said.contains(exhausted).then(|| {
        format!(
            "to hand over more than {} MiB at once",
            limits.hostcall_bytes >> 20
        )
    })
}

/// What the engine says, fit for a sentence.
fn cut(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MAX_REASON)
        .collect()
}

fn not_showable(plugin: &PluginId, reason: NotShowable) -> CallError {
    match reason {
        NotShowable::Unknown => CallError::BadOutput {
            plugin: plugin.clone(),
            reason: reason.to_string(),
        },
        // what became of the file, in the words of the broker or the hub
        NotShowable::Fault(fault) => CallError::Guest(fault),
    }
}
