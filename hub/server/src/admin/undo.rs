//! `ensemble hub undo` and `ensemble hub trash`: what the person takes back. An agent cannot.

use ensemble_hub_api::Handle;

use super::{Admin, AdminError};
use crate::store::{Actor, ChangeRow, Page, Record, StoreError, Undone};

/// What the ledger calls a record that the person took out of Trash.
const RESTORE: &str = "trash.restore";

impl Admin {
    /// The last changes of a space, the newest first; `space` is an id or name, absent for the owner's own.
    ///
    /// # Errors
    /// [`AdminError`] if there is no such space, or the store fails.
    pub async fn changes(
        &self,
        space: Option<&str>,
        limit: u32,
    ) -> Result<Page<ChangeRow>, AdminError> {
        let space = self.space(space).await?;
        Ok(self.store.changes(&space.id, None, limit).await?)
    }

    /// Takes a change back.
    ///
    /// # Errors
    /// [`AdminError`] if there is no such change, or a record of it was changed again since.
    pub async fn undo(&self, space: Option<&str>, change: &str) -> Result<Undone, AdminError> {
        let space = self.space(space).await?;
        Ok(self
            .store
            .undo(&space.id, change, self.person().await?)
            .await?)
    }

    /// What is in Trash, the last deleted first.
    ///
    /// # Errors
    /// [`AdminError`] if there is no such space, or the store fails.
    pub async fn trash(&self, space: Option<&str>, limit: u32) -> Result<Page<Record>, AdminError> {
        let space = self.space(space).await?;
        Ok(self.store.in_trash(&space.id, &[], limit, 0).await?)
    }

    /// Takes records out of Trash, by id or handle: all of them or none.
    ///
    /// # Errors
    /// [`AdminError`] if one of them is not in Trash.
    pub async fn restore(
        &self,
        space: Option<&str>,
        asked: &[String],
    ) -> Result<Vec<Record>, AdminError> {
        let space = self.space(space).await?;
        let mut change = self.store.change(self.person().await?).await?;
        let mut restored = Vec::new();
        for asked in asked {
            let id =
                Handle::parse(asked).map_or_else(|| asked.trim().to_owned(), |handle| handle.id);
            let found = change.by_ids_in_trash_too(&space.id, &[id]).await?.pop();
            let gone = found
                .filter(|record| record.deleted_at.is_some())
                .ok_or_else(|| AdminError::NotInTrash {
                    asked: asked.clone(),
                })?;
            restored.push(change.restore(RESTORE, &gone).await?);
        }
        change.commit().await?;
        Ok(restored)
    }

    async fn person(&self) -> Result<Actor, StoreError> {
        let owner = self.store.owner().await?;
        Ok(Actor::person(
            owner.map_or_else(String::new, |owner| owner.name),
        ))
    }
}
