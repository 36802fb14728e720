//! What is logged goes to standard error: standard output belongs to results, and under `ensemble mcp` to the protocol.

mod lines;

use std::sync::OnceLock;

use lines::Lines;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::Subscriber;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::env::Environment;

/// rmcp warns of every error that it sends, and those are answers to the client.
const DEFAULT: &str = "warn,rmcp=error";

/// The one way to standard error.
static LINES: OnceLock<Lines> = OnceLock::new();

/// Writes what was logged so far, for the end of the program.
pub(crate) fn finish() {
    if let Some(lines) = LINES.get() {
        lines.flush();
    }
}

/// From now on every line is looked through for this secret, before it is written.
pub(crate) fn watch(secret: ensemble_model::Secret) {
    lines::watch(secret);
}

/// Whether a line held the secret that is watched for.
pub(crate) fn held_the_secret() -> bool {
    lines::held_it()
}

/// Starts logging at the level of `RUST_LOG`. A level that cannot be read is said, and the default holds.
pub(crate) fn start(env: &dyn Environment) {
    let wanted = env.filled("RUST_LOG");
    let (filter, refused) = match wanted.as_deref().map(EnvFilter::try_new) {
        None => (EnvFilter::new(DEFAULT), None),
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (EnvFilter::new(DEFAULT), Some(error)),
    };
    let started = Subscriber::builder()
        .with_env_filter(filter)
        .with_writer(LINES.get_or_init(Lines::start).clone())
        .log_internal_errors(false)
        .with_ansi(false)
        .finish()
        .try_init();
    if let (Ok(()), Some(error)) = (started, refused) {
        tracing::warn!(%error, "RUST_LOG cannot be read");
    }
    say_where_it_panicked_and_nothing_else();
}

/// A panic's message can hold whatever was in a variable, so only the place is shown.
fn say_where_it_panicked_and_nothing_else() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(|place| format!("{}:{}", place.file(), place.line()));
        tracing::error!(
            place = place.as_deref().unwrap_or("unknown"),
            "internal error"
        );
    }));
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// What is written is kept.
    #[derive(Debug, Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_panic_says_where_and_nothing_of_what_it_held() {
        let kept = Kept::default();
        let to = kept.clone();
        let subscriber = Subscriber::builder()
            .with_writer(move || to.clone())
            .with_ansi(false)
            .finish();
        let before = std::panic::take_hook();
        say_where_it_panicked_and_nothing_else();
        let panicked = tracing::subscriber::with_default(subscriber, || {
            std::panic::catch_unwind(|| {
                panic!("{:?}", "ens_canary");
            })
        });
        std::panic::set_hook(before);
        assert!(panicked.is_err());
        let said = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        assert!(
            said.contains("internal error place=\"host/app/src/logging.rs:"),
            "{said}"
        );
        assert!(
            !said.contains("canary") && said.lines().count() == 1,
            "{said}"
        );
    }
}
