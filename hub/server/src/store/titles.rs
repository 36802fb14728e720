//! Filters of lists: words that stand anywhere in a title, also in the middle of a word. Titles are indexed by every three characters in a
//! row, in order, so that a word of three or more is a phrase of the index; shorter words are looked for title by title.

use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use super::error::StoreError;
use super::query::RecordQuery;
use super::record::Record;
use super::scope::{in_space, quoted, space_token};
use crate::text::fold::fold;
use crate::text::terms::{encode_char, literal_token};

/// Words of one filter; the statement is bounded because they are.
const WORDS_MAX: usize = 32;
/// Characters of a title that are found.
const TITLE_MAX: usize = 10_000;
/// Matches below which the index leads; above, the list is walked in its order, which soon finds enough.
const FEW: i64 = 2_000;

/// A filter, prepared for one list.
#[derive(Debug)]
pub(super) struct TitleFilter {
    words: Vec<String>,
    /// What the index is asked; `None` where every word is too short for it.
    query: Option<String>,
    few: bool,
    /// How many titles match, where the index knows it all.
    count: Option<i64>,
}

/// The filter of this list; `None` when it has none.
pub(super) async fn title_filter(
    connection: &mut SqliteConnection,
    space: &str,
    asked: &RecordQuery,
) -> Result<Option<TitleFilter>, StoreError> {
    let folded = fold(asked.title_words.as_deref().unwrap_or_default());
    let words: Vec<String> = folded
        .split_whitespace()
        .take(WORDS_MAX)
        .map(str::to_owned)
        .collect();
    if words.is_empty() {
        return Ok(None);
    }
    let query = index_query(space, asked, &words);
    let whole = words.iter().all(|word| word.chars().nth(2).is_some());
    let mut filter = TitleFilter {
        words,
        query,
        few: false,
        count: None,
    };
    let Some(query) = &filter.query else {
        return Ok(Some(filter));
    };
    // Where the index knows it all, the total is asked for anyway.
    let exact = whole && asked.is_plain();
    let count: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM (SELECT 1 FROM titles_index WHERE titles_index MATCH ? LIMIT ?)",
    )
    .bind(query)
    .bind(if exact { i64::MAX } else { FEW })
    .fetch_one(connection)
    .await?;
    filter.few = count < FEW;
    filter.count = exact.then_some(count);
    Ok(Some(filter))
}

impl TitleFilter {
    /// `AND` a title with the words.
    pub(super) fn push(&self, query: &mut QueryBuilder<Sqlite>) {
        for word in &self.words {
            query.push(" AND instr(r.title_fold, ");
            query.push_bind(word.clone()).push(") > 0");
        }
        if let (Some(asked), true) = (&self.query, self.few) {
            query.push(" AND r.seq IN (SELECT rowid FROM titles_index WHERE titles_index MATCH ");
            query.push_bind(asked.clone()).push(")");
        }
    }

    /// Whether few titles match.
    pub(super) const fn leaves_few(&self) -> bool {
        self.few
    }

    /// How many titles match, where the index knows it all.
    pub(super) const fn count(&self) -> Option<i64> {
        self.count
    }
}

fn index_query(space: &str, asked: &RecordQuery, words: &[String]) -> Option<String> {
    let long = words.iter().filter(|word| word.chars().nth(2).is_some());
    let phrases: Vec<String> = long.map(|word| quoted(&parts(word))).collect();
    if phrases.is_empty() {
        return None;
    }
    let any = |tokens: Vec<String>| format!("({})", tokens.join(" OR "));
    let kinds = asked.kinds.iter();
    let mut scope = vec![if asked.kinds.is_empty() {
        quoted(&space_token(space))
    } else {
        any(kinds
            .map(|kind| quoted(&in_space(space, kind.as_str())))
            .collect())
    }];
    if !asked.statuses.is_empty() {
        scope.push(any(asked
            .statuses
            .iter()
            .map(|status| quoted(&status_token(status)))
            .collect()));
    }
    Some(format!(
        "(parts : ({})) AND (scope : ({}))",
        phrases.join(" AND "),
        scope.join(" AND ")
    ))
}

/// Every three characters in a row, as tokens.
fn parts(folded: &str) -> String {
    let chars: Vec<char> = folded.chars().take(TITLE_MAX).collect();
    let mut out = String::with_capacity(chars.len() * 5);
    for three in chars.windows(3) {
        if !out.is_empty() {
            out.push(' ');
        }
        for c in three {
            encode_char(*c, &mut out);
        }
    }
    out
}

fn status_token(status: &str) -> String {
    format!("t{}", literal_token(status))
}

/// Writes the rows of records that have none.
pub(super) async fn insert_all(
    connection: &mut SqliteConnection,
    rows: &[(i64, &Record)],
) -> Result<(), StoreError> {
    let mut query = QueryBuilder::<Sqlite>::new("INSERT INTO titles_index (rowid, parts, scope) ");
    query.push_values(rows, |mut row, (seq, record)| {
        row.push_bind(*seq)
            .push_bind(parts(&fold(&record.title)))
            .push_bind(scope(record));
    });
    query.build().execute(connection).await?;
    Ok(())
}

fn scope(record: &Record) -> String {
    let kind = in_space(&record.space, record.kind.as_str());
    let mut scope = format!("{} {kind}", space_token(&record.space));
    if let Some(status) = &record.status {
        scope.push(' ');
        scope.push_str(&status_token(status));
    }
    scope
}

/// Removes the row of a record.
pub(super) async fn remove(connection: &mut SqliteConnection, seq: i64) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM titles_index WHERE rowid = ?")
        .bind(seq)
        .execute(connection)
        .await?;
    Ok(())
}
