// Rows that look like stored records are counted or refused by the command, as an option says.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { batch, serveDictionary } from "../testing/process.ts";

const fields = ["id", "firstName", "lastName", "phone"].map((name) => ({ name, title: name, type: name === "id" ? "integer" : "string" }));
const schema = { fields, primaryKey: "id" };
const comparisons = [
  { fields: ["firstName", "lastName"], as: "name", weight: 6 },
  { fields: ["phone"], as: "phone", weight: 6 },
];
const PEOPLE = { name: "people", singular: "person", title: "People", match: { comparisons, same: 9, maybe: 5 }, schema };
const PACKAGE = { resources: [PEOPLE, { name: "places", title: "Places", schema }] };

const { folder, service, headers } = await serveDictionary(PACKAGE);

const ask = async (path: string, body?: object) => {
  const sent = body && { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await (await fetch(`${service.url}/v1${path}`, sent ?? { headers })).json()) as { progress?: number; similar?: unknown[] };
};
beforeAll(async () => {
  await ask("/people", { people: [{ id: 1, firstName: "Ada", lastName: "Lovelace", phone: "0171 5550001" }] });
  // The service looks through what is stored beside requests.
  const isFound = async () => (await ask("/people/duplicates/search", { phone: "0171 5550001" })).similar?.length === 1;
  await vi.waitFor(async () => expect([(await ask("/people/duplicates")).progress, await isFound()]).toEqual([1, true]), 60_000);
});

const ROWS = ["Ada,Lovelace,0171 5550001", "Grace,Hopper,0171 5550002", "Augusta,King,0171 5550001"];
function fileOf(name: string, rows = ROWS): string {
  const path = join(folder, `${name}.csv`);
  writeFileSync(path, ["firstName,lastName,phone", ...rows].join("\n"));
  return path;
}
const run = (path: string, ...options: string[]) => batch(service.url, ["run", path, "--collection", "people", ...options]);
const reportOf = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.csv.report.json`), "utf8"));

test("warn stores all and counts those that look like stored ones, first in a dry run", async () => {
  expect((await run(fileOf("tried"), "--on-duplicate", "warn", "--dry-run")).code).toBe(0);
  expect(reportOf("tried")).toMatchObject({ isDryRun: true, similar: 2, outcomes: { created: 3 } });
  expect((await run(fileOf("warned"), "--on-duplicate", "warn")).code).toBe(0);
  expect(reportOf("warned")).toMatchObject({ similar: 2, rejects: 0, outcomes: { created: 3 } });
  expect(readFileSync(join(folder, "warned.csv.report.txt"), "utf8")).toContain("2 of those created look like stored records");
  expect((await run(fileOf("plain", ["Ada,Lovelace,0171 5550001"]))).code).toBe(0);
  expect(reportOf("plain")).not.toHaveProperty("similar");
});

test("error refuses the row that is the same, and says how the corrected rows are loaded", async () => {
  const refused = await run(
    fileOf("refused", ["Ada,Lovelace,0171 5550001", "Karen,Jones,0171 5550009"]),
    "--on-duplicate",
    "error",
    "--max-rejects",
    "none",
  );
  expect(refused.code).toBe(2);
  expect(reportOf("refused")).toMatchObject({ rejects: 1, outcomes: { created: 1, failed: 1 } });
  expect(readFileSync(join(folder, "refused.csv.rejects.csv"), "utf8")).toMatch(
    /\r\n1,2,\d+,,DUPLICATE,The same person is stored already\. .+\r\n$/,
  );
  expect(refused.stderr).toContain("--on-duplicate error");
});

test("what is not compared is refused before anything is sent, and so is another word", async () => {
  const places = await batch(service.url, ["run", fileOf("places", ["Rome,Italy,"]), "--collection", "places", "--on-duplicate", "warn"]);
  expect([places.code === 0, places.stderr]).toEqual([false, expect.stringContaining("Places are not compared")]);
  expect((await run(fileOf("word", ["Rosa,Weiss,"]), "--on-duplicate", "skip")).stderr).toContain("--on-duplicate");
});
