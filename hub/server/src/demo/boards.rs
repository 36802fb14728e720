//! A board of the demo workspace, and comments.

use std::collections::BTreeMap;

use ensemble_hub_api::{Kind, relation};
use serde_json::{Map, Value, json};

use super::seed::Seed;

/// All of them.
pub(super) fn seeds() -> Vec<Seed> {
    vec![
        Seed::new(Kind::Board, "guide-board", "Guide chapters")
            .with("description", "What goes into the guide, and how far it is.")
            .with(
                "columns",
                json!([
                    { "id": "guide-ideas", "name": "Ideas", "cards": ["migration"] },
                    { "id": "guide-writing", "name": "Writing", "cards": ["doc-timeout", "checklist"] },
                    { "id": "guide-out", "name": "Published", "cards": ["pool-limits"] },
                ]),
            )
            .link(relation::CARD, "migration")
            .link(relation::CARD, "doc-timeout")
            .link(relation::CARD, "checklist")
            .link(relation::CARD, "pool-limits"),
        Seed::new(Kind::Comment, "values-comment", "The partners ask for a number by Friday.")
            .age(3)
            .with("author", "Mara Lindqvist")
            .link(relation::COMMENT, "agree-values")
            .body("The partners ask for a number by Friday."),
    ]
}

/// Puts ids in place of the names of a board's cards.
pub(super) fn place(fields: &mut Map<String, Value>, ids: &BTreeMap<&str, String>) {
    let columns = fields.get_mut("columns").and_then(Value::as_array_mut);
    for column in columns.into_iter().flatten() {
        let cards = column.get_mut("cards").and_then(Value::as_array_mut);
        for card in cards.into_iter().flatten() {
            if let Some(id) = card.as_str().and_then(|name| ids.get(name)) {
                *card = id.as_str().into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_of_the_board_is_linked_and_becomes_an_id() {
        let board = seeds().remove(0);
        let ids: BTreeMap<&str, String> = board
            .links
            .iter()
            .map(|(_, to)| (*to, format!("id of {to}")))
            .collect();
        let mut fields = board.fields.clone();
        place(&mut fields, &ids);
        let columns = fields["columns"].as_array().unwrap();
        let cards: Vec<&str> = columns
            .iter()
            .flat_map(|column| column["cards"].as_array().unwrap())
            .map(|card| card.as_str().unwrap())
            .collect();
        assert_eq!(cards.len(), ids.len());
        assert!(
            cards.iter().all(|card| card.starts_with("id of ")),
            "{cards:?}"
        );
    }
}
