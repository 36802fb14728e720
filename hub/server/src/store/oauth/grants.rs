//! Grants: what an access token opens now, the connections of an account, and ending one with its whole family.

use jiff::Timestamp;
use sqlx::Row as _;

use crate::oauth::Scopes;
use crate::store::record::instant;
use crate::store::{Store, StoreError};

/// What an access token that is good now opens.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) grant: String,
    pub(crate) client_name: String,
    pub(crate) account: String,
    pub(crate) space: String,
    pub(crate) resource: String,
    pub(crate) scopes: Scopes,
}

/// A connection as its person sees it.
#[derive(Debug)]
pub struct Connection {
    pub id: String,
    /// What the app calls itself.
    pub client_name: String,
    pub client_id: String,
    pub space_id: String,
    pub scopes: Scopes,
    pub created_at: Timestamp,
}

impl Store {
    /// What the access token of this hash opens; absent when it is unknown, expired, or its grant has ended.
    pub(crate) async fn oauth_access(&self, hash: &str) -> Result<Option<Access>, StoreError> {
        let row = sqlx::query(
            "SELECT g.* FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
             WHERE t.hash = ? AND t.kind = 'access' AND t.expires_at > ? AND g.revoked_at IS NULL",
        )
        .bind(hash)
        .bind(self.now().as_microsecond())
        .fetch_optional(&self.reader)
        .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Access {
            grant: row.try_get("id")?,
            client_name: row.try_get("client_name")?,
            account: row.try_get("account_id")?,
            space: row.try_get("space_id")?,
            resource: row.try_get("resource")?,
            scopes: Scopes::stored(row.try_get("scopes")?),
        }))
    }

    /// The connections of an account that have not ended, oldest first; at most 1,000.
    pub(crate) async fn oauth_connections(
        &self,
        account: &str,
    ) -> Result<Vec<Connection>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM oauth_grants g WHERE account_id = ? AND revoked_at IS NULL
             AND EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.grant_id = g.id AND t.expires_at > ?)
             ORDER BY created_at, id LIMIT 1000",
        )
        .bind(account)
        .bind(self.now().as_microsecond())
        .fetch_all(&self.reader)
        .await?;
        let mut list = Vec::new();
        for row in rows {
            list.push(Connection {
                id: row.try_get("id")?,
                client_name: row.try_get("client_name")?,
                client_id: row.try_get("client_id")?,
                space_id: row.try_get("space_id")?,
                scopes: Scopes::stored(row.try_get("scopes")?),
                created_at: instant(row.try_get("created_at")?)?,
            });
        }
        Ok(list)
    }

    /// Ends a connection of this account; whether there was one.
    pub(crate) async fn end_oauth_grant(
        &self,
        account: &str,
        id: &str,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE oauth_grants SET revoked_at = ? WHERE id = ? AND account_id = ? AND revoked_at IS NULL",
        )
        .bind(self.now().as_microsecond())
        .bind(id)
        .bind(account)
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() > 0)
    }

    /// Ends the grant that a token of this client belongs to. A token of another client, or none, is left as it is.
    pub(crate) async fn end_oauth_family(
        &self,
        token_hash: &str,
        client: &str,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE oauth_grants SET revoked_at = ? WHERE client_id = ? AND revoked_at IS NULL
             AND id = (SELECT grant_id FROM oauth_tokens WHERE hash = ?)",
        )
        .bind(self.now().as_microsecond())
        .bind(client)
        .bind(token_hash)
        .execute(&self.writer)
        .await?;
        Ok(())
    }
}
