//! What imports need of the store: records by id with those in Trash, everybody by name, ids that are made from what a source says, and
//! links that a source no longer has.

use ensemble_hub_api::Kind;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection};

use super::error::StoreError;
use super::record::{COLUMNS, Record};
use super::{Change, Store};

/// A person, project or repository by what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownName {
    pub id: String,
    pub kind: Kind,
    /// The name as names are compared.
    pub key: String,
    pub email: Option<String>,
    /// The name at GitHub.
    pub login: Option<String>,
}

/// The id of a record that comes from elsewhere: made from `text`, in the form of a UUID (version 8), always the same.
pub fn derived_id(text: &str) -> String {
    let digest = Sha256::digest(text);
    let mut bytes = [0_u8; 16];
    for (to, from) in bytes.iter_mut().zip(digest) {
        *to = from;
    }
    uuid::Builder::from_custom_bytes(bytes)
        .into_uuid()
        .to_string()
}

impl Store {
    /// The records of these ids, also those in Trash, in no order that matters.
    pub async fn by_ids_in_trash_too(
        &self,
        space: &str,
        ids: &[String],
    ) -> Result<Vec<Record>, StoreError> {
        let mut connection = self.reader.acquire().await?;
        by_ids_in_trash_too(&mut connection, space, ids).await
    }

    /// All people, projects and repositories of a space, oldest first.
    pub async fn known_names(&self, space: &str) -> Result<Vec<KnownName>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, kind, title_key, json_extract(fields, '$.email') AS email, json_extract(fields, '$.github') AS login
             FROM records WHERE space_id = ? AND kind IN ('person', 'project', 'repo') AND deleted_at IS NULL
             ORDER BY created_at, id",
        )
        .bind(space)
        .fetch_all(&self.reader)
        .await?;
        rows.iter()
            .map(|row| {
                let kind: String = row.try_get("kind")?;
                Ok(KnownName {
                    id: row.try_get("id")?,
                    kind: Kind::parse(&kind).ok_or(StoreError::Unreadable { what: "kind" })?,
                    key: row.try_get("title_key")?,
                    email: row.try_get("email")?,
                    login: row.try_get("login")?,
                })
            })
            .collect()
    }
}

impl Change {
    /// See [`Store::by_ids_in_trash_too`], as this change sees them.
    pub async fn by_ids_in_trash_too(
        &mut self,
        space: &str,
        ids: &[String],
    ) -> Result<Vec<Record>, StoreError> {
        by_ids_in_trash_too(&mut self.tx, space, ids).await
    }

    /// Removes a link; one that is not there is no error.
    pub async fn unlink(
        &mut self,
        action: &str,
        space: &str,
        link: (&str, &str, &str),
    ) -> Result<(), StoreError> {
        let (from, relation, to) = link;
        let done = sqlx::query(
            "DELETE FROM links WHERE space_id = ? AND from_id = ? AND relation = ? AND to_id = ?",
        )
        .bind(space)
        .bind(from)
        .bind(relation)
        .bind(to)
        .execute(&mut *self.tx)
        .await?;
        if done.rows_affected() > 0 {
            let before = json!({ "link": { "relation": relation, "to": to } });
            self.log(action, space, from, Some(before), None).await?;
        }
        Ok(())
    }
}

async fn by_ids_in_trash_too(
    connection: &mut SqliteConnection,
    space: &str,
    ids: &[String],
) -> Result<Vec<Record>, StoreError> {
    let wanted = serde_json::Value::from(ids).to_string();
    let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
    query.push(COLUMNS);
    query.push(" FROM json_each(").push_bind(wanted);
    query.push(") AS wanted CROSS JOIN records r ON r.id = wanted.value WHERE r.space_id = ");
    query.push_bind(space.to_owned());
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(Record::from_row).collect()
}
