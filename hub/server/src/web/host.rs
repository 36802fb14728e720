//! What the pages show of the host that runs beside the hub: its components and its decisions. The host gives it; the hub only draws it.

/// One component: what stands about it in `ensemble audit`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginCard {
    pub id: String,
    pub version: String,
    pub title: String,
    /// `built-in` or `installed`.
    pub origin: &'static str,
    /// What a key needs: `read`, `changes` or `apps`.
    pub grant: &'static str,
    /// SHA-256 of the component, hexadecimal.
    pub digest: String,
    pub tools: Vec<String>,
    pub reaches: Vec<Reaches>,
    /// Requests to the hub that are let through, each as `GET /api/…`.
    pub routes: Vec<String>,
    /// Why it is not offered, where it is not.
    pub refused: Option<String>,
}

/// Something that a component can do outside its sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reaches {
    /// The capability, as in `ensemble:hub/read`.
    pub interface: String,
    /// What it does, in words.
    pub does: String,
    /// Why the plugin says it needs it.
    pub reason: String,
}

/// Which lines of the decision log are wanted. An empty text is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFilter {
    pub plugin: Option<String>,
    pub tool: Option<String>,
    /// `permitted`, `failed` or `denied`.
    pub verdict: Option<String>,
    /// As `ensemble log show --since` takes it.
    pub since: Option<String>,
    /// As `ensemble log show --until` takes it.
    pub until: Option<String>,
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    pub at: String,
    pub plugin: String,
    pub tool: String,
    pub key: String,
    pub wanted: String,
    pub verdict: String,
    /// What was missing where it was denied.
    pub why: String,
}

/// Asked away from the threads that answer requests: both read files.
pub trait HostPages: std::fmt::Debug + Send + Sync {
    /// Every component, built-in ones first.
    ///
    /// # Errors
    /// A sentence for the page.
    fn plugins(&self) -> Result<Vec<PluginCard>, String>;

    /// The newest decisions that match, the last one first, at most 200.
    ///
    /// # Errors
    /// A sentence for the page: what of the filter cannot be understood, or why there is no log.
    fn log(&self, filter: &LogFilter) -> Result<Vec<LogLine>, String>;
}
