// Rows that name records by a unique field, or by several together, instead of the key.

import { expect, test } from "vitest";
import { RECIPES_PATH } from "../../core/contract/paths.ts";
import { batch, serveDictionary } from "../testing/process.ts";

const DICTIONARY = {
  resources: [
    {
      name: "customers",
      schema: {
        fields: [
          { name: "id", title: "Id", type: "integer" },
          { name: "email", title: "E-mail", type: "string", constraints: { unique: true } },
          { name: "name", title: "Name", type: "string", constraints: { required: true } },
          { name: "city", title: "City", type: "string" },
        ],
        primaryKey: ["id"],
      },
    },
    {
      name: "lines",
      singular: "line",
      schema: {
        fields: [
          { name: "id", title: "Id", type: "integer" },
          { name: "customerId", title: "Customer", type: "integer" },
          { name: "number", title: "Number", type: "integer" },
          { name: "note", title: "Note", type: "string" },
        ],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["customerId"], reference: { resource: "customers", fields: ["id"] }, as: "customer" }],
        uniqueKeys: [["customerId", "number"]],
      },
    },
  ],
};

const { service, headers, fileOf } = await serveDictionary(DICTIONARY);

const run = (path: string, ...options: string[]) => batch(service.url, ["run", path, ...options]);
const customers = (path: string, ...options: string[]) => run(path, "--collection", "customers", ...options);
async function recordsOf(collection: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${service.url}/v1/${collection}?sort=id`, { headers });
  return ((await answer.json()) as Record<string, Record<string, unknown>[]>)[collection] ?? [];
}
const shown = async () => (await recordsOf("customers")).map(({ email, name, city }) => [email, name, city]);

test("a file without keys changes the records that its e-mail addresses name, and adds the others", async () => {
  expect((await customers(fileOf("email,name,city", "a@x.org,Ada,Bonn", "b@x.org,Ben,Ulm"))).code).toBe(0);
  const [first] = await recordsOf("customers");
  const changes = fileOf("email,name,city", "a@x.org,Ada Lang,", "c@x.org,Cem,Kiel");
  expect((await customers(changes, "--mode", "upsert", "--match-by", "email")).stderr).toContain("1 created, 1 updated");
  expect(await shown()).toEqual([
    ["a@x.org", "Ada Lang", "Bonn"],
    ["b@x.org", "Ben", "Ulm"],
    ["c@x.org", "Cem", "Kiel"],
  ]);
  expect((await recordsOf("customers"))[0]?.id).toBe(first?.id);
  const again = await customers(changes, "--mode", "upsert", "--match-by", "email", "--again");
  expect([again.code, (await recordsOf("customers")).length]).toEqual([0, 3]);
});

test("an update needs the columns that name the record, and no key; whom nobody has is refused", async () => {
  const lacking = await customers(fileOf("name,city", "Ada,Oss"), "--mode", "update", "--match-by", "email");
  expect([lacking.code, lacking.stderr]).toEqual([1, expect.stringContaining("no column is matched with E-mail (email)")]);
  const unknown = await customers(
    fileOf("email,city", "nobody@x.org,Oss", ",Oss", "a@x.org,Oss"),
    "--mode",
    "update",
    "--match-by",
    "email",
    "--max-rejects",
    "1",
  );
  expect(unknown.code).toBe(2);
  expect((await shown())[0]).toEqual(["a@x.org", "Ada Lang", "Oss"]);
  const none = await customers(fileOf("city", "Oss"), "--match-by", "city");
  expect([none.code, none.stderr]).toEqual([
    1,
    expect.stringContaining("which is not unique. Records of customers can be matched by id or by email."),
  ]);
});

test("an empty cell clears the stored value only where that is asked for", async () => {
  const path = fileOf("email,city", "b@x.org,");
  expect((await customers(path, "--mode", "update", "--match-by", "email")).code).toBe(0);
  expect((await shown())[1]).toEqual(["b@x.org", "Ben", "Ulm"]);
  expect((await customers(path, "--mode", "update", "--match-by", "email", "--empty-cells", "clear", "--again")).code).toBe(0);
  expect((await shown())[1]).toEqual(["b@x.org", "Ben", null]);
  expect((await customers(path, "--empty-cells", "clear")).stderr).toContain("--empty-cells clear is for --mode update or upsert.");
});

test("several fields name a record together, the parent by a value of its own; a repeated row is refused where rows only add", async () => {
  const lines = (path: string, ...options: string[]) => run(path, "--collection", "lines", "--match-by", "number,customerId", ...options);
  expect((await lines(fileOf("customer.email,number,note", "a@x.org,1,one", "a@x.org,2,two", "b@x.org,1,one"))).code).toBe(0);
  const changes = fileOf("customer.email,number,note", "a@x.org,2,TWO", "b@x.org,2,new");
  expect((await lines(changes, "--mode", "upsert")).stderr).toContain("1 created, 1 updated");
  expect((await recordsOf("lines")).map(({ number, note }) => [number, note])).toEqual([
    [1, "one"],
    [2, "TWO"],
    [1, "one"],
    [2, "new"],
  ]);
  const twice = await lines(fileOf("customer.email,number,note", "c@x.org,7,a", "c@x.org,7,b"));
  expect(twice.stderr).toContain("An earlier row of this file has the same Customer + Number");
});

test("a recipe says by what rows are matched, and stops where that is not unique any more", async () => {
  const save = (name: string, more: object) => {
    const content = { form: 1, mode: "update", choices: {}, columns: ["email", "city"], autoFixes: [], leftOutGroups: [], ...more };
    const body = JSON.stringify({ name, collection: "customers", headings: ["email", "city"], content });
    return fetch(`${service.url}/v1${RECIPES_PATH}`, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body });
  };
  expect((await save("By mail", { matchBy: "email", clears: true })).status).toBe(201);
  const path = fileOf("email,city", "a@x.org,", "c@x.org,Oslo");
  expect((await run(path, "--recipe", "By mail")).code).toBe(0);
  expect((await shown()).map(([, , city]) => city)).toEqual([null, null, "Oslo"]);
  await save("By city", { matchBy: "city" });
  expect((await run(path, "--recipe", "By city", "--again")).stderr).toContain("matches records by city, which is not unique any more");
  const some = fileOf("email,city", "a@x.org,Bonn", "x@x.org,Bonn");
  const partly = await customers(some, "--mode", "update", "--match-by", "email", "--max-rejects", "none");
  expect(partly.stderr).toContain("--mode update --match-by email");
});
