-- What was changed together is undone together: every row of one transaction has one id. Rows from before have none and cannot be undone.
ALTER TABLE ledger ADD COLUMN change_id TEXT;
-- The change that this one took back.
ALTER TABLE ledger ADD COLUMN undoes TEXT;
CREATE INDEX ledger_by_change ON ledger (change_id, seq) WHERE change_id IS NOT NULL;
CREATE INDEX ledger_by_undone ON ledger (undoes) WHERE undoes IS NOT NULL;

-- Trash, newest first.
CREATE INDEX records_in_trash ON records (space_id, deleted_at DESC, id) WHERE deleted_at IS NOT NULL;
