//! Using a code and using a refresh token. A code or rotated token that comes again ends its whole family; a rotated one that comes again within
//! the grace gets what it got before, because two windows of one app share it.

use jiff::{SignedDuration, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::oauth::Scopes;
use crate::store::{Store, StoreError};

/// How long a rotated refresh token still gets the same answer.
const GRACE: SignedDuration = SignedDuration::from_secs(30);

/// A code that is used.
#[derive(Debug)]
pub(crate) struct CodeUse<'a> {
    pub(crate) hash: &'a str,
    pub(crate) client: &'a str,
    /// As the client repeats it; clients of OAuth 2.1 need not.
    pub(crate) redirect: Option<&'a str>,
    /// S256 of the verifier.
    pub(crate) challenge: &'a str,
}

/// A refresh token that is used.
#[derive(Debug)]
pub(crate) struct RefreshUse<'a> {
    pub(crate) hash: &'a str,
    pub(crate) client: &'a str,
    /// What the client asks to narrow to.
    pub(crate) narrow: Option<Scopes>,
}

/// Tokens to keep, by their hashes, and masked with the token that they follow.
#[derive(Debug)]
pub(crate) struct NewPair {
    pub(crate) access_hash: String,
    pub(crate) access_until: Timestamp,
    pub(crate) refresh_hash: String,
    pub(crate) refresh_until: Timestamp,
    pub(crate) masked_access: Option<String>,
    pub(crate) masked_refresh: Option<String>,
}

/// What came of using a refresh token.
#[derive(Debug)]
pub(crate) enum Refreshed {
    /// The new pair counts.
    Rotated(Scopes),
    /// The new access token counts; the refresh token stays.
    Kept(Scopes),
    /// It was rotated a moment ago, to these (masked).
    Again {
        scopes: Scopes,
        access: String,
        refresh: String,
    },
    /// More was asked for than is granted.
    TooWide,
    Refused,
}

impl Store {
    /// Uses a code, once. Absent: it gives nothing.
    pub(crate) async fn redeem_oauth_code(
        &self,
        code: &CodeUse<'_>,
        pair: &NewPair,
    ) -> Result<Option<Scopes>, StoreError> {
        let now = self.now().as_microsecond();
        let mut work = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let row = sqlx::query(
            "SELECT c.grant_id, c.redirect, c.challenge, c.expires_at, c.used_at, g.scopes FROM oauth_codes c
             JOIN oauth_grants g ON g.id = c.grant_id WHERE c.hash = ? AND g.client_id = ? AND g.revoked_at IS NULL",
        )
        .bind(code.hash)
        .bind(code.client)
        .fetch_optional(&mut *work)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let grant: String = row.try_get("grant_id")?;
        if row.try_get::<Option<i64>, _>("used_at")?.is_some() {
            end(&mut work, &grant, now).await?;
            work.commit().await?;
            tracing::warn!("hub.oauth.code_used_again");
            return Ok(None);
        }
        let same = row.try_get::<String, _>("challenge")? == code.challenge
            && code.redirect.is_none_or(|given| {
                row.try_get::<String, _>("redirect")
                    .is_ok_and(|kept| kept == given)
            });
        if !same || row.try_get::<i64, _>("expires_at")? <= now {
            return Ok(None);
        }
        let scopes = Scopes::stored(row.try_get("scopes")?);
        sqlx::query("UPDATE oauth_codes SET used_at = ? WHERE hash = ?")
            .bind(now)
            .bind(code.hash)
            .execute(&mut *work)
            .await?;
        insert(
            &mut work,
            &grant,
            "access",
            &pair.access_hash,
            pair.access_until,
        )
        .await?;
        if scopes.offline() {
            insert(
                &mut work,
                &grant,
                "refresh",
                &pair.refresh_hash,
                pair.refresh_until,
            )
            .await?;
        }
        work.commit().await?;
        Ok(Some(scopes))
    }

    /// Uses a refresh token.
    pub(crate) async fn use_oauth_refresh(
        &self,
        asked: &RefreshUse<'_>,
        pair: &NewPair,
    ) -> Result<Refreshed, StoreError> {
        let now = self.now();
        let mut work = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        forget_rotated(&mut work, now).await?;
        let row = sqlx::query(
            "SELECT t.*, g.scopes, g.persistent FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
             WHERE t.hash = ? AND t.kind = 'refresh' AND t.expires_at > ? AND g.client_id = ? AND g.revoked_at IS NULL",
        )
        .bind(asked.hash)
        .bind(now.as_microsecond())
        .bind(asked.client)
        .fetch_optional(&mut *work)
        .await?;
        let Some(row) = row else {
            return Ok(Refreshed::Refused);
        };
        let grant: String = row.try_get("grant_id")?;
        let granted = Scopes::stored(row.try_get("scopes")?);
        let scopes = asked.narrow.unwrap_or(granted);
        let used = row.try_get::<Option<i64>, _>("used_at")?.is_some();
        let outcome = if used {
            again(&row, granted, scopes)?
        } else if !granted.covers(scopes) {
            Refreshed::TooWide
        } else if row.try_get::<i64, _>("persistent")? != 0 {
            keep(&mut work, asked.hash, pair).await?;
            Refreshed::Kept(scopes)
        } else {
            rotate(&mut work, &grant, asked.hash, pair, now).await?;
            Refreshed::Rotated(scopes)
        };
        match outcome {
            Refreshed::Refused => {
                end(&mut work, &grant, now.as_microsecond()).await?;
                tracing::warn!("hub.oauth.refresh_replayed");
            }
            Refreshed::Rotated(_) | Refreshed::Kept(_) => {
                insert(
                    &mut work,
                    &grant,
                    "access",
                    &pair.access_hash,
                    pair.access_until,
                )
                .await?;
                sqlx::query("UPDATE oauth_grants SET scopes = ?, last_used_at = ? WHERE id = ?")
                    .bind(scopes.to_stored())
                    .bind(now.as_microsecond())
                    .bind(&grant)
                    .execute(&mut *work)
                    .await?;
            }
            Refreshed::Again { .. } | Refreshed::TooWide => {}
        }
        work.commit().await?;
        Ok(outcome)
    }
}

/// A rotated token that comes again: what it got, within the grace; after it, it is a replay.
fn again(row: &SqliteRow, granted: Scopes, asked: Scopes) -> Result<Refreshed, StoreError> {
    let access: Option<String> = row.try_get("next_access")?;
    let refresh: Option<String> = row.try_get("next_refresh")?;
    let (Some(access), Some(refresh)) = (access, refresh) else {
        return Ok(Refreshed::Refused);
    };
    // The pair exists already: it cannot be narrowed for one of those that share it.
    if asked != granted {
        return Ok(Refreshed::TooWide);
    }
    Ok(Refreshed::Again {
        scopes: granted,
        access,
        refresh,
    })
}

/// What was rotated before the grace is not kept, not even masked.
async fn forget_rotated(work: &mut SqliteConnection, now: Timestamp) -> Result<(), StoreError> {
    let before = now.checked_sub(GRACE).unwrap_or(Timestamp::MIN);
    sqlx::query(
        "UPDATE oauth_tokens SET next_access = NULL, next_refresh = NULL WHERE used_at <= ? AND next_access IS NOT NULL",
    )
    .bind(before.as_microsecond())
    .execute(work)
    .await?;
    Ok(())
}

async fn rotate(
    work: &mut SqliteConnection,
    grant: &str,
    old: &str,
    pair: &NewPair,
    now: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE oauth_tokens SET used_at = ?, next_access = ?, next_refresh = ? WHERE hash = ?",
    )
    .bind(now.as_microsecond())
    .bind(&pair.masked_access)
    .bind(&pair.masked_refresh)
    .bind(old)
    .execute(&mut *work)
    .await?;
    insert(
        work,
        grant,
        "refresh",
        &pair.refresh_hash,
        pair.refresh_until,
    )
    .await
}

async fn keep(work: &mut SqliteConnection, hash: &str, pair: &NewPair) -> Result<(), StoreError> {
    sqlx::query("UPDATE oauth_tokens SET expires_at = ? WHERE hash = ?")
        .bind(pair.refresh_until.as_microsecond())
        .bind(hash)
        .execute(work)
        .await?;
    Ok(())
}

async fn insert(
    work: &mut SqliteConnection,
    grant: &str,
    kind: &str,
    hash: &str,
    until: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO oauth_tokens (hash, grant_id, kind, expires_at) VALUES (?, ?, ?, ?)")
        .bind(hash)
        .bind(grant)
        .bind(kind)
        .bind(until.as_microsecond())
        .execute(work)
        .await?;
    Ok(())
}

async fn end(work: &mut SqliteConnection, grant: &str, now: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE oauth_grants SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL")
        .bind(now)
        .bind(grant)
        .execute(work)
        .await?;
    Ok(())
}
