//! Records that a write names by id or by name. One name means one record: several are refused with their ids, never chosen among.

use ensemble_hub_api::limits::{CANDIDATES_MAX, NAME_MAX};
use ensemble_hub_api::{Handle, Kind, sentences};

use crate::error::RouteError;
use crate::store::{Change, Record, Store, StoreError};
use crate::text::cut;
use crate::view;

/// Similar names that a refusal gives, so that it stays one sentence.
const SIMILAR_MAX: u32 = 5;

/// Where it is looked: what is stored, or what a running change sees.
#[derive(Debug)]
pub(crate) enum Look<'a> {
    Stored(&'a Store),
    Changed(&'a mut Change),
}

impl Look<'_> {
    pub(crate) async fn record(
        &mut self,
        space: &str,
        id: &str,
    ) -> Result<Option<Record>, StoreError> {
        match self {
            Self::Stored(store) => store.record(space, id).await,
            Self::Changed(change) => change.record(space, id).await,
        }
    }

    async fn find_by_title(
        &mut self,
        space: &str,
        kind: Kind,
        name: &str,
    ) -> Result<Vec<Record>, StoreError> {
        match self {
            Self::Stored(store) => store.find_by_title(space, kind, name).await,
            Self::Changed(change) => change.find_by_title(space, kind, name).await,
        }
    }

    async fn find_by_words(
        &mut self,
        space: &str,
        kind: Kind,
        words: &str,
        limit: u32,
    ) -> Result<Vec<Record>, StoreError> {
        match self {
            Self::Stored(store) => store.find_by_words(space, kind, words, limit).await,
            Self::Changed(change) => change.find_by_words(space, kind, words, limit).await,
        }
    }
}

/// The record of this kind with this id, handle or name.
pub(crate) async fn by_id_or_name(
    look: &mut Look<'_>,
    space: &str,
    kind: Kind,
    given: &str,
) -> Result<Record, RouteError> {
    let given = given.trim();
    if given.is_empty() || given.chars().nth(NAME_MAX).is_some() {
        return Err(RouteError::BadRequest(sentences::nobody_called(
            kind, given,
        )));
    }
    let id = Handle::parse(given)
        .filter(|handle| handle.kind == kind)
        .map(|handle| handle.id);
    let found = look.record(space, id.as_deref().unwrap_or(given)).await?;
    if let Some(record) = found.filter(|record| record.kind == kind) {
        return Ok(record);
    }
    by_name(look, space, kind, given).await
}

/// The one record of this kind with this name.
pub(crate) async fn by_name(
    look: &mut Look<'_>,
    space: &str,
    kind: Kind,
    name: &str,
) -> Result<Record, RouteError> {
    let mut found = look.find_by_title(space, kind, name).await?;
    if found.len() > 1 {
        let candidates: Vec<String> = found.iter().take(CANDIDATES_MAX).map(candidate).collect();
        return Err(RouteError::BadRequest(sentences::several_called(
            kind,
            name,
            &candidates,
        )));
    }
    match found.pop() {
        Some(record) => Ok(record),
        None => Err(nobody(look, space, kind, name).await?),
    }
}

/// The refusal of a name that nobody has: who could be meant is named, never chosen.
async fn nobody(
    look: &mut Look<'_>,
    space: &str,
    kind: Kind,
    name: &str,
) -> Result<RouteError, RouteError> {
    let similar = look
        .find_by_words(space, kind, name, SIMILAR_MAX + 1)
        .await?;
    let named = |record: &Record| {
        format!(
            "{} ({})",
            record.id,
            cut::excerpt(&view::title(record), 30).0
        )
    };
    let mut candidates: Vec<String> = similar.iter().map(named).collect();
    if candidates.len() > SIMILAR_MAX as usize {
        candidates.truncate(SIMILAR_MAX as usize);
        candidates.push("others".to_owned());
    }
    Ok(RouteError::BadRequest(if candidates.is_empty() {
        sentences::nobody_called(kind, name)
    } else {
        sentences::nobody_exactly(kind, name, &candidates)
    }))
}

/// The id, with what tells two of the same name apart.
fn candidate(record: &Record) -> String {
    match record.text("email").or_else(|| record.text("role")) {
        Some(more) => format!("{} ({})", record.id, cut::head(more, 80)),
        None => record.id.clone(),
    }
}
