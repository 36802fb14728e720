//! Sign-in with name and password, and the link that lets a person choose both. The link is made on the hub's own computer
//! (`ensemble hub sign-in`), so that nobody who only reaches the address of a new hub can take it.

use axum::extract::{Form, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use ensemble_hub_api::limits::NAME_MAX;
use maud::{Markup, html};
use serde::Deserialize;

use crate::hub::Hub;
use crate::secret::hash;
use crate::store::{AccountRow, name_key, one_line};

use super::session::SignedIn;
use super::{WebError, frame, local, password};

/// What makes a link, for who has none or forgot the password.
const HOW: &str = "ensemble hub sign-in";

#[derive(Deserialize)]
pub(super) struct Then {
    #[serde(default)]
    then: String,
}

#[derive(Deserialize)]
pub(super) struct SignIn {
    name: String,
    password: String,
    #[serde(default)]
    then: String,
}

#[derive(Deserialize)]
pub(super) struct Link {
    #[serde(default)]
    code: String,
}

#[derive(Deserialize)]
pub(super) struct SetUp {
    code: String,
    name: String,
    password: String,
    again: String,
}

#[derive(Deserialize)]
pub(super) struct Proof {
    proof: String,
}

/// `GET /sign-in`
pub(super) async fn page(
    State(hub): State<Hub>,
    Query(Then { then }): Query<Then>,
) -> Result<Markup, WebError> {
    if hub.store().passwords().await?.is_empty() {
        return Ok(frame::bare(
            "Nobody can sign in yet",
            &html! {
                p { "Choose a name and a password first. On the computer that this hub runs on, run" }
                pre { (HOW) }
                p { "and open the link that it shows. If the hub was started with " code { "--data" } ", give the same." }
                @if !then.is_empty() { p { a href=(local(&then)) { "I did: go on" } } }
            },
        ));
    }
    Ok(form("", &then, None))
}

fn form(name: &str, then: &str, wrong: Option<&str>) -> Markup {
    frame::bare(
        "Sign in",
        &html! {
            @if let Some(wrong) = wrong { p.wrong role="alert" { (wrong) } }
            form.card method="post" action="/sign-in" {
                input type="hidden" name="then" value=(local(then));
                label { "Name" input name="name" value=(name) autocomplete="username" required autofocus[name.is_empty()]; }
                label { "Password" input type="password" name="password" autocomplete="current-password" required autofocus[!name.is_empty()]; }
                button { "Sign in" }
            }
            p.small { "Forgotten? " code { (HOW) } " on the hub's computer makes a link to choose another one." }
        },
    )
}

/// `POST /sign-in`
pub(super) async fn sign_in(
    State(hub): State<Hub>,
    Form(asked): Form<SignIn>,
) -> Result<Response, WebError> {
    hub.sign_ins()
        .count(&name_key(&asked.name))
        .map_err(WebError::TooMany)?;
    let known = password::account(&hub, &asked.name, asked.password).await?;
    if let Some(account) = known {
        return enter(&hub, &account, &asked.then).await;
    }
    let wrong = "That is not the name and password of anybody here.";
    let page = form(&asked.name, &asked.then, Some(wrong));
    Ok((StatusCode::UNAUTHORIZED, page).into_response())
}

/// `POST /sign-out`
pub(super) async fn sign_out(
    State(hub): State<Hub>,
    who: SignedIn,
    Form(Proof { proof }): Form<Proof>,
) -> Result<Response, WebError> {
    who.check(&proof)?;
    let cookie = who.end(&hub).await?;
    let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
    Ok((cookie, Redirect::to("/sign-in")).into_response())
}

/// `GET /set-up`. Looking at it uses nothing up: programs that show links look at them first.
pub(super) async fn set_up_page(
    State(hub): State<Hub>,
    Query(Link { code }): Query<Link>,
) -> Result<Response, WebError> {
    match hub.store().sign_in_link(&hash(&code)).await? {
        Some(account) => Ok(choose(&code, &account.name, None).into_response()),
        None => Ok(used_up()),
    }
}

/// `POST /set-up`
pub(super) async fn set_up(
    State(hub): State<Hub>,
    Form(asked): Form<SetUp>,
) -> Result<Response, WebError> {
    let name = one_line(&asked.name);
    let named = (1..=NAME_MAX).contains(&name.chars().count());
    let wrong = if !named {
        Some("A name has 1 to 200 characters.")
    } else if asked.password != asked.again {
        Some("The two passwords are not the same.")
    } else {
        password::refused(&asked.password)
    };
    if let Some(wrong) = wrong {
        let page = choose(&asked.code, &name, Some(wrong));
        return Ok((StatusCode::BAD_REQUEST, page).into_response());
    }
    let link = hash(&asked.code);
    if hub.store().sign_in_link(&link).await?.is_none() {
        return Ok(used_up());
    }
    let kept = password::hashed(&hub, asked.password).await?;
    match hub.store().use_sign_in_link(&link, &name, &kept).await? {
        Some(account) => enter(&hub, &account, "/").await,
        None => Ok(used_up()),
    }
}

fn choose(code: &str, name: &str, wrong: Option<&str>) -> Markup {
    frame::bare(
        "Choose a name and a password",
        &html! {
            p { "They open this hub's pages, where you make keys, let apps in, and see what was done." }
            @if let Some(wrong) = wrong { p.wrong role="alert" { (wrong) } }
            form.card method="post" action="/set-up" {
                input type="hidden" name="code" value=(code);
                label { "Name" input name="name" value=(name) autocomplete="username" maxlength=(NAME_MAX) required autofocus; }
                label { "Password, at least 10 characters" input type="password" name="password" autocomplete="new-password" minlength=(password::SHORTEST) required; }
                label { "The same again" input type="password" name="again" autocomplete="new-password" minlength=(password::SHORTEST) required; }
                button { "Sign in with these" }
            }
            p.small { "Wherever you were signed in before, you are signed out." }
        },
    )
}

fn used_up() -> Response {
    let page = frame::bare(
        "This link does not work any more",
        &html! {
            p { "A link works once and for ten minutes. On the computer that this hub runs on, make another one with" }
            pre { (HOW) }
        },
    );
    (StatusCode::NOT_FOUND, page).into_response()
}

async fn enter(hub: &Hub, account: &AccountRow, then: &str) -> Result<Response, WebError> {
    let cookie = SignedIn::begin(hub, account).await?;
    let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
    Ok((cookie, Redirect::to(local(then))).into_response())
}
