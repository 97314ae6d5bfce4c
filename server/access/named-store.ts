// The history keeps fields under their first names, and views under those of their time. Here they get the names of today.

import type { Collection } from "../../core/dictionary/collections.ts";
import { allFormerNamesOf, columnName } from "../../core/dictionary/column-name.ts";
import type { Store } from "../engine/store.ts";
import type { Saved } from "../saved/store/saved.ts";
import { renameQuery } from "./former-names.ts";
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
  return { ...store, ...maps, saved: nameViews(store, collections) };
}

function nameViews({ saved }: Store, collections: readonly Collection[]): Store["saved"] {
  const named = (view: Saved): Saved => {
    const collection = collections.find(({ name }) => name === view.collection);
    const found =
      collection && view.kind === "view" ? renameQuery(JSON.parse(view.brief), collection, collections, allFormerNamesOf) : undefined;
    return found ? { ...view, brief: JSON.stringify(found.query) } : view;
  };
  return {
    ...saved,
    listSaved: async (...given) => (await saved.listSaved(...given)).map(named),
    async readSaved(...given) {
      const item = await saved.readSaved(...given);
      return item && named(item);
    },
  };
}
