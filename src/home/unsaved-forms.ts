// The forms that were typed into in this browser and are not saved, as their drafts say.

import { useQuery } from "@tanstack/react-query";
import type { Collection } from "../../core/dictionary/collections.ts";
import { useMayIn } from "../app/services/permissions.ts";
import { useDictionary, useServices } from "../app/services/services.ts";
import { isOf } from "../browser/person.ts";
import { type Draft, openDrafts, placeOfKey, withRights } from "../records/drafts/draft-store.ts";
import { nameOf } from "../values/record-name.ts";

export interface UnsavedForm {
  key: string;
  collection: Collection;
  /** Undefined: a new record. */
  id: number | undefined;
  /** The name of the record; empty for a new one of which nothing is typed that names it. */
  name: string;
  /** Counts the fields that were typed into. */
  fields: number;
  /** Epoch milliseconds. */
  typedAt: number;
}

/** Lists the reader's own, the latest first, without those that they may no longer save. Never cached, because other tabs change them. */
export function useUnsavedForms(): UnsavedForm[] {
  const { session, uploadManager } = useServices();
  const { collections, rights } = useDictionary();
  const may = useMayIn();
  const { data = new Map<string, Draft>() } = useQuery({
    queryKey: ["drafts"],
    queryFn: openDrafts(() => session.state() !== "signedOut").all,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const person = uploadManager.person();
  const forms = [...data]
    .filter(([key]) => isOf(person, key))
    .sort(([, one], [, other]) => one.typedAt - other.typedAt)
    .flatMap(([key, draft]) => {
      const { collection: name, id } = placeOfKey(key);
      const collection = collections.find((one) => one.name === name);
      return collection && may(name, id === undefined ? "create" : "update")
        ? (describe(key, id, collection, withRights(collection, draft, rights)) ?? [])
        : [];
    });
  // A form offers the draft that was typed first; the next one when that is saved or discarded.
  return forms.filter((form, at) => forms.findIndex((one) => isSamePlace(one, form)) === at).reverse();
}

function describe(key: string, id: number | undefined, collection: Collection, draft: Draft): UnsavedForm | undefined {
  const { texts, base, typedAt } = draft;
  const fields = Object.keys(texts).length;
  if (fields === 0) return undefined;
  const typed = collection.label.flatMap(({ name, reference }) => (texts[name] && !reference ? [texts[name]] : [])).join(" ");
  return { key, id, collection, fields, typedAt, name: base ? nameOf(collection, base) : typed };
}

const isSamePlace = (one: UnsavedForm, other: UnsavedForm) => one.collection === other.collection && one.id === other.id;
