// The history keeps fields under the names that they had first. This is where they get the names that they have now.

import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Store } from "../engine/store.ts";
import { mapHistory } from "./map-history.ts";

/** Returns the same store where no field has got another name. */
export function nameStore(store: Store, collections: readonly Collection[]): Store {
  const renamed = collections.flatMap(({ name, fields }) => {
    const pairs = fields.map((field) => [columnName(field), field.name] as const).filter(([column, now]) => column !== now);
    return pairs.length > 0 ? [[name, new Map(pairs)] as const] : [];
  });
  if (renamed.length === 0) return store;
  const names = new Map(renamed);
  const rename = <Values extends object>(collection: string, values: Values): Values => {
    const now = names.get(collection);
    if (!now) return values;
    return Object.fromEntries(Object.entries(values).map(([column, value]) => [now.get(column) ?? column, value])) as Values;
  };
  const maps = mapHistory(store, {
    entry: (entry) => (entry.changes ? { ...entry, changes: rename(entry.collection, entry.changes) } : entry),
    changes: (collection, json) => JSON.stringify(rename(collection, JSON.parse(json))),
  });
  return { ...store, ...maps };
}
