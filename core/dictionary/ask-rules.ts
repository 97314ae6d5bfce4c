// Asks the rules of collections. The language that they are written in is loaded only where some collection has rules.

import type { Problem } from "../contract/problems.ts";
import type { Collection } from "./collections.ts";
import type { Scope } from "./expressions.ts";

type Ask = typeof import("./rules.ts").problemsOfRules;

let ask: Ask | undefined;

/** Loads what `askRules` needs for this collection, once. */
export async function loadRules({ rules }: Pick<Collection, "rules">): Promise<void> {
  if (rules) ask ??= (await import("./rules.ts")).problemsOfRules;
}

/** Does as `problemsOfRules`, after `loadRules`. Nothing is asked of a collection without rules. */
export function askRules(collection: Collection, scope: Scope, changed?: ReadonlySet<string>): Problem[] {
  if (!collection.rules) return [];
  if (!ask) throw new Error(`the rules of ${collection.name} are not loaded`);
  return ask(collection, scope, changed);
}
