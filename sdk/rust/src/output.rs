//! A result carries readable text first and, where there is any, the same as structured JSON.

use serde_json::Value;

use crate::{Block, Output, Text};

impl Output {
    /// Text alone.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![Block::plain(text)],
            structured: None,
            is_error: false,
        }
    }

    /// A JSON object, as structured content and as compact text.
    #[must_use]
    pub fn json(value: &Value) -> Self {
        Self::json_text(value.to_string())
    }

    /// As [`Output::json`], for an object that is text already, such as an answer of the hub that is passed through.
    #[must_use]
    pub fn json_text(json: impl Into<String>) -> Self {
        let json = json.into();
        Self::text(json.clone()).with_structured(json)
    }

    /// Adds the structured form, a JSON object as text, to a readable one.
    #[must_use]
    pub fn with_structured(mut self, json: impl Into<String>) -> Self {
        self.structured = Some(json.into());
        self
    }

    /// The tool ran and did not succeed, for a reason that the model can act on.
    #[must_use]
    pub fn unsuccessful(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }
}

impl Block {
    /// A block of text without hints.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Text(Text {
            text: text.into(),
            hints: None,
        })
    }
}
