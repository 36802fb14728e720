//! Adding and changing routines.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::schedule::Schedule;
use super::{ACTIVE, NOT_DELETED, NOTE, PAUSED, shown};
use crate::actions::shared::zone_named;
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{NewRecord, Record};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// Its name.
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// What is to be done each time, in Markdown.
    #[schemars(length(min = 1, max = 20_000))]
    instructions: String,
    /// The recurrence rule of RFC 5545, such as FREQ=DAILY or FREQ=MONTHLY;BYDAY=-1FR.
    #[schemars(length(min = 1, max = 500))]
    rule: String,
    /// The day and time of day from which the rule counts, such as 2027-03-01T09:00.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$"))]
    start: String,
    /// The time zone of that clock, such as Europe/Berlin; the person's when it is left out.
    #[schemars(length(min = 1, max = 100))]
    time_zone: Option<String>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    let zone = zone_named(asked.time_zone.as_deref(), on.zone().await?)?;
    let now = on.change().now();
    let schedule = Schedule::new(&asked.rule, &asked.start, zone, now)?;
    let mut new = NewRecord {
        status: Some(ACTIVE.to_owned()),
        body: asked.instructions,
        ..NewRecord::new(on.space(), Kind::Routine, asked.name)
    };
    schedule.keep(&mut new.fields);
    let routine = on.create(new).await?;
    Ok(answer(on, &routine, "The routine was added."))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operation {
    Edit,
    Pause,
    Resume,
    Delete,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The routine, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    routine: String,
    /// The version you read; if the routine has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// What to do; delete is always refused.
    operation: Operation,
    /// The new name; for edit.
    #[schemars(length(min = 1, max = 200))]
    name: Option<String>,
    /// What is to be done, in place of what it says; for edit.
    #[schemars(length(min = 1, max = 20_000))]
    instructions: Option<String>,
    /// The new recurrence rule; for edit.
    #[schemars(length(min = 1, max = 500))]
    rule: Option<String>,
    /// The day and time of day from which the rule counts; for edit.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$"))]
    start: Option<String>,
    /// The time zone of that clock; for edit.
    #[schemars(length(min = 1, max = 100))]
    time_zone: Option<String>,
}

impl Update {
    const fn times(&self) -> bool {
        self.rule.is_some() || self.start.is_some() || self.time_zone.is_some()
    }

    const fn edits(&self) -> bool {
        self.times() || self.name.is_some() || self.instructions.is_some()
    }
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    if asked.operation == Operation::Delete {
        return Err(RouteError::Forbidden(NOT_DELETED.to_owned()));
    }
    if asked.edits() != (asked.operation == Operation::Edit) {
        return Err(limited(if asked.edits() {
            "`name`, `instructions`, `rule`, `start` and `timeZone` go with the operation edit."
        } else {
            "Nothing to change: give `name`, `instructions`, `rule`, `start` or `timeZone`."
        }));
    }
    let before = on.record(Kind::Routine, &asked.routine).await?;
    Changing::fresh(&before, asked.version)?;
    let mut routine = before.clone();
    match asked.operation {
        Operation::Pause => routine.status = Some(PAUSED.to_owned()),
        Operation::Resume => routine.status = Some(ACTIVE.to_owned()),
        Operation::Edit | Operation::Delete => edit(on, &mut routine, asked).await?,
    }
    let routine = on.update(&before, routine).await?;
    let message = match (routine.status.as_deref(), on.write.change.wrote()) {
        (_, false) => "The routine already was like that.",
        (Some(PAUSED), true) if before.status != routine.status => "The routine is paused.",
        (_, true) if before.status != routine.status => "The routine goes on.",
        (_, true) => "The routine was changed.",
    };
    Ok(answer(on, &routine, message))
}

async fn edit(on: &mut Changing, routine: &mut Record, asked: Update) -> Result<(), RouteError> {
    if asked.times() {
        let kept = Schedule::of(routine);
        let rule = asked.rule.or(kept.as_ref().map(|kept| kept.rule.clone()));
        let start = asked.start.or(kept.as_ref().map(Schedule::start_text));
        let (Some(rule), Some(start)) = (rule, start) else {
            return Err(limited(
                "This routine has no times yet: give `rule` and `start`.",
            ));
        };
        let own = match kept {
            Some(kept) => kept.zone,
            None => on.zone().await?,
        };
        let zone = zone_named(asked.time_zone.as_deref(), own)?;
        let now = on.change().now();
        Schedule::new(&rule, &start, zone, now)?.keep(&mut routine.fields);
    }
    if let Some(name) = asked.name {
        routine.title = name;
    }
    if let Some(instructions) = asked.instructions {
        routine.body = instructions;
    }
    Ok(())
}

fn answer(on: &mut Changing, routine: &Record, message: &str) -> Done {
    let now = on.change().now();
    let card = shown(on.label(routine), routine, now);
    Done::new(json!({ "routine": card, "notes": [NOTE] }), message)
}
