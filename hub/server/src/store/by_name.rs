//! Finding records by name: the whole name, or the words in it.

use ensemble_hub_api::Kind;
use sqlx::{QueryBuilder, Sqlite};

use super::Store;
use super::error::StoreError;
use super::names::name_key;
use super::query::{Order, RecordQuery, filter};
use super::record::{COLUMNS, Record};
use super::titles::title_filter;

/// Records of one name that [`Store::find_by_title`] returns.
const NAMESAKES_MAX: u32 = 50;

impl Store {
    /// The records of this kind with this name: those spelled exactly so, else those that differ only in case, white space or Unicode form.
    /// Oldest first.
    pub async fn find_by_title(
        &self,
        space: &str,
        kind: Kind,
        title: &str,
    ) -> Result<Vec<Record>, StoreError> {
        let mut connection = self.reader.acquire().await?;
        by_title(&mut connection, space, kind, title).await
    }

    /// At most `limit` records of a kind whose names contain these words, by name.
    pub async fn find_by_words(
        &self,
        space: &str,
        kind: Kind,
        words: &str,
        limit: u32,
    ) -> Result<Vec<Record>, StoreError> {
        let mut connection = self.reader.acquire().await?;
        by_words(&mut connection, space, kind, words, limit).await
    }
}

impl Store {
    /// The ids of the records of these kinds that have this name, but for case, white space and Unicode form; oldest first.
    pub async fn ids_by_title(
        &self,
        space: &str,
        kinds: &[Kind],
        title: &str,
    ) -> Result<Vec<String>, StoreError> {
        let key = name_key(title);
        if key.is_empty() || kinds.is_empty() {
            return Ok(Vec::new());
        }
        let mut query =
            QueryBuilder::<Sqlite>::new("SELECT r.id FROM records r WHERE r.space_id = ");
        query.push_bind(space.to_owned());
        query.push(" AND r.title_key = ").push_bind(key);
        query.push(" AND r.kind IN (");
        let mut list = query.separated(", ");
        for kind in kinds {
            list.push_bind(kind.as_str());
        }
        query.push(") AND r.deleted_at IS NULL ORDER BY +r.created_at, r.id LIMIT ");
        query.push_bind(NAMESAKES_MAX);
        Ok(query.build_query_scalar().fetch_all(&self.reader).await?)
    }
}

/// Records by name, on any connection.
pub(super) async fn by_title(
    connection: &mut sqlx::SqliteConnection,
    space: &str,
    kind: Kind,
    title: &str,
) -> Result<Vec<Record>, StoreError> {
    let key = name_key(title);
    if key.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
    query
        .push(COLUMNS)
        .push(" FROM records r WHERE r.space_id = ")
        .push_bind(space.to_owned());
    query.push(" AND r.title_key = ").push_bind(key);
    query.push(" AND r.kind = ").push_bind(kind.as_str());
    query.push(" AND r.deleted_at IS NULL");
    // The few of one name are sorted; the index of the order would walk all of a kind.
    query.push(" ORDER BY +r.created_at, r.id LIMIT ");
    query.push_bind(NAMESAKES_MAX);
    let rows = query.build().fetch_all(connection).await?;
    let all: Vec<Record> = rows
        .iter()
        .map(Record::from_row)
        .collect::<Result<_, _>>()?;
    let asked = title.trim();
    let exact: Vec<Record> = all
        .iter()
        .filter(|record| record.title == asked)
        .cloned()
        .collect();
    Ok(if exact.is_empty() { all } else { exact })
}

/// Records of a kind whose names contain these words, by name, on any connection.
pub(super) async fn by_words(
    connection: &mut sqlx::SqliteConnection,
    space: &str,
    kind: Kind,
    words: &str,
    limit: u32,
) -> Result<Vec<Record>, StoreError> {
    let asked = RecordQuery {
        kinds: vec![kind],
        order: Order::Title,
        title_words: Some(words.to_owned()),
        ..RecordQuery::default()
    };
    let titles = title_filter(connection, space, &asked).await?;
    let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
    query.push(COLUMNS);
    filter(&mut query, space, &asked, titles.as_ref());
    asked
        .order
        .push(&mut query, asked.leaves_few(titles.as_ref()));
    query.push(" LIMIT ").push_bind(limit);
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(Record::from_row).collect()
}
