//! Which app an id names: one that registered, or one whose id is the address of a public document about it (CIMD).

use super::document;
use super::error::OauthError;
use crate::hub::Hub;

/// An app.
#[derive(Clone, Debug)]
pub(super) struct Client {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) redirects: Vec<String>,
    pub(super) persistent: bool,
}

/// The app of this id, asked for now if its document is not known.
pub(super) async fn find(hub: &Hub, id: &str) -> Result<Client, OauthError> {
    if is_document(id) {
        return document::client(hub, id).await;
    }
    let row = hub.store().oauth_client(id).await?;
    let row = row.ok_or(OauthError::client(
        "The app is not registered here: let it register again.",
    ))?;
    Ok(Client {
        id: row.id,
        name: row.name,
        redirects: row.redirects,
        persistent: row.persistent,
    })
}

/// The hash of the app's secret, absent for a public one; absent at all when no app can have this id. A document is not asked for: its app is
/// public, and the code or token decides.
pub(super) async fn secret_of(hub: &Hub, id: &str) -> Result<Option<Option<String>>, OauthError> {
    if is_document(id) {
        return Ok(Some(None));
    }
    let row = hub.store().oauth_client(id).await?;
    Ok(row.map(|row| row.secret_hash))
}

fn is_document(id: &str) -> bool {
    id.starts_with("https://")
}
