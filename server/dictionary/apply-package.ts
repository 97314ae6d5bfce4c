// Makes a data package that the service itself has made the next version of the dictionary.

import type { Principal } from "../../core/contract/principals.ts";
import type { LivingDictionary } from "../access/living-dictionary.ts";
import { readWithRetired } from "../access/retired.ts";
import { DictionaryRefused } from "../engine/migrate-dictionary.ts";

/** Throws DictionaryRefused, and StoreOutdated where another version has come meanwhile. */
export async function applyPackage(
  living: Pick<LivingDictionary, "served" | "apply">,
  dataPackage: unknown,
  note: { by: Principal; comment: string },
): Promise<void> {
  const read = readWithRetired(dataPackage);
  if ("mistakes" in read)
    throw new DictionaryRefused("the dictionary cannot follow the one that is stored", [read.mistakes[0]?.message ?? ""]);
  await living.apply(dataPackage, read.collections, { ...note, base: living.served().version });
}
