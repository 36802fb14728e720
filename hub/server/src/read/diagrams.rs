//! The diagrams that a page shows: `ensemble://diagram/<id>` in its text. Their source comes with the first part of the page; a diagram of
//! another space, or one that is gone, is not there.

use ensemble_hub_api::handle::{SCHEME, is_id};
use ensemble_hub_api::{Kind, limits};
use serde_json::json;

use super::body;
use crate::error::RouteError;
use crate::store::Record;
use crate::text::trust::neutral;
use crate::view::{self, Card, Reader};

/// Diagrams of one page with their source; further ones are named.
const DIAGRAMS_MAX: usize = 10;
/// Diagrams of one page that are looked for.
const NAMED_MAX: usize = 60;
/// Bytes of all their sources.
const SOURCES_BYTES: usize = 24_000;

/// Adds `diagrams` to the card of a page or task: each with its `source`. All sources together have the length of one diagram's answer.
pub(super) async fn add(
    reader: &Reader<'_>,
    page: &Record,
    card: &mut Card,
) -> Result<(), RouteError> {
    let ids = embedded(&page.body);
    let mut diagrams = reader.store.by_ids(reader.space, &ids).await?;
    diagrams.retain(|record| record.kind == Kind::Diagram);
    let mut left = limits::DIAGRAM_BODY_MAX;
    let mut cards = Vec::new();
    for diagram in diagrams.iter().take(DIAGRAMS_MAX) {
        let mut label = reader.label(diagram);
        // Always a beginning, so that what is cut says where it goes on.
        let source = body(&neutral(&diagram.body), 0, left.max(1));
        left = left.saturating_sub(u32::try_from(source.text.chars().count()).unwrap_or(left));
        label.insert("source".to_owned(), json!(source));
        cards.push(label);
    }
    let (cards, _) = view::fit(cards, SOURCES_BYTES);
    let shown = cards.len();
    if !cards.is_empty() {
        card.insert("diagrams".to_owned(), json!(cards));
    }
    if shown < diagrams.len() {
        let refs: Vec<String> = diagrams.iter().skip(shown).map(view::handle).collect();
        card.insert("diagramsNotShown".to_owned(), json!(refs));
    }
    Ok(())
}

/// The ids of the diagrams that `text` names, each once, in their order.
fn embedded(text: &str) -> Vec<String> {
    let start = format!("{SCHEME}{}/", Kind::Diagram);
    let mut ids: Vec<String> = Vec::new();
    for rest in text.split(&start).skip(1) {
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')
            .unwrap_or(rest.len());
        let id = rest.split_at(end).0;
        if is_id(id) && ids.iter().all(|known| known != id) {
            ids.push(id.to_owned());
        }
        if ids.len() == NAMED_MAX {
            break;
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_diagram_of_a_text_is_found_once() {
        let text = "![a](ensemble://diagram/0198-a) ensemble://diagram/b_2, again ensemble://diagram/0198-a\n\
                    ensemble://diagram/ ensemble://page/c ensemble://diagram/é ensemble://diagram/漢";
        assert_eq!(embedded(text), ["0198-a", "b_2"]);
        let many: Vec<String> = (0..90).map(|n| format!("ensemble://diagram/{n}")).collect();
        assert_eq!(embedded(&many.join(" ")).len(), NAMED_MAX);
    }
}
