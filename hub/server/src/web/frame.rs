//! What stands around every page: its head, and for somebody who is signed in the way to the other pages.

use maud::{DOCTYPE, Markup, html};

use super::session::SignedIn;

/// The pages that everybody finds, and those of the hub's owner.
const PAGES: [(&str, &str); 3] = [
    ("/connect", "Connect your apps"),
    ("/plugins", "Plugins"),
    ("/log", "Log"),
];

/// A page of somebody who is signed in.
pub(super) fn page(who: &SignedIn, at: &str, title: &str, content: &Markup) -> Markup {
    let way = html! {
        nav aria-label="Pages" {
            @for (path, name) in PAGES {
                a href=(path) aria-current=[(path == at).then_some("page")] { (name) }
            }
        }
        form method="post" action="/sign-out" {
            input type="hidden" name="proof" value=(who.proof);
            button.quiet title=(format!("Signed in as {}", who.account.name)) { "Sign out" }
        }
    };
    whole(title, &way, content)
}

/// A page of nobody in particular.
pub(super) fn bare(title: &str, content: &Markup) -> Markup {
    whole(title, &html! {}, content)
}

fn whole(title: &str, way: &Markup, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – Ensemble" }
                link rel="stylesheet" href="/style.css";
            }
            body {
                header { a.name href="/" { "Ensemble" } (way) }
                main { h1 { (title) } (content) }
            }
        }
    }
}
