//! Needs me: what waits for the person's yes or no. Read only: nobody but the person answers.
//! Previews and inputs are the words of others.

use ensemble_hub_api::{Kind, sentences};
use serde::Serialize;
use serde_json::json;

use crate::error::RouteError;
use crate::store::RecordQuery;
use crate::text::cut;
use crate::text::trust::neutral;
use crate::view::{self, Card, Reader};

/// Entries of one list; more are counted.
const LIST_MAX: u32 = 20;
/// Bytes of one list.
const LIST_BYTES: usize = 28_000;
/// Characters of a preview.
const PREVIEW: usize = 800;
/// The status of what waits.
const PENDING: &str = "pending";

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decisions {
    /// What waits.
    pub needs_me: NeedsMe,
    /// What the text is.
    pub notes: Vec<&'static str>,
}

/// What waits, newest first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedsMe {
    /// What an app would do after a yes.
    pub approvals: Vec<Card>,
    /// What an editor or agent asked.
    pub editor_decisions: Vec<Card>,
    /// How much of each there is in all.
    pub total: Counts,
    /// Whether more waits than stands here.
    pub has_more: bool,
}

/// How much waits.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Approvals.
    pub pending_approvals: u64,
    /// Questions of editors and agents.
    pub pending_editor_decisions: u64,
    /// Where the person answers.
    pub url: String,
}

/// Everything that waits in the space of `reader`.
pub async fn decisions(reader: &Reader<'_>) -> Result<Decisions, RouteError> {
    let (approvals, pending_approvals) = pending(reader, Kind::Approval).await?;
    let (editor_decisions, pending_editor_decisions) = pending(reader, Kind::Decision).await?;
    let total = Counts {
        pending_approvals,
        pending_editor_decisions,
        url: url(reader),
    };
    let shown = (approvals.len() + editor_decisions.len()) as u64;
    let has_more = shown < pending_approvals + pending_editor_decisions;
    let mut notes = vec![
        sentences::REFERENCE_NOTE,
        "Only the person answers these, in Ensemble: nothing here can be approved by a tool.",
    ];
    if has_more {
        notes.push("More waits than stands here: the person sees all of it at `url`, and what is answered makes room for the next.");
    }
    Ok(Decisions {
        needs_me: NeedsMe {
            approvals,
            editor_decisions,
            total,
            has_more,
        },
        notes,
    })
}

/// How much waits in the space of `reader`.
pub async fn counts(reader: &Reader<'_>) -> Result<Counts, RouteError> {
    let count = async |kind| {
        let query = RecordQuery {
            limit: 1,
            ..waiting(kind)
        };
        Ok::<u64, RouteError>(reader.store.records(reader.space, &query).await?.total)
    };
    Ok(Counts {
        pending_approvals: count(Kind::Approval).await?,
        pending_editor_decisions: count(Kind::Decision).await?,
        url: url(reader),
    })
}

fn url(reader: &Reader<'_>) -> String {
    format!("{}/needs-me", reader.base)
}

fn waiting(kind: Kind) -> RecordQuery {
    RecordQuery {
        kinds: vec![kind],
        statuses: vec![PENDING.to_owned()],
        limit: LIST_MAX,
        ..RecordQuery::default()
    }
}

async fn pending(reader: &Reader<'_>, kind: Kind) -> Result<(Vec<Card>, u64), RouteError> {
    let page = reader.store.records(reader.space, &waiting(kind)).await?;
    let mut cards = reader.cards(&page.items).await?;
    for (card, record) in cards.iter_mut().zip(&page.items) {
        let (preview, truncated) = cut::excerpt(&neutral(view::main_text(record)), PREVIEW);
        card.remove("excerpt");
        card.insert("preview".to_owned(), preview.into());
        card.insert("truncated".to_owned(), json!(truncated));
    }
    Ok((view::fit(cards, LIST_BYTES).0, page.total))
}
