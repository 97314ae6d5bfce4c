// What a draft makes of the dictionary that is served now, and what that means for stored records.

import type { DictionaryChange, DictionaryImpact } from "../../core/contract/dictionary.ts";
import { changesOf } from "../../core/dictionary/changes.ts";
import { mergePackages } from "../../core/dictionary/merge-packages.ts";
import type { LivingDictionary } from "../access/living-dictionary.ts";
import type { Finding } from "../engine/migrate-dictionary.ts";
import { type Store, StoreTooCostly } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { type NextPackage, nextPackage } from "./next-package.ts";
import type { StoredDraft } from "./store/drafts.ts";

export interface DraftParts {
  store: Store;
  /** Undefined in a service whose dictionary cannot change while it runs. */
  living: Pick<LivingDictionary, "served" | "apply"> | undefined;
}

export function servedOf(living: DraftParts["living"]) {
  if (!living) throw httpErrors.dictionaryRefused("This service cannot change its dictionary while it runs.");
  return living.served();
}

export interface NextDictionary extends NextPackage {
  /** The version that is served, which it follows. */
  base: number;
  changes: DictionaryChange[];
}

/**
 * What the draft makes of the dictionary that is served now: where another version was applied since, the changes of both. Throws 422 for
 * mistakes, and 409 where both changed the same.
 */
export async function nextOf({ store, living }: DraftParts, draft: Pick<StoredDraft, "base" | "text">): Promise<NextDictionary> {
  const served = servedOf(living);
  const own: unknown = JSON.parse(draft.text);
  let wanted = own;
  if (draft.base !== served.version) {
    const base = await store.versions.readVersion(draft.base);
    if (!base) throw new Error(`the version ${draft.base} of the dictionary is not kept`);
    const first: unknown = JSON.parse(base.text);
    const merged = mergePackages(first, (await nextPackage(own, first)).dataPackage, served.dataPackage);
    if (merged.conflicts.length > 0) throw httpErrors.dictionaryConflict(merged.conflicts);
    wanted = merged.package;
  }
  const next = await nextPackage(wanted, served.dataPackage);
  return { ...next, base: served.version, changes: changesOf(served.dataPackage, next.dataPackage) };
}

export async function impactOf(store: Store, { collections, changes }: NextDictionary): Promise<DictionaryImpact> {
  try {
    const { refused, stands } = await store.impactOf(collections);
    const counted = changes.map((change) => withFindings(change, { refused, stands }));
    const isKnown = ({ place }: Finding) => counted.some(({ path, violations }) => path === place && violations !== undefined);
    const others = refused
      .filter((finding) => !isKnown(finding))
      .map((finding) => ({ kind: "other", path: finding.place, ...effectOf(finding, "refused") }));
    return { changes: [...counted, ...others], complete: true };
  } catch (error) {
    if (error instanceof StoreTooCostly) return { changes, complete: false };
    throw error;
  }
}

const COUNTED = new Set(["required", "narrowed", "unique", "converted", "reference"]);

function withFindings(
  change: DictionaryChange,
  { refused, stands }: { refused: readonly Finding[]; stands: readonly Finding[] },
): DictionaryChange {
  if (!COUNTED.has(change.kind)) return change;
  const of = ({ place }: Finding) => place === change.path;
  const [forbids, breaks] = [refused.find(of), stands.find(of)];
  if (forbids) return { ...change, ...effectOf(forbids, "refused") };
  return breaks ? { ...change, ...effectOf(breaks, "stands") } : { ...change, effect: "at once", violations: 0 };
}

function effectOf({ count, examples, text }: Finding, effect: DictionaryChange["effect"]) {
  return { effect, violations: count, examples, detail: text };
}
