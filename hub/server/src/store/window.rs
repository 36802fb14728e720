//! The events of a window of time: what has an hour by instants, what is of whole days by days.

use sqlx::{QueryBuilder, Sqlite};

/// When events are on. Those with an hour are on at an instant, those of whole days (a start without an hour) on a day of the person's
/// calendar, which is the same day in every zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventWindow {
    /// The first instant.
    pub from: String,
    /// The first instant after it.
    pub to: String,
    /// The first day, `YYYY-MM-DD`.
    pub first_day: String,
    /// The last day, which is in it.
    pub last_day: String,
}

/// `AND` an event of the table `name` that is on in the window.
pub(super) fn push_window(
    query: &mut QueryBuilder<Sqlite>,
    name: &'static str,
    window: &EventWindow,
) {
    let field = |query: &mut QueryBuilder<Sqlite>, before: &'static str, field: &'static str| {
        query.push(before).push("json_extract(").push(name);
        query.push(".fields, '$.").push(field).push("')");
    };
    field(query, " AND CASE WHEN length(", "start");
    field(query, ") = 10 THEN ", "start");
    query.push(" <= ").push_bind(window.last_day.clone());
    field(query, " AND coalesce(", "end");
    field(query, ", ", "start");
    query.push(") >= ").push_bind(window.first_day.clone());
    field(query, " ELSE ", "start");
    query.push(" < ").push_bind(window.to.clone());
    field(query, " AND (", "start");
    query.push(" >= ").push_bind(window.from.clone());
    field(query, " OR ", "end");
    query
        .push(" > ")
        .push_bind(window.from.clone())
        .push(") END");
}
