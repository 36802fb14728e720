//! The tasks of the demo workspace: every status, one on a branch, two on the same branch.

use ensemble_hub_api::{TaskStatus, relation};

use super::seed::{Moment, Seed};

/// All tasks.
pub(super) fn seeds(moment: &Moment) -> Vec<Seed> {
    let mut all = timeout(moment);
    all.extend(retries(moment));
    all.extend(others(moment));
    all
}

fn in_httpx(task: Seed) -> Seed {
    task.refer("projectId", relation::PROJECT, "reliability")
        .refer("repoId", relation::REPO, "httpx")
}

fn timeout(moment: &Moment) -> Vec<Seed> {
    use TaskStatus::{Done, InProgress, WaitingApproval};
    vec![
        in_httpx(Seed::task("doc-timeout", "Document the default timeout", InProgress, 2))
            .with("branch", "docs/default-timeout")
            .with("priority", "p1")
            .with("todayFocus", "keep")
            .with("due", moment.day(3))
            .with("asked", "Could you write down what the default timeout is, and what people should set instead? Three partners asked me this month.")
            .list("labels", &["docs", "timeouts"])
            .refer("owner", relation::OWNER, "robin")
            .link(relation::REQUESTED_BY, "sofia")
            .link(relation::FROM_MEETING, "weekly")
            .link(relation::DEPENDS_ON, "agree-values")
            .link(relation::DELIVERABLE, "chapter")
            .link(relation::ATTACHED, "readout")
            .link(relation::ATTACHED, "survey")
            .link(relation::RELATED, "issue-timeouts")
            .link(relation::RELATED, "lifecycle")
            .link(relation::SKILL, "write-docs")
            .body("Users do not know that every operation has a default timeout of five seconds.\n\n## What the page has to say\n\n- the default for connect, read, write and pool, with units\n- how to switch it off, and why that is rarely right\n- which exception is raised for each of them\n\n## Open\n\nThe values stay as they are only if the review of them agrees."),
        in_httpx(Seed::task("agree-values", "Agree on the default timeout values", WaitingApproval, 20))
            .with("priority", "p1")
            .with("due", moment.day(1))
            .refer("owner", relation::OWNER, "dev")
            .link(relation::REQUESTED_BY, "mara")
            .link(relation::FROM_MEETING, "weekly")
            .link(relation::ATTACHED, "readout")
            .body("Keep five seconds for everything, or give the pool its own value? The readout of the latency test is attached."),
        in_httpx(Seed::task("timeout-tests", "Move the timeout tests to the new fixtures", Done, 24 * 8))
            .with("branch", "tests/timeout-fixtures")
            .with("priority", "p2")
            .refer("owner", relation::OWNER, "robin")
            .link(relation::RELATED, "doc-timeout")
            .body("The slow server fixture now covers connect, read, write and pool."),
        in_httpx(Seed::task("pool-limits", "Explain pool limits in the guide", Done, 24 * 15))
            .with("branch", "docs/pool-limits")
            .refer("owner", relation::OWNER, "robin")
            .link(relation::REQUESTED_BY, "dev")
            .body("The page shows how many connections are kept and what waiting for one raises."),
        in_httpx(Seed::task("http3", "Support HTTP/3", TaskStatus::Dropped, 24 * 30))
            .with("priority", "p3")
            .body("Not before the transport interface is settled."),
    ]
}

fn retries(moment: &Moment) -> Vec<Seed> {
    vec![
        in_httpx(Seed::task("retry-helper", "Add a retry helper with jitter", TaskStatus::InProgress, 5))
            .with("branch", "retry-helper")
            .with("priority", "p2")
            .with("due", moment.day(8))
            .refer("owner", relation::OWNER, "robin")
            .link(relation::REQUESTED_BY, "mara")
            .link(relation::SKILL, "network-review")
            .body("`retryWithJitter(max_attempts=3)` for requests that are safe to repeat. Connection errors only; never after a part of the answer was read."),
        in_httpx(Seed::task("retry-tests", "Test the retry helper against slow servers", TaskStatus::Todo, 30))
            .with("branch", "retry-helper")
            .with("priority", "p2")
            .refer("owner", relation::OWNER, "dev")
            .link(relation::ASSIGNEE, "robin")
            .link(relation::DEPENDS_ON, "retry-helper")
            .link(relation::ATTACHED, "readout")
            .body("With C++ and Python servers, and a 50% loss of packets."),
    ]
}

fn others(moment: &Moment) -> Vec<Seed> {
    use TaskStatus::{Blocked, Proposed, Todo};
    vec![
        Seed::task("migration", "Publish the 1.0 migration guide", Proposed, 40)
            .with("priority", "p2")
            .refer("projectId", relation::PROJECT, "reliability")
            .refer("repoId", relation::REPO, "guide")
            .link(relation::FROM_MEETING, "weekly")
            .link(relation::REQUESTED_BY, "sofia")
            .body("Proposed from the meeting: list every default that changed."),
        Seed::task(
            "certificates",
            "Rotate the staging certificates",
            Blocked,
            60,
        )
        .with("priority", "p1")
        .with("due", moment.day(-1))
        .list("labels", &["waiting-on"])
        .refer("owner", relation::OWNER, "yuki")
        .refer("projectId", relation::PROJECT, "reliability")
        .body("Waits for the new issuer. Until then the slow server cannot be reached over TLS."),
        Seed::task(
            "audit-logs",
            "POL-358: keep audit logs for 400 days",
            Todo,
            12,
        )
        .with("priority", "p0")
        .with("due", moment.day(2))
        .list("labels", &["policy"])
        .refer("owner", relation::OWNER, "robin")
        .body("The policy asks for 400 days. We keep 90. Write to @noor about the partner logs."),
        Seed::task("usage", "Send the usage numbers to Sofía", Todo, 50)
            .with("priority", "p3")
            .with("due", moment.day(0))
            .refer("owner", relation::OWNER, "robin")
            .link(relation::REQUESTED_BY, "sofia")
            .body("How many clients set a timeout of their own? Last count: 38%."),
        Seed::task(
            "contract",
            "Answer the partner's questions about limits",
            Proposed,
            33,
        )
        .refer("projectId", relation::PROJECT, "partners")
        .with("source", "mail")
        .link(relation::REQUESTED_BY, "noor")
        .body("From a mail: “What happens when our server takes longer than five seconds?”"),
        Seed::task("sample", "Review the sample client for partners", Todo, 90)
            .with("priority", "p2")
            .with("due", moment.day(6))
            .list("labels", &["waiting-on"])
            .refer("owner", relation::OWNER, "noor")
            .refer("projectId", relation::PROJECT, "partners")
            .link(relation::DELIVERABLE, "kit")
            .body("Noor sends the draft; we check that it sets a timeout."),
    ]
}
