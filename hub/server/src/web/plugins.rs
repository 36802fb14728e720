//! Plugins: what `ensemble audit` says, as a picture. One column for each kind of key, so that a glance tells what a key opens; each
//! component says what it may reach and why.

use axum::extract::State;
use maud::{Markup, html};

use crate::hub::Hub;

use super::host::PluginCard;
use super::session::SignedIn;
use super::{WebError, frame};

/// What a key needs, and how the page says it.
const GRANTS: [(&str, &str); 3] = [
    ("read", "Every key"),
    ("changes", "Keys with changes allowed, besides"),
    ("apps", "Keys with apps allowed, besides"),
];

/// `GET /plugins`
pub(super) async fn page(State(hub): State<Hub>, who: SignedIn) -> Result<Markup, WebError> {
    who.owns(&hub).await?;
    let cards = match hub.host() {
        Some(host) => tokio::task::spawn_blocking(move || host.plugins())
            .await
            .map_err(|_| WebError::Broken)?
            .map_err(WebError::Bad)?,
        None => return Ok(frame::page(&who, "/plugins", "Plugins", &none())),
    };
    Ok(frame::page(
        &who,
        "/plugins",
        "Plugins",
        &html! {
            p { "Each tool group is a component in a sandbox: no network, no files, no environment, no key. What it reaches goes through the host, and stands here. "
                code { "ensemble audit" } " has all of it in full." }
            @for (grant, says) in GRANTS {
                @let of: Vec<&PluginCard> = cards.iter().filter(|card| card.grant == grant).collect();
                section {
                    h2 { (says) }
                    @if of.is_empty() { p.small { "Nothing needs it." } }
                    div.cards { @for card in of { (one(card)) } }
                }
            }
        },
    ))
}

fn one(card: &PluginCard) -> Markup {
    html! {
        article.component {
            h3 { (card.title) " " span.small { (card.id) " " (card.version) ", " (card.origin) } }
            @if let Some(refused) = &card.refused { p.wrong { (refused) } }
            p { @for tool in &card.tools { code.tool { (tool) } " " } }
            @if card.reaches.is_empty() { p.small { "Reaches nothing outside its sandbox." } }
            ul.reaches {
                @for reach in &card.reaches {
                    li { span.arrow aria-hidden="true" { "→" } div { strong { (reach.does) } " " code { (reach.interface) } br; span.small { (reach.reason) } } }
                }
            }
            details {
                summary { (card.routes.len()) " routes of the hub" }
                ul { @for route in &card.routes { li { code { (route) } } } }
                p.small { "sha256 " code { (card.digest) } }
            }
        }
    }
}

pub(super) fn none() -> Markup {
    html! { p { "This hub runs without a host of plugins: there is nothing to show." } }
}
