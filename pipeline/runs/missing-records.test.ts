// Every row that names a record stands for it, whatever became of the row: such a record is not missing.

import { describe, expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import { type Corrections, NO_CORRECTIONS } from "../model/corrections.ts";
import { hashOf } from "../model/key-set.ts";
import type { Plan } from "../model/plan.ts";
import { comparedWith, mergedInFile, metNames, namesInFile } from "./missing-records.ts";

const read = readDataPackage({
  resources: [
    {
      name: "people",
      singular: "person",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "email", constraints: { unique: true } },
          { name: "country", constraints: { enum: ["Norway", "Peru"] } },
        ],
        primaryKey: "id",
      },
    },
  ],
});
if (!("collections" in read)) throw new Error(JSON.stringify(read.mistakes));
const [people] = read.collections;
if (!people) throw new Error("There is no collection.");

const STORED = [1, 2, 3, 4].map((id) => ({ id, email: `p${id}@x.org`, country: "Peru", version: 1 }));
const DIALECT = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 } as unknown as Plan["dialect"];

/** The ids that the file lacks, or what keeps it from being compared. */
async function lacking(rows: readonly string[], fixes: Partial<Corrections> = {}, more: Partial<Plan> = {}) {
  const columns = ["id", "email", "country"];
  const plan: Plan = { dialect: DIALECT, columns, mode: "upsert", fixes: { ...NO_CORRECTIONS, ...fixes }, ...more };
  const file = new Blob([[columns.join(), ...rows, ""].join("\n")]);
  const named = await namesInFile({ file, plan }, people as never);
  if (named.status !== "named") return named.status === "nameless" ? `line ${named.line}` : named.status;
  const compare = comparedWith(named.names, people as never, plan.matchBy);
  return STORED.filter((record) => compare(record as never) === "missing").map(({ id }) => id);
}

const ROWS = ["1,p1@x.org,Peru", "2,p2@x.org,Narnia", "3,p3@x.org,Peru"];

test("a record that no row names is missing, by its key and by what is unique", async () => {
  expect(await lacking(ROWS)).toEqual([4]);
  expect(await lacking(ROWS, {}, { matchBy: "email" })).toEqual([4]);
});

test.each<[string, Partial<Corrections>, Partial<Plan>]>([
  ["one by one", { leftOut: [2] }, {}],
  ["with a group", { leftOutGroups: [{ field: "country", code: "ENUM" }] }, {}],
  ["for a value", { values: [{ field: "country", from: "Narnia", to: null }] }, {}],
  ["as a repeat", { repeats: "none" }, { repeatsOut: [0b1110] }],
])("a row that is left out %s stands for its record", async (_, fixes, more) => {
  expect(await lacking(ROWS, fixes, more)).toEqual([4]);
});

test("a row that changes another record than it names stands for both", async () => {
  expect(await lacking(ROWS, { similar: { 1: { id: 4, version: 1 } } })).toEqual([]);
  expect(await lacking(ROWS, { similar: { 1: null } })).toBe("line 2");
});

test("a row of which it cannot be read whom it names keeps anything from being compared, also one that is left out", async () => {
  expect(await lacking([...ROWS, "4E+0x,p4@x.org,Peru"], { leftOut: [4] })).toBe("line 5");
  expect(await lacking([...ROWS, "4,p4@x.org,Peru,surplus"], { leftOutGroups: [{ field: "", code: "CELLS" }] })).toBe("line 5");
  expect(await lacking([...ROWS, ",new@x.org,Peru"])).toBe("line 5");
});

test("a row that is left out and names nobody is passed over", async () => {
  expect(await lacking([...ROWS, ",new@x.org,Narnia"], { leftOut: [4] })).toEqual([4]);
});

describe("a record into which another one was merged", () => {
  /** The survivors that the file names, and what the service was asked for. 9 was merged into 4, which has lost its e-mail by that. */
  async function survivors(rows: readonly string[], { similar = {}, ...more }: Partial<Plan> & Pick<Partial<Corrections>, "similar"> = {}) {
    const plan: Plan = {
      dialect: DIALECT,
      columns: ["id", "email", "country"],
      mode: "upsert",
      fixes: { ...NO_CORRECTIONS, similar },
      ...more,
    };
    const met = metNames(plan.matchBy);
    for (const id of [1, 2]) met.add(plan.matchBy === undefined ? id : hashOf(JSON.stringify([`p${id}@x.org`])));
    const asked: unknown[] = [];
    const lookUp = async (field: string, values: readonly unknown[]) => {
      asked.push(field, ...values);
      return values.flatMap((value) => (value === 9 || value === "p9@x.org" ? [{ value, id: 4, mergedFrom: 9 }] : []));
    };
    const file = new Blob([["id,email,country", ...rows, ""].join("\n")]);
    return [[...(await mergedInFile({ file, plan }, people as never, met, lookUp))], asked];
  }

  test("is named by its old key or unique value, and each name that no record has is looked up once", async () => {
    expect(await survivors(["1,p1@x.org,Peru", "9,p9@x.org,Peru", "9,p9@x.org,Peru"])).toEqual([[4], ["id", 9]]);
    const byEmail = { matchBy: "email" };
    expect(await survivors([",p2@x.org,Peru", ",p9@x.org,Narnia", ",new@x.org,Peru"], byEmail)).toEqual([
      [4],
      ["email", "p9@x.org", "new@x.org"],
    ]);
  });

  test("is named by a row that the user made a change of the record that was merged", async () => {
    expect(await survivors(["1,p1@x.org,Peru"], { similar: { 1: { id: 9, version: 1 } } })).toEqual([[4], ["id", 9]]);
  });

  test("is not looked for where every name is stored", async () => {
    expect(await survivors(["1,p1@x.org,Peru", "2,p2@x.org,Peru"])).toEqual([[], []]);
  });
});
