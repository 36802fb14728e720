//! The sink of the broker's decisions: a queue and a thread of its own, so that no call waits for a disk or for another process. What cannot
//! be written is said once on the log of the process, counted in the decision log when it can be written again, and never fails a call.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ensemble_broker::{Decision, DecisionSink};
use ensemble_model::Clock;

use crate::append::Appender;
use crate::files::Place;
use crate::head::SealKey;
use crate::line::LINE_MAX;

/// Lines that may wait for the disk. A call writes a handful; a thousand parallel calls still fit.
const WAITING: usize = 8_192;
/// One turn writes about this much at most.
const BATCH_BYTES: usize = 64 << 10;
/// What the chain and the names around a decision take.
const CHAIN_BYTES: usize = 512;
/// How long the end of the process waits for the last lines: another process may have stopped in its turn.
const LAST: Duration = Duration::from_secs(5);

/// The sink; dropping it writes what still waits.
#[derive(Debug)]
pub struct DecisionLog {
    running: Mutex<Option<Running>>,
    lost: Arc<AtomicU64>,
}

#[derive(Debug)]
struct Running {
    queue: SyncSender<String>,
    /// Never sent on; it is disconnected when the thread has ended.
    ended: Receiver<()>,
}

impl DecisionLog {
    /// Appends to the log at this place. Nothing is opened before the first line. With a key, the head is sealed.
    pub fn to(place: Place, key: Option<SealKey>, clock: Arc<dyn Clock>) -> Self {
        Self::with(Appender::new(place, key, clock))
    }

    pub(crate) fn with(appender: Appender) -> Self {
        let lost = Arc::new(AtomicU64::new(0));
        let (queue, lines) = sync_channel(WAITING);
        let (alive, ended) = sync_channel(0);
        let missed = Arc::clone(&lost);
        let writer = std::thread::Builder::new()
            .name("decision-log".to_owned())
            .spawn(move || {
                write_lines(&appender, &lines, &missed);
                drop(alive);
            });
        let running = match writer {
            Ok(_) => Some(Running { queue, ended }),
            Err(error) => {
                tracing::warn!(%error, "the decision log is off: no thread for it");
                None
            }
        };
        Self {
            running: Mutex::new(running),
            lost,
        }
    }

    /// Writes nowhere: there is no folder for it.
    pub fn off() -> Self {
        Self {
            running: Mutex::new(None),
            lost: Arc::default(),
        }
    }

    /// How many lines could not be written so far.
    #[cfg(test)]
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Writes what waits and ends the thread. Later lines go nowhere.
    pub fn close(&self) {
        self.close_within(LAST);
    }

    pub(crate) fn close_within(&self, limit: Duration) {
        let running = self.running.lock().ok().and_then(|mut it| it.take());
        let Some(Running { queue, ended }) = running else {
            return;
        };
        drop(queue);
        if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            tracing::warn!(
                "the last lines of the decision log were not written: another process holds it"
            );
        }
        let lost = self.lost.swap(0, Ordering::Relaxed);
        if lost > 0 {
            tracing::warn!(lost, "lines of the decision log were lost");
        }
    }
}

impl DecisionSink for DecisionLog {
    fn record(&self, decision: &Decision) {
        let Ok(line) = serde_json::to_string(decision) else {
            return;
        };
        let Ok(running) = self.running.lock() else {
            return;
        };
        let Some(running) = running.as_ref() else {
            return;
        };
        let taken = line.len() + CHAIN_BYTES <= LINE_MAX
            && !matches!(running.queue.try_send(line), Err(TrySendError::Full(_)));
        if !taken {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for DecisionLog {
    fn drop(&mut self) {
        self.close();
    }
}

fn write_lines(appender: &Appender, lines: &Receiver<String>, lost: &AtomicU64) {
    let mut said = false;
    let mut write = |batch: &[String]| {
        let missing = lost.swap(0, Ordering::Relaxed);
        if let Err(error) = appender.append(batch, missing) {
            lost.fetch_add(missing + batch.len() as u64, Ordering::Relaxed);
            if !said {
                said = true;
                say(appender, &error);
            }
        }
    };
    while let Ok(first) = lines.recv() {
        let mut size = first.len();
        let mut batch = vec![first];
        while size < BATCH_BYTES
            && let Ok(line) = lines.try_recv()
        {
            size += line.len();
            batch.push(line);
        }
        write(&batch);
    }
    if lost.load(Ordering::Relaxed) > 0 {
        write(&[]);
    }
}

fn say(appender: &Appender, error: &io::Error) {
    let path = appender.place.current().display();
    tracing::warn!(%path, %error, "the decision log cannot be written");
}
