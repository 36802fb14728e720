//! Work that a library does on what anybody may have written: in its turn, on a thread of its own with a deep stack, and in time. A panic is
//! an answer and not the end of the hub; work that takes too long is given up, and keeps its turn until it ends, so that never more run than
//! there are turns. Reading waits for reading alone: a change that reads a source holds up other changes, and is not held up by a picture.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

/// A kind of work: how many pieces of it at the same time, and how long one may take, waiting for its turn included.
#[derive(Debug)]
pub(crate) struct Turns {
    at_once: Arc<Semaphore>,
    patience: Duration,
}

impl Turns {
    /// These many at once, for these seconds each.
    pub(crate) fn new(at_once: usize, seconds: u64) -> Self {
        Self {
            at_once: Arc::new(Semaphore::new(at_once)),
            patience: Duration::from_secs(seconds),
        }
    }
}

/// Sources: four at once, for three seconds each.
pub(crate) static READING: LazyLock<Turns> = LazyLock::new(|| Turns::new(4, 3));
/// Pictures: two at once, for fifteen seconds each.
pub(crate) static DRAWING: LazyLock<Turns> = LazyLock::new(|| Turns::new(2, 15));

/// Bytes of a thread's stack; only what is used of it takes memory. Sources are bounded, so how deep they nest is too.
const STACK: usize = 256 << 20;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gone {
    /// It did not come in time.
    Slow,
    /// The library failed on it.
    Broken,
}

/// What `work` answers.
///
/// # Errors
/// [`Gone`] if it panics or takes too long.
pub(crate) async fn run<T: Send + 'static>(
    turns: &Turns,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Gone> {
    let at_once = Arc::clone(&turns.at_once);
    let answered = timeout(turns.patience, async {
        let turn = at_once.acquire_owned().await.map_err(|_| Gone::Broken)?;
        let (answer, answered) = oneshot::channel();
        std::thread::Builder::new()
            .name("drawing".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let _turn = turn;
                // Nobody waits any more where this fails.
                drop(answer.send(work()));
            })
            .map_err(|_| Gone::Broken)?;
        // A panic drops the sender.
        answered.await.map_err(|_| Gone::Broken)
    });
    answered.await.unwrap_or(Err(Gone::Slow))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_comes_back_and_a_panic_is_one_too() {
        let turns = Turns::new(1, 60);
        assert_eq!(run(&turns, || 1 + 1).await, Ok(2));
        let broken: Result<(), Gone> = run(&turns, || panic!("a library failed")).await;
        assert_eq!(broken, Err(Gone::Broken));
        assert_eq!(
            run(&turns, || 2).await,
            Ok(2),
            "a panic gives its turn back"
        );
    }

    #[tokio::test]
    async fn what_takes_too_long_is_given_up_and_keeps_its_turn() {
        let turns = Turns::new(1, 1);
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let slow = run(&turns, move || ended.recv().is_err()).await;
        assert_eq!(slow, Err(Gone::Slow));
        assert_eq!(turns.at_once.available_permits(), 0);
        drop(end);
        let _turn = turns.at_once.acquire().await.unwrap();
    }
}
