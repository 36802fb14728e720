//! The body of every answer that is not a success.

use serde::{Deserialize, Serialize};

/// `{"error": "one sentence"}`: what was wrong and what to do, fit to be shown to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    pub error: String,
    /// For an action whose input did not fit: the JSON Schema that it has to keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<serde_json::Value>,
}

impl ErrorBody {
    /// The body of this sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self {
            error: sentence.into(),
            input_schema: None,
        }
    }
}
