-- Apps that a person allowed. Secrets stand here as their hashes (sha256, hexadecimal) only. `scopes` is a sum: 1 read, 2 write, 4 apps, 8 offline.

CREATE TABLE oauth_clients (
    id          TEXT PRIMARY KEY,          -- given at registration; a client that is known by its document's address is in no row
    name        TEXT NOT NULL,
    secret_hash TEXT,                      -- absent: a public client
    persistent  INTEGER NOT NULL,          -- 1: its refresh token stays the same
    redirects   TEXT NOT NULL,             -- a JSON array
    created_at  INTEGER NOT NULL
) STRICT;

-- What waits for a person's consent.
CREATE TABLE oauth_requests (
    hash         TEXT PRIMARY KEY,
    session_hash TEXT NOT NULL,            -- the browser that began it
    client_id    TEXT NOT NULL,
    client_name  TEXT NOT NULL,
    redirect     TEXT NOT NULL,
    state        TEXT,
    scopes       INTEGER NOT NULL,         -- asked for
    challenge    TEXT NOT NULL,            -- PKCE, S256
    persistent   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth_requests_by_age ON oauth_requests (expires_at);

-- One connection: all codes and tokens of it are its family, and end with it.
CREATE TABLE oauth_grants (
    id           TEXT PRIMARY KEY,
    client_id    TEXT NOT NULL,
    client_name  TEXT NOT NULL,
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    space_id     TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    resource     TEXT NOT NULL,
    scopes       INTEGER NOT NULL,         -- only ever narrowed
    persistent   INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at   INTEGER
) STRICT;
CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id, created_at);
CREATE INDEX oauth_grants_by_space ON oauth_grants (space_id);
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);

CREATE TABLE oauth_codes (
    hash       TEXT PRIMARY KEY,
    grant_id   TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
    redirect   TEXT NOT NULL,
    challenge  TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER
) STRICT;
CREATE INDEX oauth_codes_by_grant ON oauth_codes (grant_id);

CREATE TABLE oauth_tokens (
    hash           TEXT PRIMARY KEY,
    grant_id       TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
    kind           TEXT NOT NULL,          -- access, refresh
    expires_at     INTEGER NOT NULL,
    used_at        INTEGER,                -- a refresh token that was rotated
    next_access    TEXT,                   -- what it was rotated to, masked with its own value, which is not here; gone after the grace
    next_refresh   TEXT
) STRICT;
CREATE INDEX oauth_tokens_by_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_by_age ON oauth_tokens (expires_at);
CREATE INDEX oauth_tokens_in_grace ON oauth_tokens (used_at) WHERE next_access IS NOT NULL;
