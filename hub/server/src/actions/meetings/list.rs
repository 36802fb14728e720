//! Reading meeting notes.

use ensemble_hub_api::{Kind, limits, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::actions::Reading;
use crate::actions::with::limited;
use crate::error::RouteError;
use crate::lists::Part;
use crate::store::RecordQuery;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct List {
    /// Words of the title.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Only meetings of this project: id, handle or name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
    /// Only meetings that this person took part in: id, handle or name.
    #[schemars(length(max = 2000))]
    person: Option<String>,
    /// Meetings at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Meetings to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn list(on: &Reading, asked: List) -> Result<Value, RouteError> {
    let after = asked.after.as_deref();
    let part = Part::from_input(asked.limit, asked.offset, after, "meetingNotes")?;
    let mut query = RecordQuery {
        kinds: vec![Kind::Meeting],
        title_words: asked.query,
        ..RecordQuery::default()
    };
    query.linked_to = match (&asked.project, &asked.person) {
        (None, None) => None,
        (Some(project), None) => {
            let project = on.record(Kind::Project, project).await?;
            Some((relation::PROJECT.to_owned(), project.id))
        }
        (None, Some(person)) => {
            let person = on.record(Kind::Person, person).await?;
            Some((relation::PARTICIPANT.to_owned(), person.id))
        }
        (Some(_), Some(_)) => return Err(limited("Give `project` or `person`, not both.")),
    };
    on.cards("meetingNotes", query, &part).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The meeting, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    meeting: String,
    /// Where the part begins, in characters.
    offset: Option<u32>,
    /// Characters of the part.
    #[schemars(range(min = 1, max = 8000))]
    limit: Option<u32>,
}

pub(super) async fn read(on: &Reading, asked: One) -> Result<Value, RouteError> {
    let meeting = on.record(Kind::Meeting, &asked.meeting).await?;
    let limit = asked.limit.unwrap_or(limits::BODY_MAX);
    on.in_full(&meeting, asked.offset.unwrap_or(0), limit).await
}
