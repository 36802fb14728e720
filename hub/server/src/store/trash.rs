//! Trash: records that were deleted. They keep their links, their text and their history, and come back with all of it.

use ensemble_hub_api::Kind;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::error::StoreError;
use super::query::Page;
use super::record::{COLUMNS, Record};
use super::{Change, Store};

impl Store {
    /// The records in Trash, the last deleted first; of all kinds when none is named.
    pub async fn in_trash(
        &self,
        space: &str,
        kinds: &[Kind],
        limit: u32,
        offset: u32,
    ) -> Result<Page<Record>, StoreError> {
        let mut tx = self.reader.begin().await?;
        let filter = |query: &mut QueryBuilder<Sqlite>| {
            query.push(" FROM records r WHERE r.deleted_at IS NOT NULL AND r.space_id = ");
            query.push_bind(space.to_owned());
            if !kinds.is_empty() {
                query.push(" AND r.kind IN (");
                let mut list = query.separated(", ");
                for kind in kinds {
                    list.push_bind(kind.as_str());
                }
                query.push(")");
            }
        };
        let mut count = QueryBuilder::<Sqlite>::new("SELECT count(*)");
        filter(&mut count);
        let total: i64 = count.build_query_scalar().fetch_one(&mut *tx).await?;
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(COLUMNS);
        filter(&mut query);
        query
            .push(" ORDER BY r.deleted_at DESC, r.id LIMIT ")
            .push_bind(limit);
        query.push(" OFFSET ").push_bind(offset);
        let rows = query.build().fetch_all(&mut *tx).await?;
        tx.commit().await?;
        Ok(Page {
            total: u64::try_from(total).unwrap_or(0),
            items: rows
                .iter()
                .map(Record::from_row)
                .collect::<Result<_, _>>()?,
        })
    }

    /// A record that may be in Trash.
    pub async fn record_in_trash_too(
        &self,
        space: &str,
        id: &str,
    ) -> Result<Option<Record>, StoreError> {
        let ids = [id.to_owned()];
        Ok(self.by_ids_in_trash_too(space, &ids).await?.pop())
    }
}

impl Change {
    /// Takes a record out of Trash, with the links that it had.
    pub async fn restore(&mut self, action: &str, gone: &Record) -> Result<Record, StoreError> {
        let back = Record {
            deleted_at: None,
            ..gone.clone()
        };
        self.update(action, gone, back).await
    }

    /// Which of these links a record has, as this change sees them: relation and the other end's id, in the order of both.
    pub async fn links_of(&mut self, id: &str) -> Result<Vec<(String, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT relation, to_id FROM links WHERE from_id = ? ORDER BY relation, to_id",
        )
        .bind(id)
        .fetch_all(&mut *self.tx)
        .await?;
        rows.iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
            .collect()
    }
}
