//! One line for every decision: who, through which plugin, wanted what, and what became of it. Never contents: no query,
//! no body, no answer, no argument.

use ensemble_model::{Digest, PluginId};
use jiff::Timestamp;
use serde::Serialize;

/// What was decided, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Permitted and done.
    Permitted,
    /// Permitted, and the backend or the hub did not do it.
    Failed,
    /// Refused here.
    Denied,
}

/// One line of the decision log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// When it was decided.
    pub time: Timestamp,
    /// Through which plugin; absent for the host's own requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin: Option<PluginId>,
    /// Which bytes that plugin is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The tool, resource or prompt that was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The name of the key, never its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The hub's short id of the key: two keys can have one name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_id: Option<String>,
    /// The id of the space that the host had bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// What was wanted: `GET /api/bridge/search`, `ensemble:workspace/repository`, `call`.
    pub route: String,
    /// What was decided.
    pub verdict: Verdict,
    /// What was missing, or the kind of fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// From the decision to its end.
    pub duration_ms: u64,
    /// Bytes sent.
    pub bytes_out: u64,
    /// Bytes received.
    pub bytes_in: u64,
}

impl Decision {
    /// A line with everything open but when it was, what was wanted and what was decided.
    #[must_use]
    pub fn of(time: Timestamp, route: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            time,
            plugin: None,
            digest: None,
            tool: None,
            key: None,
            key_id: None,
            space: None,
            route: route.into(),
            verdict,
            reason: None,
            duration_ms: 0,
            bytes_out: 0,
            bytes_in: 0,
        }
    }
}

/// Where the lines go. It must not block for long and must not fail: what it cannot write it says once, elsewhere.
pub trait DecisionSink: Send + Sync + std::fmt::Debug {
    /// Takes one line.
    fn record(&self, decision: &Decision);
}
