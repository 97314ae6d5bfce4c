// Migrations of the store's own PostgreSQL tables. Collections' tables are in schema.ts.

import { createHash } from "node:crypto";
import { FIRST_SCHEMA, type OnUpgrade, refuseOtherSchema, StoreOpenError } from "../store.ts";
import { codeOf, WriteConflict } from "./database-errors.ts";
import type { Query } from "./pool.ts";

/**
 * The first step makes the tables of a new store, with the number FIRST_SCHEMA. A released step, one that came with a version in
 * CHANGELOG.md, is never edited: a change is one more step at the end, here and in SQLite's. Times are ms since 1970. No table has
 * a unique index besides its primary key, so that it can be distributed over machines. The table `replies` holds the stored
 * responses.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (name text PRIMARY KEY, value bytea NOT NULL);
  -- The dictionary as it was last applied, so that a change of it can be seen and judged.
  CREATE TABLE fields (
    collection text NOT NULL, name text NOT NULL, kind text NOT NULL, is_key boolean NOT NULL, is_unique boolean NOT NULL,
    PRIMARY KEY (collection, name)
  );
  -- Processes draw ids by the block, next is where the next block begins.
  -- Each dictionary that was applied. by_type: NULL for one that came from a file.
  CREATE TABLE dictionary_versions (
    version integer PRIMARY KEY, at bigint NOT NULL, by_type text, by_id text COLLATE "C", comment text NOT NULL, package text NOT NULL
  );
  -- What somebody prepares as the next version.
  CREATE TABLE dictionary_drafts (
    id text COLLATE "C" PRIMARY KEY, title text NOT NULL, comment text NOT NULL, base integer NOT NULL, package text NOT NULL,
    created_at bigint NOT NULL, updated_at bigint NOT NULL, created_type text NOT NULL, created_by text NOT NULL
  );
  CREATE TABLE sequences (collection text PRIMARY KEY, next bigint NOT NULL);
  -- created_at, created_by: of the deleted record, for when it is brought back. An erased one has neither.
  CREATE TABLE tombstones (
    collection text NOT NULL, id bigint NOT NULL, version bigint NOT NULL, deleted_at bigint NOT NULL,
    created_at bigint, created_by integer, PRIMARY KEY (collection, id)
  );
  CREATE INDEX tombstones_by_age ON tombstones (collection, deleted_at, id);
  CREATE TABLE keys (
    id text COLLATE "C" PRIMARY KEY, hash bytea NOT NULL, scope text NOT NULL, created_at bigint NOT NULL,
    expires_at bigint, revoked_at bigint, last_used_at bigint, name text NOT NULL, user_id text, last_used_from text
  );
  CREATE INDEX keys_by_user ON keys (user_id);
  CREATE TABLE tokens (hash bytea PRIMARY KEY, key_id text NOT NULL, scope text NOT NULL, expires_at bigint NOT NULL);
  CREATE INDEX tokens_by_key ON tokens (key_id);
  CREATE INDEX tokens_by_expiry ON tokens (expires_at);
  -- Answers kept for requests that come again with the same idempotency key. Without status: its request is running.
  CREATE TABLE replies (
    key text PRIMARY KEY, fingerprint text NOT NULL, status integer, headers text, body bytea, created_at bigint NOT NULL
  );
  CREATE INDEX replies_by_age ON replies (created_at);
  -- People and API keys that have written records. The collections' tables have their numbers (createdBy, updatedBy).
  CREATE TABLE principals (number integer PRIMARY KEY, type text NOT NULL, id text COLLATE "C" NOT NULL);
  CREATE INDEX principals_by_id ON principals (id);
  CREATE TABLE users (
    id text PRIMARY KEY, email text NOT NULL, name text NOT NULL, roles text NOT NULL, status text NOT NULL, password text,
    created_at bigint NOT NULL, last_seen_at bigint, language text NOT NULL
  );
  -- Each address, folded, belongs to one person.
  CREATE TABLE emails (email text PRIMARY KEY, user_id text NOT NULL);
  CREATE TABLE roles (id text PRIMARY KEY, name text NOT NULL, scope text NOT NULL);
  CREATE TABLE links (hash bytea PRIMARY KEY, purpose text NOT NULL, user_id text, expires_at bigint NOT NULL);
  CREATE INDEX links_by_user ON links (user_id);
  -- proved_at: when the person last proved who they are.
  CREATE TABLE sessions (
    id text PRIMARY KEY, user_id text NOT NULL, refresh bytea NOT NULL, method text NOT NULL, agent text NOT NULL, source text NOT NULL,
    created_at bigint NOT NULL, seen_at bigint NOT NULL, expires_at bigint NOT NULL, proved_at bigint NOT NULL
  );
  CREATE INDEX sessions_by_user ON sessions (user_id);
  CREATE TABLE session_tokens (hash bytea PRIMARY KEY, session_id text NOT NULL, expires_at bigint NOT NULL);
  CREATE INDEX session_tokens_by_session ON session_tokens (session_id);
  -- One for each address, which is folded. The number of rows is limited.
  CREATE TABLE access_requests (
    address text PRIMARY KEY, id text COLLATE "C" NOT NULL, email text NOT NULL, name text NOT NULL, message text NOT NULL,
    language text NOT NULL, asked_at bigint NOT NULL
  );
  -- Who people are at the organisation's own sign-in. is_made: 1 if their account was made by signing in there.
  CREATE TABLE identities (
    issuer text NOT NULL, subject text NOT NULL, user_id text NOT NULL, is_made integer NOT NULL, PRIMARY KEY (issuer, subject)
  );
  CREATE INDEX identities_by_user ON identities (user_id);
  CREATE TABLE sign_in_codes (
    hash bytea PRIMARY KEY, user_id text NOT NULL, challenge text NOT NULL, expires_at bigint NOT NULL
  );
  CREATE TABLE passkeys (
    credential text PRIMARY KEY, id text NOT NULL, user_id text NOT NULL, rp_id text NOT NULL, public_key bytea NOT NULL, counter bigint NOT NULL,
    transports text NOT NULL, name text NOT NULL, is_synced integer NOT NULL, created_at bigint NOT NULL, last_used_at bigint
  );
  CREATE INDEX passkeys_by_user ON passkeys (user_id);
  -- Challenges that were answered. Those that wait for an answer are signed, and stand nowhere.
  CREATE TABLE used_challenges (hash bytea PRIMARY KEY, expires_at bigint NOT NULL);
  -- One row for each transaction that changed accounts, kept for an hour: it proves that the transaction was committed.
  CREATE TABLE people_commits (id bytea PRIMARY KEY, at bigint NOT NULL);
  -- Each batch that changed something. Of one record the numbers rise with its versions. The id of the transaction is xid.
  -- operations: those of its entries, as the sum of their bits.
  CREATE TABLE writes (
    number bigserial PRIMARY KEY, collection text NOT NULL, at bigint NOT NULL, by integer NOT NULL, source text NOT NULL, run text,
    size integer NOT NULL, xid bigint NOT NULL, operations integer NOT NULL
  );
  CREATE INDEX writes_by_run ON writes (run, number) WHERE run IS NOT NULL;
  CREATE INDEX writes_by_xid ON writes (xid, number);
  -- For what was done lately, and by whom. With all that counting the changes of a day needs.
  CREATE INDEX writes_by_time ON writes (at, number, collection, size, source, by);
  CREATE INDEX writes_by_principal ON writes (by, at, number, collection, size, source);
  -- What a batch did to each record. Without changes: the record is new, and all that is known of it is in later rows and in itself.
  CREATE TABLE history (
    write bigint NOT NULL, id bigint NOT NULL, version bigint NOT NULL, operation text NOT NULL, changes text,
    PRIMARY KEY (write, id)
  );
  CREATE INDEX history_by_record ON history (id, write);
  -- Who has which record open, in which tab, and until when that holds unless it is said again.
  CREATE TABLE viewers (
    collection text NOT NULL, id bigint NOT NULL, person text NOT NULL, tab text NOT NULL, name text NOT NULL, until bigint NOT NULL,
    PRIMARY KEY (collection, id, person, tab)
  );
  -- Each is a cursor on the change feed. While lease_until is not over, nobody but lease_holder sends for it.
  CREATE TABLE webhooks (
    id text COLLATE "C" PRIMARY KEY, url text NOT NULL, collections text NOT NULL, operations text NOT NULL, secret text NOT NULL,
    old_secret text, old_until bigint NOT NULL, cursor text NOT NULL, delivery text, is_enabled integer NOT NULL, off_reason text,
    since bigint, failures integer NOT NULL, next_at bigint NOT NULL, lease_holder text, lease_until bigint NOT NULL,
    created_at bigint NOT NULL, by_type text NOT NULL, by_id text NOT NULL
  );
  -- Without the changes: they are read from the feed again. The ids rise with the time.
  CREATE TABLE webhook_deliveries (
    webhook_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, kind text NOT NULL, state text NOT NULL, created_at bigint NOT NULL,
    size integer NOT NULL, collections text NOT NULL, operations text NOT NULL, begins text, ends text, attempts text NOT NULL,
    PRIMARY KEY (webhook_id, id)
  );
  -- Recipes and views belong to an owner, or to all where that is empty. Each name once for each owner in a collection, folded. What a
  -- list of all needs not stands in content.
  CREATE TABLE saved (
    id text COLLATE "C" PRIMARY KEY, kind text NOT NULL, name text NOT NULL, folded_name text COLLATE "C" NOT NULL, collection text COLLATE "C" NOT NULL,
    owner text COLLATE "C" NOT NULL, brief text NOT NULL, content text NOT NULL, place double precision NOT NULL, version integer NOT NULL,
    created_at bigint NOT NULL, created_type text NOT NULL, created_by text NOT NULL, updated_at bigint NOT NULL, updated_type text NOT NULL,
    updated_by text NOT NULL, UNIQUE (kind, collection, owner, folded_name)
  );
  -- Lists that left as files. query: with the values that were searched for, as long as they are kept. row_count: null until it ends.
  CREATE TABLE exports (
    id text COLLATE "C" PRIMARY KEY, at bigint NOT NULL, by_type text NOT NULL, by_id text NOT NULL, collection text NOT NULL, expanded text NOT NULL,
    filter text NOT NULL, query text, row_count bigint, is_complete integer NOT NULL
  );
  CREATE INDEX exports_by_time ON exports (at, id);
  CREATE INDEX exports_by_principal ON exports (by_id, at);
  -- How many attempts to guess a secret may still be made under a name, and until when that is counted. Names are hashes.
  CREATE TABLE attempts (name text COLLATE "C" PRIMARY KEY, remaining integer NOT NULL, until bigint NOT NULL);
  -- What a person is told about their own account until they dismiss it.
  CREATE TABLE notices (
    id text COLLATE "C" PRIMARY KEY, user_id text NOT NULL, kind text NOT NULL, at bigint NOT NULL, source text NOT NULL, name text NOT NULL
  );
  CREATE INDEX notices_by_user ON notices (user_id);
  -- With which browsers a person has signed in, as hashes.
  CREATE TABLE browsers (
    user_id text COLLATE "C" NOT NULL, mark text COLLATE "C" NOT NULL, seen_at bigint NOT NULL, PRIMARY KEY (user_id, mark)
  );
  `,
  `
  -- What the rights of a role leave out.
  ALTER TABLE roles ADD COLUMN conditions text NOT NULL DEFAULT '';
  -- Attributes of people as JSON, and the names of those that the organisation's own sign-in says.
  ALTER TABLE users ADD COLUMN attributes text NOT NULL DEFAULT '{}';
  ALTER TABLE users ADD COLUMN claimed text NOT NULL DEFAULT '';
  -- Ids of the roles of a key.
  ALTER TABLE keys ADD COLUMN roles text NOT NULL DEFAULT '';
  -- The id of the person as whom an administrator looks at the app with this token, or empty.
  ALTER TABLE session_tokens ADD COLUMN viewed text NOT NULL DEFAULT '';
  -- Whose name limits count (Session.limitedAs): of whoever changed its data package last.
  ALTER TABLE dictionary_drafts ADD COLUMN edited_by text NOT NULL DEFAULT '';
  -- How often requests used a name that a field had before. day: since 1970. name: of a parent's field without its parent.
  CREATE TABLE former_name_uses (
    collection text NOT NULL, name text NOT NULL, day integer NOT NULL, uses bigint NOT NULL, by_type text NOT NULL,
    by_id text COLLATE "C" NOT NULL, PRIMARY KEY (collection, name, day)
  );
  `,
  `
  -- The names of the warnings that were acknowledged with a change, as JSON.
  ALTER TABLE history ADD COLUMN warnings text;
  -- Records that may break a rule until a field that it reads changes. reason: empty where a warning was acknowledged with the write. by: a principal.
  CREATE TABLE exceptions (
    collection text NOT NULL, id bigint NOT NULL, rule text NOT NULL, at bigint NOT NULL, by integer NOT NULL, reason text NOT NULL,
    PRIMARY KEY (collection, id, rule)
  );
  -- How many stored records broke a rule on a day, since 1970. rule: its name, or a constraint and its field.
  CREATE TABLE violation_counts (
    collection text NOT NULL, rule text NOT NULL, day integer NOT NULL, count bigint NOT NULL, PRIMARY KEY (collection, rule, day)
  );
  `,
];

/** Creates the two tables that guard and migrate need. Any number of processes may run it at once. */
export async function prepare(query: Query): Promise<void> {
  try {
    await query("CREATE TABLE IF NOT EXISTS guards (name text PRIMARY KEY)");
    await query("CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, checksum text NOT NULL, applied_at bigint NOT NULL)");
  } catch (error) {
    // IF NOT EXISTS does not see a table that another process is creating; the next attempt does.
    throw ["42P07", "42710"].includes(codeOf(error)) ? new WriteConflict("the table was made meanwhile", { cause: error }) : error;
  }
}

/**
 * Lets one process at a time change tables: a second one's INSERT waits until the first's transaction, which deletes the
 * row again, has ended. Not an advisory lock, which connection poolers and distributed engines do not support.
 */
export async function guard(query: Query): Promise<void> {
  // Creating an index over a hundred million rows takes long, and so does waiting for the process that does it.
  await query("SET LOCAL statement_timeout = 0");
  await query("SET LOCAL lock_timeout = 0");
  await query("INSERT INTO guards (name) VALUES ('schema')");
  await query("DELETE FROM guards WHERE name = 'schema'");
}

/**
 * Runs the steps that the database lacks, inside the guarded transaction. Throws StoreOpenError when another version of the service
 * wrote it, and this one has no steps from its tables to its own.
 */
export async function migrate(query: Query, steps = MIGRATIONS, onUpgrade: OnUpgrade = () => {}): Promise<void> {
  const done = await requireKnownSchema(query, steps);
  if (done > 0 && done < steps.length) onUpgrade(FIRST_SCHEMA + done - 1, FIRST_SCHEMA + steps.length - 1);
  for (const [i, step] of [...steps.entries()].slice(done)) {
    for (const statement of step.split(";")) if (statement.trim()) await query(statement);
    const row = [FIRST_SCHEMA + i, checksumOf(step), Date.now()];
    await query("INSERT INTO migrations (number, checksum, applied_at) VALUES ($1, $2, $3)", row);
  }
}

/** Resolves to how many of the steps the database has. Throws StoreOpenError as `migrate` does. Changes nothing. */
export async function requireKnownSchema(query: Query, steps = MIGRATIONS): Promise<number> {
  const { rows } = await query("SELECT number, checksum FROM migrations ORDER BY number");
  if (rows.length > 0) refuseOtherSchema(Number(rows.at(-1)?.[0]), FIRST_SCHEMA + steps.length - 1);
  for (const [number, checksum] of rows) {
    if (checksum === checksumOf(steps[Number(number) - FIRST_SCHEMA])) continue;
    throw new StoreOpenError(`step ${number} of the database's tables is not the one this version knows; it was made by another build`);
  }
  return rows.length;
}

/** Ignores comments and white space. */
function checksumOf(step = ""): string {
  return createHash("sha256").update(step.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim()).digest("hex");
}
