//! The links of a record as actions change them. A list of links that others take the place of is a part of the record: its version rises with
//! it, so that who read other ones cannot overwrite them unseen.

use std::collections::BTreeSet;

use ensemble_hub_api::Kind;
use serde_json::Value;

use super::Changing;
use super::input::Patch;
use crate::error::RouteError;
use crate::store::Record;

impl Changing {
    /// Makes a record refer to another one: the id in its field, and the link that goes with it. Another one before is unlinked.
    pub(crate) async fn refer(
        &mut self,
        record: &mut Record,
        field: &str,
        relation: &str,
        kind: Kind,
        to: &Patch<String>,
    ) -> Result<(), RouteError> {
        let to = match to {
            Patch::Keep => return Ok(()),
            Patch::Clear => None,
            Patch::Set(given) => Some(self.record(kind, given).await?),
        };
        let ids: Vec<String> = to.iter().map(|to| to.id.clone()).collect();
        self.relink(&record.id, relation, &ids).await?;
        match to {
            Some(to) => record.fields.insert(field.to_owned(), Value::from(to.id)),
            None => record.fields.remove(field),
        };
        Ok(())
    }

    /// Links two records; a link that is there stays one.
    pub(crate) async fn link(
        &mut self,
        from: &str,
        relation: &str,
        to: &str,
    ) -> Result<(), RouteError> {
        let (action, space) = (self.action.clone(), self.caller.space.id.clone());
        Ok(self
            .change()
            .link(&action, &space, (from, relation, to))
            .await?)
    }

    /// Removes a link; one that is not there is none.
    pub(crate) async fn unlink(
        &mut self,
        from: &str,
        relation: &str,
        to: &str,
    ) -> Result<(), RouteError> {
        let (action, space) = (self.action.clone(), self.caller.space.id.clone());
        Ok(self
            .change()
            .unlink(&action, &space, (from, relation, to))
            .await?)
    }

    /// Makes the links of one relation lead to exactly these records.
    pub(crate) async fn relink(
        &mut self,
        from: &str,
        relation: &str,
        to: &[String],
    ) -> Result<(), RouteError> {
        let has = self.change().links_of(from).await?;
        let has: BTreeSet<&String> = has
            .iter()
            .filter(|(is, _)| is == relation)
            .map(|(_, id)| id)
            .collect();
        let wanted: BTreeSet<&String> = to.iter().collect();
        for gone in has.difference(&wanted) {
            self.unlink(from, relation, gone).await?;
        }
        for new in to.iter().filter(|id| !has.contains(id)) {
            self.link(from, relation, new).await?;
        }
        if has != wanted {
            self.relinked.insert(from.to_owned());
        }
        Ok(())
    }

    /// Makes the links of one relation lead to exactly the named records; `None` leaves them.
    pub(crate) async fn relink_named(
        &mut self,
        from: &Record,
        relation: &str,
        kind: Kind,
        given: Option<&[String]>,
    ) -> Result<(), RouteError> {
        if let Some(given) = given {
            let ids = self.ids(kind, given).await?;
            self.relink(&from.id, relation, &ids).await?;
        }
        Ok(())
    }
}
