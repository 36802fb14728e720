//! A page of a file's text. What a file says was written by anybody, and the page keeps saying so.

use ensemble_hub_api::{Kind, limits, relation, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::NewRecord;
use crate::text::cut;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ToPage {
    /// The file, by id, handle, link or exact name.
    #[schemars(length(min = 1, max = 2000))]
    file: String,
    /// The page's title; the file's name when left out.
    #[schemars(length(min = 1, max = 500))]
    title: Option<String>,
    /// The project that the page belongs to: id, handle or name.
    #[schemars(length(min = 1, max = 2000))]
    project: Option<String>,
    /// For a text that is too long for one page: where this page's part begins, in characters.
    offset: Option<u32>,
}

pub(super) async fn to_page(on: &mut Changing, asked: ToPage) -> Result<Done, RouteError> {
    let file = on.record(Kind::File, &asked.file).await?;
    // The text of a file never changes.
    let text = on.hub.store().file_text(on.space(), &file.id).await?;
    let text = text.ok_or_else(|| {
        let why = file.text("textNote").unwrap_or("It has no text.");
        RouteError::Conflict(format!("No page can be made of this file: {why}"))
    })?;
    let part = cut::part(&text, asked.offset.unwrap_or(0) as usize, limits::PAGE_MAX);
    if part.next.is_some() && asked.offset.is_none() {
        return Err(RouteError::BadRequest(format!(
            "The file's text has {} characters and a page holds 100,000: make several pages, the first with offset 0.",
            part.total
        )));
    }
    if part.text.is_empty() {
        return Err(RouteError::BadRequest(format!(
            "`offset` is behind the end of the file's text, which has {} characters.",
            part.total
        )));
    }
    let (body, next) = (part.text.to_owned(), part.next);
    let project = match &asked.project {
        Some(project) => Some(on.record(Kind::Project, project).await?),
        None => None,
    };
    let mut new = NewRecord {
        body,
        ..NewRecord::new(
            on.space(),
            Kind::Page,
            asked.title.unwrap_or_else(|| file.title.clone()),
        )
    };
    new.fields.insert("source".to_owned(), "file".into());
    if let Some(project) = &project {
        new.fields
            .insert("projectId".to_owned(), project.id.as_str().into());
    }
    let page = on.create(new).await?;
    on.link(&page.id, relation::ATTACHED, &file.id).await?;
    if let Some(project) = &project {
        on.link(&page.id, relation::PROJECT, &project.id).await?;
    }
    let mut result = json!({
        "page": on.card(&page).await?,
        "version": page.version,
        "notes": [sentences::REFERENCE_NOTE],
    });
    let mut message = "The page was made.".to_owned();
    if let (Some(next), Some(result)) = (next, result.as_object_mut()) {
        result.insert("nextOffset".to_owned(), next.into());
        message = format!("The page was made; the text goes on at offset {next}.");
    }
    Ok(Done::new(result, message))
}
