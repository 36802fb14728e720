//! What a call says while it runs. It is bounded and cleaned before it comes here: no control characters, and not more in
//! all than the call's log limit.

/// How urgent a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For the plugin's author.
    Debug,
    /// Worth knowing.
    Info,
    /// Not as it should be.
    Warning,
    /// Failed.
    Error,
}

/// Which list has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogPart {
    /// Tools.
    Tools,
    /// Resources.
    Resources,
    /// Prompts.
    Prompts,
}

/// Who listens to one call. Each method is called from inside the guest's call and must not block.
pub trait Events: Send + Sync {
    /// A line of the plugin's log, its stdout or its stderr.
    fn log(&self, level: Level, message: &str);
    /// How far the call is. The numbers are finite.
    fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>);
    /// What this caller may see has changed.
    fn changed(&self, which: CatalogPart);
    /// The content of a resource has changed.
    fn resource_updated(&self, uri: &str);
    /// Whether the client has given the call up, for a guest that wants to end in order.
    fn cancelled(&self) -> bool;
}

/// Nobody listens.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoEvents;

impl Events for NoEvents {
    fn log(&self, _: Level, _: &str) {}
    fn progress(&self, _: f64, _: Option<f64>, _: Option<&str>) {}
    fn changed(&self, _: CatalogPart) {}
    fn resource_updated(&self, _: &str) {}
    fn cancelled(&self) -> bool {
        false
    }
}
