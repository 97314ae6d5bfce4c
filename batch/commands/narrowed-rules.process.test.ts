// Files that update records stored under other rules: what they leave as it is stands in nobody's way.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import dataPackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";

const folder = makeFolder();
let service: Started;
let headers: Record<string, string>;

beforeAll(async () => {
  const store = join(folder.path, "store");
  const before = await startService(store);
  headers = await authorize(before.url, "preset", ADMIN_SECRET);
  const records = [1, 2, 3].map((objectId) => ({ objectId, lastName: `Long name ${objectId}`, accountID: "A" }));
  const stored = await fetch(`${before.url}/v1/customers`, { method: "POST", headers, body: JSON.stringify(records) });
  expect(stored.status).toBe(201);
  await new Promise((resolve) => {
    before.child.once("close", resolve);
    before.child.kill("SIGTERM");
  });
  const narrowed = structuredClone(dataPackage) as { resources: { schema: { fields: { name: string; constraints?: object }[] } }[] };
  for (const field of narrowed.resources[0]?.schema.fields ?? []) {
    if (field.name === "lastName") field.constraints = { required: true, maxLength: 5 };
    if (field.name === "firstName") field.constraints = { required: true };
  }
  service = await startService(store, "0", { DICTIONARY: write("narrowed.json", JSON.stringify(narrowed)) });
});
afterAll(() => {
  service.child.kill("SIGKILL");
  folder.remove();
});

function write(name: string, content: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

async function outcome(...args: string[]): Promise<string> {
  const { code, stderr } = await batch(service.url, args);
  return `${code} ${stderr.replaceAll(folder.path, "/in")}`;
}

async function storedNow(): Promise<unknown[]> {
  const reply = await fetch(`${service.url}/v1/customers?sort=objectId`, { headers });
  return ((await reply.json()) as { customers: Record<string, unknown>[] }).customers.map(({ lastName, accountID }) => [
    lastName,
    accountID,
  ]);
}

test("an unchanged value that breaks a rule of today is stored along, a changed one is refused before anything is sent", async () => {
  const file = (account: string, third: string) =>
    `objectId,firstName,lastName,accountID\n1,,Long name 1,${account}\n2,,Long name 2,${account}\n3,,${third},${account}\n`;
  const wrong = write("wrong.csv", file("B", "Longer name"));
  for (const mode of ["update", "upsert"]) {
    expect(await outcome("run", wrong, "--mode", mode)).toContain("1 Nothing of wrong.csv was stored: 1 of 3 records is wrong");
  }
  expect(await storedNow()).toEqual([1, 2, 3].map((id) => [`Long name ${id}`, "A"]));
  const right = write("right.csv", file("B", "Long name 3"));
  expect(await outcome("validate", right, "--mode", "upsert")).toContain("0 right.csv can be stored: 3 records, none refused.");
  expect(await outcome("run", right, "--mode", "upsert")).toBe("0 All 3 records of right.csv are in customers: 3 updated.");
  expect(await outcome("run", right, "--mode", "upsert", "--again")).toBe(
    "0 All 3 records of right.csv are in customers: 3 there already.",
  );
  expect(await outcome("run", write("again.csv", file("C", "Ek")), "--mode", "update")).toContain("0 All 3 records of again.csv");
  expect(await storedNow()).toEqual([
    ["Long name 1", "C"],
    ["Long name 2", "C"],
    ["Ek", "C"],
  ]);
  expect(
    await outcome("run", write("new.csv", "objectId,firstName,lastName,accountID\n4,Bo,Long name 4,B\n"), "--mode", "upsert"),
  ).toContain("1 Nothing of new.csv was stored");
});

test("a layout, too, and a key that may only read finds the values wrong as before", async () => {
  const layout = write(
    "layout.json",
    JSON.stringify({
      ...{ kind: "fixed", lineEnd: "lf", collection: "customers", recordLength: 26 },
      detail: {
        fields: [
          { name: "objectId", start: 1, length: 5 },
          { name: "lastName", start: 6, length: 20 },
          { name: "accountID", start: 26, length: 1 },
        ],
      },
    }),
  );
  const file = write("fixed.dat", `00001${"Long name 1".padEnd(20)}D\n00002${"Long name 2".padEnd(20)}D\n`);
  expect(await outcome("run", file, "--layout", layout, "--mode", "update")).toBe(
    "0 All 2 records of fixed.dat are in customers: 2 updated.",
  );
  const reply = await fetch(`${service.url}/v1/keys`, { method: "POST", headers, body: JSON.stringify({ name: "reads", scope: "read" }) });
  const { key } = (await reply.json()) as { key: string };
  const { code, stderr } = await batch(service.url, ["validate", file, "--layout", layout, "--mode", "update"], { INTAKE_KEY: key });
  expect([code, stderr]).toEqual([1, expect.stringContaining("2 of 2 records are wrong")]);
});
