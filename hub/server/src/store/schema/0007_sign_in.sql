-- How a person signs in to the hub's pages, and where they are signed in.

CREATE TABLE passwords (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    hash       TEXT NOT NULL,              -- Argon2id with its salt and costs, as PHC text
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE browser_sessions (
    hash       TEXT PRIMARY KEY,           -- sha256 of the cookie's value, hexadecimal; the value itself is nowhere
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL            -- of the last request, to a minute
) STRICT, WITHOUT ROWID;
CREATE INDEX browser_sessions_by_account ON browser_sessions (account_id);

-- A link that lets a person choose a password once; made on the hub's own computer.
CREATE TABLE sign_in_links (
    hash       TEXT PRIMARY KEY,           -- sha256 of the link's code, hexadecimal
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
