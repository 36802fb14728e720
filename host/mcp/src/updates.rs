//! Who is told that a resource reads otherwise now. One follower for the process asks the hub, from the first subscription
//! to the last; each subscription hears all of it and passes on what its client asked for.
//!
//! Nothing is missed in silence: where it is not known what changed (the hub was away when it began, the key opens another
//! space now, a client was too slow), every subscribed resource counts as changed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ensemble_broker::{Broker, Fault};
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::task::AbortOnDropHandle;

use crate::bridge::FIRST_ANSWER;

/// Answers of the hub that may wait for a slow client; what is more counts as everything.
const QUEUE: usize = 64;

/// After an answer the next question waits this long, so that a storm of changes is some answers and not one each.
const GATHER: Duration = Duration::from_millis(100);

/// The pause after a failure, doubled from the first to the last.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// What reads otherwise now.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Told {
    These(Arc<[String]>),
    /// It is not known what.
    Everything,
}

/// All subscriptions of the process, and their follower. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Updates {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    broker: Broker,
    told: broadcast::Sender<Told>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    subscriptions: usize,
    follower: Option<Follower>,
}

#[derive(Debug)]
struct Follower {
    /// Whether the hub has answered for the first time, one way or the other.
    settled: watch::Receiver<bool>,
    _task: AbortOnDropHandle<()>,
}

/// One subscription; dropping the last one ends the follower.
#[derive(Debug)]
pub(crate) struct Subscription {
    told: broadcast::Receiver<Told>,
    shared: Arc<Shared>,
}

impl Updates {
    pub(crate) fn new(broker: Broker) -> Self {
        let (told, _) = broadcast::channel(QUEUE);
        Self {
            shared: Arc::new(Shared {
                broker,
                told,
                state: Mutex::default(),
            }),
        }
    }

    /// Hears every change from now on. Waits until the follower has begun, but not for a hub that does not answer.
    pub(crate) async fn subscribe(&self) -> Subscription {
        let (subscription, mut settled) = self.enter();
        let _in_time = timeout(FIRST_ANSWER, settled.wait_for(|settled| *settled)).await;
        subscription
    }

    fn enter(&self) -> (Subscription, watch::Receiver<bool>) {
        let mut state = self.shared.lock();
        state.subscriptions += 1;
        let subscription = Subscription {
            told: self.shared.told.subscribe(),
            shared: Arc::clone(&self.shared),
        };
        let follower = state.follower.get_or_insert_with(|| {
            let (settle, settled) = watch::channel(false);
            let broker = self.shared.broker.clone();
            let task = tokio::spawn(follow(broker, self.shared.told.clone(), settle));
            Follower {
                settled,
                _task: AbortOnDropHandle::new(task),
            }
        });
        (subscription, follower.settled.clone())
    }

    /// A guest says that a resource reads otherwise now.
    pub(crate) fn tell(&self, uri: &str) {
        // an error is that nobody has subscribed
        let _heard = self
            .shared
            .told
            .send(Told::These(Arc::from([uri.to_owned()])));
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscription {
    /// The next change of what `wanted` says; `None` when nothing more can come.
    pub(crate) async fn next(&mut self) -> Option<News> {
        match self.told.recv().await {
            Ok(told) => Some(News(told)),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(News(Told::Everything)),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.subscriptions -= 1;
        if state.subscriptions == 0 {
            state.follower = None;
        }
    }
}

/// What was told to a subscription.
#[derive(Debug)]
pub(crate) struct News(Told);

impl News {
    /// Those of the wanted resources that it is about, in a fixed order.
    pub(crate) fn among(&self, wanted: &HashSet<String>) -> Vec<String> {
        let mut uris: Vec<String> = match &self.0 {
            Told::Everything => wanted.iter().cloned().collect(),
            Told::These(uris) => {
                let about = uris.iter().filter(|uri| wanted.contains(*uri));
                about.cloned().collect()
            }
        };
        uris.sort_unstable();
        uris
    }
}

/// Asks the hub until it is aborted.
async fn follow(broker: Broker, told: broadcast::Sender<Told>, settled: watch::Sender<bool>) {
    let started = Instant::now();
    let mut following = broker.following();
    let mut key = broker.watch();
    // whoever subscribed can have read something before it begins
    let mut late = false;
    let mut pause = PAUSES.0;
    loop {
        let step = tokio::select! {
            step = following.next() => step,
            // another key, or none: what is under way was asked with the old one
            Ok(()) = key.changed() => continue,
        };
        match step {
            Ok(step) => {
                late |= started.elapsed() >= FIRST_ANSWER;
                if step.began && late {
                    let _heard = told.send(Told::Everything);
                } else if !step.resources.is_empty() {
                    let _heard = told.send(Told::These(step.resources.into()));
                }
                late = true;
                pause = PAUSES.0;
                settled.send_replace(true);
                if !step.more {
                    sleep(GATHER).await;
                }
            }
            Err(refused) => {
                late = true;
                settled.send_replace(true);
                tracing::debug!("changes are not followed now: {}", refused.fault);
                if refused.key_refused {
                    if key.wait_for(Option::is_some).await.is_err() {
                        return;
                    }
                    continue;
                }
                let asked = if let Fault::RateLimited(seconds) = refused.fault {
                    Duration::from_secs(seconds.into())
                } else {
                    Duration::ZERO
                };
                sleep(pause.max(asked)).await;
                pause = (pause * 2).min(PAUSES.1);
            }
        }
    }
}
