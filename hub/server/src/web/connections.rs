//! The apps that an account let in: listed, and ended with all of their tokens. Another account's are not there.

use axum::Json;
use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::hub::Hub;
use crate::oauth::{self, Connection};
use crate::store::SpaceRow;

use super::WebError;
use super::connect::{Revoke, day, may};
use super::session::SignedIn;

/// The section of the page.
pub(super) async fn section(
    hub: &Hub,
    who: &SignedIn,
    spaces: &[SpaceRow],
) -> Result<Markup, WebError> {
    let list = oauth::connections(hub, &who.account.id).await?;
    Ok(html! {
        section {
            h2 { "AI apps" }
            p { "An app that takes the address of an MCP server asks you here to let it in. Give it" }
            pre { (hub.base_url()) (ensemble_hub_api::oauth::RESOURCE) }
            @if list.is_empty() { p { "No app is connected." } }
            ul.rows {
                @for app in &list {
                    li {
                        div {
                            strong { (app.client_name) } " "
                            span.small { (may(app.scopes)) " in " (space(app, spaces)) "; connected " (day(app.created_at)) ", "
                                @match app.last_used_at { Some(at) => { "refreshed " (day(at)) } None => "not refreshed yet" } }
                        }
                        form method="post" action=(format!("/connect/apps/{}/disconnect", app.id)) {
                            input type="hidden" name="proof" value=(who.proof);
                            button.quiet aria-label=(format!("Disconnect {}", app.client_name)) { "Disconnect" }
                        }
                    }
                }
            }
        }
    })
}

/// `POST /connect/apps/{id}/disconnect`
pub(super) async fn disconnect(
    State(hub): State<Hub>,
    who: SignedIn,
    Path(id): Path<String>,
    Form(asked): Form<Revoke>,
) -> Result<Redirect, WebError> {
    who.check(&asked.proof)?;
    if oauth::disconnect(&hub, &who.account.id, &id).await? {
        Ok(Redirect::to("/connect"))
    } else {
        Err(WebError::Bad(
            "That app is not connected, or no longer.".to_owned(),
        ))
    }
}

/// `GET /api/mcp-oauth/connections`
pub(super) async fn listed(
    State(hub): State<Hub>,
    who: Result<SignedIn, WebError>,
) -> Result<Response, WebError> {
    let Ok(who) = who else {
        let error = json!({ "error": "Sign in first." });
        return Ok((StatusCode::UNAUTHORIZED, Json(error)).into_response());
    };
    let list = oauth::connections(&hub, &who.account.id).await?;
    let list: Vec<Value> = list.iter().map(told).collect();
    Ok(Json(json!({ "connections": list })).into_response())
}

fn told(app: &Connection) -> Value {
    json!({
        "id": app.id,
        "clientId": app.client_id,
        "clientName": app.client_name,
        "spaceId": app.space_id,
        "scope": app.scopes.to_string(),
        "createdAt": app.created_at.to_string(),
        "lastRefreshedAt": app.last_used_at.map(|at| at.to_string()),
    })
}

fn space<'a>(app: &Connection, spaces: &'a [SpaceRow]) -> &'a str {
    let own = spaces.iter().find(|space| space.id == app.space_id);
    own.map_or("a space that is gone", |space| &space.name)
}
