//! The prompts of an instance, and its help with what a person fills in.

use ensemble_model::surface::{Prompt, PromptArgument, Surface};

use super::Live;
use crate::bindings::ensemble::tools::offer;
use crate::bindings::exports::ensemble::tools::{completion, prompts};
use crate::call::{CallError, not_showable, verdict};
use crate::offer::{
    PromptStep, Resumption, Shown, Suggestions, Typing, messages_bytes, pause_bytes, prompt_step,
    suggestions, suggestions_bytes,
};

impl Live<'_> {
    pub(crate) async fn get_prompt(
        &mut self,
        name: &str,
        arguments: &[(String, String)],
        resumed: Option<Resumption>,
    ) -> Result<PromptStep, CallError> {
        let guest = self.prompts()?.ok_or_else(|| self.no("prompts"))?;
        let resumed = resumed.map(Into::into);
        let answer = guest
            .call_get(&mut self.store, name, arguments, resumed.as_ref())
            .await;
        let step = self.answered(answer)?;
        let step = prompt_step(&mut Shown::new(&self.session), step)
            .await
            .map_err(|e| not_showable(&self.loaded.plugin, e))?;
        self.within_limit(match &step {
            PromptStep::Done(messages) => messages_bytes(messages),
            PromptStep::Ask(pause) => pause_bytes(pause),
        })?;
        Ok(step)
    }

    pub(crate) async fn complete(&mut self, typing: Typing) -> Result<Suggestions, CallError> {
        let guest = self.completion()?.ok_or_else(|| self.no("completion"))?;
        let Typing {
            subject,
            argument,
            typed,
            others,
        } = typing;
        let subject = subject.into();
        let answer = guest
            .call_complete(&mut self.store, &subject, &argument, &typed, &others)
            .await;
        let found = suggestions(self.answered(answer)?);
        self.within_limit(suggestions_bytes(&found))?;
        Ok(found)
    }

    pub(super) async fn list_prompts(&mut self, surface: &mut Surface) -> Result<(), CallError> {
        if let Some(guest) = self.prompts()? {
            let answer = guest.call_list_prompts(&mut self.store).await;
            surface.prompts = self.answered(answer)?.into_iter().map(prompt).collect();
        }
        Ok(())
    }

    fn prompts(&mut self) -> Result<Option<prompts::Guest>, CallError> {
        let indices = self.loaded.exports.prompts.as_ref();
        indices
            .map(|indices| indices.load(&mut self.store, &self.instance))
            .transpose()
            .map_err(|e| verdict(&self.loaded.plugin, &self.session, &e))
    }

    fn completion(&mut self) -> Result<Option<completion::Guest>, CallError> {
        let indices = self.loaded.exports.completion.as_ref();
        indices
            .map(|indices| indices.load(&mut self.store, &self.instance))
            .transpose()
            .map_err(|e| verdict(&self.loaded.plugin, &self.session, &e))
    }
}

fn prompt(listed: offer::Prompt) -> Prompt {
    let argument = |argument: offer::Argument| PromptArgument {
        name: argument.name,
        title: argument.title,
        description: argument.description,
        required: argument.required,
    };
    Prompt {
        name: listed.name,
        title: listed.title,
        description: listed.description,
        arguments: listed.arguments.into_iter().map(argument).collect(),
    }
}
