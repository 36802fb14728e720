//! The second space of the demo: a few records that no answer of the first may show.

use ensemble_hub_api::{Kind, TaskStatus, relation};

use super::seed::{Moment, Seed};

/// All records of the second space.
pub(super) fn seeds(moment: &Moment) -> Vec<Seed> {
    vec![
        Seed::new(Kind::Person, "ines", "Inês Duarte")
            .with("email", "ines@example.org")
            .with("role", "Gardener")
            .with("relationship", "shares the allotment with you"),
        Seed::new(Kind::Project, "allotment", "Allotment")
            .status("active")
            .with("summary", "Vegetables, and a shed that does not leak.")
            .link(relation::MEMBER, "ines"),
        Seed::new(Kind::Repo, "watering", "robin/watering")
            .with("provider", "github")
            .with("source", "github")
            .with("description", "Timers for the watering system.")
            .with("defaultBranch", "main")
            .with("tracked", true)
            .with("myRole", "owner"),
        Seed::task("shed", "Repair the shed's roof", TaskStatus::Todo, 8)
            .with("priority", "p1")
            .with("due", moment.day(4))
            .refer("projectId", relation::PROJECT, "allotment")
            .link(relation::REQUESTED_BY, "ines")
            .body("Two sheets are loose. Inês has the ladder."),
        Seed::task("timer", "Timeout for the pump", TaskStatus::InProgress, 16)
            .with("branch", "pump-timeout")
            .refer("projectId", relation::PROJECT, "allotment")
            .refer("repoId", relation::REPO, "watering")
            .body("The pump stops after ten minutes whatever the sensor says."),
        Seed::new(Kind::Page, "sowing", "Sowing calendar")
            .refer("projectId", relation::PROJECT, "allotment")
            .body("Beans in May, garlic in October."),
    ]
}
