// JSON Lines in and out: what `export` writes is read back as it was stored, and rejects can be loaded as they are.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { readAll, type Stored } from "../../server/testing/process.ts";
import { batch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, headers, plain, service, stopMidway, storedOnce, write } = testService;

const run = async (...args: string[]) => {
  const { code, stderr } = await batch(service.url, args);
  return `${code} ${plain(stderr)}`;
};
const records = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("a file is loaded, and its rejects are lines that can be corrected and loaded", async () => {
  const lines = [
    '{"id": 701, "Last name": "Ek", "accountID": "j1", "firstName": null}',
    '{"id": 702, "Last name": "Al, \\"Bo\\"\\nAb", "accountID": "j2"}',
    '{"id": 703, "Last name": ["Ko"], "accountID": "j3"}',
    '{"id": 704, "accountID": "j4"}',
    '{"id": 705, "Last name": "Li", "accountID": "j5"',
    '{"id": 706, "Last name": "Um", "accountID": "j6"}',
  ];
  const file = write("in/customers.jsonl", `${lines.join("\n")}\n`);
  expect(await run("run", file)).toContain(
    "1 Nothing of customers.jsonl was stored: 4 of 6 records are wrong and --max-rejects allows 0. First: line 2",
  );
  expect(await run("run", file, "--max-rejects", "4")).toMatch(/^2 /);
  expect(readFileSync(`${file}.2.rejects`, "utf8")).toBe(`${lines.slice(1, 5).join("\n")}\n`);
  expect(
    readFileSync(`${file}.2.rejects.csv`, "utf8")
      .split("\r\n")
      .map((line) => line.split(",").slice(0, 5).join(",")),
  ).toEqual([
    "record,line,byte,field,code",
    "2,2,69,lastName,CHARACTERS",
    "3,3,131,,RECORD",
    "4,4,183,lastName,REQUIRED",
    "5,5,214,,RECORD",
    "",
  ]);
  const corrected = write("in/corrected.jsonl", `${lines[2]?.replace('["Ko"]', '"Ko"')}\n`);
  expect(await run("run", corrected)).toContain("0 ");
  const stored = await readAll(service.url, headers, "&accountID[prefix]=j&sort=objectId");
  expect(stored.map((one) => [one.objectId, (one as Stored & { lastName: string }).lastName])).toEqual([
    [701, "Ek"],
    [703, "Ko"],
    [706, "Um"],
  ]);
  const packed = write("in/packed.jsonl.gz", gzipSync(`{"id": 707, "Last name": "Zi", "accountID": "j7"}\n`));
  expect(await run("run", packed)).toContain("0 ");
}, 120_000);

test("what is exported is read back as it was stored, also formulas and guards of formulas", async () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((each) => `a${each}b`.replace(/\p{Cc}/gu, ""));
  const odd = fc.constantFrom("=1+1", "'=1+1", "''@x", '="0042"', "-5", "1.234", "0042", "a;'=b", "true");
  const customer = fc.record({ lastName: fc.oneof(text, odd), firstName: fc.option(odd), accountID: fc.oneof(text, odd) });
  const [customers] = fc.sample(fc.array(customer, { minLength: 40, maxLength: 40 }), { numRuns: 1, seed: Number(process.env.SEED ?? 1) });
  const answer = await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body: JSON.stringify({ customers }) });
  expect(answer.status).toBe(201);
  const file = join(folder, "out.jsonl");
  expect(await run("export", "customers", file)).toMatch(/^0 \d+ records of customers written to \/in\/out\.jsonl\.$/);
  const written = records(readFileSync(file, "utf8"));
  const stored = await readAll(service.url, headers, "&sort=objectId");
  expect(written).toEqual(
    stored.map((one) => Object.fromEntries(Object.keys(written[0] ?? {}).map((name) => [name, (one as never)[name] ?? null]))),
  );
  expect(await run("run", file, "--mode", "upsert")).toMatch(/^0 All \d+ records of out.jsonl are in /);
  expect(await readAll(service.url, headers, "&sort=objectId")).toEqual(stored); // versions and times, too
  const again = join(folder, "again.ndjson");
  expect(await run("export", again)).toMatch(/^0 /);
  expect(readFileSync(again)).toEqual(readFileSync(file));
}, 120_000);

test("so is what a layout writes, also national characters", async () => {
  const field = (name: string, start: number) => ({ name, start, length: 200 });
  const fields = [{ name: "objectId", start: 1, length: 10 }, field("firstName", 11), { ...field("lastName", 211), encoding: "utf-16be" }];
  const layout = { kind: "fixed", collection: "customers", recordLength: 610, lineEnd: "none" };
  const described = write("wide.json", JSON.stringify({ ...layout, detail: { fields: [...fields, field("accountID", 411)] } }));
  const stored = await readAll(service.url, headers, "&sort=objectId");
  const file = join(folder, "wide.dat");
  expect(await run("export", file, "--layout", described)).toMatch(/^0 /);
  expect(await run("run", file, "--layout", described, "--mode", "upsert")).toMatch(/^0 All \d+ records of wide.dat are in /);
  expect(await readAll(service.url, headers, "&sort=objectId")).toEqual(stored);
}, 120_000);

test("what JSON Lines cannot have is refused, and no file is left", async () => {
  const file = join(folder, "refused.jsonl");
  expect(await run("export", "customers", file, "--changes-since", "now")).toBe(
    "1 --changes-since and --sequence take --layout. GET /v1/changes has changes as JSON.",
  );
  expect(await run("export", "customers", join(folder, "refused.csv"))).toBe(
    "1 export takes --layout, which says how the file is written. Without it a file is JSON Lines, and its name ends with .jsonl.",
  );
  const other = write("in/other.jsonl", '{"colour":"red"}\n');
  expect(await run("run", other)).toBe(
    "1 Nothing of other.jsonl was stored: no column is matched with Last name (lastName), Account ID (accountID). It has the keys: colour. Name the keys so.",
  );
  expect(existsSync(file)).toBe(false);
}, 120_000);

test("a run that was stopped is resumed, taken back and begun again, and each line is stored once", async () => {
  const lines = Array.from({ length: 9_000 }, (_, i) => `{"lastName":"Ek","accountID":"m${i}"}\n`);
  const file = write("in/many.ndjson", lines.join(""));
  expect((await stopMidway(["run", file])).code).toBe(3);
  expect(await run("resume", file)).toContain("0 ");
  expect(await storedOnce("m")).toEqual([9_000, 9_000]);
  expect(await run("run", file)).toContain("5 ");
  expect(await run("undo", file)).toContain("0 ");
  expect(await storedOnce("m")).toEqual([0, 0]);
  expect(await run("run", file)).toContain("0 ");
  expect(await storedOnce("m")).toEqual([9_000, 9_000]);
}, 180_000);
