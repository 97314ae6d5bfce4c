// Says who wrote a record: its row has the numbers of principals, whose names are looked up when it is read.

import type { Principal } from "../../../core/contract/principals.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";

/** A record as its row has it: principals by their numbers. Null: it was written before the service kept who did it. */
export type StoredRecord = Record<string, Value | null> & {
  createdAt: string;
  updatedAt: string;
  createdBy: number | null;
  updatedBy: number | null;
  version: number;
};

export const REMEMBERED_FOR = 250; // ms that a name may be out of date after a renaming

/**
 * Says what was read of the principals lately. Every read adds to the memory that was current when it began, so that nothing in one is
 * older than the memory itself.
 */
export class PrincipalMemory {
  readonly byNumber = new Map<number, Principal>();
  readonly numbers = new Map<string, number>();
}

/** Answers the memory that is current: a new one every REMEMBERED_FOR. */
export function createMemory(clock = () => performance.now()): () => PrincipalMemory {
  let [memory, since] = [new PrincipalMemory(), clock()];
  return () => {
    const now = clock();
    if (now - since >= REMEMBERED_FOR) [memory, since] = [new PrincipalMemory(), now];
    return memory;
  };
}

/** Makes one text for each principal. No type has a space. */
export function memoryKey({ type, id }: Principal): string {
  return `${type} ${id}`;
}

/** Returns the records with their principals, changed in place. `find` answers undefined for a number that is not stored. */
export function withPrincipals(records: readonly StoredRecord[], find: (number: number) => Principal | undefined): WireRecord[] {
  const principalOf = (number: number | null) => (number === null ? null : (find(number) ?? null));
  for (const record of records) {
    const { createdBy, updatedBy } = record;
    const whole = record as unknown as WireRecord;
    whole.createdBy = principalOf(createdBy);
    whole.updatedBy = updatedBy === createdBy ? whole.createdBy : principalOf(updatedBy);
  }
  return records as unknown as WireRecord[];
}
