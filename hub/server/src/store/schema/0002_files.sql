-- What the hub could read out of a file. A table of its own: search, briefs and `read` never look here, only `files` does.
CREATE TABLE file_texts (
    record_id TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
    text      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Its words, by the row of the record; contentless like the search index.
CREATE VIRTUAL TABLE file_texts_index USING fts5 (
    text,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
);
