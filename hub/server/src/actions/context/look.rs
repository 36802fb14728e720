//! Reading: context, search, one record, and what waits for the person.

use ensemble_hub_api::{Kind, limits, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::Reading;
use crate::actions::with::limited;
use crate::context::{self, Wanted};
use crate::decisions;
use crate::error::RouteError;
use crate::lists::Part;
use crate::read;
use crate::search;

/// Kinds of [`work`].
const WORK: [Kind; 5] = [
    Kind::Task,
    Kind::Project,
    Kind::Deliverable,
    Kind::Page,
    Kind::Meeting,
];

/// Nothing can be asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::actions) struct Nothing {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Linked {
    /// The record, by handle (`ensemble://task/<id>`), link, or id with `kind`.
    #[schemars(length(min = 1, max = 2000))]
    item: String,
    /// The record's kind; needed with a bare id.
    #[schemars(length(max = 50))]
    kind: Option<String>,
    /// One relation in full, by the name that the answer without it gives.
    #[schemars(length(max = 50))]
    rel: Option<String>,
    /// Everything as one Markdown text instead.
    packet: Option<bool>,
    /// With `rel`: records at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// With `rel`: records to skip.
    offset: Option<u32>,
    /// With `rel`: the `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn item(on: &Reading, asked: Linked) -> Result<Value, RouteError> {
    let packet = asked.packet.unwrap_or(false);
    let pages = asked.offset.is_some() || asked.after.is_some() || asked.limit.is_some();
    let wanted = match asked.rel.as_deref() {
        Some(_) if packet => return Err(limited("Give `rel` or `packet`, not both.")),
        Some(rel) => {
            let side = context::side(rel)?;
            let after = asked.after.as_deref();
            let part = Part::from_input(asked.limit, asked.offset, after, side.rel)?;
            Wanted::One(side, part)
        }
        None if pages => return Err(limited(sentences::REL_NEEDED)),
        None if packet => Wanted::Packet,
        None => Wanted::All,
    };
    let asked = context::Asked {
        item: asked.item,
        kind: asked.kind,
        wanted,
    };
    Ok(context::context(&on.reader(), &asked).await?.into())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Work {
    /// The words to look for.
    #[schemars(length(min = 1, max = 10000))]
    query: String,
    /// Hits at the most.
    #[schemars(range(min = 1, max = 40))]
    limit: Option<u32>,
}

pub(super) async fn work(on: &Reading, asked: Work) -> Result<Value, RouteError> {
    found(on, asked.query, WORK.to_vec(), None, asked.limit).await
}

/// A kind that search looks through.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Searched {
    Task,
    Project,
    Person,
    Repo,
    Deliverable,
    Meeting,
    Page,
    Document,
    Artifact,
    Skill,
    Diagram,
    Plot,
}

impl Searched {
    /// Files are found as documents.
    const fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Task => &[Kind::Task],
            Self::Project => &[Kind::Project],
            Self::Person => &[Kind::Person],
            Self::Repo => &[Kind::Repo],
            Self::Deliverable => &[Kind::Deliverable],
            Self::Meeting => &[Kind::Meeting],
            Self::Page => &[Kind::Page],
            Self::Document => &[Kind::File, Kind::Document],
            Self::Artifact => &[Kind::Artifact],
            Self::Skill => &[Kind::Skill],
            Self::Diagram => &[Kind::Diagram],
            Self::Plot => &[Kind::Plot],
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Search {
    /// The words to look for.
    #[schemars(length(min = 1, max = 10000))]
    query: String,
    /// Only these kinds; files are found as documents.
    #[schemars(length(max = 12))]
    kinds: Option<Vec<Searched>>,
    /// The handle of a record: what is linked to it comes first.
    #[schemars(length(max = 200))]
    near: Option<String>,
    /// Hits at the most.
    #[schemars(range(min = 1, max = 40))]
    limit: Option<u32>,
}

pub(super) async fn search(on: &Reading, asked: Search) -> Result<Value, RouteError> {
    let kinds = asked.kinds.unwrap_or_default();
    let kinds = kinds.iter().flat_map(|kind| kind.kinds()).copied();
    found(on, asked.query, kinds.collect(), asked.near, asked.limit).await
}

async fn found(
    on: &Reading,
    query: String,
    kinds: Vec<Kind>,
    near: Option<String>,
    limit: Option<u32>,
) -> Result<Value, RouteError> {
    let asked = search::Asked {
        query,
        kinds,
        near,
        hits: limit.unwrap_or(limits::LIST_DEFAULT) as usize,
        typing: true,
    };
    Ok(json!(search::find(&on.reader(), &asked).await?))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Read {
    /// The record, by handle (`ensemble://task/<id>`), link, or id with `kind`.
    #[schemars(length(min = 1, max = 2000))]
    item: String,
    /// The record's kind; needed with a bare id.
    #[schemars(length(max = 50))]
    kind: Option<String>,
    /// Where the part of its text begins, in characters.
    offset: Option<u32>,
    /// Characters of the part.
    #[schemars(range(min = 1, max = 20000))]
    limit: Option<u32>,
}

pub(super) async fn read(on: &Reading, asked: Read) -> Result<Value, RouteError> {
    let asked = read::Asked {
        kind: asked.kind,
        id: asked.item,
        offset: asked.offset.unwrap_or(0),
        limit: asked.limit.unwrap_or(0),
    };
    Ok(read::read(&on.reader(), &asked).await?.into())
}

pub(super) async fn approvals(on: &Reading, _: Nothing) -> Result<Value, RouteError> {
    Ok(json!(decisions::decisions(&on.reader()).await?))
}
