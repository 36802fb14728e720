//! A fair queue in front of the pool of instances: a call waits its turn, in the order of arrival, and is refused only when
//! the queue itself is full.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The gate. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    turns: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    max_waiting: usize,
}

/// The right to one instance, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _permit: OwnedSemaphorePermit,
}

/// The queue is full; holds how many may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full(pub(crate) usize);

impl Gate {
    pub(crate) fn new(max_live: usize, max_waiting: usize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(max_live)),
            waiting: Arc::new(AtomicUsize::new(0)),
            max_waiting,
        }
    }

    /// Waits for a turn. Dropping the future gives the place in the queue up.
    pub(crate) async fn enter(&self) -> Result<Turn, Full> {
        if let Ok(permit) = Arc::clone(&self.turns).try_acquire_owned() {
            return Ok(Turn { _permit: permit });
        }
        let _place = Place::take(&self.waiting, self.max_waiting)?;
        // the semaphore is never closed
        let permit = Arc::clone(&self.turns)
            .acquire_owned()
            .await
            .map_err(|_| Full(self.max_waiting))?;
        Ok(Turn { _permit: permit })
    }
}

struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(waiting: &'a AtomicUsize, max: usize) -> Result<Self, Full> {
        waiting
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |now| {
                (now < max).then_some(now + 1)
            })
            .map(|_| Self(waiting))
            .map_err(|_| Full(max))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::task::{Context, Waker};

    use super::*;

    #[test]
    fn one_more_than_may_wait_is_refused_and_a_given_up_place_is_free_again() {
        let gate = Gate::new(1, 1);
        let mut cx = Context::from_waker(Waker::noop());
        let mut first = Box::pin(gate.enter());
        let turn = match first.as_mut().poll(&mut cx) {
            std::task::Poll::Ready(turn) => turn.unwrap(),
            std::task::Poll::Pending => panic!("the gate was free"),
        };
        let mut second = Box::pin(gate.enter());
        assert!(second.as_mut().poll(&mut cx).is_pending());
        let mut third = Box::pin(gate.enter());
        assert!(matches!(
            third.as_mut().poll(&mut cx),
            std::task::Poll::Ready(Err(Full(1)))
        ));
        drop(second);
        let mut fourth = Box::pin(gate.enter());
        assert!(fourth.as_mut().poll(&mut cx).is_pending());
        drop(turn);
        assert!(fourth.as_mut().poll(&mut cx).is_ready());
    }
}
