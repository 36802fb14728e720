//! Why something did not happen, in the contract's own variants. Every text is one sentence for a person and holds no
//! secret, no address and no body of an answer; below the sentence for a wrong input stands the schema of the action.

/// What was asked for and what was missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// As a person would say it.
    pub wanted: String,
    /// A declaration, a grant of the person, or a grant of the key; with what to do where something can be done.
    pub missing: String,
}

impl std::fmt::Display for Denial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} is not allowed: {} is missing.",
            self.wanted, self.missing
        )
    }
}

/// Mirrors `ensemble:types/types.error`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The policy refused it.
    #[error("{0}")]
    Denied(Denial),
    /// The request made no sense; the sentence says where.
    #[error("{0}")]
    Invalid(String),
    /// Nothing of that name is visible to this caller.
    #[error("{0}")]
    NotFound(String),
    /// The record is not as the caller believed; nothing was written.
    #[error("{0}")]
    Conflict(String),
    /// The other side cannot be reached.
    #[error("{0}")]
    Unavailable(String),
    /// Too many requests; worth repeating after so many seconds.
    #[error("Too many requests: try again in {0} seconds.")]
    RateLimited(u32),
    /// A limit of size or number was passed.
    #[error("{0}")]
    TooLarge(String),
    /// The client cancelled the call.
    #[error("The call was cancelled.")]
    Cancelled,
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

impl Fault {
    /// The word under which the decision log files it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Denied(_) => "denied",
            Self::Invalid(_) => "invalid",
            Self::NotFound(_) => "not-found",
            Self::Conflict(_) => "conflict",
            Self::Unavailable(_) => "unavailable",
            Self::RateLimited(_) => "rate-limited",
            Self::TooLarge(_) => "too-large",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
        }
    }
}
