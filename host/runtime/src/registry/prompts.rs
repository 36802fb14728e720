//! Getting a prompt, and helping to fill one in.

use std::sync::Arc;

use ensemble_broker::Session;
use ensemble_model::PluginId;

use super::Registry;
use crate::call::{self, CallError};
use crate::events::Events;
use crate::offer::{PromptStep, Resumption, Suggestions, Typing};

impl Registry {
    /// Gets a prompt in a fresh instance, with its arguments by name. A pause comes back with its answers in `resumed`.
    ///
    /// # Errors
    /// As [`Registry::call_tool`].
    #[expect(
        clippy::too_many_arguments,
        reason = "each is of its own kind, as for a tool"
    )]
    pub async fn get_prompt(
        &self,
        id: &PluginId,
        session: Session,
        name: &str,
        arguments: &[(String, String)],
        resumed: Option<Resumption>,
        events: Arc<dyn Events>,
    ) -> Result<PromptStep, CallError> {
        let session = Arc::new(session);
        let work = async {
            let loaded = self.callable(id).await?;
            let mut live = self.start(&loaded, &session, events).await?;
            live.get_prompt(name, arguments, resumed).await
        };
        call::concluded(id, &session, self.inner.runtime.lane(), work).await
    }

    /// Values for an argument that is being typed, from a fresh instance.
    ///
    /// # Errors
    /// As [`Registry::call_tool`].
    pub async fn complete(
        &self,
        id: &PluginId,
        session: Session,
        typing: Typing,
        events: Arc<dyn Events>,
    ) -> Result<Suggestions, CallError> {
        let session = Arc::new(session);
        let work = async {
            let loaded = self.callable(id).await?;
            let mut live = self.start(&loaded, &session, events).await?;
            live.complete(typing).await
        };
        call::concluded(id, &session, self.inner.runtime.lane(), work).await
    }
}
