//! The body of every answer that is not a success.

use serde::{Deserialize, Serialize};

/// `{"error": "one sentence"}`: what was wrong and what to do, fit to be shown to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    pub error: String,
}

impl ErrorBody {
    /// The body of this sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self {
            error: sentence.into(),
        }
    }
}
