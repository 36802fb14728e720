//! The calendar: events in a window of days, and what a week was.

mod recap;

use ensemble_hub_api::limits;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Action, Reading, reads};
use crate::error::RouteError;
use crate::lists::Part;
use crate::meetings;

const _: () = assert!(limits::MEETING_DAYS == 14, "the description says so");

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_events",
        Events,
        events,
        "The calendar's events in a window, by their start; without one, the next 14 days in the person's time zone. Each has the meeting before it in its series."
    ),
    reads!(
        "hub_weekly_recap",
        recap::Asked,
        recap::recap,
        "What a week was, Monday to Sunday in the person's time zone: tasks and deliverables that were done, what was made, what was decided, and whom the person met."
    ),
];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Events {
    /// The first day (YYYY-MM-DD) or instant; now when left out.
    #[schemars(length(max = 50))]
    from: Option<String>,
    /// The last day (YYYY-MM-DD) or the instant at which the window ends; 14 days later when left out.
    #[schemars(length(max = 50))]
    to: Option<String>,
    /// Words of the title.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Events at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Events to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

async fn events(on: &Reading, asked: Events) -> Result<Value, RouteError> {
    let after = asked.after.as_deref();
    let asked = meetings::Asked {
        part: Part::from_input(asked.limit, asked.offset, after, meetings::NAME)?,
        from: asked.from,
        to: asked.to,
        words: asked.query,
    };
    let zone = on.hub.time_zone(&on.caller.space.account_id).await?;
    let found = meetings::meetings(&on.reader(), &zone, &asked).await?;
    Ok(found.into())
}
