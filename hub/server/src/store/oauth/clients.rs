//! Registered clients. One that never got a grant is forgotten after thirty days, because anybody may register.

use sqlx::Row as _;

use crate::store::{Store, StoreError};

/// How long a client without a grant is kept, in microseconds.
const UNUSED_KEPT: i64 = 30 * 24 * 3_600 * 1_000_000;

/// A registered client.
#[derive(Clone, Debug)]
pub(crate) struct ClientRow {
    pub(crate) id: String,
    pub(crate) name: String,
    /// Absent: a public client.
    pub(crate) secret_hash: Option<String>,
    pub(crate) persistent: bool,
    pub(crate) redirects: Vec<String>,
}

impl Store {
    /// Keeps a client.
    pub(crate) async fn insert_oauth_client(&self, client: &ClientRow) -> Result<(), StoreError> {
        let now = self.now().as_microsecond();
        let redirects = serde_json::json!(client.redirects).to_string();
        sqlx::query(
            "DELETE FROM oauth_clients WHERE created_at < ?
             AND NOT EXISTS (SELECT 1 FROM oauth_grants WHERE client_id = oauth_clients.id)",
        )
        .bind(now - UNUSED_KEPT)
        .execute(&self.writer)
        .await?;
        sqlx::query(
            "INSERT INTO oauth_clients (id, name, secret_hash, persistent, redirects, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&client.id)
        .bind(&client.name)
        .bind(&client.secret_hash)
        .bind(i64::from(client.persistent))
        .bind(redirects)
        .bind(now)
        .execute(&self.writer)
        .await?;
        Ok(())
    }

    /// The client of this id.
    pub(crate) async fn oauth_client(&self, id: &str) -> Result<Option<ClientRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM oauth_clients WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.reader)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let redirects: String = row.try_get("redirects")?;
        let redirects = serde_json::from_str(&redirects);
        Ok(Some(ClientRow {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            secret_hash: row.try_get("secret_hash")?,
            persistent: row.try_get::<i64, _>("persistent")? != 0,
            redirects: redirects.map_err(|_| StoreError::Unreadable { what: "app" })?,
        }))
    }
}
