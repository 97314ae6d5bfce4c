// Reads the records of a collection in batches, and has those written again whose values follow from others.

import type { Source } from "../../core/contract/history.ts";
import type { Principal } from "../../core/contract/principals.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Store } from "../engine/store.ts";

/** A process that has gone on with a run within this time is still at it; ms. */
export const ABANDONED = 5_000;

const AT_ONCE = 200; // records; so long others wait for their writes

/** Reads the records that come after this key, as many as one step has. */
export function nextRecords(store: Store, collection: Collection, after: number | null) {
  const sort = [{ name: collection.key.name, descending: false }];
  return store.list(collection, { words: [], limit: AT_ONCE, sort, ...(after !== null && { after: [after] }) });
}

/** Writes these records without a change of their own. Returns the keys of those where that is not possible. */
export async function rewrite(
  store: Store,
  collection: Collection,
  records: readonly WireRecord[],
  { by, source }: { by: Principal; source: Source & { run: string } },
): Promise<Set<number>> {
  if (records.length === 0) return new Set();
  const ids = records.map((record) => record[collection.key.name] as number);
  const form = { kind: "results", verb: "write", atomic: false, pointer: "", isMany: true, ids, rejected: new Map() } as const;
  const written = await store.write({
    ...{ collection, by, source, atomic: false },
    ops: ids.map((id) => ({ verb: "patch", id, given: {} })),
    form: { ...form, instance: "", requestId: source.run },
  });
  if ("rejected" in written) throw new Error("a run has no idempotency key");
  const { results } = JSON.parse(written.answer.body) as { results: { outcome: string; status: number }[] };
  return new Set(ids.filter((_, i) => results[i]?.outcome === "failed" && results[i]?.status !== 404)); // a record may be deleted meanwhile
}
