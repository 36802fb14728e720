//! A call that computes for long leaves room for the others.
//!
//! A guest that spins yields at every tick of the epoch, and the executor lets it go on after whatever else waits. With one such guest on each
//! of the executor's threads there is nothing but those ticks: every step of every other call waits for one, and news from outside are looked
//! at only once in many of them. So calls that have computed for [`BRISK_CALL`] go on in a lane of their own, which is one thread narrower
//! than the executor, one at a time and in turn. A call is in the lane while it computes, and not while it waits for the hub.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use ensemble_model::limits::BRISK_CALL;
use tokio::runtime::Handle;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// The lane of one runtime. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lane(Arc<OnceLock<Arc<Semaphore>>>);

type Place = Result<OwnedSemaphorePermit, AcquireError>;

impl Lane {
    /// As wide as the executor that asks first has threads, but one; one where it has no more.
    fn places(&self) -> Arc<Semaphore> {
        let wide = || Handle::current().metrics().num_workers().saturating_sub(1);
        let places = self
            .0
            .get_or_init(|| Arc::new(Semaphore::new(wide().max(1))));
        Arc::clone(places)
    }
}

/// Runs the work, in the lane once it has computed for long. The work stays where it is: calls are large, and many.
pub(super) fn paced<'a, T>(
    lane: &'a Lane,
    mut work: Pin<&'a mut (impl Future<Output = T> + 'a)>,
) -> impl Future<Output = T> + 'a {
    let mut spent = Duration::ZERO;
    let mut turn = Turn::default();
    poll_fn(move |context| {
        let place = if spent < BRISK_CALL {
            None
        } else {
            Some(ready!(turn.poll(lane, context)))
        };
        let began = Instant::now();
        let step = work.as_mut().poll(context);
        spent += began.elapsed();
        // whoever is next goes on when this step is over
        drop(place);
        step
    })
}

/// A place that is waited for; it is kept from one look to the next, so that the turn is not lost.
#[derive(Default)]
struct Turn(Option<Pin<Box<dyn Future<Output = Place> + Send>>>);

impl Turn {
    fn poll(&mut self, lane: &Lane, context: &mut Context<'_>) -> Poll<Place> {
        let waiting = self
            .0
            .get_or_insert_with(|| Box::pin(lane.places().acquire_owned()));
        let place = ready!(waiting.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(place)
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Computes for a moment, and lets others run.
    async fn steps(of: usize, each: Duration, inside: &AtomicUsize, most: &AtomicUsize) {
        for _ in 0..of {
            most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            let began = Instant::now();
            while began.elapsed() < each {
                std::hint::spin_loop();
            }
            inside.fetch_sub(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 3)]
    async fn long_ones_leave_a_thread_free_and_all_end() {
        let lane = Lane::default();
        let counts = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let mut calls = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let (lane, counts) = (lane.clone(), Arc::clone(&counts));
            calls.spawn(async move {
                let nothing = AtomicUsize::new(0);
                let long = async {
                    steps(1, BRISK_CALL, &nothing, &AtomicUsize::new(0)).await;
                    steps(20, Duration::from_millis(2), &counts.0, &counts.1).await;
                };
                paced(&lane, pin!(long)).await;
            });
        }
        assert_eq!(calls.join_all().await.len(), 6);
        assert!(counts.1.load(Ordering::SeqCst) <= 2);
    }

    #[tokio::test]
    async fn what_is_given_up_while_it_waits_takes_no_place() {
        let lane = Lane::default();
        let held = lane.places().acquire_owned().await.unwrap();
        let (nothing, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut work = Box::pin(steps(3, BRISK_CALL, &nothing, &most));
        let mut long = Box::pin(paced(&lane, work.as_mut()));
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert!(long.as_mut().poll(&mut context).is_pending());
        assert!(long.as_mut().poll(&mut context).is_pending());
        drop(long);
        drop(held);
        paced(&lane, pin!(steps(3, BRISK_CALL, &nothing, &most))).await;
        assert_eq!(lane.places().available_permits(), 1);
    }
}
