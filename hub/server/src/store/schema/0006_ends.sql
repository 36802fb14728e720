-- What keeps briefs and searches quick in a large workspace.

-- What is asked of the records at the far ends of links, without their rows.
CREATE INDEX records_as_ends ON records (id, space_id, kind, status, updated_at) WHERE deleted_at IS NULL;

-- Links of one kind are counted in a row of the index.
DROP INDEX links_by_target;
CREATE INDEX links_by_target ON links (to_id, relation, from_kind, live, space_id, from_id);

-- The search index again: which column a word is in is enough, its places are not asked for. Filled after this step.
DROP TABLE records_index;
CREATE VIRTUAL TABLE records_index USING fts5 (
    title, body, scope,
    content = '', contentless_delete = 1, prefix = '2 3', detail = column,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
);
INSERT INTO records_index (records_index, rank) VALUES ('hashsize', 8388608);

-- The index of titles again, because both are filled together.
DROP TABLE titles_index;
CREATE VIRTUAL TABLE titles_index USING fts5 (
    parts, scope,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
);
INSERT INTO titles_index (titles_index, rank) VALUES ('hashsize', 8388608);
