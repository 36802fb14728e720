//! A window of a long text, as `read` and a single task give it.

use serde::{Deserialize, Serialize};

/// Part of a text. All numbers count characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    pub text: String,
    /// Where this part begins.
    pub offset: u32,
    /// The most that was asked for.
    pub limit: u32,
    pub total_characters: u32,
    /// Whether there is more after this part.
    pub truncated: bool,
    /// The `offset` of the next part, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u32>,
}
