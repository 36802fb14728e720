//! The people, projects, repositories and skills of the demo workspace.

use ensemble_hub_api::{Kind, relation};

use super::seed::{Moment, Seed};
use crate::clock::instant;

/// Everyone and everything that tasks refer to.
pub(super) fn seeds(moment: &Moment) -> Vec<Seed> {
    let mut all = people(moment);
    all.extend(projects(moment));
    all.extend(skills());
    all
}

fn person(name: &'static str, title: &'static str, email: &'static str) -> Seed {
    Seed::new(Kind::Person, name, title)
        .with("email", email)
        .age(72)
}

fn people(moment: &Moment) -> Vec<Seed> {
    vec![
        person("robin", "Robin Vale", "robin@example.com")
            .with("role", "Software engineer")
            .with("team", "Client libraries")
            .with("relationship", "you")
            .body("Works on HTTP clients and their documentation."),
        person("mara", "Mara Lindqvist", "mara@example.com")
            .with("role", "Engineering manager")
            .with("team", "Client libraries")
            .with("relationship", "your manager")
            .with("lastInteraction", instant(moment.at(-1, 10))),
        person("dev", "Dev Okafor", "dev@example.com")
            .with("role", "Staff engineer")
            .with("team", "Networking")
            .with("relationship", "reviews your changes to httpx")
            .with("lastInteraction", instant(moment.at(-2, 16)))
            .body("Prefers small changes with a measurement. Ask him before touching the pool."),
        person("sofia", "Sofía Núñez", "sofia@example.com")
            .with("role", "Product lead")
            .with("team", "Developer experience")
            .with("relationship", "asks for most of the client work")
            .with("lastInteraction", instant(moment.at(-6, 11))),
        person("yuki", "田中 由紀", "yuki@example.com")
            .with("role", "Site reliability engineer")
            .with("team", "Operations")
            .with("relationship", "runs the staging servers you test against")
            .with("lastInteraction", instant(moment.at(-4, 9))),
        person("noor", "Noor Haddad", "noor@example.com")
            .with("role", "Partner manager")
            .with("team", "Partnerships")
            .with("relationship", "your contact for partners"),
    ]
}

fn projects(moment: &Moment) -> Vec<Seed> {
    vec![
        Seed::new(Kind::Project, "reliability", "HTTP client reliability")
            .status("active")
            .with("summary", "Make slow servers a case that every client handles and documents.")
            .refer("owner", relation::OWNER, "mara")
            .link(relation::MEMBER, "robin")
            .link(relation::MEMBER, "dev")
            .link(relation::MEMBER, "sofia")
            .link(relation::REPO, "httpx")
            .body("Timeouts first, then retries. A change of a default needs its page in the guide in the same release."),
        Seed::new(Kind::Project, "partners", "Partner onboarding")
            .status("active")
            .with("summary", "What a new partner needs in the first two weeks.")
            .refer("owner", relation::OWNER, "noor")
            .link(relation::MEMBER, "robin"),
        Seed::new(Kind::Repo, "httpx", "encode/httpx")
            .with("provider", "github")
            .with("source", "github")
            .with("description", "A next generation HTTP client for Python.")
            .with("defaultBranch", "master")
            .with("tracked", true)
            .with("myRole", "contributor")
            .list("languages", &["Python"])
            .with("sourceUrl", "https://github.com/encode/httpx"),
        Seed::new(Kind::Repo, "guide", "example-labs/client-guide")
            .with("provider", "github")
            .with("source", "github")
            .with("description", "The guide for our client libraries.")
            .with("defaultBranch", "main")
            .with("tracked", true)
            .with("myRole", "maintainer")
            .list("languages", &["Markdown"])
            .with("sourceUrl", "https://github.com/example-labs/client-guide"),
        Seed::new(Kind::Deliverable, "chapter", "Timeout chapter of the guide")
            .status("planned")
            .with("due", moment.day(5))
            .refer("owner", relation::OWNER, "robin")
            .refer("projectId", relation::PROJECT, "reliability")
            .body("One page on defaults, one on choosing your own, examples that run."),
        Seed::new(Kind::Deliverable, "kit", "Partner onboarding kit")
            .status("planned")
            .with("due", moment.day(12))
            .refer("owner", relation::OWNER, "noor")
            .refer("projectId", relation::PROJECT, "partners")
            .body("Checklist, sample client, contacts."),
    ]
}

fn skills() -> Vec<Seed> {
    vec![
        Seed::new(Kind::Skill, "write-docs", "Write documentation for client libraries")
            .with("slug", "write-client-docs")
            .with("description", "How we write pages of the client guide.")
            .with("version", 4)
            .with("enabled", true)
            .with("provenance", "written by you")
            .with("confidence", "high")
            .link(relation::PROJECT, "reliability")
            .body("Say the default first, with its unit. Show one example that runs as it stands. Name what happens when the limit is reached, and the exception. Link the page from the reference. No screenshots."),
        Seed::new(Kind::Skill, "network-review", "Review a network change")
            .with("slug", "review-network-change")
            .with("description", "What to check before a change of timeouts, pools or retries.")
            .with("version", 2)
            .with("enabled", true)
            .with("provenance", "learned from 11 reviews")
            .with("confidence", "medium")
            .body("Ask for the measurement. Check that a retry is safe to repeat. Check that the sum of all retries stays below the caller's own deadline."),
        Seed::new(Kind::Skill, "old-release", "Release by hand")
            .with("slug", "release-by-hand")
            .with("description", "The steps from before the release pipeline.")
            .with("version", 1)
            .with("enabled", false)
            .with("provenance", "written by you")
            .link(relation::PROJECT, "reliability")
            .body("Build on your own machine and upload the archive."),
    ]
}
