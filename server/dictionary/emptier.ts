// Empties what is retired for good, step by step, and takes it out of the dictionary at the end.

import { setTimeout as sleep } from "node:timers/promises";
import { columnName } from "../../core/dictionary/column-name.ts";
import { isPackage, type PackageField, type PackageResource } from "../../core/dictionary/packages.ts";
import type { LivingDictionary } from "../access/living-dictionary.ts";
import { StoreOutdated } from "../engine/store.ts";
import { applyPackage } from "./apply-package.ts";
import { withoutRetired } from "./convert-package.ts";
import type { Emptying } from "./store/emptyings.ts";

/** A collection that is retired, or a field of one that is not. */
export interface Retired {
  id: string;
  resource: PackageResource;
  field: PackageField | undefined;
}

/** Finds what is retired and not being converted. */
export function retiredParts(dataPackage: unknown): Retired[] {
  if (!isPackage(dataPackage)) return [];
  return dataPackage.resources.flatMap((resource): Retired[] => {
    if (resource.retired) return [{ id: String(resource.id), resource, field: undefined }];
    const fields = resource.schema.fields.filter(({ retired, convertedFrom }) => retired && !convertedFrom);
    return fields.map((field) => ({ id: String(field.id), resource, field }));
  });
}

/** Says whether a collection or field with this id is there and not retired. One that was emptied is gone before that is noted. */
export function isShown(dataPackage: unknown, id: string): boolean {
  const isIt = (one: { id?: string; retired?: boolean }) => one.id === id && !one.retired;
  return isPackage(dataPackage) && dataPackage.resources.some((resource) => isIt(resource) || resource.schema.fields.some(isIt));
}

/** Goes on with each emptying that was begun, here or by a process that has ended. */
export async function emptyRetired(living: Pick<LivingDictionary, "served" | "apply">, signal: AbortSignal): Promise<void> {
  for (const emptying of await living.served().store.emptyings.listEmptyings()) await empty(living, emptying, signal);
}

async function empty(living: Pick<LivingDictionary, "served" | "apply">, emptying: Emptying, signal: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    const began = performance.now();
    const { dataPackage, collections, store } = living.served();
    const collection = collections.find(({ name }) => name === emptying.collection);
    const isRetired = retiredParts(dataPackage).some(({ id }) => id === emptying.id);
    if (!collection || !isRetired) return store.emptyings.endEmptying(emptying); // it was taken out before that was noted, or was brought back
    hasMore = await store.emptyStep(collection, emptying.id);
    await sleep(performance.now() - began, undefined, { signal }).catch(() => undefined); // it is only aborted
  }
  if (signal.aborted) return;
  const { dataPackage, store } = living.served();
  const { resource, field } = retiredParts(dataPackage).find(({ id }) => id === emptying.id) ?? {};
  const path = [resource?.name, field?.name].filter(Boolean).join(".");
  const note = { by: { ...emptying.by, name: "" }, comment: `${path} is emptied for good` };
  try {
    await applyPackage(living, withoutRetired(dataPackage, emptying.id), note);
  } catch (error) {
    if (error instanceof StoreOutdated) return; // another dictionary has come: this is tried again with it
    throw error;
  }
  await store.emptyings.endEmptying(emptying);
}

export function emptyingOf({ id, resource, field }: Retired, by: Emptying["by"]): Emptying {
  return {
    id,
    collection: resource.name,
    column: field ? columnName(field) : null,
    by: { type: by.type, id: by.id },
    phase: "records",
    place: "",
  };
}
