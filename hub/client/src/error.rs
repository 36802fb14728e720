//! How a request can end badly. Each variant asks for another reaction; the text of each is fit to be shown to a person.

use ensemble_hub_api::sentences;

/// Why there is no answer to use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The address or the key cannot be used; nothing was sent.
    #[error("{0}")]
    Configuration(&'static str),
    /// The HTTP client could not be set up; nothing was sent.
    #[error("The HTTP client could not be set up: check this computer's certificates.")]
    Setup,
    /// The path is not one of the bridge; nothing was sent.
    #[error("That is not a path of the bridge.")]
    Path,
    /// Nobody listens there, or the network does not lead there; nothing arrived.
    #[error("{}", sentences::HUB_DOWN)]
    Unreachable,
    /// A read did not end in time.
    #[error("{}", sentences::HUB_SLOW)]
    Timeout,
    /// A file stopped arriving before its end.
    #[error("{}", sentences::FILE_STALLED)]
    Stalled,
    /// The connection broke in a read, twice.
    #[error("{}", sentences::HUB_BROKE)]
    Broken,
    /// A change was sent and no answer came: it may have been made.
    #[error("{}", sentences::OUTCOME_UNKNOWN)]
    OutcomeUnknown,
    /// What answered does not speak this contract.
    #[error("{}", sentences::NOT_A_HUB)]
    BadAnswer,
    /// The answer is too large to be read.
    #[error("{}", sentences::ANSWER_TOO_LARGE)]
    TooLarge,
    /// The hub refused; the text is its own sentence, or ours when it gave none.
    #[error("{sentence}")]
    Refused {
        status: u16,
        sentence: String,
        /// Whether the sentence is the hub's own.
        own: bool,
        /// Seconds until it makes sense to try again, when the hub said so.
        retry_after: Option<u64>,
        /// The JSON Schema that a refused input has to keep, when the hub gave one: the text of an object.
        input_schema: Option<String>,
    },
}

/// What an error of sending means. Its own text holds the URL, so it is not kept.
pub(crate) fn of_sending(error: &reqwest::Error) -> ClientError {
    if error.is_connect() {
        ClientError::Unreachable
    } else if error.is_builder() {
        ClientError::Configuration(sentences::KEY_UNUSABLE)
    } else {
        ClientError::Broken
    }
}
