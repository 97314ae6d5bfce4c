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
  { name: "tags", type: "list" },
  { name: "sizes", type: "list", itemType: "number" },
  // No rule reads these, so they may depend on all others.
  { name: "level", type: "string" },
  { name: "extra", type: "string", constraints: { maxLength: 20 } },
  { name: "total", type: "integer", constraints: { maximum: 4 } },
];

const OF_TYPE: Record<ExpressionType, readonly string[]> = {
  text: ["name", "code", "shown", "old.name", '"a"', '""', "me.id", "digits(name)", "string(amount)"],
  number: [
    "amount",
    "share",
    "price",
    "year",
    "result",
    "whole",
    "old.price",
    "0",
    "1.5",
    "size(name)",
    "size(tags)",
    "days(endOn, startOn)",
    "age(startOn)",
  ],
  boolean: ["isOpen", "flag", "true", "old.isOpen", "isEmpty(name)", 'code.startsWith("a")', "name.contains(code)"],
  date: ["startOn", "endOn", "today", "old.endOn"],
  datetime: ["seenAt"],
  time: ["begins"],
  texts: ["tags", "old.tags", '["a", "1"]'],
  numbers: ["sizes", "[1, 2.5]"],
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
    fc.tuple(fc.constantFrom(...OF_TYPE.text), fc.constantFrom(...OF_TYPE.texts)).map(([text, several]) => `${text} in ${several}`),
    fc.tuple(tie("number"), fc.constantFrom(...OF_TYPE.numbers)).map(([number, several]) => `${number} in ${several}`),
    fc
      .tuple(fc.constantFrom(...OF_TYPE.texts), fc.constantFrom("==", "!="), fc.constantFrom(...OF_TYPE.texts))
      .map((parts) => parts.join(" ")),
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
  [/\bresult\b/g, "price"],
  [/\bwhole\b/g, "amount"],
  [/\bflag\b/g, "isOpen"],
];
const plain = (source: string) => PLAIN.reduce((text, [word, to]) => text.replace(word, to), source);

/** Fields that are computed of those above, one of them of another one. */
export const formulas: fc.Arbitrary<object[]> = fc
  .record({ result: expressions.number.map(plain), flag: conditions.map(plain), text: fc.constantFrom(...OF_TYPE.text).map(plain) })
  .map(({ result, flag, text }) => [
    { name: "whole", type: "integer", computed: "result * 1.5" },
    { name: "result", type: "number", decimals: 2, computed: result },
    { name: "flag", type: "boolean", computed: flag },
    { name: "shown", type: "string", computed: `${text} + " " + string(whole)`, constraints: { maxLength: 12 } },
  ]);

const rule = fc.record({ must: conditions, when: fc.option(conditions, { nil: undefined }) }).map(({ must, when }) => ({
  ...{ must, message: "A rule is broken.", fields: ["name"] },
  ...(when !== undefined && { when }),
}));
export const rules = fc.array(rule, { minLength: 1, maxLength: 3 }).map((all) => all.map((one, i) => ({ name: `rule${i}`, ...one })));

const often = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 3 });
const isOfNew = (text: string) => !text.includes("old.") && !["shown", "result", "whole", "1.5"].includes(text);
const OF_NEW = { text: OF_TYPE.text.filter(isOfNew), number: OF_TYPE.number.filter(isOfNew) };
/** Conditions and defaults of fields, by their names. */
export const conditionsOfFields: fc.Arbitrary<Record<string, object>> = fc.record({
  code: fc.record({ requiredIf: often(conditions) }),
  level: fc.record({
    requiredIf: often(conditions),
    choicesIf: often(
      fc.array(fc.record({ when: conditions, values: fc.constantFrom(["a"], ["a", "b"], ["c"]) }), { minLength: 1, maxLength: 3 }),
    ),
  }),
  extra: fc.record({ visibleIf: often(conditions), requiredIf: often(conditions), default: often(fc.constantFrom(...OF_NEW.text)) }),
  total: fc.record({ visibleIf: often(conditions), default: often(fc.constantFrom(...OF_NEW.number)) }),
});

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
  tags: maybe(fc.constantFrom(["a"], ["1", "a"], ["b", "c", "d"])),
  sizes: maybe(fc.constantFrom([1], [2.5, 1, 0])),
};
const MORE = {
  level: maybe(fc.constantFrom("a", "b", "c")),
  extra: maybe(fc.constantFrom("a", "12")),
  total: maybe(fc.integer({ min: 0, max: 4 })),
};
/** Whole records, but for fields that may have a default. */
export const records = fc.record(
  { ...VALUES, ...MORE },
  { requiredKeys: Object.keys(VALUES) as (keyof typeof VALUES)[] },
) as fc.Arbitrary<Fields>;
/** Some of the fields with other values. */
export const changes: fc.Arbitrary<Fields> = fc.record({ ...VALUES, ...MORE }, { requiredKeys: [] }) as fc.Arbitrary<Fields>;

/** `more`: words of fields by their names. `computed`: fields with formulas. */
export function packageWith(own: readonly object[], more: Readonly<Record<string, object>> = {}, computed: readonly object[] = []): object {
  const fields = [...FIELDS.map((field) => ({ ...field, ...more[field.name] })), ...computed];
  return { title: "Things", resources: [{ name: "things", rules: own, schema: { fields, primaryKey: "id" } }] };
}
