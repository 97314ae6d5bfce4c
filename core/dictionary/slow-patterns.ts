/// <reference path="./recheck.d.ts" />
// Finds patterns of the dictionary that would keep the service, the command or the browser busy with one text.

import type { Diagnostics } from "recheck";
import type { Collection, Mistake } from "./collections.ts";
import type { Field } from "./fields.ts";

/** `checkSync` of recheck. It is passed in, because the app must not load it. */
export type CheckPattern = (source: string, flags: string, options: { timeout: number }) => Diagnostics;

const CHECK_WITHIN = 60_000; // ms for one pattern; usual ones take a few
const MOST_STEPS = 1_000_000; // about 10 ms for one value

/**
 * Reports a mistake for each pattern that takes exponential time on some text, or polynomial time on a text as long as its field may
 * have, and for each that cannot be checked. `path` is a JSON pointer into the data package from which the collections were read.
 */
export function slowPatterns(collections: readonly Collection[], check: CheckPattern): Mistake[] {
  return collections.flatMap(({ fields }, c) =>
    fields.flatMap((field, f) => {
      const message = field.pattern && whySlow(field, check(field.pattern.source, field.pattern.flags, { timeout: CHECK_WITHIN }));
      return message ? [{ path: `/resources/${c}/schema/fields/${f}/constraints/pattern`, message }] : [];
    }),
  );
}

export function hasPatterns(collections: readonly Collection[]): boolean {
  return collections.some(({ fields }) => fields.some(({ pattern }) => pattern));
}

/** Says why a pattern that somebody typed may take too long on cells of a file, which may be of any length; undefined: it does not. */
export function whySlowPattern({ source, flags }: RegExp, check: CheckPattern): string | undefined {
  return whySlow({ maxLength: USUAL_CELL }, check(source, flags, { timeout: CHECK_WITHIN }));
}

const USUAL_CELL = 1_000; // characters; cells are rarely longer

const HOW_TO_WRITE_IT = "Write it so that no two of its parts can match the same letters: (a+)+ as a+, for example";

function whySlow({ maxLength = Number.POSITIVE_INFINITY }: Pick<Field, "maxLength">, found: Diagnostics): string | undefined {
  switch (found.status) {
    case "safe":
      return undefined;
    case "unknown":
      return "nobody can tell how long the pattern takes on every text. Write a simpler one";
    case "vulnerable": {
      const { complexity, attack } = found;
      if (complexity.type === "exponential")
        return `the pattern takes exponential time on some texts, such as ${attack.pattern}. ${HOW_TO_WRITE_IT}`;
      if (maxLength ** complexity.degree <= MOST_STEPS) return undefined;
      const orShorter = `${HOW_TO_WRITE_IT}, or give the field a smaller maxLength`;
      return `the pattern takes too long on long texts, such as ${attack.pattern}. ${orShorter}`;
    }
  }
}
