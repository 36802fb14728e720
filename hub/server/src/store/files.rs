//! Files: their records as a list, and the text that was read out of them. The text has its own table and its own index, which only the
//! statements here know, so that it cannot reach search, briefs or `read`.

use ensemble_hub_api::Kind;
use sqlx::{QueryBuilder, Sqlite};

use super::error::StoreError;
use super::graph::{Begin, Related};
use super::record::{COLUMNS, Record};
use super::{Change, Store};
use crate::text::fold::fold;
use crate::text::terms::{fts_query, index_text, query_terms};

/// Words of one query; a longer one is not more exact.
const WORDS_MAX: usize = 16;
/// Characters of a text whose words are found; as many as of any other record.
const INDEXED_MAX: usize = 400_000;

/// Which files. Everything left empty does not filter.
#[derive(Clone, Debug)]
pub struct FileQuery<'a> {
    /// Words that all stand in the name, the summary or the text; case and accents do not count.
    pub words: Option<String>,
    /// A record that the files are linked with, in either direction.
    pub on: Option<String>,
    pub limit: u32,
    pub begin: Begin<'a>,
}

impl Store {
    /// The files of a space, newest first.
    pub async fn files(&self, space: &str, asked: &FileQuery<'_>) -> Result<Related, StoreError> {
        let mut count = QueryBuilder::<Sqlite>::new("SELECT count(*) FROM records r");
        filter(&mut count, space, asked);
        // One read transaction, so that the total and the rows belong together.
        let mut tx = self.reader.begin().await?;
        let total: i64 = count.build_query_scalar().fetch_one(&mut *tx).await?;
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(COLUMNS).push(" FROM records r");
        filter(&mut query, space, asked);
        let offset = match asked.begin {
            Begin::Offset(offset) => offset,
            Begin::After(at, id) => {
                query.push(" AND (r.created_at, r.id) < (").push_bind(at);
                query.push(", ").push_bind(id.to_owned()).push(")");
                0
            }
        };
        // one more than asked, to see whether there is more
        query.push(" ORDER BY r.created_at DESC, r.id DESC LIMIT ");
        query.push_bind(asked.limit.saturating_add(1));
        query.push(" OFFSET ").push_bind(offset);
        let rows = query.build().fetch_all(&mut *tx).await?;
        tx.commit().await?;
        let limit = asked.limit as usize;
        Ok(Related {
            more: rows.len() > limit,
            records: rows
                .iter()
                .take(limit)
                .map(Record::from_row)
                .collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or(0),
        })
    }

    /// The text that was read out of this file; `None` when there is none, or no such file in this space.
    pub async fn file_text(&self, space: &str, id: &str) -> Result<Option<String>, StoreError> {
        let text = sqlx::query_scalar(
            "SELECT t.text FROM file_texts t JOIN records r ON r.id = t.record_id
             WHERE r.id = ? AND r.space_id = ? AND r.deleted_at IS NULL",
        )
        .bind(id)
        .bind(space)
        .fetch_optional(&self.reader)
        .await?;
        Ok(text)
    }
}

impl Change {
    /// Keeps the text of a file, in place of an older one.
    pub async fn set_file_text(&mut self, record_id: &str, text: &str) -> Result<(), StoreError> {
        sqlx::query("INSERT OR REPLACE INTO file_texts (record_id, text) VALUES (?, ?)")
            .bind(record_id)
            .bind(text)
            .execute(&mut *self.tx)
            .await?;
        let seq: i64 = sqlx::query_scalar("SELECT seq FROM records WHERE id = ?")
            .bind(record_id)
            .fetch_one(&mut *self.tx)
            .await?;
        sqlx::query("DELETE FROM file_texts_index WHERE rowid = ?")
            .bind(seq)
            .execute(&mut *self.tx)
            .await?;
        let found: String = text.chars().take(INDEXED_MAX).collect();
        sqlx::query("INSERT INTO file_texts_index (rowid, text) VALUES (?, ?)")
            .bind(seq)
            .bind(index_text(&found))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }
}

fn filter(query: &mut QueryBuilder<Sqlite>, space: &str, asked: &FileQuery<'_>) {
    query
        .push(" WHERE r.space_id = ")
        .push_bind(space.to_owned());
    query.push(" AND r.deleted_at IS NULL AND r.kind IN (");
    let mut kinds = query.separated(", ");
    kinds
        .push_bind(Kind::File.as_str())
        .push_bind(Kind::Document.as_str());
    query.push(")");
    for word in asked
        .words
        .as_deref()
        .unwrap_or_default()
        .split_whitespace()
        .take(WORDS_MAX)
    {
        push_word(query, word);
    }
    if let Some(on) = &asked.on {
        query
            .push(" AND r.id IN (SELECT to_id FROM links WHERE from_id = ")
            .push_bind(on.clone())
            .push(" UNION SELECT from_id FROM links WHERE to_id = ")
            .push_bind(on.clone())
            .push(")");
    }
}

/// `AND` this word stands in the name, or in the summary, or in the text. The words are tokens of ours by then, never syntax.
fn push_word(query: &mut QueryBuilder<Sqlite>, word: &str) {
    let tokens: Vec<String> = query_terms(word)
        .into_iter()
        .map(|term| fts_query(std::slice::from_ref(&term)))
        .collect();
    query
        .push(" AND (instr(r.title_fold, ")
        .push_bind(fold(word))
        .push(") > 0");
    if !tokens.is_empty() {
        let all = tokens.join(" AND ");
        for index in ["records_index", "file_texts_index"] {
            query
                .push(" OR r.seq IN (SELECT rowid FROM ")
                .push(index)
                .push(" WHERE ")
                .push(index)
                .push(" MATCH ")
                .push_bind(all.clone())
                .push(")");
        }
    }
    query.push(")");
}
