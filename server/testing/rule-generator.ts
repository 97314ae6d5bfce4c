// Random rules and formulas over one field of each kind, with records and changes that may break them.

import fc from "fast-check";
import type { ExpressionType } from "../../core/dictionary/expression-values.ts";
import type { Fields } from "../../core/dictionary/validate.ts";

/** One field of each kind and two of those that are compared. */
export const FIELDS = [
  { name: "id", type: "integer" },
  { name: "name", type: "string", constraints: { maxLength: 20 } },
  { name: "code", type: "string" },
  { name: "amount", type: "integer" },
  { name: "share", type: "number" },
  { name: "price", type: "number", decimals: 2 },
  { name: "isOpen", type: "boolean" },
  { name: "startOn", type: "date" },
  { name: "endOn", type: "date" },
  { name: "seenAt", type: "datetime" },
  { name: "begins", type: "time" },
  { name: "year", type: "year" },
];

const OF_TYPE: Record<ExpressionType, readonly string[]> = {
  text: ["name", "code", "shown", "old.name", '"a"', '""', "me.id", "digits(name)", "string(amount)"],
  number: [
    "amount",
    "share",
    "price",
    "year",
    "total",
    "whole",
    "old.price",
    "0",
    "1.5",
    "size(name)",
    "days(endOn, startOn)",
    "age(startOn)",
  ],
  boolean: ["isOpen", "flag", "true", "old.isOpen", "isEmpty(name)", 'code.startsWith("a")', "name.contains(code)"],
  date: ["startOn", "endOn", "today", "old.endOn"],
  datetime: ["seenAt"],
  time: ["begins"],
  null: ["null"],
};
const COMPARED = ["text", "number", "date", "datetime", "time"] as const;

/** Conditions and numbers whose types are right. */
const expressions = fc.letrec<{ condition: string; number: string }>((tie) => ({
  number: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...OF_TYPE.number),
    fc.tuple(tie("number"), fc.constantFrom("+", "-", "*", "/", "%"), tie("number")).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie("condition"), tie("number"), tie("number")).map(([when, a, b]) => `(${when} ? ${a} : ${b})`),
  ),
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...OF_TYPE.boolean),
    fc.constantFrom(...COMPARED).chain((type) => {
      const [part, op] = [fc.constantFrom(...OF_TYPE[type], "null"), fc.constantFrom("<", "<=", ">", ">=", "==", "!=")];
      return fc.tuple(fc.constantFrom(...OF_TYPE[type]), op, part).map(([a, sign, b]) => `${a} ${sign} ${b}`);
    }),
    fc.tuple(tie("number"), fc.constantFrom("<", ">=", "=="), tie("number")).map(([a, op, b]) => `${a} ${op} ${b}`),
    fc.constantFrom(...OF_TYPE.text).map((text) => `${text} in ["a", "1", name]`),
    fc.tuple(tie("condition"), fc.constantFrom("&&", "||"), tie("condition")).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie("condition").map((a) => `!(${a})`),
  ),
}));

/** A condition whose types are right. */
export const conditions: fc.Arbitrary<string> = expressions.condition;

/** What formulas may not read, and plain fields that are computed themselves. */
const PLAIN: readonly [RegExp, string][] = [
  [/\bold\./g, ""],
  [/\bme\.id\b/g, '"a"'],
  [/\bshown\b/g, "name"],
  [/\btotal\b/g, "price"],
  [/\bwhole\b/g, "amount"],
  [/\bflag\b/g, "isOpen"],
];
const plain = (source: string) => PLAIN.reduce((text, [word, to]) => text.replace(word, to), source);

/** Fields that are computed of those above, one of them of another one. */
export const formulas: fc.Arbitrary<object[]> = fc
  .record({ total: expressions.number.map(plain), flag: conditions.map(plain), text: fc.constantFrom(...OF_TYPE.text).map(plain) })
  .map(({ total, flag, text }) => [
    { name: "whole", type: "integer", computed: "total * 1.5" },
    { name: "total", type: "number", decimals: 2, computed: total },
    { name: "flag", type: "boolean", computed: flag },
    { name: "shown", type: "string", computed: `${text} + " " + string(whole)`, constraints: { maxLength: 12 } },
  ]);

const rule = fc.record({ must: conditions, when: fc.option(conditions, { nil: undefined }) }).map(({ must, when }) => ({
  ...{ must, message: "A rule is broken.", fields: ["name"] },
  ...(when !== undefined && { when }),
}));
export const rules = fc.array(rule, { minLength: 1, maxLength: 3 }).map((all) => all.map((one, i) => ({ name: `rule${i}`, ...one })));

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 3 });
const VALUES = {
  name: maybe(fc.constantFrom("a", "b1", "1", "Ada 12", "far too long for the field")),
  code: maybe(fc.constantFrom("a", "1", "ab")),
  amount: maybe(fc.integer({ min: -3, max: 3 })),
  share: maybe(fc.constantFrom(0, 0.1, 0.2, 0.3, -1.5)),
  price: maybe(fc.constantFrom("0", "0.1", "0.3", "12.5", "-3")),
  isOpen: maybe(fc.boolean()),
  startOn: maybe(fc.constantFrom("2026-01-01", "2024-02-29", "2008-11-29")),
  endOn: maybe(fc.constantFrom("2026-01-01", "2026-01-31", "1999-12-31")),
  seenAt: maybe(fc.constantFrom("2026-01-01T00:00:00.000Z", "2025-06-30T12:00:00.000Z")),
  begins: maybe(fc.constantFrom("08:30:00", "23:59:59")),
  year: maybe(fc.constantFrom(1999, 2026)),
};
export const records: fc.Arbitrary<Fields> = fc.record(VALUES);
/** Some of the fields with other values. */
export const changes: fc.Arbitrary<Fields> = fc.record(VALUES, { requiredKeys: [] }) as fc.Arbitrary<Fields>;

export function packageWith(own: readonly object[], computed: readonly object[]): object {
  return { title: "Things", resources: [{ name: "things", rules: own, schema: { fields: [...FIELDS, ...computed], primaryKey: "id" } }] };
}
