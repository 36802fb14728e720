//! `ensemble:run`: what every guest may say and ask, within the call's log limit.

use crate::bindings::ensemble::run::run;
use crate::call::CallState;
use crate::events::{CatalogPart, Level};

impl run::Host for CallState {
    fn log(&mut self, level: run::Level, message: String) {
        let level = match level {
            run::Level::Debug => Level::Debug,
            run::Level::Info => Level::Info,
            run::Level::Warning => Level::Warning,
            run::Level::Error => Level::Error,
        };
        self.log.line(level, &message);
    }

    fn progress(&mut self, done: f64, total: Option<f64>, message: Option<String>) {
        self.log.progress(done, total, message.as_deref());
    }

    fn cancelled(&mut self) -> bool {
        self.log.cancelled()
    }

    fn changed(&mut self, which: run::Catalog) {
        self.log.changed(match which {
            run::Catalog::Tools => CatalogPart::Tools,
            run::Catalog::Resources => CatalogPart::Resources,
            run::Catalog::Prompts => CatalogPart::Prompts,
        });
    }

    fn resource_updated(&mut self, uri: String) {
        self.log.resource_updated(&uri);
    }

    fn now(&mut self) -> (String, String) {
        let (now, zone) = self.session().now();
        (now.to_string(), zone)
    }
}
