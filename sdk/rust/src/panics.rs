//! A panic ends the call; its place and message go to the plugin's log, at most [`MAX_MESSAGE`] characters of them.

use std::sync::Once;

use crate::run;

/// Characters of one panic message. A message may quote a whole value; its beginning is what helps.
const MAX_MESSAGE: usize = 1_000;

/// Sets the hook, at the first export of an instance.
pub(crate) fn report() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let place = info
                .location()
                .map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
            let message: String = info
                .payload_as_str()
                .unwrap_or("no message")
                .chars()
                .take(MAX_MESSAGE)
                .collect();
            run::log(run::Level::Error, &format!("panicked{place}: {message}"));
        }));
    });
}
