//! Work that a library does on what anybody may have written: in its turn, on a thread of its own with a deep stack, and in time. A panic is
//! an answer and not the end of the hub; work that takes too long is given up, and keeps its turn until it ends, so that no more than
//! [`AT_ONCE`] ever run.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

/// Pieces of work at the same time.
const AT_ONCE: usize = 2;
/// Bytes of a thread's stack; only what is used of it takes memory. Sources are bounded, so how deep they nest is too.
const STACK: usize = 256 << 20;
/// How long one may take, waiting for its turn included.
const PATIENCE: Duration = Duration::from_secs(15);

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
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Gone> {
    static TURNS: OnceLock<Arc<Semaphore>> = OnceLock::new();
    let turns = Arc::clone(TURNS.get_or_init(|| Arc::new(Semaphore::new(AT_ONCE))));
    let answered = timeout(PATIENCE, async {
        let turn = turns.acquire_owned().await.map_err(|_| Gone::Broken)?;
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
        assert_eq!(run(|| 1 + 1).await, Ok(2));
        let broken: Result<(), Gone> = run(|| panic!("a library failed")).await;
        assert_eq!(broken, Err(Gone::Broken));
    }
}
