//! An error is one sentence for a person; what the host said is passed on unchanged.

use crate::Error;

impl Error {
    /// The sentence that a person reads.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Denied(denial) => {
                format!(
                    "Not allowed: {} (missing: {}).",
                    denial.wanted, denial.missing
                )
            }
            Self::Invalid(text)
            | Self::NotFound(text)
            | Self::Conflict(text)
            | Self::Unavailable(text)
            | Self::TooLarge(text)
            | Self::Failed(text) => text.clone(),
            Self::RateLimited(seconds) => {
                format!("Too many requests: try again in {seconds} seconds.")
            }
            Self::Cancelled => "The call was cancelled.".to_owned(),
        }
    }
}

/// The answer to a name that [`Tools::tools`](crate::Tools::tools) does not list. A long name is cut at 80 characters.
#[must_use]
pub fn unknown_tool(name: &str) -> Error {
    let name: String = name.chars().take(80).collect();
    Error::NotFound(format!("There is no tool {name}."))
}
