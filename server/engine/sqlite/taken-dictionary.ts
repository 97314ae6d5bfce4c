// The answer of the writer's thread to another dictionary: classes of errors do not cross between threads.

import { DictionaryRefused } from "../migrate-dictionary.ts";
import { StoreOutdated } from "../store.ts";

export type TakenDictionary =
  | { status: "taken"; version: number; notes: readonly string[]; gone: readonly string[]; isOld: boolean }
  | { status: "refused"; sentence: string; reasons: readonly string[] }
  | { status: "outdated" };

/** Throws StoreOutdated or DictionaryRefused. */
export function requireTaken(taken: TakenDictionary): Extract<TakenDictionary, { status: "taken" }> {
  if (taken.status === "outdated") throw new StoreOutdated();
  if (taken.status === "refused") throw new DictionaryRefused(taken.sentence, taken.reasons);
  return taken;
}
