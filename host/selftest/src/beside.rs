//! What an attack costs others: a well-behaved guest is called without a pause while it runs, and before any of them.

use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::SetupError;
use crate::row::Beside;
use crate::stage::Stage;

/// Calls without any attack, to compare with.
const QUIET: usize = 100;

/// How often they are measured. The lowest counts: what else runs on this computer only adds.
const ROUNDS: usize = 4;

/// The 99th percentile without any attack.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quiet(Duration);

impl Quiet {
    /// Measures it.
    pub(crate) async fn of(stage: &Stage) -> Result<Self, SetupError> {
        let mut lowest = Duration::MAX;
        for _ in 0..ROUNDS {
            lowest = lowest.min(round(stage).await?);
        }
        Ok(Self(lowest))
    }
}

async fn round(stage: &Stage) -> Result<Duration, SetupError> {
    let clock = &stage.inner.host.clock;
    let mut took = Vec::with_capacity(QUIET);
    for _ in 0..QUIET {
        let begun = clock.instant();
        if let Some(fault) = stage.neighbour().await {
            return Err(SetupError::Quiet(fault));
        }
        took.push(clock.instant().saturating_duration_since(begun));
    }
    Ok(p99(&mut took))
}

/// What ran beside an attack.
pub(crate) struct Neighbour {
    pub(crate) beside: Beside,
    /// The first answer that was not as it should be.
    pub(crate) fault: Option<String>,
}

/// Runs an attack, and the well-behaved guest beside it. Gives its outcome and how long it took.
pub(crate) async fn run<T>(
    stage: &Stage,
    quiet: Quiet,
    attack: impl Future<Output = T>,
) -> (T, Duration, Neighbour) {
    let clock = &stage.inner.host.clock;
    let (over, ended) = watch::channel(None::<Instant>);
    let calling = tokio::spawn(calls(stage.clone(), ended));
    let begun = clock.instant();
    let outcome = attack.await;
    let end = clock.instant();
    over.send_replace(Some(end));
    let (mut took, fault) = calling
        .await
        .unwrap_or_else(|_| (Vec::new(), Some("the host failed inside itself".to_owned())));
    let calls = took.len();
    let p99 = p99(&mut took);
    let beside = Beside {
        calls,
        p99_us: u64::try_from(p99.as_micros()).unwrap_or(u64::MAX),
        ratio: (p99.as_secs_f64() / quiet.0.as_secs_f64().max(1e-6) * 100.0).round() / 100.0,
    };
    let took = end.saturating_duration_since(begun);
    (outcome, took, Neighbour { beside, fault })
}

/// Calls until the attack is over, at least once. The last call may end after it.
async fn calls(
    stage: Stage,
    ended: watch::Receiver<Option<Instant>>,
) -> (Vec<Duration>, Option<String>) {
    let clock = &stage.inner.host.clock;
    let (mut took, mut fault) = (Vec::new(), None);
    loop {
        let begun = clock.instant();
        let answer = stage.neighbour().await;
        took.push(clock.instant().saturating_duration_since(begun));
        fault = fault.or(answer);
        if ended.borrow().is_some() {
            return (took, fault);
        }
    }
}

/// The 99th percentile; the longest of fewer than a hundred.
fn p99(took: &mut [Duration]) -> Duration {
    took.sort_unstable();
    let at = (took.len() * 99 / 100).min(took.len().saturating_sub(1));
    took.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentile_of_few_is_the_longest() {
        let of = |count: u64| {
            let mut took: Vec<Duration> = (1..=count).rev().map(Duration::from_millis).collect();
            p99(&mut took).as_millis()
        };
        assert_eq!((of(0), of(1), of(50), of(99)), (0, 1, 50, 99));
        assert_eq!((of(100), of(1_000)), (100, 991));
    }
}
