//! A file that is being saved has no limit on the whole: its call ends when nothing arrives any more. So each piece that arrives lets the
//! time of the call begin anew. The guest does nothing meanwhile; what it does after it has a bound again.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use ensemble_model::Clock;

use crate::ports::{Download, PortFuture};

/// The instant from which the time of a call counts.
#[derive(Debug, Clone)]
pub(super) struct CountsFrom(Arc<Mutex<Instant>>);

impl CountsFrom {
    pub(super) fn new(started: Instant) -> Self {
        Self(Arc::new(Mutex::new(started)))
    }

    pub(super) fn get(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, now: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }
}

/// A download whose pieces let the time of the call begin anew.
#[derive(Debug)]
pub(super) struct Arriving {
    pub(super) download: Box<dyn Download>,
    pub(super) counts_from: CountsFrom,
    pub(super) clock: Arc<dyn Clock>,
}

impl Download for Arriving {
    fn size(&self) -> Option<u64> {
        self.download.size()
    }

    fn sha256(&self) -> Option<&str> {
        self.download.sha256()
    }

    fn next(&mut self) -> PortFuture<'_, Option<Vec<u8>>> {
        Box::pin(async {
            let next = self.download.next().await?;
            // an empty piece is no progress
            if next.as_ref().is_some_and(|bytes| !bytes.is_empty()) {
                self.counts_from.set(self.clock.instant());
            }
            Ok(next)
        })
    }
}
