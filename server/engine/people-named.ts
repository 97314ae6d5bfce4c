// Looks up the people whom the values of a write name: by id, e-mail address or name.

import type { Problem } from "../../core/contract/problems.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { indexPeople, nobody, personKey } from "../../core/dictionary/people.ts";
import { ask, type Script } from "./script/script.ts";
import type { Batch, Changes, WriteOp } from "./store.ts";

/** Whom a write may name. */
export interface NamedPeople {
  ids: ReadonlySet<string>;
  /** Folded names that several people have. */
  shared: ReadonlySet<string>;
}

const MOST_SINGLE = 3; // texts that are looked up one by one, as of a form

/**
 * Returns the batch with the ids of the people whom it names, and who these are. `people`: undefined where nobody has to be known, as where
 * what was accepted once comes back. People are never deleted, so that whoever was found is there when the write ends.
 */
export function* lookUpPeople(batch: Batch): Script<{ batch: Batch; people?: NamedPeople }> {
  const { collection, ops, by, isRestore } = batch;
  const fields = collection.fields.filter(({ isPerson }) => isPerson);
  if (fields.length === 0 || isRestore) return { batch };
  const texts = new Set<string>();
  for (const op of ops) {
    if (op.verb === "delete") continue;
    for (const { name } of fields) if (typeof op.given[name] === "string") texts.add(op.given[name]);
  }
  const writer = by.type === "user" ? [by.id] : []; // of a default
  if (texts.size === 0) return { batch, people: { ids: new Set(writer), shared: new Set() } };
  const single = texts.size > MOST_SINGLE ? undefined : yield* readSingle(texts);
  if (single) return { batch, people: { ids: new Set([...writer, ...single]), shared: new Set() } };
  const { rows } = yield* ask("SELECT id, email, name FROM users ORDER BY id");
  const all = (rows as [string, string, string][]).map(([id, email, name]) => ({ id, email, name }));
  const { byText, shared } = indexPeople(all);
  const idOf = (text: string) => byText.get(personKey(text)) ?? text;
  const found = (op: WriteOp): WriteOp => {
    if (op.verb === "delete") return op;
    const given = { ...op.given };
    for (const { name } of fields) if (typeof given[name] === "string") given[name] = idOf(given[name]);
    return { ...op, given };
  };
  return { batch: { ...batch, ops: ops.map(found) }, people: { ids: new Set(all.map(({ id }) => id)), shared } };
}

/** Returns undefined unless each text is the id of somebody. */
function* readSingle(texts: ReadonlySet<string>): Script<string[] | undefined> {
  const ids: string[] = [];
  for (const text of texts) {
    const { rows } = yield* ask("SELECT id FROM users WHERE id = $1", text);
    if (rows.length === 0) return undefined;
    ids.push(text);
  }
  return ids;
}

/** Reports a problem for each value of a new or changed record that names nobody, or several people. `changes`: undefined for a new record. */
export function wrongPeople({ fields }: Collection, next: WireRecord, changes: Changes | undefined, people: NamedPeople): Problem[] {
  return fields.flatMap((field) => {
    const value = next[field.name] ?? null;
    if (!field.isPerson || value === null || (changes && !Object.hasOwn(changes, field.name))) return [];
    return people.ids.has(String(value)) ? [] : nobody(field, String(value), people.shared);
  });
}
