//! Connect your apps: keys are made, shown once, listed and revoked, and each editor's one line of set-up stands beside the key that it needs.
//! What an account has made is its own: another account's key is not there.

use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use ensemble_hub_api::limits::NAME_MAX;
use maud::{Markup, html};
use serde::Deserialize;

use crate::hub::Hub;
use crate::oauth::Scopes;
use crate::secret::{KeyValue, short_id};
use crate::store::{KeyKind, KeyRow, NewKey, SpaceRow, one_line};

use super::session::SignedIn;
use super::{WebError, connections, frame};

/// Keys in use that one account may have: nobody looks through more.
const KEYS_MAX: usize = 100;

#[derive(Deserialize)]
pub(super) struct Make {
    proof: String,
    name: String,
    space: String,
    #[serde(default)]
    changes: Option<String>,
    #[serde(default)]
    apps: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Revoke {
    pub(super) proof: String,
}

/// `GET /connect`
pub(super) async fn page(State(hub): State<Hub>, who: SignedIn) -> Result<Markup, WebError> {
    let spaces = hub.store().spaces_of(&who.account.id).await?;
    let keys = keys_of(&hub, &who, &spaces).await?;
    let apps = connections::section(&hub, &who, &spaces).await?;
    Ok(frame::page(
        &who,
        "/connect",
        "Connect your apps",
        &html! {
            p { "An app or a key lets agents read your records here, and change them where you allow it." }
            (apps)
            (maker(&who, &spaces))
            (list(&who, &keys))
            section {
                h2 { "Set up an editor" }
                p { "Put the key into the environment of the editor, and let it start the bridge:" }
                (editors(&hub))
            }
        },
    ))
}

fn maker(who: &SignedIn, spaces: &[SpaceRow]) -> Markup {
    html! {
        section {
            h2 { "Make a key" }
            form.card method="post" action="/connect/keys" {
                input type="hidden" name="proof" value=(who.proof);
                label { "Name, such as “laptop”" input name="name" maxlength=(NAME_MAX) required; }
                label { "Space, where a call names none"
                    select name="space" {
                        @for space in spaces { option value=(space.id) selected[space.home] { (space.name) } }
                    }
                }
                label.tick { input type="checkbox" name="changes" value="on" checked; " Let editors and agents make changes" }
                label.tick { input type="checkbox" name="apps" value="on" checked; " Let editors and agents use your connected apps" }
                button { "Make a key" }
            }
        }
    }
}

fn list(who: &SignedIn, keys: &[(KeyRow, String)]) -> Markup {
    html! {
        section {
            h2 { "Keys" }
            @if keys.is_empty() { p { "There is no key yet." } }
            ul.rows {
                @for (key, space) in keys {
                    li {
                        div {
                            strong { (key.name) } " "
                            span.small { (of_key(key)) " in " (space) "; made " (day(key.created_at)) ", "
                                @match key.last_used_at { Some(at) => { "used " (day(at)) } None => "never used" } }
                        }
                        form method="post" action=(format!("/connect/keys/{}/revoke", key.id)) {
                            input type="hidden" name="proof" value=(who.proof);
                            button.quiet aria-label=(format!("Revoke {}", key.name)) { "Revoke" }
                        }
                    }
                }
            }
        }
    }
}

/// `POST /connect/keys`. The value is in this answer and nowhere else.
pub(super) async fn make(
    State(hub): State<Hub>,
    who: SignedIn,
    Form(asked): Form<Make>,
) -> Result<Response, WebError> {
    who.check(&asked.proof)?;
    let name = one_line(&asked.name);
    if !(1..=NAME_MAX).contains(&name.chars().count()) {
        return Err(WebError::Bad("A name has 1 to 200 characters.".to_owned()));
    }
    let spaces = hub.store().spaces_of(&who.account.id).await?;
    let Some(space) = spaces.iter().find(|space| space.id == asked.space) else {
        return Err(WebError::Bad(
            "That is no space of yours: choose one of the list.".to_owned(),
        ));
    };
    if keys_of(&hub, &who, &spaces).await?.len() >= KEYS_MAX {
        return Err(WebError::Bad(format!(
            "You have {KEYS_MAX} keys already: revoke those that you do not use."
        )));
    }
    let value = KeyValue::random().map_err(|_| WebError::Broken)?;
    let key = NewKey {
        id: short_id().map_err(|_| WebError::Broken)?,
        name,
        hash: value.hash(),
        account_id: Some(who.account.id.clone()),
        space_id: space.id.clone(),
        kind: KeyKind::Bridge,
        can_write: asked.changes.is_some(),
        can_use_apps: asked.apps.is_some(),
    };
    hub.store().insert_key(&key).await?;
    Ok(made(&hub, &who, &key.name, &value).into_response())
}

fn made(hub: &Hub, who: &SignedIn, name: &str, value: &KeyValue) -> Markup {
    frame::page(
        who,
        "/connect",
        "Your new key",
        &html! {
            p { "This is the key “" (name) "”. It is shown once: copy it now." }
            pre.key { (value.expose()) }
            p { "In the terminal that you start the editor from:" }
            pre { "export ENSEMBLE_BRIDGE_TOKEN=" (value.expose()) }
            (editors(hub))
            p { a href="/connect" { "Done" } }
        },
    )
}

/// `POST /connect/keys/{id}/revoke`
pub(super) async fn revoke(
    State(hub): State<Hub>,
    who: SignedIn,
    Path(id): Path<String>,
    Form(asked): Form<Revoke>,
) -> Result<Redirect, WebError> {
    who.check(&asked.proof)?;
    let spaces = hub.store().spaces_of(&who.account.id).await?;
    let keys = keys_of(&hub, &who, &spaces).await?;
    if !keys.iter().any(|(key, _)| key.id == id) {
        return Err(WebError::Bad(
            "That key is not there, or is revoked already.".to_owned(),
        ));
    }
    hub.store().revoke_key(&id).await?;
    Ok(Redirect::to("/connect"))
}

/// The account's keys in use, newest first, each with its space's name. One without an account belongs to whose space it is in.
async fn keys_of(
    hub: &Hub,
    who: &SignedIn,
    spaces: &[SpaceRow],
) -> Result<Vec<(KeyRow, String)>, WebError> {
    let keys = hub.store().keys().await?.into_iter().rev();
    let own = |key: KeyRow| {
        let space = spaces.iter().find(|space| space.id == key.space_id)?;
        let account = key.account_id.as_ref().unwrap_or(&space.account_id);
        let own = *account == who.account.id && key.revoked_at.is_none();
        own.then(|| (key, space.name.clone()))
    };
    Ok(keys.filter_map(own).collect())
}

/// One line for each editor.
fn editors(hub: &Hub) -> Markup {
    let elsewhere = format!("HUB_API_URL={}", hub.base_url());
    html! {
        dl {
            dt { "Claude Code" }
            dd { pre { "claude mcp add --transport stdio ensemble -- ensemble mcp" } }
            dt { "Codex" }
            dd { pre { "codex mcp add ensemble -- ensemble mcp" } }
            dt { "VS Code" }
            dd { pre { "code --add-mcp '{\"name\":\"ensemble\",\"command\":\"ensemble\",\"args\":[\"mcp\"]}'" } }
            dt { "Gemini CLI" }
            dd { pre { "gemini mcp add ensemble ensemble mcp" } }
            dt { "Cursor, Zed and others: in their file of MCP servers" }
            dd { pre { "\"ensemble\": { \"command\": \"ensemble\", \"args\": [\"mcp\"] }" } }
        }
        p.small { "On another computer than the hub's, set " code { (elsewhere) } " too." }
    }
}

fn of_key(key: &KeyRow) -> &'static str {
    let full = key.kind == KeyKind::Full;
    let mut scopes = Scopes::READS;
    if key.can_write || full {
        scopes = scopes.with_write();
    }
    if key.can_use_apps || full {
        scopes = scopes.with_apps();
    }
    may(scopes)
}

pub(super) fn may(scopes: Scopes) -> &'static str {
    match (scopes.write(), scopes.apps()) {
        (false, false) => "reads",
        (true, false) => "reads and changes",
        (false, true) => "reads and uses apps",
        (true, true) => "reads, changes and uses apps",
    }
}

pub(super) fn day(at: jiff::Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}
