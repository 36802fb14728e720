//! Prompts, as [`super`] does it for tools.

use ensemble_model::PluginId;
use ensemble_model::surface::Prompt;
use ensemble_runtime::offer::{self, Message};
use rmcp::model::{
    self, ContentBlock, GetPromptResult, PromptArgument, PromptMessage, ProtocolVersion, Role,
};

/// A prompt of a list.
pub(crate) fn prompt(prompt: &Prompt) -> model::Prompt {
    let arguments = prompt.arguments.iter().map(|argument| {
        let mut shown = PromptArgument::new(&argument.name).with_required(argument.required);
        shown.title.clone_from(&argument.title);
        shown.description.clone_from(&argument.description);
        shown
    });
    let arguments: Vec<PromptArgument> = arguments.collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    let mut shown = model::Prompt::new(&prompt.name, prompt.description.as_ref(), arguments);
    shown.title.clone_from(&prompt.title);
    shown
}

/// The messages of a prompt.
pub(crate) fn messages(
    messages: Vec<Message>,
    version: Option<&ProtocolVersion>,
) -> GetPromptResult {
    let shown = messages.into_iter().map(|message| {
        let role = match message.role {
            offer::Role::User => Role::User,
            offer::Role::Assistant => Role::Assistant,
        };
        PromptMessage::new(role, super::block(message.content, version))
    });
    GetPromptResult::new(shown.collect())
}

/// Puts the mark of an installed plugin before its messages, and its id beside them.
pub(crate) fn mark(result: &mut GetPromptResult, plugin: &PluginId, mark: &str) {
    let said = PromptMessage::new(Role::User, ContentBlock::text(mark));
    result.messages.insert(0, said);
    let meta = result.meta.get_or_insert_default();
    meta.0
        .insert(super::PLUGIN.to_owned(), plugin.as_str().into());
}
