import { expect, test } from "vitest";
import { compileExpression } from "./expressions.ts";
import type { Field } from "./fields.ts";
import type { Kind, Value } from "./kinds.ts";
import { withFieldNames } from "./package-rules.ts";
import { fieldsOfNew, problemsOfRules } from "./rules.ts";

const field = (name: string, kind: Kind, formerNames: string[] = []): Field => ({
  ...{ name, kind, formerNames, title: name, description: "", example: "", aliases: [], required: false, unique: false },
});
const FIELDS = [
  field("name", "string"),
  field("phone", "string"),
  field("startOn", "date"),
  field("endOn", "date"),
  field("birthDate", "date"),
  field("seen", "datetime"),
  field("begins", "time"),
  field("salary", "decimal"),
  field("net", "decimal"),
  field("vat", "decimal"),
  field("hours", "integer"),
  field("workload", "number"),
  field("permanent", "boolean"),
  field("year", "year", ["firstYear"]),
  { ...field("tags", "list"), item: field("tags", "string") },
  { ...field("sizes", "list"), item: field("sizes", "integer") },
];
const RECORD = {
  ...{
    name: "Lucía",
    phone: "+31 30 123",
    startOn: "2026-01-30",
    endOn: "2026-02-03",
    birthDate: "2008-03-01",
    seen: "2026-01-31T08:30:00.000Z",
  },
  ...{ begins: "08:30:00", salary: "4150.5", net: "0.1", vat: "0.2", hours: 38, workload: 0.8, permanent: true, year: 2019 },
  ...{ tags: ["new", "paid"], sizes: [38, 40] },
};

function run(source: string, record: Record<string, Value | null> = RECORD, old: Record<string, Value | null> | null = null): Value | null {
  const compiled = compileExpression(source, FIELDS);
  if (compiled.status === "wrong") throw new Error(`${compiled.message} (${compiled.at})`);
  return compiled.run({ record, old, me: { id: "u1", name: "Ada" }, today: "2026-02-28" });
}

test.each<[string, Value | null]>([
  ["endOn >= startOn", true],
  ["days(endOn, startOn) > 3", true],
  ["days(startOn, endOn)", -4],
  ["age(birthDate) >= 18", false],
  ['age(birthDate, "2026-03-01")', 18],
  ["salary > 1000", true],
  ["salary > 4150.49 && hours > 37.5", true],
  ["hours == 38.0", true],
  ["net + vat == 0.3", true],
  ["salary * 12", 49806],
  ["hours / 7", 5.42857142857143],
  ["hours / 0", null],
  ['"new" in tags && !("old" in tags)', true],
  ["hours in sizes", true],
  ["size(tags) == 2", true],
  ['tags == ["new", "paid"] && tags != ["paid", "new"]', true],
  ["isEmpty(tags)", false],
  ["hours % 5", 3],
  ["-hours", -38],
  ["size(digits(phone)) == 7", true],
  ['name.startsWith("Lu") && !name.endsWith("x") && name.contains("c")', true],
  ["size(name)", 5],
  ['name in ["Ada", "Lucía"]', true],
  ["hours in [1, 2]", false],
  ['startOn > "2026-01-01"', true],
  ['begins < "09:00"', true],
  ['seen >= "2026-01-31T09:30:00+01:00"', true],
  ["year >= 2019 && firstYear < 2020", true],
  ['permanent ? name + "!" : name', "Lucía!"],
  ['"Hours: " + string(hours)', "Hours: 38"],
  ["me.id == 'u1' && me.name == 'Ada'", true],
  ["today == '2026-02-28'", true],
])("%s is %s", (source, result) => expect(run(source)).toBe(result));

test.each<[string, Value | null]>([
  ["endOn >= startOn", null],
  ["!(endOn >= startOn)", null],
  ["isEmpty(endOn)", true],
  ["endOn == null", true],
  ["endOn == null || endOn >= startOn", true],
  ["endOn >= startOn || hours > 3", null],
  ["endOn >= startOn && true", null],
  ["endOn >= startOn && false", false],
  ['name == "x"', false],
  ['name != "x"', true],
  ['name in ["x"]', false],
  ['name + "x"', null],
  ["salary + 1", null],
  ["size(name)", null],
  ["permanent ? 1 : 2", null],
  ["age(birthDate)", null],
  ["old.hours == null", true],
])("of an empty record %s is %s", (source, result) => expect(run(source, {})).toBe(result));

test("calculates with 15 digits, whatever the size", () => {
  const dice = (i: number) => Math.sin(i) * 10 ** ((i % 31) - 15);
  for (let i = 1; i < 20_000; i++) {
    const [share, hours] = [dice(i), i % 3 ? 1 : Math.round(dice(i + 7) * 100) / 100];
    const expected = Number((share * hours).toPrecision(15));
    expect(run("workload * hours", { workload: share, hours })).toBe(Number.isSafeInteger(share * hours) ? share * hours + 0 : expected);
  }
  for (let i = 1; i < 5_000; i++) expect(run("net + vat", { net: `${i / 100}`, vat: "0.07" })).toBe((i + 7) / 100);
});

test("reads the stored record as old", () => {
  expect(run('old.name == "Ada" && name != old.name', RECORD, { name: "Ada" })).toBe(true);
});

test("says which fields an expression reads, and of whom", () => {
  expect(compileExpression("firstYear > 2000 && old.hours < hours && me.id != '' && age(birthDate) > 3", FIELDS)).toMatchObject({
    ...{ type: "boolean", reads: new Set(["year", "hours", "birthDate"]), readsOld: true, readsMe: true },
  });
});

test("renames fields and leaves texts, functions and words as they are", () => {
  const renamed = withFieldNames('age(age) > 3 && old.age != "age" && today > me . name // age', (name) =>
    name === "age" ? "years" : name,
  );
  expect(renamed).toBe('age(years) > 3 && old.years != "age" && today > me . name // age');
});

test.each([
  ['[hours, "a"]', "a list has texts alone, or numbers alone"],
  ["tags > sizes", "several texts and several numbers cannot stand for each other"],
  ["tags > tags", "several values have no order; size(…) counts them"],
  ["hours in tags", "is a number, and it is compared with several texts"],
  ["name in phone", 'after "in" stands a list, such as ["a", "b"], or a field with several values'],
  ["{'a': 1} == null", 'has "map", which rules do not know'],
  ["name[0]", 'has "[]", which rules do not know'],
  ["name.first", "nothing has members but old and me, such as old.status"],
  ["me.regions", "me has no regions; there are me.id and me.name"],
  ["me", "is me.id or me.name"],
  ["old", "old has a field behind a point, such as old.status"],
  ["startOn + 1", "dates are not counted with +; days(later, earlier) counts the days between two"],
  ['"Hours: " + hours', "+ joins text with text, and this is a number; write string(…) around it"],
  ["permanent > false", "true and false have no order; compare them with =="],
  ["hours && permanent", "&& joins what is true or false, and this is a number"],
  ["b'x' == null", "has bytes, which no field has"],
  ["hours > 9007199254740993", "has a number with more digits than can be counted with"],
  ["[1].all(x, x > 1)", "there is no function all"],
  ["name in name", 'after "in" stands a list, such as ["a", "b"]'],
])("refuses %s", (source, message) =>
  expect(compileExpression(source, FIELDS)).toMatchObject({ message: expect.stringContaining(message) }),
);

test("a field that is called like a word of rules cannot be read", () => {
  expect(compileExpression('today > "2026-01-01"', [field("today", "date")])).toMatchObject({
    message: expect.stringContaining("word of rules"),
  });
});

test("what rules share is asked of each record anew, also when it is the same object with other values", () => {
  const rules = [
    { name: "long", message: "Too long.", must: "size(name) < 4" },
    { name: "short", message: "Too short.", must: "size(name) > 1 || isEmpty(name)" },
    { name: "phoned", message: "Phone.", when: "size(name) < 4", must: "!isEmpty(phone)" },
  ];
  const collection = {
    name: "people",
    fields: FIELDS,
    rules: rules.map((rule) => ({ ...rule, severity: "error" as const, fields: ["name"] })),
  };
  const record: Record<string, string | null> = {};
  const ask = (name: string | null, phone: string | null = null) => {
    Object.assign(record, { name, phone });
    return problemsOfRules(collection, { record, old: null, me: null, today: "2026-01-01" }).map(({ rule }) => rule);
  };
  expect(ask("Anna")).toEqual(["long"]);
  expect(ask("A")).toEqual(["short", "phoned"]);
  expect(ask("Ada", "0228")).toEqual([]);
  expect(ask(null)).toEqual([]);
  expect(ask("Annabel")).toEqual(["long"]);
  expect(fieldsOfNew(collection)).toEqual(new Set(["name", "phone"]));
  const shared = compileExpression("size(name)", FIELDS);
  const sizeOf = (name: string) => ("run" in shared ? shared.run({ record: { name }, old: null, me: null, today: "" }) : undefined);
  expect([sizeOf("Ada"), sizeOf("Annabel")]).toEqual([3, 7]); // nobody asks several rules
});
