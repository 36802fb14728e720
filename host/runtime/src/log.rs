//! All that a call says besides its answer: log lines, stdout, stderr, progress, changes. One budget for all of it, so that
//! no guest can flood the terminal or the client; what is over it is dropped, and one line says so.
//!
//! What is said reaches a person's terminal: control characters and marks that turn the direction of text are taken out,
//! and a line stays one line.

use std::sync::{Arc, Mutex, PoisonError};

use ensemble_model::PluginId;

use crate::events::{CatalogPart, Events, Level};

/// What a message costs besides its own bytes: a flood of empty ones is a flood too.
const COST: usize = 64;

/// The longest line, in bytes; a longer one is cut, with a mark.
const MAX_LINE: usize = 4 << 10;

/// A longer address is none.
const MAX_URI: usize = 2 << 10;

/// One call's voice. Cheap to clone.
#[derive(Clone)]
pub(crate) struct CallLog {
    inner: Arc<Inner>,
}

struct Inner {
    plugin: PluginId,
    events: Arc<dyn Events>,
    budget: usize,
    left: Mutex<Budget>,
}

struct Budget {
    left: usize,
    cut: bool,
}

impl CallLog {
    pub(crate) fn new(plugin: PluginId, events: Arc<dyn Events>, budget: usize) -> Self {
        Self {
            inner: Arc::new(Inner {
                plugin,
                events,
                budget,
                left: Mutex::new(Budget {
                    left: budget,
                    cut: false,
                }),
            }),
        }
    }

    pub(crate) fn line(&self, level: Level, message: &str) {
        let message = clean(message);
        if !message.is_empty() && self.afford(message.len()) {
            self.say(level, &message);
        }
    }

    pub(crate) fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let finite = done.is_finite() && total.is_none_or(f64::is_finite);
        let message = message.map(clean);
        if finite && self.afford(message.as_ref().map_or(0, String::len)) {
            self.inner.events.progress(done, total, message.as_deref());
        }
    }

    pub(crate) fn changed(&self, which: CatalogPart) {
        if self.afford(0) {
            self.inner.events.changed(which);
        }
    }

    pub(crate) fn resource_updated(&self, uri: &str) {
        if uri.len() <= MAX_URI && !uri.chars().any(unprintable) && self.afford(uri.len()) {
            self.inner.events.resource_updated(uri);
        }
    }

    pub(crate) fn cancelled(&self) -> bool {
        self.inner.events.cancelled()
    }

    /// Takes the cost of one message, or says once that the rest is dropped.
    fn afford(&self, bytes: usize) -> bool {
        let mut budget = self
            .inner
            .left
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(left) = budget.left.checked_sub(bytes.saturating_add(COST)) {
            budget.left = left;
            return true;
        }
        budget.left = 0;
        let first = !std::mem::replace(&mut budget.cut, true);
        drop(budget);
        if first {
            self.say(
                Level::Warning,
                &format!(
                    "said more than {} bytes in one call; the rest is dropped",
                    self.inner.budget
                ),
            );
        }
        false
    }

    fn say(&self, level: Level, message: &str) {
        let plugin = &self.inner.plugin;
        match level {
            Level::Debug => tracing::debug!(target: "plugin", %plugin, "{message}"),
            Level::Info => tracing::info!(target: "plugin", %plugin, "{message}"),
            Level::Warning => tracing::warn!(target: "plugin", %plugin, "{message}"),
            Level::Error => tracing::error!(target: "plugin", %plugin, "{message}"),
        }
        self.inner.events.log(level, message);
    }
}

/// One printable line of at most [`MAX_LINE`] bytes.
fn clean(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(MAX_LINE));
    for c in text.trim_end().chars() {
        if line.len() >= MAX_LINE {
            line.push('…');
            break;
        }
        if matches!(c, '\n' | '\t') {
            line.push(' ');
        } else if !unprintable(c) {
            line.push(c);
        }
    }
    line
}

fn unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl Events for Heard {
        fn log(&self, level: Level, message: &str) {
            self.0.lock().unwrap().push(format!("{level:?} {message}"));
        }
        fn progress(&self, done: f64, _: Option<f64>, _: Option<&str>) {
            self.0.lock().unwrap().push(format!("progress {done}"));
        }
        fn changed(&self, _: CatalogPart) {}
        fn resource_updated(&self, uri: &str) {
            self.0.lock().unwrap().push(format!("updated {uri}"));
        }
        fn cancelled(&self) -> bool {
            false
        }
    }

    fn said(budget: usize, say: impl FnOnce(&CallLog)) -> Vec<String> {
        let heard = Arc::new(Heard::default());
        let events: Arc<dyn Events> = Arc::clone(&heard) as Arc<dyn Events>;
        say(&CallLog::new("probe".parse().unwrap(), events, budget));
        heard.0.lock().unwrap().clone()
    }

    #[test]
    fn a_line_is_one_line_without_control_characters() {
        let heard = said(1_000, |log| {
            log.line(
                Level::Info,
                "\u{1b}[31mred\u{1b}[0m\r\nsecond\u{202e}\u{7}\n",
            );
            log.line(Level::Info, "\n");
        });
        assert_eq!(heard, ["Info [31mred[0m second"]);
    }

    #[test]
    fn what_is_over_the_budget_is_dropped_and_said_once() {
        let heard = said(200, |log| {
            for _ in 0..9 {
                log.line(Level::Info, "0123456789");
                log.progress(1.0, None, None);
            }
        });
        assert_eq!(
            heard,
            [
                "Info 0123456789",
                "progress 1",
                "Warning said more than 200 bytes in one call; the rest is dropped"
            ]
        );
    }

    #[test]
    fn what_no_client_could_read_is_not_passed_on() {
        let heard = said(10_000, |log| {
            log.progress(f64::NAN, None, None);
            log.progress(1.0, Some(f64::INFINITY), None);
            log.resource_updated("a\nb");
            log.resource_updated(&"x".repeat(3_000));
            log.line(Level::Debug, &"ä".repeat(5_000));
        });
        assert_eq!(heard.len(), 1);
        assert!(heard[0].ends_with("ä…") && heard[0].len() < MAX_LINE + 32);
    }
}
