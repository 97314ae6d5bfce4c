// The store's own tables, written once for both engines. Those of collections are in schema.ts of each.

/**
 * The first step of MIGRATIONS, in the words of SQLite; `inPostgres` says them in PostgreSQL's. INT and INTEGER are the same to SQLite:
 * INT is what 32 bits hold. Times are ms since 1970. The tables that differ stand in migrations.ts of each engine.
 */
export const TABLES = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
  -- The dictionary as it was last applied, so that a change of it can be seen and judged.
  CREATE TABLE fields (
    collection TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, is_key INT NOT NULL, is_unique INT NOT NULL,
    PRIMARY KEY (collection, name)
  ) STRICT, WITHOUT ROWID;
  -- Each dictionary that was applied. by_type: NULL for one that came from a file.
  CREATE TABLE dictionary_versions (
    version INTEGER PRIMARY KEY, at INTEGER NOT NULL, by_type TEXT, by_id TEXT COLLATE BINARY, comment TEXT NOT NULL, package TEXT NOT NULL
  ) STRICT;
  -- What somebody prepares as the next version. edited_by: whose name limits count (Session.limitedAs), that of whoever changed it last.
  CREATE TABLE dictionary_drafts (
    id TEXT COLLATE BINARY PRIMARY KEY, title TEXT NOT NULL, comment TEXT NOT NULL, base INT NOT NULL, package TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, created_type TEXT NOT NULL, created_by TEXT NOT NULL,
    edited_by TEXT NOT NULL DEFAULT ''
  ) STRICT;
  -- On PostgreSQL processes draw ids by the block, and next is where the next block begins.
  CREATE TABLE sequences (collection TEXT PRIMARY KEY, next INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- created_at, created_by: of the deleted record, for when it is brought back. An erased one has neither.
  CREATE TABLE tombstones (
    collection TEXT NOT NULL, id INTEGER NOT NULL, version INTEGER NOT NULL, deleted_at INTEGER NOT NULL,
    created_at INTEGER, created_by INT, PRIMARY KEY (collection, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tombstones_by_age ON tombstones (collection, deleted_at, id);
  -- roles: ids of roles, or empty.
  CREATE TABLE keys (
    id TEXT COLLATE BINARY PRIMARY KEY, hash BLOB NOT NULL, scope TEXT NOT NULL, created_at INTEGER NOT NULL,
    expires_at INTEGER, revoked_at INTEGER, last_used_at INTEGER, name TEXT NOT NULL, user_id TEXT, last_used_from TEXT, roles TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX keys_by_user ON keys (user_id);
  CREATE TABLE tokens (hash BLOB PRIMARY KEY, key_id TEXT NOT NULL, scope TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX tokens_by_key ON tokens (key_id);
  CREATE INDEX tokens_by_expiry ON tokens (expires_at);
  -- Answers kept for requests that come again with the same idempotency key. Without status: its request is running.
  CREATE TABLE replies (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INT, headers TEXT, body BLOB, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX replies_by_age ON replies (created_at);
  -- People and API keys that have written records. The collections' tables have their numbers (createdBy, updatedBy).
  CREATE TABLE principals (number INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT COLLATE BINARY NOT NULL) STRICT;
  CREATE INDEX principals_by_id ON principals (id);
  -- attributes: as JSON. claimed: the names of those that the organisation's own sign-in says.
  CREATE TABLE users (
    id TEXT PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, roles TEXT NOT NULL, status TEXT NOT NULL, password TEXT,
    created_at INTEGER NOT NULL, last_seen_at INTEGER, language TEXT NOT NULL, attributes TEXT NOT NULL DEFAULT '{}',
    claimed TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  -- Each address, folded, belongs to one person.
  CREATE TABLE emails (email TEXT PRIMARY KEY, user_id TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- conditions: what the rights of the role leave out.
  CREATE TABLE roles (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, scope TEXT NOT NULL, conditions TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE links (hash BLOB PRIMARY KEY, purpose TEXT NOT NULL, user_id TEXT, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX links_by_user ON links (user_id);
  -- proved_at: when the person last proved who they are.
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL, refresh BLOB NOT NULL, method TEXT NOT NULL, agent TEXT NOT NULL, source TEXT NOT NULL,
    created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, proved_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_user ON sessions (user_id);
  -- viewed: the id of the person as whom an administrator looks at the app with this token, or empty.
  CREATE TABLE session_tokens (
    hash BLOB PRIMARY KEY, session_id TEXT NOT NULL, expires_at INTEGER NOT NULL, viewed TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_tokens_by_session ON session_tokens (session_id);
  -- One for each address, which is folded. The number of rows is limited.
  CREATE TABLE access_requests (
    address TEXT PRIMARY KEY, id TEXT COLLATE BINARY NOT NULL, email TEXT NOT NULL, name TEXT NOT NULL, message TEXT NOT NULL,
    language TEXT NOT NULL, asked_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Who people are at the organisation's own sign-in. is_made: 1 if their account was made by signing in there.
  CREATE TABLE identities (
    issuer TEXT NOT NULL, subject TEXT NOT NULL, user_id TEXT NOT NULL, is_made INT NOT NULL, PRIMARY KEY (issuer, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX identities_by_user ON identities (user_id);
  CREATE TABLE sign_in_codes (
    hash BLOB PRIMARY KEY, user_id TEXT NOT NULL, challenge TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE passkeys (
    credential TEXT PRIMARY KEY, id TEXT NOT NULL, user_id TEXT NOT NULL, rp_id TEXT NOT NULL, public_key BLOB NOT NULL, counter INTEGER NOT NULL,
    transports TEXT NOT NULL, name TEXT NOT NULL, is_synced INT NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX passkeys_by_user ON passkeys (user_id);
  -- Challenges that were answered. Those that wait for an answer are signed, and stand nowhere.
  CREATE TABLE used_challenges (hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- What a batch did to each record. Without changes: the record is new, and all that is known of it is in later rows and in itself.
  -- warnings: the names of those that were acknowledged with a change, as JSON.
  CREATE TABLE history (
    write INTEGER NOT NULL, id INTEGER NOT NULL, version INTEGER NOT NULL, operation TEXT NOT NULL, changes TEXT, warnings TEXT,
    PRIMARY KEY (write, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX history_by_record ON history (id, write);
  -- Each is a cursor on the change feed. While lease_until is not over, nobody but lease_holder sends for it.
  CREATE TABLE webhooks (
    id TEXT COLLATE BINARY PRIMARY KEY, url TEXT NOT NULL, collections TEXT NOT NULL, operations TEXT NOT NULL, secret TEXT NOT NULL,
    old_secret TEXT, old_until INTEGER NOT NULL, cursor TEXT NOT NULL, delivery TEXT, is_enabled INT NOT NULL, off_reason TEXT,
    since INTEGER, failures INT NOT NULL, next_at INTEGER NOT NULL, lease_holder TEXT, lease_until INTEGER NOT NULL,
    created_at INTEGER NOT NULL, by_type TEXT NOT NULL, by_id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Without the changes: they are read from the feed again. The ids rise with the time.
  CREATE TABLE webhook_deliveries (
    webhook_id TEXT COLLATE BINARY NOT NULL, id TEXT COLLATE BINARY NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL,
    size INT NOT NULL, collections TEXT NOT NULL, operations TEXT NOT NULL, begins TEXT, ends TEXT, attempts TEXT NOT NULL,
    PRIMARY KEY (webhook_id, id)
  ) STRICT, WITHOUT ROWID;
  -- Recipes and views belong to an owner, or to all where that is empty. Each name once for each owner in a collection, folded. What a
  -- list of all needs not stands in content.
  CREATE TABLE saved (
    id TEXT COLLATE BINARY PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, folded_name TEXT COLLATE BINARY NOT NULL, collection TEXT COLLATE BINARY NOT NULL,
    owner TEXT COLLATE BINARY NOT NULL, brief TEXT NOT NULL, content TEXT NOT NULL, place REAL NOT NULL, version INT NOT NULL,
    created_at INTEGER NOT NULL, created_type TEXT NOT NULL, created_by TEXT NOT NULL, updated_at INTEGER NOT NULL, updated_type TEXT NOT NULL,
    updated_by TEXT NOT NULL, UNIQUE (kind, collection, owner, folded_name)
  ) STRICT, WITHOUT ROWID;
  -- Lists that left as files. query: with the values that were searched for, as long as they are kept. row_count: null until it ends.
  CREATE TABLE exports (
    id TEXT COLLATE BINARY PRIMARY KEY, at INTEGER NOT NULL, by_type TEXT NOT NULL, by_id TEXT NOT NULL, collection TEXT NOT NULL, expanded TEXT NOT NULL,
    filter TEXT NOT NULL, query TEXT, row_count INTEGER, is_complete INT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX exports_by_time ON exports (at, id);
  CREATE INDEX exports_by_principal ON exports (by_id, at);
  -- What a person is told about their own account until they dismiss it.
  CREATE TABLE notices (
    id TEXT COLLATE BINARY PRIMARY KEY, user_id TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, source TEXT NOT NULL, name TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notices_by_user ON notices (user_id);
  -- With which browsers a person has signed in, as hashes.
  CREATE TABLE browsers (
    user_id TEXT COLLATE BINARY NOT NULL, mark TEXT COLLATE BINARY NOT NULL, seen_at INTEGER NOT NULL, PRIMARY KEY (user_id, mark)
  ) STRICT, WITHOUT ROWID;
  -- Records that may break a rule until a field that it reads changes. reason: empty where a warning was acknowledged with the write.
  CREATE TABLE exceptions (
    collection TEXT NOT NULL, id INTEGER NOT NULL, rule TEXT NOT NULL, at INTEGER NOT NULL, by_type TEXT NOT NULL,
    by_id TEXT COLLATE BINARY NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (collection, id, rule)
  ) STRICT, WITHOUT ROWID;
  -- How many stored records broke which rules on a day (since 1970), as JSON, empty while they are counted.
  CREATE TABLE violation_counts (
    collection TEXT NOT NULL, day INT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (collection, day)
  ) STRICT, WITHOUT ROWID;
  -- How often requests used a name that a field had before. day: since 1970. name: of a parent's field without its parent.
  CREATE TABLE former_name_uses (
    collection TEXT NOT NULL, name TEXT NOT NULL, day INT NOT NULL, uses INTEGER NOT NULL, by_type TEXT NOT NULL,
    by_id TEXT COLLATE BINARY NOT NULL, PRIMARY KEY (collection, name, day)
  ) STRICT, WITHOUT ROWID;
  `;

/** Indexes of the table of writes: for what was done lately, and by whom, with all that counting the changes of a day needs. */
export const WRITES_BY_TIME = `
  CREATE INDEX writes_by_time ON writes (at, number, collection, size, source, by);
  CREATE INDEX writes_by_principal ON writes (by, at, number, collection, size, source);`;

const IN_POSTGRES: Readonly<Record<string, string>> = { INTEGER: "bigint", BLOB: "bytea", REAL: "double precision", BINARY: '"C"' };

/** Says by the administrator's id whose view a token is that shows the app as another person has it. */
export const VIEWER_OF_TOKENS = "ALTER TABLE session_tokens ADD COLUMN viewer TEXT NOT NULL DEFAULT ''";

/**
 * Records that have become part of another one. `version` is that of the deletion. apart_at: when the merge was taken apart, or null. Of each
 * record one merge holds at a time.
 */
export const MERGES = `
  CREATE TABLE merges (
    collection TEXT NOT NULL, id INTEGER NOT NULL, merge TEXT COLLATE BINARY NOT NULL, survivor INTEGER NOT NULL, version INTEGER NOT NULL,
    at INTEGER NOT NULL, by_type TEXT NOT NULL, by_id TEXT COLLATE BINARY NOT NULL, apart_at INTEGER, PRIMARY KEY (collection, id, merge)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX merges_by_survivor ON merges (collection, survivor);
  CREATE INDEX merges_by_merge ON merges (merge);`;

/** Keeps hashes of the unique values that records had before a merge. `field`: the columns of what is unique, with commas between. */
export const MERGED_VALUES = `
  CREATE TABLE merged_values (
    collection TEXT NOT NULL, id INTEGER NOT NULL, merge TEXT COLLATE BINARY NOT NULL, field TEXT NOT NULL, hash TEXT COLLATE BINARY NOT NULL,
    PRIMARY KEY (collection, id, merge, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX merged_values_by_hash ON merged_values (collection, field, hash);`;

/** Says which records may be the same: by which keys they are found, which pairs there are, and of which somebody has said that they are not. */
export const DUPLICATES = `
  -- key: a number that means a value, such as a phone number, which records that are alike have in common.
  CREATE TABLE match_keys (
    collection TEXT NOT NULL, id INTEGER NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (collection, id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX match_keys_by_key ON match_keys (collection, key, id);
  -- a is smaller than b. place: hundredths of points, negative, so that the most points come first.
  CREATE TABLE duplicate_pairs (
    collection TEXT NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (collection, a, b)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX duplicate_pairs_by_place ON duplicate_pairs (collection, place, a, b);
  CREATE INDEX duplicate_pairs_by_other ON duplicate_pairs (collection, b);
  CREATE TABLE different_records (
    collection TEXT NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL, at INTEGER NOT NULL, by_type TEXT NOT NULL,
    by_id TEXT COLLATE BINARY NOT NULL, PRIMARY KEY (collection, a, b)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX different_records_by_other ON different_records (collection, b)`;

/** Keys stand by record and by key, each in an order in which a scan can write them one after the other. */
export const SORTED_KEYS = `
  DROP TABLE match_keys;
  -- keys: doubles of eight bytes, the least first.
  CREATE TABLE match_records (collection TEXT NOT NULL, id INTEGER NOT NULL, keys BLOB NOT NULL, PRIMARY KEY (collection, id)) STRICT, WITHOUT ROWID;
  CREATE TABLE match_keys (
    collection TEXT NOT NULL, key INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (collection, key, id)
  ) STRICT, WITHOUT ROWID;`;

export const DIRECTORY_NAMES = `
  CREATE TABLE directory_names (
    user_id TEXT COLLATE BINARY PRIMARY KEY, external_id TEXT NOT NULL, is_gone INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`;

/** Keeps what uploads and batch runs have reported, and the rows that they did not store. */
export const RUNS = `
  -- file: says which bytes it has, or empty. meaning, report: JSON, with fields by the names of their columns. round: how often rows not stored
  -- were sent again, and upload begins the keys of the latest. report: null until the first. kept: rows in run_rows. forgotten: 1 if an erasure
  -- removed them.
  CREATE TABLE runs (
    id TEXT COLLATE BINARY PRIMARY KEY, collection TEXT COLLATE BINARY NOT NULL, file_name TEXT NOT NULL, file TEXT COLLATE BINARY NOT NULL,
    recipe TEXT, meaning TEXT NOT NULL, begun_at INTEGER NOT NULL, by_type TEXT NOT NULL, by_id TEXT COLLATE BINARY NOT NULL,
    state TEXT NOT NULL, round INT NOT NULL, upload TEXT COLLATE BINARY NOT NULL, round_at INTEGER NOT NULL, round_type TEXT NOT NULL,
    round_by TEXT COLLATE BINARY NOT NULL, report TEXT, reported_at INTEGER, kept INT NOT NULL, forgotten INT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX runs_by_time ON runs (begun_at, id);
  CREATE INDEX runs_by_file ON runs (file, begun_at);
  CREATE INDEX runs_by_principal ON runs (by_id, begun_at);
  -- rows: some of them as JSON, the first of which has this number.
  CREATE TABLE run_rows (
    run TEXT COLLATE BINARY NOT NULL, first INTEGER NOT NULL, rows TEXT NOT NULL, PRIMARY KEY (run, first)
  ) STRICT, WITHOUT ROWID;`;

/** Import jobs, and the batches of theirs that were sent. */
export const IMPORTS = `
  -- body: the SHA-256 under which the file is kept, null once it has ended. owner: as limitedAs names it. by_type, by_id, scope: whose rights it has. rights: a tag of them.
  -- key: a hash of the idempotency key. cancelled: 1 if somebody has asked for its end. holder: who works on it until lease_until. attempts: since
  -- something of it was last stored. begun, progress, result: JSON.
  CREATE TABLE imports (
    id TEXT COLLATE BINARY PRIMARY KEY, collection TEXT COLLATE BINARY NOT NULL, file_name TEXT NOT NULL, bytes INTEGER NOT NULL,
    body TEXT COLLATE BINARY, options TEXT NOT NULL, owner TEXT COLLATE BINARY NOT NULL, by_type TEXT NOT NULL,
    by_id TEXT COLLATE BINARY NOT NULL, scope TEXT NOT NULL, rights TEXT NOT NULL, key TEXT COLLATE BINARY, fingerprint TEXT NOT NULL, state TEXT NOT NULL,
    cancelled INT NOT NULL, holder TEXT COLLATE BINARY, lease_until INTEGER NOT NULL, attempts INT NOT NULL, begun TEXT, progress TEXT,
    result TEXT, created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX imports_by_key ON imports (key) WHERE key IS NOT NULL;
  CREATE INDEX imports_by_state ON imports (state, created_at);
  CREATE TABLE import_batches (
    job TEXT COLLATE BINARY NOT NULL, first INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (job, first)
  ) STRICT, WITHOUT ROWID;`;

/** Files of records that come in several requests, and the pieces of them that have come. */
export const FILE_UPLOADS = `
  -- field: its column. owner: as limitedAs names it. holder: the request that adds to it. done: 1 once the record has the file. name: of a piece, where the content is.
  CREATE TABLE file_uploads (
    id TEXT COLLATE BINARY PRIMARY KEY, collection TEXT COLLATE BINARY NOT NULL, record INTEGER NOT NULL, field TEXT COLLATE BINARY NOT NULL,
    owner TEXT COLLATE BINARY NOT NULL, file_name TEXT NOT NULL, length INTEGER NOT NULL, received INTEGER NOT NULL,
    holder TEXT COLLATE BINARY, done INT NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX file_uploads_by_owner ON file_uploads (owner);
  CREATE INDEX file_uploads_by_time ON file_uploads (expires_at);
  CREATE TABLE file_pieces (
    upload TEXT COLLATE BINARY NOT NULL, first INTEGER NOT NULL, bytes INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (upload, first)
  ) STRICT, WITHOUT ROWID;`;

/** Says in PostgreSQL's words what TABLES and later steps for both engines say in SQLite's. */
export function inPostgres(sql: string): string {
  return sql
    .replaceAll(/ STRICT(?:, WITHOUT ROWID)?;/g, ";")
    .replaceAll(/\b(?:INTEGER|BLOB|REAL|BINARY)\b/g, (word) => IN_POSTGRES[word] ?? word);
}

/** The conditions of a webhook, and of a delivery those of when it began, as JSON with the ids of fields; empty: none. */
export const WEBHOOK_CONDITIONS = `
  ALTER TABLE webhooks ADD COLUMN conditions TEXT NOT NULL DEFAULT '';
  ALTER TABLE webhook_deliveries ADD COLUMN conditions TEXT NOT NULL DEFAULT '';
`;
