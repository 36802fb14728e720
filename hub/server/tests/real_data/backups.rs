//! A backup holds everything, is checked after it was written, and goes only where nothing is.

use std::fs;
use std::path::Path;

use ensemble_hub_api::Kind;
use ensemble_hub_server::Hub;
use ensemble_hub_server::backup::{BackupError, backup, restore};
use ensemble_hub_server::store::inspect;

use crate::support::{Rig, clock};

async fn filled() -> Rig {
    let rig = Rig::new().await;
    ensemble_hub_server::demo::fill(&rig.store).await.unwrap();
    rig
}

/// Every file below a folder with its bytes, but for the database's own.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else if !entry
                .file_name()
                .to_string_lossy()
                .starts_with("hub.sqlite3")
            {
                found.push((
                    entry.file_name().to_string_lossy().into_owned(),
                    fs::read(entry.path()).unwrap(),
                ));
            }
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn everything_comes_back() {
    let rig = filled().await;
    let archive = rig.folder.path().join("one.tar");
    // The hub runs: the store is open, and a change is under way.
    let change = rig
        .store
        .change(ensemble_hub_server::store::Actor::system("test"))
        .await
        .unwrap();
    let made = backup(&rig.data(), &archive, clock()).await.unwrap();
    drop(change);
    let to = rig.folder.path().join("deep/new");
    let restored = restore(&archive, &to).await.unwrap();
    assert_eq!(
        (made.counts.clone(), made.files, &made.made),
        (restored.counts, restored.files, &restored.made)
    );
    assert_eq!((made.missing_files, restored.missing_files), (0, 0));
    assert!(made.counts["records"] > 40 && made.files > 0, "{made:?}");
    assert_eq!(files(&rig.data()), files(&to));
    let hub = Hub::open(&to, clock()).await.unwrap();
    for kind in Kind::ALL {
        let (was, is) = (rig.all(kind).await, all(&hub, &rig, kind).await);
        assert_eq!(was, is, "{kind}");
    }
    let terms = ensemble_hub_server::text::terms::query_terms("timeout");
    let query = ensemble_hub_server::text::terms::fts_query(&terms);
    let found = hub
        .store()
        .index_newest(&rig.space.id, &[(query, 10)], &[])
        .await
        .unwrap();
    assert!(!found.is_empty(), "the search index came along");
}

#[tokio::test]
async fn a_restored_hub_reads_no_folder_that_was_allowed_elsewhere() {
    let rig = filled().await;
    let repos = rig.all(Kind::Repo).await;
    let account = rig.store.owner().await.unwrap().unwrap().id;
    for repo in &repos {
        rig.store
            .allow_checkout(&account, &repo.id, "/home/ana/code")
            .await
            .unwrap();
    }
    // one whose repository is in Trash, which no list shows
    let mut change = rig
        .store
        .change(ensemble_hub_server::store::Actor::system("test"))
        .await
        .unwrap();
    change.trash("test.delete", &repos[0]).await.unwrap();
    change.commit().await.unwrap();
    let archive = rig.folder.path().join("one.tar");
    let made = backup(&rig.data(), &archive, clock()).await.unwrap();
    let to = rig.folder.path().join("new");
    let restored = restore(&archive, &to).await.unwrap();
    let count = u64::try_from(repos.len()).unwrap();
    assert!(count > 1);
    assert_eq!(
        (made.forgotten_checkouts, restored.forgotten_checkouts),
        (0, count)
    );
    assert_eq!(restored.counts["settings"] + count, made.counts["settings"]);
    let inside = inspect(&to.join("hub.sqlite3")).await.unwrap();
    assert_eq!(inside.counts, restored.counts);
    let hub = Hub::open(&to, clock()).await.unwrap();
    assert!(hub.store().checkouts(&account).await.unwrap().is_empty());
    for repo in &repos {
        let allowed = hub.store().checkout(&rig.space.id, &repo.id).await;
        assert_eq!(allowed.unwrap(), None);
    }
    // the hub that was backed up keeps its own
    assert_eq!(
        rig.store.checkouts(&account).await.unwrap().len(),
        repos.len() - 1
    );
}

async fn all(hub: &Hub, rig: &Rig, kind: Kind) -> Vec<ensemble_hub_server::store::Record> {
    let query = ensemble_hub_server::store::RecordQuery {
        kinds: vec![kind],
        order: ensemble_hub_server::store::Order::Title,
        ..Default::default()
    };
    hub.store()
        .records(&rig.space.id, &query)
        .await
        .unwrap()
        .items
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_a_backup_and_what_is_made_of_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let rig = filled().await;
    let archive = rig.folder.path().join("one.tar");
    backup(&rig.data(), &archive, clock()).await.unwrap();
    let to = rig.folder.path().join("new");
    restore(&archive, &to).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(&archive), mode(&to), mode(&to.join("hub.sqlite3"))),
        (0o600, 0o700, 0o600)
    );
    assert_eq!(mode(&to.join("originals")), 0o700);
    // Nothing else was left in either place.
    let names: Vec<_> = fs::read_dir(rig.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[tokio::test]
async fn nothing_is_overwritten() {
    let rig = filled().await;
    let archive = rig.folder.path().join("one.tar");
    backup(&rig.data(), &archive, clock()).await.unwrap();
    let again = backup(&rig.data(), &archive, clock()).await;
    assert!(matches!(again, Err(BackupError::Exists { .. })));
    let taken = restore(&archive, &rig.data()).await;
    assert!(matches!(taken, Err(BackupError::NotEmpty { .. })));
    assert!(inspect(&rig.data().join("hub.sqlite3")).await.is_ok());
    let empty = rig.folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    restore(&archive, &empty).await.unwrap();
    let none = backup(
        &rig.folder.path().join("nowhere"),
        &rig.folder.path().join("x"),
        clock(),
    )
    .await;
    assert!(matches!(none, Err(BackupError::NoHub { .. })));
    assert!(!rig.folder.path().join("nowhere").exists());
}

#[tokio::test]
async fn a_damaged_archive_leaves_nothing_behind() {
    let rig = filled().await;
    let archive = rig.folder.path().join("one.tar");
    backup(&rig.data(), &archive, clock()).await.unwrap();
    let good = fs::read(&archive).unwrap();
    let to = rig.folder.path().join("new");
    let broken = rig.folder.path().join("broken.tar");
    let step = (good.len() / 40).max(1);
    for at in (0..good.len()).step_by(step) {
        let mut bad = good.clone();
        bad[at] ^= 0x55;
        fs::write(&broken, &bad).unwrap();
        let failed = restore(&broken, &to).await;
        // A byte of the padding between entries belongs to nothing.
        if failed.is_ok() {
            assert_eq!(files(&rig.data()), files(&to), "byte {at}");
            fs::remove_dir_all(&to).unwrap();
        }
        assert!(!to.exists());
    }
    for length in [0, 511, 512, good.len() / 2, good.len() - 3_000] {
        fs::write(&broken, &good[..length]).unwrap();
        assert!(restore(&broken, &to).await.is_err(), "{length}");
        assert!(!to.exists());
    }
    let left = fs::read_dir(rig.folder.path()).unwrap().count();
    assert_eq!(left, 3, "the hub and the two archives");
}

#[tokio::test]
async fn an_entry_cannot_leave_the_folder() {
    let rig = filled().await;
    let archive = rig.folder.path().join("one.tar");
    backup(&rig.data(), &archive, clock()).await.unwrap();
    let mut reader = tar::Archive::new(fs::File::open(&archive).unwrap());
    let evil = rig.folder.path().join("evil.tar");
    let mut writer = tar::Builder::new(fs::File::create(&evil).unwrap());
    for entry in reader.entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut header = entry.header().clone();
        let name = entry.path().unwrap().into_owned();
        let mut data = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut data).unwrap();
        writer
            .append_data(&mut header, &name, data.as_slice())
            .unwrap();
        if name == Path::new("manifest.json") {
            let mut link = tar::Header::new_gnu();
            link.set_entry_type(tar::EntryType::Symlink);
            link.set_size(0);
            writer.append_link(&mut link, "originals", "/").unwrap();
        }
    }
    writer.finish().unwrap();
    let refused = restore(&evil, &rig.folder.path().join("new"))
        .await
        .unwrap_err();
    assert!(
        refused.to_string().contains("originals is not what it was"),
        "{refused}"
    );
}
