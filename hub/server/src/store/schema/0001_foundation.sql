-- Instants are microseconds since 1970 in UTC. Ids are UUIDs of version 7, as text. JSON is text.

CREATE TABLE accounts (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,              -- the person, as keys and packets show them
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,              -- timeZone, …
    value      TEXT NOT NULL,
    PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE spaces (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL,              -- the name as names are compared
    home       INTEGER NOT NULL,           -- 1: the account's own space, 0: one it created
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, name_key)
) STRICT;
-- An account has one home.
CREATE UNIQUE INDEX spaces_home ON spaces (account_id) WHERE home = 1;

CREATE TABLE space_members (
    space_id   TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    role       TEXT NOT NULL,              -- what the owner gave: viewer, editor
    PRIMARY KEY (space_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX space_members_by_account ON space_members (account_id);

CREATE TABLE records (
    seq        INTEGER PRIMARY KEY,        -- the row of the search index; never shown
    id         TEXT NOT NULL UNIQUE,
    space_id   TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    title      TEXT NOT NULL,              -- as it was written
    title_key  TEXT NOT NULL,              -- composed, lower case, white space single: for "the record called …"
    title_fold TEXT NOT NULL,              -- also without accents: for filters
    status     TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,           -- 1, and one more with each change
    deleted_at INTEGER,                    -- in Trash since then
    fields     TEXT NOT NULL,              -- a JSON object
    body       TEXT NOT NULL,              -- Markdown
    actor      TEXT NOT NULL               -- who changed it last: person, agent, system
) STRICT;
CREATE INDEX records_by_update ON records (space_id, kind, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX records_by_creation ON records (space_id, kind, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX records_by_status ON records (space_id, kind, status, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX records_by_title ON records (space_id, title_key, kind) WHERE deleted_at IS NULL;
CREATE INDEX records_by_name ON records (space_id, kind, substr(title_fold, 1, 200), id) WHERE deleted_at IS NULL;

CREATE TABLE links (
    space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    from_id  TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
    relation TEXT NOT NULL,
    to_id    TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
    PRIMARY KEY (from_id, relation, to_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_target ON links (to_id, relation, from_id);

-- Every change, in order, written in the transaction of the change itself. Rows are never updated or deleted.
CREATE TABLE ledger (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    space_id    TEXT NOT NULL,
    at          INTEGER NOT NULL,
    actor       TEXT NOT NULL,             -- person, agent, system
    actor_name  TEXT NOT NULL,             -- the key's name for an agent
    key_id      TEXT,                      -- the key's short id
    action      TEXT NOT NULL,             -- bridge.create_task, …
    record_id   TEXT NOT NULL,
    before_json TEXT,                      -- absent when the action made it
    after_json  TEXT                       -- absent when the action removed it
) STRICT;
CREATE INDEX ledger_by_record ON ledger (record_id, seq);
CREATE INDEX ledger_by_space ON ledger (space_id, seq);

CREATE TABLE keys (
    id           TEXT PRIMARY KEY,         -- short, shown in lists; says nothing about the value
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,     -- sha256 of the value, hexadecimal; the value itself is nowhere
    account_id   TEXT REFERENCES accounts (id) ON DELETE CASCADE,  -- absent: the key stays in its space
    space_id     TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL,            -- bridge, full
    can_write    INTEGER NOT NULL,
    can_use_apps INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at   INTEGER
) STRICT;

-- The answers of writes that carried an idempotency key, so that a repeated one is not done twice.
CREATE TABLE idempotency (
    space_id     TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    key_id       TEXT NOT NULL,
    idem_key     TEXT NOT NULL,
    request_hash TEXT NOT NULL,            -- sha256 of method, route and body
    status       INTEGER NOT NULL,
    response     TEXT NOT NULL,
    at           INTEGER NOT NULL,
    PRIMARY KEY (space_id, key_id, idem_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (at);

-- Contentless: the texts stand in `records`, here are only their tokens, already made safe (letters, digits and `_`).
CREATE VIRTUAL TABLE records_index USING fts5 (
    title, body,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
);
