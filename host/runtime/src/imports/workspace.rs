//! `ensemble:workspace`: where the editor is, as the session decides it.

use ensemble_broker::Target;

use crate::bindings::ensemble::types::types::Error;
use crate::bindings::ensemble::workspace::{folder, repository};
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

impl folder::Host for CallState {
    async fn check(&mut self, path: String, overwrite: bool) -> Result<(), Error> {
        let target = Target {
            path: &path,
            overwrite,
        };
        Ok(self.session().check_target(target).await?)
    }

    async fn save(
        &mut self,
        handle: String,
        path: String,
        overwrite: bool,
    ) -> Result<folder::Saved, Error> {
        let target = Target {
            path: &path,
            overwrite,
        };
        let saved = self.session().save_file(&handle, target).await?;
        Ok(folder::Saved {
            path: saved.path,
            bytes: saved.bytes,
            sha256: saved.sha256,
        })
    }

    async fn open(&mut self, path: String) -> Result<String, Error> {
        Ok(self.session().open_local(&path).await?)
    }
}
