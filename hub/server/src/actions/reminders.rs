//! Reminders: something to be told at an instant, or on a day, which is the same day in every time zone. One that was dismissed is kept and
//! comes back when it is given a new time. Reminders are read here and nowhere else, so the record that one is about is named in a field and
//! not linked: what belongs to a record would show them.

mod list;
mod time;
mod write;

use jiff::tz::TimeZone;
use jiff::{Timestamp, civil::Date};

use super::{Action, changes, reads};
use crate::clock::zone_name;
use crate::store::Record;
use crate::text::trust::neutral;
use crate::view::Card;

/// The status of a reminder that waits for its time or was not put away yet, and of one that was.
const PENDING: &str = "pending";
const DISMISSED: &str = "dismissed";
/// When it is: an instant or a day, in the field that orders calendars too.
const WHEN: &str = "start";
/// The record that it is about.
const ABOUT: &str = "aboutId";

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_reminders",
        list::List,
        list::list,
        "Lists reminders in the order of their times; `due` is true on those whose time has come. Without a status, those that were not dismissed."
    ),
    reads!(
        "hub_list_watchers",
        list::Watchers,
        list::watchers,
        "Lists what Ensemble watches for the person. Watchers are made and ended by the person in Ensemble."
    ),
    changes!(
        "hub_create_reminder",
        write::Create,
        write::create,
        "Adds a reminder at a time (`at`) or on a day (`day`), about a record where one is named."
    ),
    changes!(
        "hub_update_reminder",
        write::Update,
        write::update,
        "Changes a reminder: what is left out stays, null empties. A new time brings a dismissed one back."
    ),
    changes!(
        "hub_dismiss_reminder",
        write::One,
        write::dismiss,
        "Puts a reminder away as told; it stays in the list of dismissed ones."
    ),
    changes!(
        "hub_delete_reminder",
        write::One,
        write::delete,
        "Moves a reminder to Trash, where the person can take it out again."
    ),
];

/// A reminder as its answers show it, without the record that it is about.
fn shown(mut card: Card, reminder: &Record, now: Timestamp, persons: &TimeZone) -> Card {
    let status = reminder.status.as_deref().unwrap_or(PENDING);
    card.insert("status".to_owned(), status.into());
    card.insert("version".to_owned(), reminder.version.into());
    if !reminder.body.trim().is_empty() {
        card.insert("note".to_owned(), neutral(&reminder.body).into());
    }
    let Some(when) = reminder.text(WHEN) else {
        return card;
    };
    let come = if let Ok(at) = when.parse::<Timestamp>() {
        let zone = reminder
            .text("timeZone")
            .and_then(|name| TimeZone::get(name).ok())
            .unwrap_or_else(|| persons.clone());
        let local = at.to_zoned_datetime(zone.clone()).datetime();
        card.insert("at".to_owned(), when.into());
        card.insert(
            "local".to_owned(),
            local.strftime("%Y-%m-%dT%H:%M").to_string().into(),
        );
        card.insert("timeZone".to_owned(), zone_name(&zone).into());
        at <= now
    } else {
        card.insert("day".to_owned(), when.into());
        let today = now.to_zoned_datetime(persons.clone()).date();
        when.parse::<Date>().is_ok_and(|day| day <= today)
    };
    card.insert("due".to_owned(), (come && status == PENDING).into());
    card
}
