//! A week, counted: what was done, made and decided from the ledger, what was met from the calendar. A change that was undone does not count;
//! what an import brought in is counted apart, because nobody did it that week.

use ensemble_hub_api::{Kind, date, sentences};
use jiff::ToSpan as _;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::Reading;
use crate::actions::with::limited;
use crate::error::RouteError;
use crate::meetings::Window;
use crate::store::{Moved, Order, RecordQuery};
use crate::view;

/// Cards of one list.
const LIST_MAX: usize = 20;
/// The same as a number of rows to ask for.
const LIST_ROWS: u32 = 20;
/// Bytes of one list.
const LIST_BYTES: usize = 15_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Asked {
    /// Any day of the week, as YYYY-MM-DD; this week when left out.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    week: Option<String>,
}

pub(super) async fn recap(on: &Reading, asked: Asked) -> Result<Value, RouteError> {
    let bad = || limited("`week` is a calendar date in the form YYYY-MM-DD.");
    let day = match &asked.week {
        Some(text) if !date::is_date(text) => return Err(bad()),
        Some(text) => text.parse::<Date>().map_err(|_| bad())?,
        None => on.today().await?,
    };
    let since_monday = i64::from(day.weekday().to_monday_zero_offset());
    let monday = day.checked_sub(since_monday.days()).map_err(|_| bad())?;
    let sunday = monday.checked_add(6.days()).map_err(|_| bad())?;
    let zone = on.hub.time_zone(&on.caller.space.account_id).await?;
    let (from, to) = (monday.to_string(), sunday.to_string());
    let window = Window::of(Some(&from), Some(&to), on.store().now(), &zone)?;

    let made = on.store().made(on.space(), window.from, window.to).await?;
    let count = |imported: bool| -> Vec<Value> {
        let of = made.iter().filter(|made| made.imported == imported);
        of.map(|made| json!({ "kind": made.kind, "count": made.count }))
            .collect()
    };
    let (moved, more) = on.store().moved(on.space(), window.from, window.to).await?;
    let done = |kind: Kind| {
        move |one: &Moved| one.kind == kind.as_str() && one.is.as_deref() == Some("done")
    };
    let decided = |one: &Moved| {
        let asked = [Kind::Approval, Kind::Decision].map(Kind::as_str);
        asked.contains(&one.kind.as_str()) && one.was.as_deref() == Some("pending")
    };
    let events = RecordQuery {
        kinds: vec![Kind::Event],
        order: Order::Start,
        events_in: Some(window.events(&zone)),
        limit: LIST_ROWS,
        ..RecordQuery::default()
    };
    let met = on.store().records(on.space(), &events).await?;
    let met_cards = on.reader().cards(&met.items).await?;
    let mut notes = vec![sentences::REFERENCE_NOTE];
    if more {
        notes.push("Very much moved in this week: only the last 2,000 moves are counted.");
    }
    Ok(json!({
        "from": from,
        "to": to,
        "timezone": zone.iana_name().unwrap_or("UTC"),
        "tasksDone": listed(on, &moved, done(Kind::Task)).await?,
        "deliverablesDone": listed(on, &moved, done(Kind::Deliverable)).await?,
        "decided": listed(on, &moved, decided).await?,
        "created": count(false),
        "imported": count(true),
        "met": { "total": met.total, "records": view::fit(met_cards, LIST_BYTES).0 },
        "notes": notes,
    }))
}

/// The records among `moved` that are wanted, without those in Trash: how many, and the last of them.
async fn listed(
    on: &Reading,
    moved: &[Moved],
    wanted: impl Fn(&Moved) -> bool,
) -> Result<Value, RouteError> {
    let wanted = moved.iter().filter(|one| wanted(one));
    let ids: Vec<String> = wanted.map(|one| one.record_id.clone()).collect();
    let mut records = on.store().by_ids(on.space(), &ids).await?;
    let total = records.len();
    records.truncate(LIST_MAX);
    let cards = on.reader().cards(&records).await?;
    Ok(json!({ "total": total, "records": view::fit(cards, LIST_BYTES).0 }))
}
