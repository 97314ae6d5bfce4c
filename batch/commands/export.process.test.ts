// `export`: what is written is read back as it was stored, all of it or only what changed.

import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { customersLayout, ENCODINGS_AND_LINE_ENDS, readAll } from "../../layouts/testing/layouts.ts";
import { batch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, headers, service, write } = testService;

const LAYOUT = customersLayout({ action: { start: 62, length: 1, add: "A", change: "C", delete: "D" } });
const described = write("layout.json", JSON.stringify(LAYOUT));
let files = 0;
const newFile = () => join(folder, `export-${++files}.dat`);

async function call(method: string, path: string, body?: object): Promise<void> {
  const reply = await fetch(`${service.url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect([method, path, reply.ok]).toEqual([method, path, true]);
}

/** The rows and actions of the exported file, and the cursor for the next one. */
async function exported(...more: string[]) {
  const file = newFile();
  const { code, out } = await batch(service.url, ["export", "customers", file, "--layout", described, "--json", ...more]);
  expect(code).toBe(0);
  const [line = ""] = out.split("\n");
  const { cursor, records } = JSON.parse(line) as { cursor: string; records: number };
  const { rows, actions, refused } = await readAll(new Blob([readFileSync(file)]), LAYOUT);
  expect([refused, rows.length]).toEqual([undefined, records]); // header, count and total are right
  return { rows, actions, cursor };
}

test("after a full export only what changed is written: added, changed and deleted, each record once", async () => {
  const add = (objectId: number, lastName: string) => call("POST", "/customers", { customer: { objectId, lastName, accountID: "x" } });
  for (const id of [11, 12, 13]) await add(id, `Name ${id}`);
  const { rows, cursor } = await exported("--sequence", "7");
  expect(rows.map(([id, , last]) => [id, last])).toEqual([11, 12, 13].map((id) => [String(id), `Name ${id}`]));
  expect((await exported("--changes-since", cursor)).rows).toEqual([]);

  await add(14, "New");
  await call("PATCH", "/customers/11", { lastName: "First" });
  await call("PATCH", "/customers/11", { lastName: "Second" });
  await call("DELETE", "/customers/12");
  await add(15, "Comes and goes");
  await call("DELETE", "/customers/15");
  const changes = await exported("--changes-since", cursor);
  expect(changes.rows.map(([id, , last], i) => [changes.actions[i], id, last])).toEqual([
    ["add", "14", "New"],
    ["change", "11", "Second"],
    ["delete", "12", ""],
  ]);
  expect((await exported("--changes-since", changes.cursor)).rows).toEqual([]);
}, 180_000);

test("any records come back as they were stored, in every encoding", async () => {
  const text = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9 ]{0,8}[A-Za-z0-9])?$/);
  const customer = fc.record({ firstName: fc.option(text), lastName: text, accountID: text });
  const every = fc.tuple(fc.constantFrom(...ENCODINGS_AND_LINE_ENDS), fc.array(customer, { minLength: 1, maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(every, async ([[encoding, lineEnd], customers]) => {
      const before = (await exported()).rows.length;
      await call("POST", "/customers", { customers });
      const layout = customersLayout({ encoding, lineEnd });
      const file = newFile();
      const { code } = await batch(service.url, ["export", "customers", file, "--layout", write(`${files}.json`, JSON.stringify(layout))]);
      const { rows, refused } = await readAll(new Blob([readFileSync(file)]), layout);
      expect([code, refused]).toEqual([0, undefined]);
      const texts = rows.slice(before).map((cells) => cells.slice(1));
      expect(texts.sort()).toEqual(customers.map(({ firstName, lastName, accountID }) => [firstName ?? "", lastName, accountID]).sort());
    }),
    { numRuns: 8 },
  );
}, 180_000);

test("a value without room, a file that is there and a cursor that is unknown leave no file behind", async () => {
  const wide = write("wide.json", JSON.stringify(LAYOUT));
  const outcome = async (file: string, ...more: string[]) => {
    const { code, stderr } = await batch(service.url, ["export", "customers", file, "--layout", wide, ...more]);
    return [code, stderr];
  };
  const there = write("there.dat", "mine");
  expect(await outcome(there)).toEqual([1, `${there} is not written: it is there already.`]);
  expect(readFileSync(there, "utf8")).toBe("mine");
  const unknown = newFile();
  expect(await outcome(unknown, "--changes-since", "nonsense")).toEqual([
    1,
    "Nothing was written. The changes since nonsense cannot be read: The cursor was not made for this list, order and search. Export everything instead, without --changes-since.",
  ]);
  expect(await outcome(unknown, "--changes-since", "s.99999.1")).toEqual([
    1,
    "Nothing was written. The changes since s.99999.1 cannot be read: Changes after this cursor are no longer kept, or the store was restored. Export everything instead, without --changes-since.",
  ]);
  await call("POST", "/customers", { customer: { objectId: 900, lastName: "x".repeat(21), accountID: "x" } });
  const full = newFile();
  expect(await outcome(full)).toEqual([
    1,
    `Nothing was written: of customer 900, Last name “${"x".repeat(21)}” has 21 bytes; there is room for 20. Correct the record or the layout.`,
  ]);
  expect([existsSync(unknown), existsSync(full), readdirSync(folder).filter((name) => name.endsWith(".part"))]).toEqual([false, false, []]);
  const plain = write("plain.json", JSON.stringify(customersLayout()));
  const noAction = await batch(service.url, ["export", "customers", newFile(), "--layout", plain, "--changes-since", "now"]);
  expect([noAction.code, noAction.stderr]).toEqual([
    1,
    "The layout has no action for deletes, and changes may be deletes: add one, or leave --changes-since out.",
  ]);
  const [old, young, foreign] = ["a.0123abcd.intake.part", "b.0123abcd.intake.part", "c.0123abcd.part"].map((name) => write(name, "half"));
  for (const path of [old, foreign]) utimesSync(path as string, 0, 0);
  expect((await batch(service.url, ["export", "customers", newFile(), "--layout", wide])).code).toBe(1);
  expect([old, young, foreign].map((path) => existsSync(path as string))).toEqual([false, true, true]);
  const nowhere = join(folder, "nowhere", "a.dat");
  await call("DELETE", "/customers/900");
  expect(await outcome(nowhere)).toEqual([1, `${nowhere} cannot be written: there is no folder ${join(folder, "nowhere")}.`]);
}, 180_000);
