// Webhooks: what they send where, how far they have come, and who sends for them. Times in ms since 1970.

import type { Principal } from "../../../core/contract/principals.ts";
import type { OffReason, WebhookEvent } from "../../../core/contract/webhooks.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";
import { isStillIn, type Maker } from "../../people/store/access.ts";
import { type AllowedTags, allowsTag, etagOfValues } from "../../people/store/etags.ts";

/** Says what is sent. Empty: all changes. */
export interface WebhookFilter {
  collections: string[];
  operations: WebhookEvent[];
  /** Filter, fields and what stands with a change (conditions.ts). Empty: none. */
  conditions: string;
}

export interface StoredWebhook extends WebhookFilter {
  id: string;
  url: string;
  /** Is sealed. */
  secret: string;
  /** The one before, which signs too until `oldUntil`. */
  oldSecret: string | null;
  oldUntil: number;
  /** Is a cursor of the change feed. Everything before it was delivered. Empty: from the oldest change that is kept. */
  cursor: string;
  /** The delivery that has begun and was not taken yet. */
  delivery: string | null;
  isEnabled: boolean;
  /** Is null while it is enabled. */
  offReason: OffReason | null;
  /** Says since when every attempt failed, or it is switched off. */
  since: number | null;
  /** Attempts that failed one after the other. */
  failures: number;
  /** Nothing is sent before. */
  nextAt: number;
  createdAt: number;
  /** Null: the service does not know them any more. */
  createdBy: Principal | null;
}

const COLUMNS = `id, url, collections, operations, secret, old_secret, old_until, cursor, delivery, is_enabled, off_reason, since, failures,
  next_at, created_at, by_type, by_id, conditions`;

const SELECT = `SELECT ${COLUMNS.replaceAll(/\w+/g, "h.$&")}, coalesce(u.name, nullif(k.name, ''), h.by_id)
  FROM webhooks h LEFT JOIN keys k ON h.by_type = 'key' AND k.id = h.by_id LEFT JOIN users u ON h.by_type = 'user' AND u.id = h.by_id`;

function toWebhook(cells: readonly Cell[]): StoredWebhook {
  const [id, url, collections, operations, secret, oldSecret, oldUntil, cursor, delivery, isEnabled, offReason, since, ...rest] = cells;
  const [failures, nextAt, createdAt, type, byId, conditions, name] = rest;
  return {
    id: String(id),
    url: String(url),
    collections: fromWords(collections),
    operations: fromWords(operations) as WebhookEvent[],
    conditions: String(conditions),
    secret: String(secret),
    oldSecret: oldSecret as string | null,
    oldUntil: Number(oldUntil),
    cursor: String(cursor),
    delivery: delivery as string | null,
    isEnabled: isEnabled === 1,
    offReason: offReason as OffReason | null,
    since: since as number | null,
    failures: Number(failures),
    nextAt: Number(nextAt),
    createdAt: Number(createdAt),
    createdBy: { type, id: byId, name } as Principal,
  };
}

/** Names of collections and operations have no spaces. */
export function fromWords(cell: Cell | undefined): string[] {
  return String(cell).split(" ").filter(Boolean);
}

/** Leaves out how far it has come, which changes with every delivery. */
export function webhookTag({ id, url, collections, operations, conditions, isEnabled }: StoredWebhook): string {
  return etagOfValues(id, url, collections, operations, isEnabled, ...(conditions === "" ? [] : [conditions]));
}

export function* listWebhooks(): Script<StoredWebhook[]> {
  return (yield* ask(`${SELECT} ORDER BY h.created_at, h.id`)).rows.map(toWebhook);
}

export function* readWebhook(id: string): Script<StoredWebhook | undefined> {
  const { rows } = yield* ask(`${SELECT} WHERE h.id = $1`, id);
  return rows[0] && toWebhook(rows[0]);
}

/**
 * Longer, in ms, than any lease and any pause: what ends later was written by a clock that has been set back since. After a success
 * there is no pause, and `next_at` only says who has waited longest.
 */
const NO_LEASE = 600_000;
const NO_PAUSE = 2 * 86_400_000;

/** Writes SQL with the parameters `now`, the end of the longest lease, and that of the longest pause. */
const isDue = (now: string, pause: string) => `is_enabled = 1 AND (failures = 0 OR next_at <= ${now} OR next_at > ${pause})`;
const isFree = (now: string, lease: string) => `(lease_until <= ${now} OR lease_until > ${lease})`;
const endsFrom = (now: number) => [now, now + NO_LEASE, now + NO_PAUSE];

/** Lists those that nobody sends for at `now` and that may send; whoever has waited longest comes first. */
function* listFreeWebhooks(now: number): Script<StoredWebhook[]> {
  const sql = `${SELECT} WHERE ${isDue("$1", "$3")} AND ${isFree("$1", "$2")} ORDER BY h.next_at, h.id`;
  return (yield* ask(sql, ...endsFrom(now))).rows.map(toWebhook);
}

/** `many`: there are `most` already. `ended`: the maker's session or key has ended meanwhile. */
function* addWebhook(webhook: StoredWebhook, most: number, maker?: Maker): Script<"done" | "many" | "ended"> {
  yield* lockByName("people"); // which also bounds how many there are
  if (maker && !(yield* isStillIn(maker))) return "ended";
  const { rows } = yield* ask("SELECT count(*) FROM webhooks");
  if (Number(rows[0]?.[0]) >= most) return "many";
  const { id, url, collections, operations, conditions, secret, cursor, isEnabled, offReason, since, createdAt, createdBy } = webhook;
  const own = [id, url, collections.join(" "), operations.join(" "), secret, null, 0, cursor, null, isEnabled ? 1 : 0, offReason, since];
  const values = [...own, 0, 0, createdAt, createdBy?.type ?? "", createdBy?.id ?? "", conditions];
  const places = values.map((_, i) => `$${i + 1}`).join(", ");
  yield* ask(`INSERT INTO webhooks (${COLUMNS}, lease_until) VALUES (${places}, 0)`, ...values);
  return "done";
}

export interface WebhookChange {
  url?: string | undefined;
  collections?: string[] | undefined;
  operations?: WebhookEvent[] | undefined;
  conditions?: string | undefined;
  /** Switched on, it begins anew with what waits; one whose changes are gone begins with the oldest that is kept. */
  isEnabled?: boolean | undefined;
  /** It goes on after this one. */
  cursor?: string | undefined;
}

/** Holds the webhook until the transaction ends, while no other changes it. */
function* holdWebhook(id: string): Script<StoredWebhook | undefined> {
  yield* ask("UPDATE webhooks SET url = url WHERE id = $1", id); // locks the row
  return yield* readWebhook(id);
}

/** `stale`: nothing is changed, because it has none of the ETags that are `allowed`. */
function* changeWebhook(
  id: string,
  { cursor, ...change }: WebhookChange,
  now: number,
  allowed?: AllowedTags,
): Script<StoredWebhook | "stale" | undefined> {
  const before = yield* holdWebhook(id);
  if (!before) return undefined;
  if (!allowsTag(allowed, webhookTag(before))) return "stale";
  if (cursor !== undefined) yield* moveTo(id, cursor);
  const { url, collections, operations, conditions } = { ...before, ...defined(change) };
  const sql = "UPDATE webhooks SET url = $1, collections = $2, operations = $3, conditions = $4 WHERE id = $5";
  yield* ask(sql, url, collections.join(" "), operations.join(" "), conditions, id);
  if (change.isEnabled === false && before.isEnabled) yield* switchOff(id, "administrator", now);
  if (change.isEnabled && !before.isEnabled) {
    if (before.offReason === "expired" && cursor === undefined) yield* moveTo(id, "");
    yield* ask("UPDATE webhooks SET is_enabled = 1, off_reason = NULL, since = NULL, failures = 0, next_at = 0 WHERE id = $1", id);
  }
  return yield* readWebhook(id);
}

function defined<T extends object>(given: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}

export function* switchOff(id: string, reason: OffReason, now: number): Script<unknown> {
  return yield* ask("UPDATE webhooks SET is_enabled = 0, off_reason = $1, since = $2 WHERE id = $3", reason, now, id);
}

/** Writes SQL for the first delivery of counts that waits behind the one with this id; null where none does. */
export const NEXT_COUNTS = (webhookId: string, behind: string) =>
  `(SELECT min(n.id) FROM webhook_deliveries n WHERE n.webhook_id = ${webhookId} AND n.kind = 'violations' AND n.state = 'open' AND n.id <> ${behind})`;

/** Goes on after another cursor; what has begun is dropped, and whoever sends for it now has lost the right to note it. */
function* moveTo(id: string, cursor: string): Script<unknown> {
  yield* ask("UPDATE webhook_deliveries SET state = 'dropped' WHERE webhook_id = $1 AND kind = 'changes' AND state = 'open'", id);
  const sql = `UPDATE webhooks SET cursor = $1, delivery = ${NEXT_COUNTS("$2", "''")}, failures = 0, next_at = 0, lease_holder = NULL, lease_until = 0 WHERE id = $2`;
  return yield* ask(sql, cursor, id);
}

function* deleteWebhook(id: string, allowed?: AllowedTags): Script<boolean | "stale"> {
  const before = yield* holdWebhook(id);
  if (!before) return false;
  if (!allowsTag(allowed, webhookTag(before))) return "stale";
  yield* ask("DELETE FROM webhook_deliveries WHERE webhook_id = $1", id);
  yield* ask("DELETE FROM webhooks WHERE id = $1", id);
  return true;
}

/** The secret until now signs too until `oldUntil`. */
function* rotateWebhookSecret(id: string, secret: string, oldUntil: number): Script<boolean> {
  const sql = "UPDATE webhooks SET old_secret = secret, old_until = $1, secret = $2 WHERE id = $3";
  return (yield* ask(sql, oldUntil, secret, id)).count > 0;
}

/** Takes or prolongs the right to send for a webhook. Undefined when somebody else has it, or it may not send. */
function* leaseWebhook(id: string, holder: string, now: number, until: number): Script<StoredWebhook | undefined> {
  const sql = `UPDATE webhooks SET lease_holder = $1, lease_until = $2
    WHERE id = $3 AND ${isDue("$4", "$6")} AND (lease_holder = $1 OR ${isFree("$4", "$5")})`;
  const { count } = yield* ask(sql, holder, until, id, ...endsFrom(now));
  return count > 0 ? yield* readWebhook(id) : undefined;
}

/** Runs while a request is under way. Returns false when the right is lost. */
function* renewLease(id: string, holder: string, until: number): Script<boolean> {
  return (yield* ask("UPDATE webhooks SET lease_until = $1 WHERE id = $2 AND lease_holder = $3", until, id, holder)).count > 0;
}

/** `now` puts it behind the others that wait; a pause stays. */
function* releaseLease(id: string, holder: string, now: number): Script<unknown> {
  const sql = `UPDATE webhooks SET lease_holder = NULL, lease_until = 0, next_at = CASE WHEN failures = 0 OR next_at < $1 THEN $1 ELSE next_at END
    WHERE id = $2 AND lease_holder = $3`;
  return yield* ask(sql, now, id, holder);
}

/** Nothing that it wants stands before `cursor`. False when the right is lost. */
function* skipTo(id: string, holder: string, cursor: string): Script<boolean> {
  const sql = "UPDATE webhooks SET cursor = $1 WHERE id = $2 AND lease_holder = $3 AND delivery IS NULL";
  return (yield* ask(sql, cursor, id, holder)).count > 0;
}

/** Switches off a webhook whose next change cannot be sent: it is not kept any more, or nobody can tell what it is. */
function* switchOffStuck(id: string, holder: string, now: number, reason: "expired" | "condition"): Script<boolean> {
  const { rows } = yield* ask("SELECT 1 FROM webhooks WHERE id = $1 AND lease_holder = $2", id, holder);
  if (rows.length > 0) yield* switchOff(id, reason, now);
  return rows.length > 0;
}

export const WEBHOOK_READS = { listWebhooks, readWebhook, listFreeWebhooks };
export const WEBHOOK_WRITES = {
  addWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  leaseWebhook,
  renewLease,
  releaseLease,
  skipTo,
  switchOffStuck,
};
