//! What cells mean: dates, statuses, priorities. A due date is a day and stays that day: of a date with a time the day is taken as it is
//! written, in whatever zone it was written. `03/04/2026` is a day only where the person or another row of the file says which part is
//! the month.

use ensemble_hub_api::{Priority, TaskStatus, date::is_date, sentences::quoted};

use crate::store::name_key;

/// Which comes first in `03/04/2026`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    DayFirst,
    MonthFirst,
}

/// How the dates of one file are read.
#[derive(Debug)]
pub(super) struct Dates(Option<DateOrder>);

impl Dates {
    /// What the person said, else what a part greater than 12 shows; two that disagree show nothing.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a str>, said: Option<DateOrder>) -> Self {
        if said.is_some() {
            return Self(said);
        }
        let (mut day_first, mut month_first) = (false, false);
        for (first, second, _) in cells.filter_map(slashed) {
            day_first |= first > 12;
            month_first |= second > 12;
        }
        Self(match (day_first, month_first) {
            (true, false) => Some(DateOrder::DayFirst),
            (false, true) => Some(DateOrder::MonthFirst),
            _ => None,
        })
    }

    /// The day as `YYYY-MM-DD`.
    pub(super) fn date(&self, cell: &str) -> Result<String, String> {
        let wrong = || format!("{} is no date: write it like 2026-08-31.", quoted(cell));
        let checked = |year: u16, month: u16, day: u16| {
            let text = format!("{year:04}-{month:02}-{day:02}");
            if is_date(&text) {
                Ok(text)
            } else {
                Err(wrong())
            }
        };
        if let Some((first, second, year)) = slashed(cell) {
            let order = if first > 12 {
                DateOrder::DayFirst
            } else if second > 12 {
                DateOrder::MonthFirst
            } else {
                self.0.ok_or_else(|| {
                    format!("{} can be two days: say which with --dates.", quoted(cell))
                })?
            };
            return match order {
                DateOrder::DayFirst => checked(year, second, first),
                DateOrder::MonthFirst => checked(year, first, second),
            };
        }
        // A time after the day does not change the day.
        let day = cell.split(['T', 't', ' ']).next().unwrap_or(cell);
        if let Some([day, month, year]) = numbers(day, '.') {
            return checked(year, month, day);
        }
        match numbers(day, '-').or_else(|| numbers(day, '/')) {
            Some([year, month, day]) => checked(year, month, day),
            None => Err(wrong()),
        }
    }
}

/// The parts of `3/4/2026`, with or without a time after it.
fn slashed(cell: &str) -> Option<(u16, u16, u16)> {
    let [first, second, year] = numbers(cell.split(' ').next()?, '/')?;
    (first <= 31 && year > 31).then_some((first, second, year))
}

fn numbers(text: &str, between: char) -> Option<[u16; 3]> {
    let parts: Option<Vec<u16>> = text
        .split(between)
        .map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse().ok())?
        })
        .collect();
    parts?.try_into().ok()
}

/// The status of a cell; none is `todo`.
pub(super) fn status(cell: Option<&str>) -> Result<TaskStatus, String> {
    let Some(cell) = cell else {
        return Ok(TaskStatus::Todo);
    };
    let key = name_key(cell).replace(['_', '-'], " ");
    Ok(match key.as_str() {
        "proposed" | "idea" | "suggested" | "triage" => TaskStatus::Proposed,
        "todo"
        | "to do"
        | "open"
        | "new"
        | "backlog"
        | "ready"
        | "not started"
        | "false"
        | "selected for development" => TaskStatus::Todo,
        "in progress" | "doing" | "started" | "active" | "wip" => TaskStatus::InProgress,
        "waiting approval" | "in review" | "review" | "waiting for approval" => {
            TaskStatus::WaitingApproval
        }
        "blocked" | "on hold" | "waiting" => TaskStatus::Blocked,
        "done" | "closed" | "complete" | "completed" | "finished" | "resolved" | "true" | "x" => {
            TaskStatus::Done
        }
        "dropped" | "cancelled" | "canceled" | "won't do" | "wontfix" | "rejected" => {
            TaskStatus::Dropped
        }
        _ => {
            let all: Vec<&str> = TaskStatus::ALL.iter().map(|one| one.as_str()).collect();
            return Err(format!(
                "{} is no status: use one of {}.",
                quoted(cell),
                all.join(", ")
            ));
        }
    })
}

/// The priority of a cell.
pub(super) fn priority(cell: &str) -> Result<Priority, String> {
    let key = name_key(cell);
    Ok(match key.as_str() {
        "p0" | "urgent" | "critical" | "highest" | "blocker" => Priority::P0,
        "p1" | "high" | "important" | "major" => Priority::P1,
        "p2" | "medium" | "normal" | "none" => Priority::P2,
        "p3" | "p4" | "low" | "lowest" | "minor" | "trivial" => Priority::P3,
        _ => {
            return Err(format!(
                "{} is no priority: use p0, p1, p2 or p3.",
                quoted(cell)
            ));
        }
    })
}
