//! A page as a new file that is attached to it. The file is written before the transaction begins; it says what the page said then.

use ensemble_hub_api::{Kind, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{save, written};
use crate::actions::input::parsed;
use crate::actions::{Changing, Done, Prepared, Reading, Running};
use crate::error::RouteError;
use crate::files::{About, name};
use crate::view;

pub(super) const LIMIT: &str = "A file's original is not replaced from editors and agents: save a new file, and replace it in Ensemble.";
const TITLE: &str = "The page's title is no name for a file: give `filename`.";

/// What the file is written as.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    Md,
    Html,
    Txt,
}

impl Format {
    const fn extension(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Txt => "txt",
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Export {
    /// The page, by id, handle, link or exact title.
    #[schemars(length(min = 1, max = 2000))]
    page: String,
    /// What the file is written as.
    format: Format,
    /// The file's name; the page's title with the extension of the format when left out.
    #[schemars(length(min = 1, max = 255))]
    filename: Option<String>,
    /// Always refused: an original is not replaced from here.
    #[schemars(length(max = 2000))]
    replace_file_id: Option<String>,
}

pub(super) fn prepare(on: &Reading, input: Value) -> Running<'_, Prepared> {
    Box::pin(async move {
        let asked: Export = parsed(input)?;
        if asked.replace_file_id.is_some() {
            return Err(RouteError::Forbidden(LIMIT.to_owned()));
        }
        let page = on.record(Kind::Page, &asked.page).await?;
        let filename = filename(&page.title, &asked)?;
        let bytes = match asked.format {
            Format::Md => page.body.clone(),
            Format::Html => written::html(&view::title(&page), &page.body),
            Format::Txt => written::text(&view::title(&page), &page.body),
        };
        save::fetched(on, bytes.into_bytes(), &filename, About::default()).await
    })
}

/// The name that was given, else the page's title with what no name can have left out.
fn filename(title: &str, asked: &Export) -> Result<String, RouteError> {
    let extension = asked.format.extension();
    let given = asked.filename.as_deref();
    let stem: String = match given {
        Some(given) => given.trim().to_owned(),
        None => title
            .chars()
            .map(|c| if "/\\:*?\"<>|".contains(c) { '-' } else { c })
            .take(60)
            .collect(),
    };
    let ending = format!(".{extension}");
    let full = if stem.to_lowercase().ends_with(&ending) {
        stem
    } else {
        format!("{}{ending}", stem.trim_end_matches(['.', ' ']))
    };
    name::checked(&full).map_err(|refused| match given {
        Some(_) => refused,
        None => RouteError::BadRequest(TITLE.to_owned()),
    })
}

pub(super) async fn export(on: &mut Changing, asked: Export) -> Result<Done, RouteError> {
    let page = on.record(Kind::Page, &asked.page).await?;
    let added = save::written(on).await?;
    on.link(&page.id, relation::ATTACHED, &added.record.id)
        .await?;
    let card = save::card(on, &added);
    Ok(Done::new(
        json!({ "file": card, "page": page.handle(), "pageVersion": page.version }),
        "The page was saved as a new file.",
    ))
}
