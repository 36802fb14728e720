//! What belongs to events: the people of each, and its series, which is what `series` links join, in either direction and over several
//! steps.

use std::collections::BTreeMap;

use ensemble_hub_api::relation;
use sqlx::Row as _;

use super::Store;
use super::error::StoreError;

/// Links that are followed for one answer, so that a knot of links ends.
const STEPS_MAX: u32 = 20_000;

impl Store {
    /// For each of these events the id of the latest earlier meeting of its series: notes of a meeting before the calendar's event of the
    /// same start. Events that have none are not there.
    pub async fn previous_of_series(
        &self,
        space: &str,
        ids: &[String],
    ) -> Result<BTreeMap<String, String>, StoreError> {
        let rows = sqlx::query(
            "WITH RECURSIVE series (root, id) AS (
                SELECT value, value FROM json_each(?1)
                UNION
                SELECT s.root, l.to_id FROM series s CROSS JOIN links l ON l.from_id = s.id AND l.relation = ?2 AND l.space_id = ?3
                UNION
                SELECT s.root, l.from_id FROM series s CROSS JOIN links l ON l.to_id = s.id AND l.relation = ?2 AND l.space_id = ?3
                LIMIT ?4
             )
             SELECT root, id FROM (
                SELECT s.root, r.id, row_number() OVER (
                    PARTITION BY s.root
                    ORDER BY json_extract(r.fields, '$.start') DESC, r.kind = 'meeting' DESC, r.id DESC
                ) AS place
                FROM series s CROSS JOIN records r ON r.id = s.id CROSS JOIN records e ON e.id = s.root
                WHERE r.space_id = ?3 AND r.deleted_at IS NULL AND r.kind IN ('meeting', 'event')
                  AND json_extract(r.fields, '$.start') < json_extract(e.fields, '$.start')
             ) WHERE place = 1",
        )
        .bind(serde_json::Value::from(ids).to_string())
        .bind(relation::SERIES)
        .bind(space)
        .bind(STEPS_MAX)
        .fetch_all(&self.reader)
        .await?;
        rows.iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
            .collect()
    }

    /// The names of the people of each of these events, in the order of the names.
    pub async fn participants(
        &self,
        space: &str,
        ids: &[String],
    ) -> Result<BTreeMap<String, Vec<String>>, StoreError> {
        let rows = sqlx::query(
            "SELECT l.from_id, r.title FROM json_each(?1) AS wanted
             CROSS JOIN links l ON l.from_id = wanted.value AND l.relation = ?2 AND l.space_id = ?3
             CROSS JOIN records r ON r.id = l.to_id AND r.space_id = l.space_id AND r.kind = 'person' AND r.deleted_at IS NULL
             ORDER BY r.title_fold, r.id LIMIT ?4",
        )
        .bind(serde_json::Value::from(ids).to_string())
        .bind(relation::PARTICIPANT)
        .bind(space)
        .bind(STEPS_MAX)
        .fetch_all(&self.reader)
        .await?;
        let mut people: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in &rows {
            people
                .entry(row.try_get(0)?)
                .or_default()
                .push(row.try_get(1)?);
        }
        Ok(people)
    }
}
