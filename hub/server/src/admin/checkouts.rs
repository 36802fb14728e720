//! `ensemble hub repo`: which folder of this computer holds the files of a repository. Only the person decides that.

use std::path::Path;

use ensemble_hub_api::Kind;

use super::{Admin, AdminError};
use crate::brief::remote::full_name;
use crate::repos::checkout;
use crate::store::{Actor, CheckoutRow, NewRecord, name_key};

impl Admin {
    /// Lets the files of a repository be read from `folder`. `name` is `owner/name` or the address of its remote; the repository's record is
    /// made in the space when there is none.
    ///
    /// # Errors
    /// [`AdminError`] if the name is none, several records have it, or the folder may not be allowed.
    pub async fn allow_checkout(
        &self,
        space: Option<&str>,
        name: &str,
        folder: &Path,
    ) -> Result<CheckoutRow, AdminError> {
        let space = self.space(space).await?;
        let name = full_name(name).ok_or(AdminError::NoRepository)?;
        let path = checkout::allowable(folder, self.store.data_dir())?;
        let (owner, _) = self.ensure_owner().await?;
        let mut change = self
            .store
            .change(Actor::person(owner.name.as_str()))
            .await?;
        let mut found = change.find_by_title(&space.id, Kind::Repo, &name).await?;
        let repo = match (found.pop(), found.is_empty()) {
            (Some(one), true) => one,
            (Some(one), false) => {
                found.push(one);
                let ids = found.into_iter().map(|repo| repo.id).collect();
                return Err(AdminError::SeveralRepositories { name, ids });
            }
            (None, _) => {
                let new = NewRecord::new(space.id.as_str(), Kind::Repo, name.as_str());
                change.create("repo.create", new).await?
            }
        };
        change.commit().await?;
        self.store
            .allow_checkout(&owner.id, &repo.id, &path)
            .await?;
        Ok(CheckoutRow {
            id: repo.id,
            space_id: space.id,
            title: repo.title,
            path,
        })
    }

    /// The allowed folders, by the names of their repositories.
    ///
    /// # Errors
    /// [`AdminError`] if the store fails.
    pub async fn checkouts(&self) -> Result<Vec<CheckoutRow>, AdminError> {
        let (owner, _) = self.ensure_owner().await?;
        Ok(self.store.checkouts(&owner.id).await?)
    }

    /// Takes it back: by the id or name of a repository, or by its folder.
    ///
    /// # Errors
    /// [`AdminError`] if nothing is allowed under that name, or several are.
    pub async fn forget_checkout(&self, asked: &str) -> Result<CheckoutRow, AdminError> {
        let (owner, _) = self.ensure_owner().await?;
        let folder = Path::new(asked).canonicalize().ok();
        let name = full_name(asked);
        let mut found = self.store.checkouts(&owner.id).await?;
        found.retain(|row| {
            row.id == asked
                || name
                    .as_ref()
                    .is_some_and(|name| name_key(&row.title) == name_key(name))
                || row.path == asked
                || folder.as_deref() == Some(Path::new(&row.path))
        });
        let mut ids: Vec<String> = found.iter().map(|row| row.id.clone()).collect();
        match (found.pop(), found.is_empty()) {
            (None, _) => Err(AdminError::NoCheckout {
                asked: asked.to_owned(),
            }),
            (Some(row), true) => {
                self.store.forget_checkout(&owner.id, &row.id).await?;
                Ok(row)
            }
            (Some(row), false) => {
                ids.sort();
                Err(AdminError::SeveralRepositories {
                    name: row.title,
                    ids,
                })
            }
        }
    }
}
