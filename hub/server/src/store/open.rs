//! Opening the database: the folder is the owner's alone, the schema goes forward only, and a file that is damaged, foreign or from a
//! newer version is refused with its name before anything is written to it.

use std::fs;
use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, SqliteConnection, SqlitePool};

use super::error::{OpenError, code};

/// The database's name in the data folder.
const FILE: &str = "hub.sqlite3";
/// Marks the file as a hub's, so that another program's database is never migrated ("ensH").
const APPLICATION_ID: i64 = 0x656e_7348;
/// How long a statement waits for another process's write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a request waits for a connection; longer than the busy timeout, so that the busy error is what is reported.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(15);
/// Readers at once; more only queue on two to eight cores.
const READERS: u32 = 6;
/// Pages after which the write-ahead log is folded back (4 MB), so that it stays bounded.
const AUTOCHECKPOINT: &str = "1000";

/// The schema, one step per file; the step's number is its place, from 1.
const STEPS: [&str; 1] = [include_str!("schema/0001_foundation.sql")];

/// The open connections.
pub(super) struct Pools {
    pub(super) reader: SqlitePool,
    pub(super) writer: SqlitePool,
}

/// Opens or creates the database of this folder.
pub(super) async fn open(data_dir: &Path) -> Result<Pools, OpenError> {
    let path = data_dir.join(FILE);
    prepare_files(data_dir, &path).map_err(|source| OpenError::Folder {
        folder: data_dir.display().to_string(),
        source,
    })?;
    let file = path.display().to_string();
    let options = options(&path).map_err(|source| refused(&file, source))?;
    let mut connection = options
        .connect()
        .await
        .map_err(|source| refused(&file, source))?;
    migrate(&mut connection, &file).await?;
    connection
        .close()
        .await
        .map_err(|source| refused(&file, source))?;

    let pool = |max: u32| {
        SqlitePoolOptions::new()
            .max_connections(max)
            .min_connections(0)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .idle_timeout(None)
            .max_lifetime(None)
            // A local file does not go away like a network connection.
            .test_before_acquire(false)
    };
    Ok(Pools {
        // One writer: transactions of this process queue here in order instead of contending for the file's lock.
        writer: pool(1).connect_lazy_with(options.clone()),
        reader: pool(READERS).connect_lazy_with(options.pragma("query_only", "ON")),
    })
}

fn options(path: &Path) -> Result<SqliteConnectOptions, sqlx::Error> {
    let options = SqliteConnectOptions::from_str("sqlite:")?
        .filename(path)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("wal_autocheckpoint", AUTOCHECKPOINT)
        .pragma("trusted_schema", "OFF")
        .disable_statement_logging();
    Ok(options)
}

/// The folder 0700 and an empty file 0600, before SQLite makes its own files beside it with the same mode.
fn prepare_files(data_dir: &Path, path: &Path) -> std::io::Result<()> {
    create_private_folder(data_dir)?;
    let mut open = fs::OpenOptions::new();
    open.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        open.mode(0o600);
        let file = open.open(path)?;
        // A file that was copied here may be open to others.
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    #[cfg(not(unix))]
    open.open(path)?;
    Ok(())
}

/// Creates a folder that only its owner can enter; one that exists keeps its mode.
pub(crate) fn create_private_folder(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Brings the schema to this version's, each step and its number in one immediate transaction.
async fn migrate(connection: &mut SqliteConnection, file: &str) -> Result<(), OpenError> {
    let failed = |source| refused(file, source);
    let mut change = connection
        .begin_with("BEGIN IMMEDIATE")
        .await
        .map_err(failed)?;
    let found: i64 = sqlx::query_scalar("PRAGMA user_version")
        .fetch_one(&mut *change)
        .await
        .map_err(failed)?;
    let application: i64 = sqlx::query_scalar("PRAGMA application_id")
        .fetch_one(&mut *change)
        .await
        .map_err(failed)?;
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema")
        .fetch_one(&mut *change)
        .await
        .map_err(failed)?;
    if application != APPLICATION_ID && (tables > 0 || found > 0 || application != 0) {
        return Err(OpenError::Foreign {
            file: file.to_owned(),
        });
    }
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if found > known {
        return Err(OpenError::Newer {
            file: file.to_owned(),
            found,
            known,
        });
    }
    if tables > 0 {
        check(&mut change, file).await?;
    }
    let done = usize::try_from(found).unwrap_or(0);
    for (at, step) in STEPS.iter().enumerate().skip(done) {
        sqlx::raw_sql(*step)
            .execute(&mut *change)
            .await
            .map_err(failed)?;
        // A pragma takes no bound values; both are numbers of ours.
        let mark = format!("PRAGMA user_version = {}", at + 1);
        sqlx::raw_sql(AssertSqlSafe(mark))
            .execute(&mut *change)
            .await
            .map_err(failed)?;
        let mark = format!("PRAGMA application_id = {APPLICATION_ID}");
        sqlx::raw_sql(AssertSqlSafe(mark))
            .execute(&mut *change)
            .await
            .map_err(failed)?;
    }
    change.commit().await.map_err(failed)
}

/// SQLite's own check of the file's structure.
async fn check(connection: &mut SqliteConnection, file: &str) -> Result<(), OpenError> {
    let verdict: String = sqlx::query_scalar("PRAGMA quick_check(1)")
        .fetch_one(connection)
        .await
        .map_err(|source| refused(file, source))?;
    if verdict == "ok" {
        Ok(())
    } else {
        Err(OpenError::Damaged {
            file: file.to_owned(),
        })
    }
}

/// The sentence for what SQLite said while opening.
fn refused(file: &str, source: sqlx::Error) -> OpenError {
    let file = file.to_owned();
    match code(&source) {
        Some(5 | 6) => OpenError::Busy { file },
        Some(11) => OpenError::Damaged { file },
        // "file is not a database": a header that is not SQLite's.
        Some(26) => OpenError::Foreign { file },
        _ => OpenError::Failed { file, source },
    }
}
