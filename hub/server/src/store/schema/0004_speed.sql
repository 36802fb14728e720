-- What makes large imports quick.

-- A branch is looked for among the tasks of one repository, which the links give.
DROP INDEX records_by_branch;

-- The search index again: beginnings of two and three letters are enough, longer ones begin few words. Filled after this step.
DROP TABLE records_index;
CREATE VIRTUAL TABLE records_index USING fts5 (
    title, body, scope,
    content = '', contentless_delete = 1, prefix = '2 3',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
);

-- The index of titles again, because both are filled together.
DROP TABLE titles_index;
CREATE VIRTUAL TABLE titles_index USING fts5 (
    parts, scope,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
);

-- Words that are gathered in memory before they are written, in bytes: the words of one transaction of an import.
INSERT INTO records_index (records_index, rank) VALUES ('hashsize', 8388608);
INSERT INTO titles_index (titles_index, rank) VALUES ('hashsize', 8388608);
