// Keeps what two people type into one draft of the dictionary at the same time.

import { mergePackages } from "../../../core/dictionary/merge-packages.ts";
import type { Package } from "../../../core/dictionary/packages.ts";

const FRESH = "new "; // no id has a blank

/** Brings what two people changed of one draft together. What is new has no id yet, and is known by its name. */
export function mergeDrafts(base: Package, mine: Package, theirs: Package): { merged: Package; conflicts: readonly string[] } {
  const withIds = <One extends { id?: string; name: string }>(one: One): One => ({ ...one, id: one.id ?? FRESH + one.name });
  const withoutIds = <One extends { id?: string }>({ id, ...rest }: One): One => (id?.startsWith(FRESH) ? rest : { id, ...rest }) as One;
  const [first, own, other] = [base, mine, theirs].map((all) => eachPart(all, withIds));
  const { package: merged, conflicts } = mergePackages(first, own, other);
  return {
    merged: eachPart(merged as Package, withoutIds),
    conflicts: conflicts.map(({ path, property }) => `${path} ${property}`.trim()),
  };
}

/** Changes every collection and every field. */
function eachPart(all: Package, change: <One extends { id?: string; name: string }>(one: One) => One): Package {
  const resources = all.resources.map((one) => change({ ...one, schema: { ...one.schema, fields: one.schema.fields.map(change) } }));
  return { ...all, resources };
}
