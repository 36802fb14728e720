//! `ensemble:workspace`: where the editor is, as the session decides it.

use crate::bindings::ensemble::types::types::Error;
use crate::bindings::ensemble::workspace::repository;
use crate::call::CallState;

impl repository::Host for CallState {
    async fn locate(&mut self) -> Result<repository::Location, Error> {
        let found = self.session().locate_repository().await?;
        Ok(repository::Location {
            repo: found.repo,
            branch: found.branch,
        })
    }
}
