//! Log: the decision log with filters. A filter that cannot be understood says so and shows nothing: an empty list would be taken for an answer.

use axum::extract::{Query, State};
use maud::{Markup, html};
use serde::Deserialize;

use crate::hub::Hub;

use super::host::{LogFilter, LogLine};
use super::plugins::none;
use super::session::SignedIn;
use super::{WebError, frame};

const VERDICTS: [&str; 3] = ["permitted", "failed", "denied"];

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    plugin: String,
    tool: String,
    verdict: String,
    since: String,
    until: String,
}

/// `GET /log`
pub(super) async fn page(
    State(hub): State<Hub>,
    who: SignedIn,
    Query(asked): Query<Asked>,
) -> Result<Markup, WebError> {
    who.owns(&hub).await?;
    let Some(host) = hub.host() else {
        return Ok(frame::page(&who, "/log", "Log", &none()));
    };
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let filter = LogFilter {
        plugin: given(&asked.plugin),
        tool: given(&asked.tool),
        verdict: given(&asked.verdict),
        since: given(&asked.since),
        until: given(&asked.until),
    };
    let lines = tokio::task::spawn_blocking(move || host.log(&filter))
        .await
        .map_err(|_| WebError::Broken)?;
    Ok(frame::page(
        &who,
        "/log",
        "Log",
        &html! {
            p { "Every decision of this computer's bridge, the last one first. It holds no contents and no key." }
            (filters(&asked))
            @match &lines {
                Err(wrong) => p.wrong role="alert" { (wrong) },
                Ok(lines) if lines.is_empty() => p { "Nothing matches." },
                Ok(lines) => (table(lines)),
            }
            p.small { code { "ensemble log verify" } " checks that no line was changed, moved or taken away." }
        },
    ))
}

fn filters(asked: &Asked) -> Markup {
    html! {
        form.filters method="get" action="/log" {
            label { "Verdict"
                select name="verdict" {
                    option value="" { "any" }
                    @for verdict in VERDICTS { option value=(verdict) selected[asked.verdict == verdict] { (verdict) } }
                }
            }
            label { "Plugin" input name="plugin" value=(asked.plugin); }
            label { "Tool" input name="tool" value=(asked.tool); }
            label { "Since, such as 3d" input name="since" value=(asked.since); }
            label { "Until" input name="until" value=(asked.until); }
            button { "Show" }
        }
    }
}

fn table(lines: &[LogLine]) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Decisions" {
            table {
                thead { tr { @for head in ["Time", "Verdict", "Plugin", "Tool", "Wanted", "Key"] { th scope="col" { (head) } } } }
                tbody {
                    @for line in lines {
                        tr.(line.verdict) {
                            td { (line.at) }
                            td { (line.verdict) @if !line.why.is_empty() { br; span.small { (line.why) } } }
                            td { (line.plugin) } td { (line.tool) } td { code { (line.wanted) } } td { (line.key) }
                        }
                    }
                }
            }
        }
    }
}
