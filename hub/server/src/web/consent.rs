//! Consent: a person is asked whether an app may come in. What is asked stands in the hub ([`crate::oauth`]) and is bound to the browser that began
//! it; the answer needs the signed-in session and a form of this page too.
//!
//! What the app says of itself is shown as that. Where the answer goes is what can be known of it, so that stands beside the name.

use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use crate::hub::Hub;
use crate::oauth::{self, ConsentError, Pending, Scopes};
use crate::store::SpaceRow;

use super::session::SignedIn;
use super::{WebError, frame};

/// As for every page, but for `form-action`: browsers hold it against wherever the answer is redirected to, and an app's address may lead on to
/// one that nobody knows here.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'";

#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    request: String,
}

#[derive(Deserialize)]
pub(super) struct Answer {
    proof: String,
    request: String,
    choice: String,
    #[serde(default)]
    space: String,
    #[serde(default)]
    changes: Option<String>,
    #[serde(default)]
    apps: Option<String>,
}

/// `GET /oauth`. A request that is gone needs no sign-in to say so.
pub(super) async fn page(
    State(hub): State<Hub>,
    headers: HeaderMap,
    Query(Asked { request }): Query<Asked>,
    who: Result<SignedIn, WebError>,
) -> Result<Response, WebError> {
    let pending = match oauth::pending(&hub, &request, &browser(&headers)).await {
        Ok(pending) => pending,
        Err(error) => return refused(error),
    };
    let who = who?;
    let spaces = hub.store().spaces_of(&who.account.id).await?;
    let page = frame::bare(
        "Let an app in?",
        &form(&who, &request, &pending, &spaces, hub.store().now()),
    );
    let mut response = page.into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    Ok(response)
}

/// `POST /oauth`
pub(super) async fn answer(
    State(hub): State<Hub>,
    who: SignedIn,
    headers: HeaderMap,
    Form(asked): Form<Answer>,
) -> Result<Response, WebError> {
    who.check(&asked.proof)?;
    let session = browser(&headers);
    let answered = if asked.choice == "allow" {
        let mut scopes = Scopes::READS;
        if asked.changes.is_some() {
            scopes = scopes.with_write();
        }
        if asked.apps.is_some() {
            scopes = scopes.with_apps();
        }
        let names = (asked.request.as_str(), session.as_str());
        oauth::approve(&hub, names, &who.account.id, &asked.space, scopes).await
    } else {
        oauth::deny(&hub, &asked.request, &session).await
    };
    match answered {
        Ok(answered) => Ok(Redirect::to(&answered.location).into_response()),
        Err(error) => refused(error),
    }
}

fn form(
    who: &SignedIn,
    request: &str,
    pending: &Pending,
    spaces: &[SpaceRow],
    now: jiff::Timestamp,
) -> Markup {
    let minutes = pending.expires_at.duration_since(now).as_mins() + 1;
    html! {
        p { strong { "“" (pending.client_name) "”" } " wants to work with your records. That is what it calls itself; nobody checked it." }
        p { "Your answer goes to "
            @for (number, domain) in pending.domains.iter().enumerate() {
                @if number > 0 { ", and it is described at " }
                strong { (domain) }
            }
            ". If you did not just start this in an app of yours, do not allow it." }
        form.card method="post" action="/oauth" {
            input type="hidden" name="proof" value=(who.proof);
            input type="hidden" name="request" value=(request);
            fieldset {
                legend { "It may" }
                label.tick { input type="checkbox" checked disabled; " Read your records: tasks, pages, files, people, meetings and what connects them" }
                @if pending.scopes.write() {
                    label.tick { input type="checkbox" name="changes" value="on" checked; " Change them: create, edit and move to Trash. Each change can be looked at, and most be undone" }
                }
                @if pending.scopes.apps() {
                    label.tick { input type="checkbox" name="apps" value="on" checked; " Use your connected apps; writing there needs changes too" }
                }
            }
            label { "Space, where a call names none"
                select name="space" {
                    @for space in spaces { option value=(space.id) selected[space.home] { (space.name) } }
                }
            }
            p.small { "It reaches all spaces of your own, and none that others share with you." }
            div.choice {
                button name="choice" value="allow" { "Allow" }
                button.quiet name="choice" value="deny" { "Do not allow" }
            }
        }
        p.small { "Signed in as " (who.account.name) ". This page waits for " (minutes) @if minutes == 1 { " minute" } @else { " minutes" }
            ". You can end the connection at any time under " em { "Connect your apps" } "." }
    }
}

/// The browser's own mark; one that has none has no request.
fn browser(headers: &HeaderMap) -> String {
    oauth::session(headers).unwrap_or_default()
}

fn refused(error: ConsentError) -> Result<Response, WebError> {
    let status = match error {
        ConsentError::Gone => StatusCode::NOT_FOUND,
        ConsentError::Space => StatusCode::BAD_REQUEST,
        ConsentError::Issuer => StatusCode::SERVICE_UNAVAILABLE,
        ConsentError::Random(_) => return Err(WebError::Broken),
        ConsentError::Store(error) => return Err(error.into()),
    };
    let page = frame::bare("Not connected", &html! { p { (error) } });
    Ok((status, page).into_response())
}
