//! Records whose text names another one: a page that shows a diagram, a task whose page links to a file.

use ensemble_hub_api::Kind;
use sqlx::{QueryBuilder, Sqlite};

use super::Store;
use super::error::StoreError;
use super::record::{COLUMNS, Record};

impl Store {
    /// The records of these kinds whose text contains exactly `text`, newest change first, at most `limit`.
    pub async fn naming(
        &self,
        space: &str,
        kinds: &[Kind],
        text: &str,
        limit: u32,
    ) -> Result<Vec<Record>, StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query
            .push(COLUMNS)
            .push(" FROM records r WHERE r.space_id = ");
        query.push_bind(space.to_owned());
        query.push(" AND r.deleted_at IS NULL AND r.kind IN (");
        let mut list = query.separated(", ");
        for kind in kinds {
            list.push_bind(kind.as_str());
        }
        query
            .push(") AND instr(r.body, ")
            .push_bind(text.to_owned());
        query.push(") > 0 ORDER BY r.updated_at DESC, r.id DESC LIMIT ");
        query.push_bind(limit);
        let rows = query.build().fetch_all(&self.reader).await?;
        rows.iter().map(Record::from_row).collect()
    }
}
