//! Every source is previewed, written once, and the same a second time.

use ensemble_hub_api::Kind;
use ensemble_hub_server::import::Source;
use ensemble_hub_server::store::{Actor, NewRecord};

use crate::support::Rig;

const ISSUES: &str = r#"[{"number":1,"title":"Crash","state":"open","html_url":"https://github.com/acme/app/issues/1","user":{"login":"Ada"},
    "labels":[{"name":"bug"}],"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-05T00:00:00Z"}]"#;
const CALENDAR: &str = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:s\nSUMMARY:Standup\nDTSTART:20260323T090000Z\nDTEND:20260323T091500Z\n\
    RRULE:FREQ=DAILY;COUNT=3\nATTENDEE:mailto:ada@example.com\nEND:VEVENT\nEND:VCALENDAR\n";
const CARDS: &str =
    "BEGIN:VCARD\nUID:1\nFN:Ada\nEMAIL:Ada@example.com\nTITLE:Engineer\nEND:VCARD\n";
const TABLE: &str = "id,title,status,due,project,assignee\n1,First,todo,2026-08-08,Apollo,Ada\n2,Second,nonsense,,,\n3,Third,done,,apollo,\"ada, Bo\"\n";

#[tokio::test]
async fn a_second_import_writes_nothing() {
    let rig = Rig::new().await;
    let files = [
        (Source::Csv, rig.write("tasks.csv", TABLE), 5),
        (Source::Github, rig.write("issues.json", ISSUES), 3),
        (Source::Vcard, rig.write("people.vcf", CARDS), 1),
        (Source::Ics, rig.write("calendar.ics", CALENDAR), 3),
    ];
    rig.write("notes/a.md", "# A\n[b](b.md)");
    rig.write("notes/b.md", "# B\n[[A]]");
    let folder = rig.folder.path().join("notes");
    for (source, path, count) in
        files
            .iter()
            .map(|(s, p, c)| (*s, p, *c))
            .chain([(Source::Markdown, &folder, 2)])
    {
        assert_eq!(
            rig.import(source, path).await,
            [count, 0, 0, 0, 0],
            "{source:?}"
        );
        let before: Vec<i64> = ledger(&rig).await;
        let again = rig.import(source, path).await;
        // People and repositories that were made by name are the ones that are found.
        assert_eq!(
            (again[0], again[1], again[3]),
            (0, 0, 0),
            "{source:?} {again:?}"
        );
        assert_eq!(ledger(&rig).await, before, "{source:?}");
    }
}

/// The numbers of the ledger's rows of every record.
async fn ledger(rig: &Rig) -> Vec<i64> {
    let mut all = Vec::new();
    for kind in Kind::ALL {
        for record in rig.all(kind).await {
            let rows = rig
                .store
                .ledger_of(&rig.space.id, &record.id)
                .await
                .unwrap();
            all.extend(rows.into_iter().map(|row| row.seq));
        }
    }
    all
}

#[tokio::test]
async fn rows_become_tasks_with_their_projects_and_people() {
    let rig = Rig::new().await;
    let path = rig.write("tasks.csv", TABLE);
    let plan = rig.plan(Source::Csv, &path).await;
    assert_eq!((plan.bad_total, plan.bad[0].place.as_str()), (1, "line 3"));
    assert!(
        rig.all(Kind::Task).await.is_empty(),
        "a plan writes nothing"
    );
    rig.import(Source::Csv, &path).await;
    let tasks = rig.all(Kind::Task).await;
    let titles: Vec<&str> = tasks.iter().map(|task| task.title.as_str()).collect();
    assert_eq!(titles, ["First", "Third"]);
    let pair = |relation: &str, title: &str| (relation.to_owned(), title.to_owned());
    assert_eq!(
        rig.links(&tasks[0].id).await,
        [pair("assignee", "Ada"), pair("project", "Apollo")]
    );
    let mut third = rig.links(&tasks[1].id).await;
    third.sort();
    assert_eq!(
        third,
        [
            pair("assignee", "Ada"),
            pair("assignee", "Bo"),
            pair("project", "Apollo")
        ]
    );
    let project = rig.all(Kind::Project).await;
    assert_eq!(
        (project.len(), tasks[0].text("projectId")),
        (1, Some(project[0].id.as_str()))
    );
    assert_eq!(tasks[0].actor, "person");
}

#[tokio::test]
async fn what_the_person_changed_stays_and_what_the_source_changed_comes() {
    let rig = Rig::new().await;
    let path = rig.write("tasks.csv", TABLE);
    rig.import(Source::Csv, &path).await;
    let task = rig.all(Kind::Task).await.remove(0);
    let mut change = rig.store.change(Actor::system("test")).await.unwrap();
    let mut edited = task.clone();
    edited.status = Some("in_progress".to_owned());
    edited.body = "my notes".to_owned();
    change.update("test", &task, edited).await.unwrap();
    change.commit().await.unwrap();
    rig.write(
        "tasks.csv",
        &TABLE.replace("2026-08-08,Apollo,Ada", "2026-09-09,Gemini,Ada"),
    );
    // The task and the project that it moved to.
    assert_eq!(rig.import(Source::Csv, &path).await, [1, 1, 1, 0, 0]);
    let task = rig
        .store
        .record(&rig.space.id, &task.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(task.text("due"), Some("2026-09-09"));
    assert_eq!(
        (task.status.as_deref(), task.body.as_str()),
        (Some("in_progress"), "my notes")
    );
    let links = rig.links(&task.id).await;
    assert!(
        links.iter().any(|(_, title)| title == "Gemini"),
        "{links:?}"
    );
    assert!(
        links.iter().all(|(_, title)| title != "Apollo"),
        "{links:?}"
    );
    // A cell that is empty now takes the field away.
    rig.write(
        "tasks.csv",
        &TABLE.replace("2026-08-08,Apollo,Ada", ",Gemini,Ada"),
    );
    rig.import(Source::Csv, &path).await;
    let task = rig
        .store
        .record(&rig.space.id, &task.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(task.text("due"), None);
}

#[tokio::test]
async fn what_the_person_threw_away_stays_away() {
    let rig = Rig::new().await;
    let path = rig.write("tasks.csv", TABLE);
    rig.import(Source::Csv, &path).await;
    let task = rig.all(Kind::Task).await.remove(0);
    let mut change = rig.store.change(Actor::system("test")).await.unwrap();
    change.trash("test", &task).await.unwrap();
    change.commit().await.unwrap();
    assert_eq!(rig.import(Source::Csv, &path).await, [0, 0, 1, 0, 1]);
    assert_eq!(rig.all(Kind::Task).await.len(), 1);
}

#[tokio::test]
async fn somebody_who_is_there_is_not_made_again() {
    let rig = Rig::new().await;
    let mut change = rig.store.change(Actor::system("test")).await.unwrap();
    let mut ada = NewRecord::new(rig.space.id.as_str(), Kind::Person, "Ada Lovelace");
    ada.fields
        .insert("email".to_owned(), "ada@example.com".into());
    ada.fields.insert("role".to_owned(), "Mathematician".into());
    let ada = change.create("test", ada).await.unwrap();
    change.commit().await.unwrap();
    let cards = rig.write("people.vcf", CARDS);
    assert_eq!(rig.import(Source::Vcard, &cards).await, [0, 1, 0, 0, 0]);
    assert_eq!(rig.import(Source::Vcard, &cards).await, [0, 0, 1, 0, 0]);
    let people = rig.all(Kind::Person).await;
    assert_eq!(people.len(), 1);
    assert_eq!(
        (people[0].title.as_str(), people[0].text("role")),
        ("Ada Lovelace", Some("Mathematician"))
    );
    assert_eq!(
        people[0].text("source"),
        Some("vcard"),
        "what she lacked came"
    );
    let calendar = rig.write("calendar.ics", CALENDAR);
    rig.import(Source::Ics, &calendar).await;
    let event = rig.all(Kind::Event).await.remove(0);
    let links = rig
        .store
        .links_from(&rig.space.id, &event.id)
        .await
        .unwrap();
    assert!(links.iter().any(|link| link.record.id == ada.id));
}

#[tokio::test]
async fn a_meeting_that_is_cancelled_goes_to_trash() {
    let rig = Rig::new().await;
    let path = rig.write("calendar.ics", CALENDAR);
    assert_eq!(rig.import(Source::Ics, &path).await, [3, 0, 0, 0, 0]);
    let chained = rig.all(Kind::Event).await.len();
    assert_eq!(chained, 3);
    let without = CALENDAR.replace("ATTENDEE", "EXDATE:20260324T090000Z\nATTENDEE");
    rig.write("calendar.ics", &without);
    let [new, _, _, removed, _] = rig.import(Source::Ics, &path).await;
    assert_eq!((new, removed), (0, 1));
    let starts: Vec<String> = rig
        .all(Kind::Event)
        .await
        .iter()
        .map(|e| e.text("start").unwrap().to_owned())
        .collect();
    assert_eq!(starts.len(), 2, "{starts:?}");
    assert_eq!(rig.import(Source::Ics, &path).await[3], 0);
}

#[tokio::test]
async fn pages_are_linked_both_ways_and_issues_are_untrusted() {
    let rig = Rig::new().await;
    rig.write("notes/a.md", "---\nteam: core\n---\n# A\n[b](b.md)");
    rig.write("notes/b.md", "# B\n[[A]]");
    rig.import(Source::Markdown, &rig.folder.path().join("notes"))
        .await;
    let pages = rig.all(Kind::Page).await;
    assert_eq!(
        rig.links(&pages[0].id).await,
        [("related".to_owned(), "B".to_owned())]
    );
    assert_eq!(
        rig.links(&pages[1].id).await,
        [("related".to_owned(), "A".to_owned())]
    );
    assert_eq!(pages[0].fields["frontMatter"]["team"], "core");
    let issues = rig.write("issues.json", ISSUES);
    rig.import(Source::Github, &issues).await;
    let task = rig.all(Kind::Task).await.remove(0);
    assert_eq!(
        ensemble_hub_server::view::trust_of(&task),
        ensemble_hub_api::Trust::Untrusted
    );
    assert_eq!(task.created_at.to_string(), "2026-01-02T03:04:05Z");
    assert_eq!(task.updated_at.to_string(), "2026-01-05T00:00:00Z");
    let found = rig
        .store
        .find_by_title(&rig.space.id, Kind::Repo, "acme/app")
        .await
        .unwrap();
    assert_eq!(found.len(), 1);
}
