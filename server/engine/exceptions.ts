// Keeps which records may break a rule: begun by an acknowledged warning or with a reason, ended by a change of what the rule reads.

import type { Collection } from "../../core/dictionary/collections.ts";
import { rulesReading } from "../../core/dictionary/rules.ts";
import type { RelationSql } from "./find-relations.ts";
import { type WriteStamp, warnedRules } from "./history-entries.ts";
import { type RowChange, rowChangeOf } from "./plan-write.ts";
import { ask, type Script } from "./script/script.ts";
import type { Decision } from "./store.ts";

/** After the rows are written: until the transaction ends nobody else makes an exception of one of them. */
export function* keepExceptions(
  collection: Collection,
  decisions: readonly Decision[],
  { now, by }: Pick<WriteStamp, "now" | "by">,
  sql: Pick<RelationSql, "among" | "idList">,
): Script<void> {
  if (!collection.rules?.length) return;
  const idOf = ({ record }: RowChange) => Number(record[collection.key.name]);
  const changes = decisions.flatMap((decision) => rowChangeOf(decision) ?? []);
  const earlier = new Map(changes.filter(({ outcome }) => outcome !== "created").map((change) => [idOf(change), change]));
  const known = `SELECT id, rule FROM exceptions WHERE ${sql.among("id")} AND collection = $2`;
  const { rows } = earlier.size > 0 ? yield* ask(known, sql.idList([...earlier.keys()]), collection.name) : { rows: [] };
  for (const [id, rule] of rows) {
    const change = earlier.get(Number(id));
    if (change && !isEnded(collection, change, String(rule))) continue;
    yield* ask("DELETE FROM exceptions WHERE collection = $1 AND id = $2 AND rule = $3", collection.name, Number(id), String(rule));
  }
  for (const change of changes)
    for (const rule of warnedRules(change))
      yield* putException({ collection: collection.name, id: idOf(change), rule, at: now, reason: "" }, by);
}

function isEnded(collection: Collection, change: RowChange, rule: string): boolean {
  return change.outcome !== "updated" || rulesReading(collection, new Set(Object.keys(change.changes))).includes(rule);
}

/** `at`: ms since 1970. `reason`: empty where a warning was acknowledged with a write. */
export interface NewException {
  collection: string;
  id: number;
  rule: string;
  at: number;
  reason: string;
}

/** `by`: the number of the principal. */
export function* putException({ collection, id, rule, at, reason }: NewException, by: number): Script<void> {
  const sql = `INSERT INTO exceptions (collection, id, rule, at, by, reason) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (collection, id, rule) DO UPDATE SET at = excluded.at, by = excluded.by, reason = excluded.reason`;
  yield* ask(sql, collection, id, rule, at, by, reason);
}
