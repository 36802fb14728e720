//! Reading: which files there are, and what can be done with one.

use ensemble_hub_api::{Kind, limits};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::export::LIMIT;
use crate::actions::Reading;
use crate::error::RouteError;
use crate::files;
use crate::lists::Part;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct List {
    /// Words of the name, summary or text.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Only files on this record: the handle of a task, page, project, person or repository.
    #[schemars(length(max = 2000))]
    on: Option<String>,
    /// Files at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Files to skip.
    offset: Option<u32>,
    /// The `next` of the answer before, which goes on where it ended whatever was added since.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn list(on: &Reading, asked: List) -> Result<Value, RouteError> {
    let asked = files::Listed {
        query: asked.query,
        on: asked.on,
        part: Part::from_input(
            asked.limit,
            asked.offset,
            asked.after.as_deref(),
            files::NAME,
        )?,
    };
    Ok(files::list(&on.reader(), &asked).await?.into())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The file, by id, handle, link or exact name.
    #[schemars(length(min = 1, max = 2000))]
    file: String,
}

pub(super) async fn edit_info(on: &Reading, asked: One) -> Result<Value, RouteError> {
    let file = on.record(Kind::File, &asked.file).await?;
    let details = files::details(&on.reader(), &file.id, None).await?;
    let text = on.store().file_text(on.space(), &file.id).await?;
    let characters = text.as_deref().map(|text| text.chars().count());
    let mut can = json!({
        "replaceOriginal": false,
        "delete": false,
        "toPage": characters.is_some(),
    });
    if let (Some(characters), Some(can)) = (characters, can.as_object_mut()) {
        can.insert("textCharacters".to_owned(), characters.into());
        let parts = characters.div_ceil(limits::PAGE_MAX);
        can.insert("pagesNeeded".to_owned(), parts.into());
    }
    Ok(json!({ "file": details, "version": file.version, "can": can, "limit": LIMIT }))
}
