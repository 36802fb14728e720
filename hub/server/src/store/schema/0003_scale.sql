-- What keeps lists, counts and search as quick in a large workspace as in a small one.

-- How many records there are outside of Trash, kept by the triggers below: every list says how many there are in all.
CREATE TABLE record_counts (
    space_id TEXT NOT NULL,
    kind     TEXT NOT NULL,
    status   TEXT NOT NULL,                -- empty for none
    n        INTEGER NOT NULL,
    PRIMARY KEY (space_id, kind, status)
) STRICT, WITHOUT ROWID;
INSERT INTO record_counts
    SELECT space_id, kind, coalesce(status, ''), count(*) FROM records WHERE deleted_at IS NULL GROUP BY 1, 2, 3;

CREATE TRIGGER records_counted_in AFTER INSERT ON records WHEN new.deleted_at IS NULL BEGIN
    INSERT INTO record_counts VALUES (new.space_id, new.kind, coalesce(new.status, ''), 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER records_counted_out AFTER DELETE ON records WHEN old.deleted_at IS NULL BEGIN
    UPDATE record_counts SET n = n - 1
        WHERE space_id = old.space_id AND kind = old.kind AND status = coalesce(old.status, '');
END;
CREATE TRIGGER records_counted_over AFTER UPDATE OF status, deleted_at ON records
    WHEN old.status IS NOT new.status OR old.deleted_at IS NOT new.deleted_at
BEGIN
    UPDATE record_counts SET n = n - 1
        WHERE space_id = old.space_id AND kind = old.kind AND status = coalesce(old.status, '') AND old.deleted_at IS NULL;
    INSERT INTO record_counts SELECT new.space_id, new.kind, coalesce(new.status, ''), 1 WHERE new.deleted_at IS NULL
        ON CONFLICT DO UPDATE SET n = n + 1;
END;

-- With the status, so that a list of several statuses is read from the index alone.
DROP INDEX records_by_update;
CREATE INDEX records_by_update ON records (space_id, kind, updated_at DESC, id DESC, status) WHERE deleted_at IS NULL;

-- Fields by which records are looked for. Only what has the field is in its index.
CREATE INDEX records_by_due ON records (space_id, kind, status, json_extract(fields, '$.due'))
    WHERE deleted_at IS NULL AND json_extract(fields, '$.due') IS NOT NULL;
CREATE INDEX records_by_due_order ON records (space_id, kind, coalesce(json_extract(fields, '$.due'), '9999-12-31'), id)
    WHERE deleted_at IS NULL;
-- By their end: what is to come is little, what is over is much.
CREATE INDEX events_by_end ON records (space_id, coalesce(json_extract(fields, '$.end'), json_extract(fields, '$.start'), ''))
    WHERE deleted_at IS NULL AND kind = 'event';
CREATE INDEX records_by_branch ON records (space_id, json_extract(fields, '$.branch'))
    WHERE deleted_at IS NULL AND json_extract(fields, '$.branch') IS NOT NULL;
CREATE INDEX records_by_focus ON records (space_id, kind, json_extract(fields, '$.todayFocus'), status)
    WHERE deleted_at IS NULL AND json_extract(fields, '$.todayFocus') IS NOT NULL;
CREATE INDEX records_by_priority ON records (space_id, kind, json_extract(fields, '$.priority'), status, updated_at DESC, id DESC)
    WHERE deleted_at IS NULL AND json_extract(fields, '$.priority') IS NOT NULL;

-- What begins a link and whether both ends are outside of Trash, so that links are counted without their records.
ALTER TABLE links ADD COLUMN from_kind TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN live INTEGER NOT NULL DEFAULT 1;
UPDATE links SET
    from_kind = (SELECT kind FROM records WHERE id = from_id),
    live = NOT EXISTS (SELECT 1 FROM records WHERE id IN (from_id, to_id) AND deleted_at IS NOT NULL);
DROP INDEX links_by_target;
CREATE INDEX links_by_target ON links (to_id, relation, from_id, from_kind, live, space_id);
CREATE TRIGGER links_follow_trash AFTER UPDATE OF deleted_at ON records WHEN (old.deleted_at IS NULL) <> (new.deleted_at IS NULL) BEGIN
    UPDATE links SET live = new.deleted_at IS NULL AND EXISTS (SELECT 1 FROM records WHERE id = to_id AND deleted_at IS NULL)
        WHERE from_id = new.id;
    UPDATE links SET live = new.deleted_at IS NULL AND EXISTS (SELECT 1 FROM records WHERE id = from_id AND deleted_at IS NULL)
        WHERE to_id = new.id;
END;

-- The search index again, with a column for space, kind and labels, so that words are looked for in the space alone, and with the
-- beginnings of words. It is filled after this step.
DROP TABLE records_index;
CREATE VIRTUAL TABLE records_index USING fts5 (
    title, body, scope,
    content = '', contentless_delete = 1, prefix = '2 3 4',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
);

-- Every three characters in a row of each title, in order, and the record's space, kind and status: for the filters of lists.
CREATE VIRTUAL TABLE titles_index USING fts5 (
    parts, scope,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
);
