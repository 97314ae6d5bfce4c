// Makes indexes of collections while everybody writes. What is not finished is begun anew at the next start.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { tableOf } from "../columns.ts";
import type { KnownField } from "../known-fields.ts";
import type { Query } from "./pool.ts";
import { type FieldIndex, indexesOfFields } from "./schema.ts";

interface StoredIndex {
  name: string;
  /** Is false for one whose making has failed. */
  isWhole: boolean;
  isUnique: boolean;
}

const STORED = `SELECT c.relname, i.indisvalid, i.indisunique AND NOT i.indisprimary
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = ANY (SELECT to_regclass(t)::oid FROM unnest($1::text[]) AS t)
  AND (i.indisvalid OR NOT EXISTS (SELECT 1 FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid))`;

async function readStored(query: Query, collections: readonly Collection[]): Promise<StoredIndex[]> {
  const { rows } = await query(STORED, [collections.map(tableOf)]);
  return rows.map(([name, isWhole, isUnique]) => ({ name: String(name), isWhole: Boolean(isWhole), isUnique: Boolean(isUnique) }));
}

const drop = (name: string) => `DROP INDEX CONCURRENTLY IF EXISTS "${name}"`;

/** Makes one index that is missing, or drops one that is broken or keeps unique what need not be. False when there is nothing left to do. */
export async function tendIndexes(query: Query, collections: readonly Collection[]): Promise<boolean> {
  const [wanted, stored] = [indexesOfFields(collections), await readStored(query, collections)];
  const isWanted = ({ name }: StoredIndex) => wanted.some((one) => one.name === name);
  const wrong = stored.find((one) => !one.isWhole || (one.isUnique && one.name.startsWith("u_") && !isWanted(one)));
  const missing = wanted.find(({ name }) => !stored.some((one) => one.name === name));
  if (wrong) await query(drop(wrong.name));
  else if (missing) await query(missing.create("CONCURRENTLY IF NOT EXISTS"));
  return wrong !== undefined || missing !== undefined;
}

/**
 * Makes the indexes of what will be unique, before it is: from then on nobody stores a value twice. False where one cannot be made, perhaps because
 * some records have the same value.
 */
export async function makeUnique(query: Query, collections: readonly Collection[], known: readonly KnownField[]): Promise<boolean> {
  const becomes = ({ collection, column, isCaseless }: FieldIndex) =>
    known.some(
      (field) =>
        field.collection === collection && field.column === column && (!field.isUnique || field.isCaseless !== isCaseless) && !field.isKey,
    ) ||
    (column.includes(",") && known.some((field) => field.collection === collection)); // it may be there already
  const added = indexesOfFields(collections).some((one) => one.isCaseless && becomes(one));
  if (added) return false; // its column comes with the dictionary
  for (const index of indexesOfFields(collections).filter((one) => one.isUnique && becomes(one))) {
    try {
      const stored = (await readStored(query, collections)).find(({ name }) => name === index.name);
      if (stored && !stored.isWhole) await query(drop(index.name));
      await query(index.create("CONCURRENTLY IF NOT EXISTS"));
    } catch {
      await query(drop(index.name)).catch(() => undefined); // a later start looks for it again
      return false; // counting says why, or making it anew while others wait
    }
  }
  return true;
}
