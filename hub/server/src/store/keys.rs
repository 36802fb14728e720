//! Keys as the database knows them: hashes, grants, and where they belong. No value of a key ever enters this module.

use jiff::Timestamp;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::Store;
use super::error::StoreError;
use super::record::instant;

/// A last use is written at most this often, so that reading does not turn into writing.
const USE_NOTED_EVERY_SECONDS: i64 = 60;

/// What a key was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// For editors and agents.
    Bridge,
    /// Made in the settings: both grants.
    Full,
}

impl KeyKind {
    /// The name in the database and in lists.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bridge => "bridge",
            Self::Full => "full",
        }
    }
}

/// A stored key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    pub id: String,
    pub name: String,
    /// sha256 of the value, hexadecimal.
    pub hash: String,
    /// Absent: the key does not leave the space it was made in.
    pub account_id: Option<String>,
    pub space_id: String,
    pub kind: KeyKind,
    pub can_write: bool,
    pub can_use_apps: bool,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// A key to store.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub id: String,
    pub name: String,
    pub hash: String,
    pub account_id: Option<String>,
    pub space_id: String,
    pub kind: KeyKind,
    pub can_write: bool,
    pub can_use_apps: bool,
}

impl KeyRow {
    fn from_row(row: &SqliteRow) -> Result<Self, StoreError> {
        let kind: String = row.try_get("kind")?;
        let last: Option<i64> = row.try_get("last_used_at")?;
        let revoked: Option<i64> = row.try_get("revoked_at")?;
        Ok(Self {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            hash: row.try_get("hash")?,
            account_id: row.try_get("account_id")?,
            space_id: row.try_get("space_id")?,
            kind: match kind.as_str() {
                "bridge" => KeyKind::Bridge,
                "full" => KeyKind::Full,
                _ => return Err(StoreError::Unreadable { what: "key" }),
            },
            can_write: row.try_get::<i64, _>("can_write")? != 0,
            can_use_apps: row.try_get::<i64, _>("can_use_apps")? != 0,
            created_at: instant(row.try_get("created_at")?)?,
            last_used_at: last.map(instant).transpose()?,
            revoked_at: revoked.map(instant).transpose()?,
        })
    }
}

impl Store {
    /// The key with this hash, also a revoked one.
    pub async fn key_by_hash(&self, hash: &str) -> Result<Option<KeyRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM keys WHERE hash = ?")
            .bind(hash)
            .fetch_optional(&self.reader)
            .await?;
        row.as_ref().map(KeyRow::from_row).transpose()
    }

    /// All keys, oldest first, revoked ones too; at most 1,000.
    pub async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        let rows = sqlx::query("SELECT * FROM keys ORDER BY created_at, id LIMIT 1000")
            .fetch_all(&self.reader)
            .await?;
        rows.iter().map(KeyRow::from_row).collect()
    }

    /// Stores a key.
    pub async fn insert_key(&self, key: &NewKey) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO keys (id, name, hash, account_id, space_id, kind, can_write, can_use_apps, created_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&key.id)
        .bind(&key.name)
        .bind(&key.hash)
        .bind(&key.account_id)
        .bind(&key.space_id)
        .bind(key.kind.as_str())
        .bind(i64::from(key.can_write))
        .bind(i64::from(key.can_use_apps))
        .bind(self.now().as_microsecond())
        .execute(&self.writer)
        .await?;
        Ok(())
    }

    /// Revokes a key for good; whether there was such a key that was not revoked yet.
    pub async fn revoke_key(&self, id: &str) -> Result<bool, StoreError> {
        let done =
            sqlx::query("UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL")
                .bind(self.now().as_microsecond())
                .bind(id)
                .execute(&self.writer)
                .await?;
        Ok(done.rows_affected() > 0)
    }

    /// Whether the last noted use of a key is older than a minute.
    pub fn is_use_stale(&self, key: &KeyRow) -> bool {
        let now = self.now().as_second();
        key.last_used_at
            .is_none_or(|last| now - last.as_second() >= USE_NOTED_EVERY_SECONDS)
    }

    /// Notes that a key was used now.
    pub async fn note_key_use(&self, key: &KeyRow) -> Result<(), StoreError> {
        sqlx::query("UPDATE keys SET last_used_at = ? WHERE id = ?")
            .bind(self.now().as_microsecond())
            .bind(&key.id)
            .execute(&self.writer)
            .await?;
        Ok(())
    }
}
