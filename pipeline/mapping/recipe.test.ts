import { describe, expect, test } from "vitest";
import type { ColumnRule } from "../model/column-rules.ts";
import { NO_CORRECTIONS } from "../model/corrections.ts";
import type { Plan } from "../model/plan.ts";
import { customers } from "../testing/fake-service.ts";
import { applyRecipe, readLayoutRecipe, readRecipe, recipeOf } from "./recipe.ts";

const HEADER = ["Nr", "Who", "Konto", "Fax"];
const VALUES = [{ field: "accountID", from: "n/a", to: null }];
const plan: Plan = {
  dialect: { encoding: "windows-1252", bom: false, delimiter: ";", quote: '"', headingLine: 3 },
  columns: ["objectId", "lastName", "accountID", null],
  mode: "upsert",
  fixes: {
    ...NO_CORRECTIONS,
    edits: { 7: { 1: "Ek" } },
    leftOut: [9],
    refused: new Uint32Array(4),
    autoFixes: [
      { field: "lastName", name: "hidden" },
      { field: "firstName", name: "date:d.m.y" },
    ],
    leftOutGroups: [{ field: "", code: "CELLS" }],
    accepted: ["TOTAL"],
    values: VALUES,
  },
};
const recipe = recipeOf(plan, { headingLine: 3 });
const stored = () => JSON.parse(JSON.stringify(recipe));

describe("what is saved", () => {
  test("holds for every file of the form; what was done to single rows of one file is not in it", () => {
    expect(stored()).toEqual({
      ...{ form: 1, mode: "upsert", choices: { headingLine: 3 }, columns: plan.columns },
      ...{ autoFixes: plan.fixes?.autoFixes, leftOutGroups: plan.fixes?.leftOutGroups, values: VALUES },
      accepted: ["TOTAL"],
    });
  });

  test("is read as it was saved, also of a file without corrections", () => {
    expect(readRecipe(stored())).toEqual(stored());
    const { fixes: _, ...bare } = plan;
    expect(readRecipe(JSON.parse(JSON.stringify(recipeOf(bare, {}))))).toEqual({
      ...{ form: 1, mode: "upsert", choices: {}, columns: plan.columns, autoFixes: [], leftOutGroups: [], values: [] }, // as before there was more
    });
  });
});

describe("a content that is not read", () => {
  const wrong: [string, object][] = [
    ["of a later version", { form: 2 }],
    ["of an unknown mode", { mode: "delete" }],
    ["of an unknown encoding", { choices: { encoding: "EBCDIC" } }],
    ["with a choice that there is not", { choices: { constructor: 1 } }],
    ["with a delimiter that there is not", { choices: { delimiter: '"' } }],
    ["with a quote that there is not", { choices: { quote: "constructor" } }],
    ["with columns that are no list", { columns: { 0: "objectId" } }],
    ["with an unknown fix", { autoFixes: [{ field: "lastName", name: "constructor" }] }],
    ["with a value that becomes an object", { values: [{ field: "accountID", from: "a", to: {} }] }],
    ["with a rule for a column that there is not", { columnRules: [{ do: "trim", column: 4 }] }],
    ["with a rule that nobody knows", { columnRules: [{ do: "constructor", column: 0 }] }],
    ["with rows kept of an unknown kind", { accepted: ["CELLS"] }],
    ["with too many rules", { values: Array.from({ length: 50_001 }, () => VALUES[0]) }],
    ["with a part that nobody knows", { more: true }],
    ["without a part", { leftOutGroups: undefined }],
  ];
  test.each(wrong)("%s", (_, part) => {
    expect(readRecipe({ ...stored(), ...part })).toBeUndefined();
  });

  test("that is no object", () => {
    for (const given of [null, undefined, "form", [recipe], 1]) expect(readRecipe(given)).toBeUndefined();
  });
});

describe("a file by a recipe", () => {
  test("has the recipe's columns, mode and rules, in whatever order its headings stand", () => {
    const applied = applyRecipe(recipe, HEADER, customers, ["KONTO", "fax", "nr", "Who"]);
    expect(applied).toMatchObject({
      columns: ["accountID", null, "objectId", "lastName"],
      meaning: { mode: "upsert" },
      gone: [],
      added: [],
    });
    expect(applied.rules.values).toEqual(VALUES);
    expect(applied.rules.accepted).toEqual(["TOTAL"]);
  });

  test("says which columns it lacks, but not those that the recipe leaves out anyway", () => {
    expect(applyRecipe(recipe, HEADER, customers, ["Nr", "Who"]).gone).toEqual(["Konto"]);
  });

  test("has no rules of fields that the collection no longer has", () => {
    const old = { ...recipe, columns: ["objectId", "nickname", null, null], autoFixes: [{ field: "nickname", name: "hidden" as const }] };
    const applied = applyRecipe(old, HEADER, customers, HEADER);
    expect([applied.columns[1], applied.rules.autoFixes, applied.rules.leftOutGroups]).toEqual([null, [], recipe.leftOutGroups]);
  });
});

test("a recipe knows a field by the name that it had when the recipe was saved", () => {
  const fields = customers.fields.map((field) =>
    field.name === "lastName" ? { ...field, name: "surname", formerNames: ["lastName"] } : field,
  );
  const renamed = { ...customers, fields, byName: new Map(fields.map((field) => [field.name, field])) };
  const applied = applyRecipe(recipe, HEADER, renamed, HEADER);
  expect(applied.columns).toEqual(["objectId", "surname", "accountID", null]);
  expect(applied.rules.autoFixes).toEqual([
    { field: "surname", name: "hidden" },
    { field: "firstName", name: "date:d.m.y" },
  ]);
});

describe("the rules for columns of a recipe", () => {
  const rules: ColumnRule[] = [
    { do: "split", column: 1, separator: " ", at: "last", into: ["First", "Last"] },
    { do: "fill", column: 4, from: 3 },
  ];
  const columns = ["objectId", null, "accountID", null, "firstName", "lastName"];
  const split = recipeOf({ ...plan, columns, rules }, {});

  test("are read as they were saved", () => {
    expect(readRecipe(JSON.parse(JSON.stringify(split)))).toEqual(split);
  });

  test("find their columns by name in a file of another order, and the columns they add keep their fields", () => {
    const applied = applyRecipe(split, HEADER, customers, ["Fax", "Konto", "Note", "Who", "Nr"]);
    expect(applied.columns).toEqual([null, "accountID", null, null, "objectId", "firstName", "lastName"]);
    expect(applied.columnRules).toEqual([
      { do: "split", column: 3, separator: " ", at: "last", into: ["First", "Last"] },
      { do: "fill", column: 5, from: 0 },
    ]);
  });

  test("need their columns also where no field is matched with them", () => {
    const applied = applyRecipe(split, HEADER, customers, ["Nr", "Konto"]);
    expect(applied.gone).toEqual(["Who", "Fax"]);
    expect(applied.columnRules[0]).toMatchObject({ column: -1 });
  });

  test("win over a new heading that has the name of the field", () => {
    const { columns } = applyRecipe(split, HEADER, customers, [...HEADER, "Last name"]);
    expect(columns).toEqual(["objectId", null, "accountID", null, null, "firstName", "lastName"]);
  });
});

describe("a recipe with a layout", () => {
  const content = { form: 1, mode: "upsert", layout: { kind: "fixed" } };

  test("is read as such, and never as one that the app can use", () => {
    expect([readLayoutRecipe(content), readRecipe(content)]).toEqual([content, undefined]);
    expect(readLayoutRecipe(stored())).toBeUndefined();
  });

  test.each<[string, object]>([
    ["of a later version", { form: 2 }],
    ["of an unknown mode", { mode: "delete" }],
    ["with a layout that is no object", { layout: "customers.json" }],
    ["with columns, too", { columns: [] }],
  ])("%s is not read", (_, part) => {
    expect(readLayoutRecipe({ ...content, ...part })).toBeUndefined();
  });
});
