//! A prompt is a message that a person picks by name; completion helps to fill in what it needs.

use crate::{Error, Message, Prompt, PromptStep, Resumption, Subject, Suggestions};

/// The prompts of a plugin: the export `prompts`.
pub trait Prompts {
    /// The prompts, in the order in which they are listed.
    fn prompts() -> Vec<Prompt>;

    /// The messages of one prompt, with its arguments by name.
    ///
    /// # Errors
    /// [`Error::NotFound`] for another name, [`Error::Invalid`] for a missing argument.
    fn get(name: &str, arguments: &[(String, String)]) -> Result<Vec<Message>, Error>;

    /// As [`Prompts::get`], for a plugin that asks the person something first.
    ///
    /// # Errors
    /// As [`Prompts::get`]; [`Error::Invalid`] where answers come for a plugin that asked nothing.
    fn step(
        name: &str,
        arguments: &[(String, String)],
        resumed: Option<Resumption>,
    ) -> Result<PromptStep, Error> {
        match resumed {
            None => Self::get(name, arguments).map(PromptStep::Done),
            Some(_) => Err(Error::Invalid(format!("{name} did not ask anything."))),
        }
    }
}

/// Suggestions while a person types: the export `completion`.
pub trait Completion {
    /// Values of `argument` that fit what was `typed`, given the `others` that are filled in already. At most 100.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a prompt or template that this plugin does not have.
    fn complete(
        subject: &Subject,
        argument: &str,
        typed: &str,
        others: &[(String, String)],
    ) -> Result<Suggestions, Error>;
}
