// Makes one record what it was before a run changed it.

import type { Collection } from "../../core/dictionary/collections.ts";
import { type Fields, validateKept } from "../../core/dictionary/validate.ts";
import type { Store, WriteOp } from "../engine/store.ts";
import type { StoredEntry } from "./store/reads.ts";
import type { RunEntry } from "./store/runs.ts";

const PAGE = 100; // entries

export interface RecordUndo {
  /** "none": nothing is left to do. An obstacle: a field has another kind today, or its values of before are no longer kept. */
  op: WriteOp | "none" | Obstacle;
  /** Changes of the run that it takes back. */
  changes: number;
}

/** Says what is in the way, as a problem says it. */
export interface Obstacle {
  code: string;
  field?: string;
  detail: string;
}

const FORGOTTEN: Obstacle = { code: "VALUES_FORGOTTEN", detail: "Its values of before are no longer kept in the history." };

/** `last`: the run's last change of the record. The changes of the run that come right before it are undone with it. */
export async function undoOf(
  { collection, store, run }: { collection: Collection; store: Store; run: string },
  last: RunEntry,
): Promise<RecordUndo> {
  let before = valuesBefore(last, undefined);
  let changes = 1;
  if (last.isAfterOwn) {
    for await (const entry of earlierEntries(collection, store, last)) {
      if (entry.source.type === "computation") continue;
      if (entry.source.run !== run || entry.source.type === "undo") break;
      before = valuesBefore(entry, before);
      changes++;
    }
  }
  return { op: opFor(collection, last, before), changes };
}

/** Says what is known of the record before a change: nothing there, or these values; of one that was deleted, all of them. */
type Before = { fields: Fields; isWhole: boolean } | "nothing" | "forgotten";

function valuesBefore({ operation, changes, isForgotten }: StoredEntry, after: Before | undefined): Before {
  if (isForgotten || after === "forgotten") return "forgotten";
  if (!changes) return "nothing";
  const old = Object.fromEntries(Object.entries(changes).map(([name, [was]]) => [name, was]));
  if (operation === "deleted") return { fields: old, isWhole: true };
  const later = after === undefined || after === "nothing" ? { fields: {}, isWhole: false } : after;
  return { ...later, fields: { ...later.fields, ...old } };
}

function opFor(collection: Collection, { id, version: own, operation, computedSince }: RunEntry, before: Before): RecordUndo["op"] {
  if (before === "forgotten") return FORGOTTEN;
  const version = own + computedSince;
  const isDeleted = operation === "deleted";
  if (before === "nothing") return isDeleted ? "none" : { verb: "delete", id, ifMatch: [version] };
  const { record: given, problems } = validateKept(collection, { ...before.fields, [collection.key.name]: id }, before.isWhole);
  if (problems) {
    const [{ code, field, message } = { code: "VALIDATION", message: "A field has another kind today." }] = problems;
    return { code, ...(field !== undefined && { field }), detail: message };
  }
  return isDeleted ? { verb: "put", id, given, ifDeletion: version } : { verb: "patch", id, given, ifMatch: [version] };
}

async function* earlierEntries(collection: Collection, store: Store, first: StoredEntry): AsyncGenerator<StoredEntry> {
  for (let last: StoredEntry | undefined = first; last; ) {
    const entries: StoredEntry[] = await store.history.listEntries(collection.name, last.id, last.version, PAGE, last.write);
    yield* entries;
    last = entries.at(-1);
  }
}
