//! What the person of the demo workspace keeps for themselves: a routine, a reminder, and a desk.

use ensemble_hub_api::Kind;
use serde_json::json;

use super::seed::{Moment, Seed};
use crate::clock::instant;

/// All of them.
pub(super) fn seeds(moment: &Moment) -> Vec<Seed> {
    vec![
        Seed::new(Kind::Routine, "week", "Sum up the week")
            .status("active")
            .with(
                "schedule",
                json!({
                    "rule": "FREQ=WEEKLY;BYDAY=FR",
                    "start": format!("{}T16:00", moment.day(-14)),
                    "timeZone": moment.zone_name(),
                }),
            )
            .body("List what was done, what waits for others, and what is due next week."),
        Seed::new(Kind::Reminder, "ask-dev", "Ask Dev for the pool numbers")
            .status("pending")
            .with("start", instant(moment.at(1, 9)))
            .with("timeZone", moment.zone_name())
            .holds("aboutId", "agree-values"),
        Seed::new(Kind::DeskItem, "desk-page", "Release checklist")
            .with("position", 1.0)
            .holds("recordId", "checklist"),
        Seed::new(
            Kind::DeskItem,
            "desk-note",
            "Bring the readout to the weekly",
        )
        .with("position", 2.0)
        .body("Bring the readout to the weekly"),
    ]
}
