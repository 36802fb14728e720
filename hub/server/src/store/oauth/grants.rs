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

/// An access token that the hub once gave.
#[derive(Debug)]
pub(crate) enum Found {
    Lasts(Access),
    /// It has expired, or its connection was ended.
    Ended,
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
    /// When it last got new tokens.
    pub last_used_at: Option<Timestamp>,
}

impl Store {
    /// What the access token of this hash opens, or that it opens nothing any more; absent when it is none.
    pub(crate) async fn oauth_access(&self, hash: &str) -> Result<Option<Found>, StoreError> {
        let row = sqlx::query(
            "SELECT g.*, t.expires_at > ? AND g.revoked_at IS NULL AS lasts FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
             WHERE t.hash = ? AND t.kind = 'access'",
        )
        .bind(self.now().as_microsecond())
        .bind(hash)
        .fetch_optional(&self.reader)
        .await?;
        let Some(row) = row else { return Ok(None) };
        if !row.try_get::<bool, _>("lasts")? {
            return Ok(Some(Found::Ended));
        }
        Ok(Some(Found::Lasts(Access {
            grant: row.try_get("id")?,
            client_name: row.try_get("client_name")?,
            account: row.try_get("account_id")?,
            space: row.try_get("space_id")?,
            resource: row.try_get("resource")?,
            scopes: Scopes::stored(row.try_get("scopes")?),
        })))
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
                last_used_at: row
                    .try_get::<Option<i64>, _>("last_used_at")?
                    .map(instant)
                    .transpose()?,
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
