//! Imports, backups and restores as a person runs them: what is asked, what is written, and with which exit code.

use ensemble_test_harness::Home;
use serde_json::Value;

use crate::support::{failure, home, printed, run};

const TABLE: &str = "id,title,status\n1,First,todo\n2,Second,nonsense\n3,Third,done\n";

struct Place {
    home: Home,
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            home: home(),
            folder: tempfile::TempDir::new().unwrap(),
        }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    async fn import(&self, file: &str, options: &[&str]) -> std::process::Output {
        let data = self.path("hub");
        let mut arguments = vec!["hub", "import", "csv", file, "--data", &data];
        arguments.extend(options);
        run(&self.home, &arguments).await
    }
}

fn json(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

#[tokio::test]
async fn nothing_is_written_before_the_person_says_so() {
    let place = Place::new();
    let file = place.write("tasks.csv", "title\nFirst\n");
    for options in [&["--preview"][..], &[]] {
        let shown = printed(&place.import(&file, options).await);
        assert!(shown.contains("new task “First” (line 2)"), "{shown}");
    }
    let none = place.import(&file, &[]).await;
    assert!(String::from_utf8_lossy(&none.stderr).contains("Nothing was written"));
    let report = json(&place.import(&file, &["--preview", "--json"]).await);
    assert_eq!(
        (&report["written"], &report["records"][0]["new"]),
        (&false.into(), &1.into())
    );
    let written = printed(&place.import(&file, &["--yes"]).await);
    assert!(
        written.ends_with("Written: 1 new, 0 changed.\n"),
        "{written}"
    );
    let again = printed(&place.import(&file, &["--yes"]).await);
    assert!(
        again.ends_with("Nothing changed since the last import.\n"),
        "{again}"
    );
}

#[tokio::test]
async fn bad_rows_are_named_the_rest_is_written_and_the_exit_code_says_so() {
    let place = Place::new();
    let file = place.write("tasks.csv", TABLE);
    let output = place.import(&file, &["--yes"]).await;
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("line 3: “nonsense” is no status"), "{text}");
    assert!(text.contains("Written: 2 new"), "{text}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("error: One row could not be imported.")
    );
    let report = json(&place.import(&file, &["--yes", "--json"]).await);
    assert_eq!(
        (&report["badTotal"], &report["records"][0]["unchanged"]),
        (&1.into(), &2.into())
    );
}

#[tokio::test]
async fn what_cannot_be_imported_is_one_sentence() {
    let place = Place::new();
    let missing = failure(&place.import(&place.path("none.csv"), &["--yes"]).await);
    assert!(
        missing.contains("none.csv cannot be read: check that it exists"),
        "{missing}"
    );
    let file = place.write("a.csv", "x,y\n1,2\n");
    let columns = failure(&place.import(&file, &["--yes"]).await);
    assert!(columns.contains("no column is the title"), "{columns}");
    let space = failure(
        &place
            .import(&file, &["--map", "title=x", "--space", "Nowhere"])
            .await,
    );
    assert!(space.contains("no space called “Nowhere”"), "{space}");
    let mapped = printed(&place.import(&file, &["--map", "title=x", "--yes"]).await);
    assert!(
        mapped.contains("Columns that are not imported: “y”"),
        "{mapped}"
    );
    let wrong = place.import(&file, &["--map", "nothing=x"]).await;
    assert_eq!(wrong.status.code(), Some(2));
}

#[tokio::test]
async fn a_backup_restores_a_hub_whose_keys_work() {
    let place = Place::new();
    let file = place.write("tasks.csv", "title\nFirst\n");
    printed(&place.import(&file, &["--yes"]).await);
    let (data, archive, to) = (
        place.path("hub"),
        place.path("one.tar"),
        place.path("restored"),
    );
    printed(
        &run(
            &place.home,
            &["hub", "key", "create", "--data", &data, "--name", "editor"],
        )
        .await,
    );
    printed(&run(&place.home, &["hub", "file", "add", &file, "--data", &data]).await);
    let made = printed(&run(&place.home, &["hub", "backup", &archive, "--data", &data]).await);
    assert!(
        made.starts_with(
            "Backed up and verified: 2 records, 0 links, 2 changes, 1 key and 1 file in "
        ),
        "{made}"
    );
    let twice = failure(&run(&place.home, &["hub", "backup", &archive, "--data", &data]).await);
    assert!(twice.contains("exists already"), "{twice}");
    let restored = run(
        &place.home,
        &["hub", "restore", &archive, "--data", &to, "--json"],
    )
    .await;
    assert_eq!(json(&restored)["counts"]["records"], 2);
    let taken = failure(&run(&place.home, &["hub", "restore", &archive, "--data", &to]).await);
    assert!(taken.contains("is not empty"), "{taken}");
    let keys = run(
        &place.home,
        &["hub", "key", "list", "--data", &to, "--json"],
    )
    .await;
    assert_eq!(json(&keys)[0]["name"], "editor");
    let none = failure(
        &run(
            &place.home,
            &["hub", "restore", &file, "--data", &place.path("x")],
        )
        .await,
    );
    assert!(none.contains("is no backup of a hub"), "{none}");
}
