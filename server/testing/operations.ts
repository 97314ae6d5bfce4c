// Random operations on so few customers that they often meet on the same records.

import fc from "fast-check";
import { ACTIONS } from "../../core/contract/records.ts";
import type { Given } from "./model.ts";

/** The operations use the ids 1 to IDS of a sequence of their own. */
export const IDS = 6;

const aName = fc.constantFrom("Ek", "Åberg", "van 't Hoff", "O’Brien", "王", "Zoë Ek", "007", "ø-ß");
const whole = fc.record({ firstName: fc.option(aName), lastName: aName, accountID: fc.constantFrom("1", "007", "A-1") });
const part = fc.record({ firstName: fc.option(aName), lastName: fc.option(aName, { freq: 9 }), accountID: aName }, { requiredKeys: [] });
const given: fc.Arbitrary<Given> = fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: part });
const id = fc.integer({ min: 1, max: IDS });
const read = fc.constantFrom("nothing", "nothing", "current", "stale"); // of a version
const guard = fc.constantFrom("nothing", "nothing", "current", "stale", "any");
const options = { isEach: fc.boolean(), isMatched: fc.boolean(), isDry: fc.nat({ max: 5 }).map((n) => n === 0), isKeyed: fc.boolean() };

export const anOperation = fc.oneof(
  fc.record({ do: fc.constant("put" as const), id, given, guard: fc.oneof(guard, fc.constant("new")) }),
  fc.record({ do: fc.constant("patch" as const), id, given: part, guard, isKeyed: fc.boolean() }),
  fc.record({ do: fc.constant("delete" as const), id, guard }),
  fc.record({
    do: fc.constant("post" as const),
    items: fc.array(fc.record({ id: fc.option(id, { freq: 7 }), given, read }), { minLength: 1, maxLength: 4 }),
    onConflict: fc.constantFrom("error" as const, "skip" as const, "update" as const, "update" as const),
    onMissing: fc.constantFrom("create" as const, "create" as const, "error" as const),
    ...options,
  }),
  fc.record({ do: fc.constant("remove" as const), items: fc.array(fc.record({ id, read }), { minLength: 1, maxLength: 3 }), ...options }),
  fc.record({
    do: fc.constant("batch" as const),
    // Two ids, so that one request often names a record several times.
    items: fc.array(
      fc.record({
        action: fc.constantFrom(...ACTIONS),
        id: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 9 }),
        given,
        read,
      }),
      { minLength: 1, maxLength: 7 },
    ),
    ...options,
  }),
  fc.record({ do: fc.constant("repeat" as const), nth: fc.nat() }),
  fc.record({ do: fc.constant("read" as const), id, method: fc.constantFrom("GET", "HEAD"), isKnown: fc.boolean() }),
  fc.record({
    do: fc.constant("list" as const),
    q: fc.constantFrom("", "ek", "z", "hoff va", "brien", "0", "王", "oss", "o ss"),
    isDown: fc.boolean(),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
);
export type Operation = typeof anOperation extends fc.Arbitrary<infer T> ? T : never;
export type Of<Name> = Extract<Operation, { do: Name }>;
