// The names of the records to which others refer.

import { useQueries, useQuery } from "@tanstack/react-query";
import { isIdText } from "../../../core/contract/paths.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Reference } from "../../../core/dictionary/fields.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { parentQuery } from "../../service/references.ts";
import type { RecordValues } from "../field-value.ts";
import { nameOf } from "../record-name.ts";

export interface Parent {
  /** Is undefined while it is not known. */
  name: string | undefined;
  /** There is no such record, or no longer. */
  isMissing: boolean;
}

/** Reads the record whose key the text is. */
export function useParent(parent: Collection, text: string): Parent {
  const { client } = useServices();
  const { data } = useQuery({ ...parentQuery(client, parent, Number(text)), enabled: isIdText(text) });
  return { name: data ? nameOf(parent, data) : undefined, isMissing: data === null };
}

/** Returns the record with the names of the parents by which it is called, as far as they are known: as `nameOf` takes it. */
export function useNamed<R extends RecordValues>(collection: Collection, record: R): R {
  const { client } = useServices();
  const { collections } = useDictionary();
  const wanted = collection.label.flatMap(({ name, reference }) => {
    const [parent, id] = [collections.find((one) => one.name === reference?.collection), record[name]];
    return parent && reference && typeof id === "number" ? { as: reference.as, parent, id } : [];
  });
  const found = useQueries({ queries: wanted.map(({ parent, id }) => parentQuery(client, parent, id)) });
  if (wanted.length === 0) return record;
  const parents = wanted.map(({ as, parent }, i) => {
    const { data } = found[i] ?? {};
    return [as, data ? { name: nameOf(parent, data) } : null];
  });
  return { ...record, ...Object.fromEntries(parents) };
}

/** Returns the names of the records that are known, by their keys. None without a reference. */
export function useParents(reference: Reference | undefined, texts: readonly string[]): ReadonlyMap<string, string> {
  const { client } = useServices();
  const parent = useDictionary().collections.find(({ name }) => name === reference?.collection);
  const wanted = parent ? texts.filter(isIdText) : [];
  const queries = wanted.map((text) => parentQuery(client, parent as Collection, Number(text)));
  const found = useQueries({ queries }).map(({ data }) => data);
  return new Map(wanted.flatMap((text, i) => (found[i] ? [[text, nameOf(parent as Collection, found[i])] as const] : [])));
}
