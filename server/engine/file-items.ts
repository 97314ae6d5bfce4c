// Decides which files a field with several has after a write, by the record that it meets: two who add at once both do.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readFileValue } from "../../core/dictionary/files.ts";
import { type Item, itemsOf, type Value } from "../../core/dictionary/kinds.ts";
import { checkNumber } from "../../core/dictionary/validate.ts";
import type { OpWithId } from "./decide.ts";

/** One file that comes or goes. Content stands once in a field, so its hash says which one is meant. */
export interface FileItems {
  field: string;
  /** The value of the file that is added, or that gets this name. */
  add?: string;
  /** The hash of the file that is taken out. */
  takeOut?: string;
}

/**
 * Returns the op with the lists of files that it gives the record. A request that gives a list itself may put what the record has in another
 * order, or take some of it out.
 */
export function withFileItems(collection: Collection, op: OpWithId, current: WireRecord | undefined): OpWithId {
  if (op.verb === "delete" || (!op.files && !op.problems)) return op;
  const own = op.problems?.filter((problem) => problem.ownFiles && hasAll(current, problem.field, op.refused?.[problem.field])) ?? [];
  if (!op.files && own.length === 0) return op;
  const given = { ...op.given };
  const problems = op.problems?.filter((problem) => !own.includes(problem)) ?? [];
  for (const { field } of own) given[field] = op.refused?.[field] ?? null;
  const { field: name = "", add, takeOut } = op.files ?? {};
  const field = collection.byName.get(name);
  if (field && current) {
    const before = itemsOf(current[name]);
    const items = add === undefined ? before.filter((item) => hashOf(item) !== takeOut) : withAdded(before, add);
    const wrong = items.length > before.length ? checkNumber(field, items.length) : undefined;
    if (wrong) problems.push(wrong);
    else given[name] = items.length > 0 ? items : null;
  }
  const { problems: _, ...others } = op;
  return { ...others, given, ...(problems.length > 0 && { problems }) };
}

/** The same content again gets the name that it has now, and keeps its place. */
function withAdded(before: readonly Item[], add: string): Item[] {
  const isThere = before.some((item) => hashOf(item) === hashOf(add));
  return isThere ? before.map((item) => (hashOf(item) === hashOf(add) ? add : item)) : [...before, add];
}

function hasAll(current: WireRecord | undefined, name: string, given: Value | null | undefined): boolean {
  const known = itemsOf(current?.[name]);
  return Array.isArray(given) && given.every((item) => known.includes(item));
}

function hashOf(item: Item): string | undefined {
  return readFileValue(item)?.hash;
}
