//! Tasks out of a meeting: proposals only, each with words that stand in the notes or the transcript. Words that do not stand there are
//! refused, so that nobody is said to have asked for what they did not.

use ensemble_hub_api::task::CreateTask;
use ensemble_hub_api::{Kind, TaskStatus, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::actions::tasks::Urgency;
use crate::actions::with::{at_row, limited};
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::Record;
use crate::tasks::card;
use crate::tasks::create::{self, More};
use crate::text::fold::fold;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Suggest {
    /// The meeting, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    meeting: String,
    /// The tasks that were asked for.
    #[schemars(length(min = 1, max = 20))]
    tasks: Vec<Proposal>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Proposal {
    /// What is to be done, in one line.
    #[schemars(length(min = 1, max = 500))]
    title: String,
    /// The words that asked for it, as they stand in the notes or the transcript.
    #[schemars(length(min = 1, max = 2000))]
    words: String,
    /// Who asked, by id, handle or name.
    #[schemars(length(max = 2000))]
    asked_by: Option<String>,
    /// The person who would answer for it, by id, handle or name.
    #[schemars(length(max = 2000))]
    owner: Option<String>,
    /// The day it is due, as YYYY-MM-DD, where the meeting said one.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    due: Option<String>,
    /// How urgent it is.
    priority: Option<Urgency>,
    /// More about it, in Markdown.
    #[schemars(length(max = 100_000))]
    page: Option<String>,
}

pub(super) async fn suggest(on: &mut Changing, asked: Suggest) -> Result<Done, RouteError> {
    let meeting = on.record(Kind::Meeting, &asked.meeting).await?;
    let said = plain(&format!(
        "{} {}",
        meeting.text("notes").unwrap_or_default(),
        meeting.body
    ));
    let mut cards = Vec::new();
    for (at, task) in asked.tasks.into_iter().enumerate() {
        let task = one(on, &meeting, &said, task)
            .await
            .map_err(|refused| at_row(at, refused))?;
        let hub = on.hub.clone();
        cards.push(card::one_changed(&hub, on.change(), &task).await?);
    }
    let message = match cards.len() {
        1 => "One task was proposed: the person accepts or drops it.".to_owned(),
        many => format!("{many} tasks were proposed: the person accepts or drops them."),
    };
    Ok(Done::new(
        json!({ "meeting": meeting.handle(), "tasks": cards }),
        message,
    ))
}

async fn one(
    on: &mut Changing,
    meeting: &Record,
    said: &str,
    asked: Proposal,
) -> Result<Record, RouteError> {
    let words = plain(&asked.words);
    if words.is_empty() || !said.contains(&words) {
        return Err(limited(
            "`words` do not stand in the notes or the transcript: give a part of them word for word.",
        ));
    }
    let mut more = More {
        priority: asked.priority.map(Urgency::priority),
        asked: Some(asked.words.trim().to_owned()),
        ..More::default()
    };
    if let Some(project) = meeting.text("projectId") {
        let space = on.space().to_owned();
        more.project = on.change().record(&space, project).await?;
    }
    if let Some(owner) = &asked.owner {
        more.owner = Some(on.record(Kind::Person, owner).await?);
    }
    let by = match &asked.asked_by {
        Some(by) => Some(on.record(Kind::Person, by).await?),
        None => None,
    };
    let new = CreateTask {
        title: asked.title,
        page: asked.page,
        due: asked.due,
        status: Some(TaskStatus::Proposed.as_str().to_owned()),
        ..CreateTask::default()
    };
    let (space, action) = (on.space().to_owned(), on.action.clone());
    let task = create::create(on.change(), &space, &action, new, more).await?;
    on.link(&task.id, relation::FROM_MEETING, &meeting.id)
        .await?;
    if let Some(by) = by {
        on.link(&task.id, relation::REQUESTED_BY, &by.id).await?;
    }
    Ok(task)
}

/// A text in which case, accents and line breaks do not count.
fn plain(text: &str) -> String {
    let folded = fold(text);
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}
