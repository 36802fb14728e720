//! Opening: private files, forward-only schema, and a clear sentence for a file that is not ours.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ensemble_hub_server::clock::StillClock;
use ensemble_hub_server::store::RecordQuery;
use ensemble_hub_server::text::terms::{fts_query, query_terms};
use ensemble_hub_server::{Admin, AdminError, CreateKey, Hub, OpenError};
use sqlx::{Connection as _, Executor as _, SqliteConnection};
use tempfile::TempDir;

use crate::support::{Rig, START};

async fn open(folder: &Path) -> Result<Hub, OpenError> {
    Hub::open(folder, Arc::new(StillClock::at(START.parse().unwrap()))).await
}

async fn sql(folder: &Path, statement: &'static str) {
    let path = folder.join("hub.sqlite3");
    let mut raw = SqliteConnection::connect(&format!("sqlite:{}?mode=rwc", path.display()))
        .await
        .unwrap();
    raw.execute(statement).await.unwrap();
    raw.close().await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn the_folder_and_its_files_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let parent = TempDir::new().unwrap();
    let folder = parent.path().join("a/b");
    let hub = open(&folder).await.unwrap();
    hub.admin().create_space("X").await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let mut files = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        files += 1;
    }
    assert!(files >= 2, "the database and its log");
    hub.close().await;
    fs::set_permissions(
        folder.join("hub.sqlite3"),
        fs::Permissions::from_mode(0o644),
    )
    .unwrap();
    open(&folder).await.unwrap().close().await;
    assert_eq!(
        mode(&folder.join("hub.sqlite3")),
        0o600,
        "a copied file is closed again"
    );
}

#[tokio::test]
async fn what_was_written_is_there_after_opening_again() {
    let rig = Rig::new().await;
    let task = rig.furnish().await.task;
    let (home, folder) = (rig.home.clone(), rig.folder);
    rig.hub.close().await;
    let again = open(folder.path()).await.unwrap();
    assert_eq!(
        again.store().record(&home, &task.id).await.unwrap(),
        Some(task)
    );
    assert_eq!(
        again.admin().ensure_owner().await.unwrap().1.id,
        home,
        "no second owner is made"
    );
}

#[tokio::test]
async fn files_that_are_not_this_hubs_are_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("hub.sqlite3");
    fs::write(
        &file,
        "these are not the pages of a database, but they are long enough to be looked at. "
            .repeat(50),
    )
    .unwrap();
    let before = fs::read(&file).unwrap();
    assert!(matches!(
        open(folder.path()).await,
        Err(OpenError::Foreign { .. })
    ));
    assert_eq!(fs::read(&file).unwrap(), before);

    let folder = TempDir::new().unwrap();
    sql(folder.path(), "CREATE TABLE bookmarks (url TEXT)").await;
    let error = open(folder.path()).await.unwrap_err();
    assert!(matches!(error, OpenError::Foreign { .. }), "{error:?}");
    assert!(
        error
            .to_string()
            .ends_with("is not a hub database: choose another data folder."),
        "{error}"
    );
}

#[tokio::test]
async fn a_newer_database_says_to_update() {
    let folder = TempDir::new().unwrap();
    open(folder.path()).await.unwrap().close().await;
    sql(folder.path(), "PRAGMA user_version = 999").await;
    let error = open(folder.path()).await.unwrap_err();
    assert!(
        matches!(error, OpenError::Newer { found: 999, .. }),
        "{error:?}"
    );
    assert!(
        error.to_string().contains("newer version of Ensemble"),
        "{error}"
    );
}

#[tokio::test]
async fn a_damaged_database_is_named() {
    let folder = TempDir::new().unwrap();
    let rig = open(folder.path()).await.unwrap();
    rig.close().await;
    let file = folder.path().join("hub.sqlite3");
    let mut bytes = fs::read(&file).unwrap();
    // Everything behind the first page, where the tables are.
    for byte in bytes.iter_mut().skip(4096) {
        *byte ^= 0x5a;
    }
    fs::write(&file, bytes).unwrap();
    let error = open(folder.path()).await.unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error:?}");
    assert!(error.to_string().contains("is damaged"), "{error}");
}

/// More than is checked as a whole, in a table of nobody.
const LARGE: &str =
    "CREATE TABLE filler (data BLOB); INSERT INTO filler VALUES (zeroblob(80000000))";

#[tokio::test]
async fn a_large_database_that_was_cut_off_is_named() {
    for kept in [90, 50, 1] {
        let folder = TempDir::new().unwrap();
        open(folder.path()).await.unwrap().close().await;
        sql(folder.path(), LARGE).await;
        let file = folder.path().join("hub.sqlite3");
        let whole = fs::metadata(&file).unwrap().len();
        assert!(whole > 80_000_000);
        let cut = fs::OpenOptions::new().write(true).open(&file).unwrap();
        cut.set_len(whole * kept / 100).unwrap();
        let error = open(folder.path()).await.unwrap_err();
        assert!(matches!(error, OpenError::Damaged { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_large_database_is_opened_also_without_records() {
    let folder = TempDir::new().unwrap();
    open(folder.path()).await.unwrap().close().await;
    sql(folder.path(), LARGE).await;
    sql(folder.path(), "DELETE FROM records; DELETE FROM ledger").await;
    open(folder.path()).await.unwrap().close().await;
}

#[tokio::test]
async fn a_database_of_an_earlier_version_is_searched_after_opening_as_before() {
    let folder = TempDir::new().unwrap();
    for step in [
        include_str!("../../src/store/schema/0001_foundation.sql"),
        include_str!("../../src/store/schema/0002_files.sql"),
        include_str!("../../src/store/schema/0003_scale.sql"),
        "PRAGMA user_version = 3; PRAGMA application_id = 0x656e7348;
         INSERT INTO accounts VALUES ('a', 'Ana', 0);
         INSERT INTO spaces VALUES ('s', 'a', 'Home', 'home', 1, 0);
         INSERT INTO records VALUES (7, 'r', 's', 'task', 'Mend the roof', 'mend the roof', 'mend the roof', 'todo', 1, 1, 1,
            NULL, '{}', 'Before it rains.', 'person');
         INSERT INTO records_index (rowid, title, body, scope) VALUES (7, 'mend the roof', 'before it rains', 'ss ktask');
         INSERT INTO titles_index (rowid, parts, scope) VALUES (7, 'men', 'ss');",
    ] {
        sql(folder.path(), step).await;
    }
    // The second time nothing is left to do.
    for _ in 0..2 {
        let hub = open(folder.path()).await.unwrap();
        let words = fts_query(&query_terms("rains"));
        let found = hub.store().index_newest("s", &[(words, 9)], &[]).await;
        assert_eq!(found.unwrap(), ["r"]);
        let asked = RecordQuery {
            title_words: Some("oof".to_owned()),
            ..RecordQuery::default()
        };
        let page = hub.store().records("s", &asked).await.unwrap();
        assert_eq!((page.total, page.items.len()), (1, 1));
        hub.close().await;
    }
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = open(&file.join("data")).await.unwrap_err();
    assert!(matches!(error, OpenError::Folder { .. }), "{error:?}");
}

#[tokio::test]
async fn keys_are_made_listed_and_revoked_beside_a_running_hub() {
    let rig = Rig::new().await;
    let admin = Admin::open(rig.folder.path(), Arc::<StillClock>::clone(&rig.clock))
        .await
        .unwrap();
    let asked = CreateKey {
        name: "Claude Code".to_owned(),
        changes: true,
        ..CreateKey::default()
    };
    let made = admin.create_key(asked.clone()).await.unwrap();
    assert!(
        !format!("{made:?}").contains(made.value.expose()),
        "the value is in no debug text"
    );
    assert_eq!(
        rig.get(made.value.expose(), "/api/bridge/whoami")
            .await
            .body["keyName"],
        "Claude Code"
    );

    let listed = admin.keys().await.unwrap();
    assert_eq!(
        (listed.len(), listed[0].can_write, listed[0].can_use_apps),
        (1, true, false)
    );
    let database = fs::read(rig.folder.path().join("hub.sqlite3-wal")).unwrap();
    let needle = made.value.expose().as_bytes();
    assert!(
        !database.windows(needle.len()).any(|part| part == needle),
        "only the hash is stored"
    );

    let revoked = admin.revoke_key("Claude Code").await.unwrap();
    assert_eq!(revoked.id, made.key.id);
    assert_eq!(
        rig.get(made.value.expose(), "/api/bridge/whoami")
            .await
            .status,
        401
    );
    assert!(matches!(
        admin.revoke_key(&made.key.id).await,
        Err(AdminError::AlreadyRevoked { .. })
    ));
    assert!(matches!(
        admin.revoke_key("nothing").await,
        Err(AdminError::NoSuchKey { .. })
    ));
    for _ in 0..2 {
        admin.create_key(asked.clone()).await.unwrap();
    }
    assert!(matches!(
        admin.revoke_key("Claude Code").await,
        Err(AdminError::SeveralKeys { .. })
    ));
}

#[tokio::test]
async fn names_of_spaces_and_keys_are_checked() {
    let rig = Rig::new().await;
    let admin = rig.hub.admin();
    admin.create_space("Open source").await.unwrap();
    assert!(matches!(
        admin.create_space(" open  SOURCE ").await,
        Err(AdminError::SpaceTaken { .. })
    ));
    for bad in ["", "  \n", &"x".repeat(201)] {
        assert!(
            matches!(admin.create_space(bad).await, Err(AdminError::NameBad)),
            "{bad:?}"
        );
    }
    let asked = CreateKey {
        name: "k".to_owned(),
        space: Some("Elsewhere".to_owned()),
        ..CreateKey::default()
    };
    let error = admin.create_key(asked).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "There is no space called “Elsewhere”: use one of “Personal”, “Open source”."
    );
    let asked = CreateKey {
        name: "k".to_owned(),
        space: Some("open source".to_owned()),
        ..CreateKey::default()
    };
    assert_eq!(
        admin.create_key(asked).await.unwrap().key.space_name,
        "Open source"
    );
}
