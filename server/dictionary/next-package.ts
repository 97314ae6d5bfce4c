// Makes the next version of the dictionary from what somebody sent.

import type { Collection, Mistake } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { identify } from "../../core/dictionary/identify.ts";
import { readWithRetired } from "../access/retired.ts";
import { httpErrors } from "../http/errors.ts";
import { mistakesIn } from "./mistakes.ts";
import { slowPatternsIn } from "./read-dictionary.ts";
import { newId } from "./start-dictionary.ts";

export interface NextPackage {
  dataPackage: unknown;
  collections: readonly Collection[];
}

/** Gives what is known its id, and retires what is missing. Throws 422 with every mistake at its place. */
export async function nextPackage(sent: unknown, base: unknown): Promise<NextPackage> {
  const next = identify(sent, base, newId);
  if ("mistakes" in next) throw invalid(next.mistakes);
  const roles = isObject(sent) ? sent.roles : undefined;
  const mistakes = mistakesIn(roles === undefined ? next.dataPackage : { ...(next.dataPackage as object), roles });
  if (mistakes.length > 0) throw invalid(mistakes);
  const read = readWithRetired(next.dataPackage);
  if ("mistakes" in read) throw invalid(read.mistakes);
  const slow = await slowPatternsIn(read.collections);
  if (slow.length > 0) throw invalid(slow);
  return { dataPackage: next.dataPackage, collections: read.collections };
}

function invalid(mistakes: readonly Mistake[]) {
  return httpErrors.validation(mistakes.map(({ path, message }) => ({ pointer: `/package${path}`, code: "DICTIONARY", detail: message })));
}
