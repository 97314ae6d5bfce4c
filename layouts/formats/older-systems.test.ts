// Files of older systems through the whole command: layouts, control totals, rejects and actions.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { RunReport } from "../../batch/reports/report-files.ts";
import { batch, startBatch } from "../../batch/testing/process.ts";
import { startTestService } from "../../batch/testing/test-service.ts";
import type { FixedLayout } from "../layouts/layout.ts";
import { customers, customersLayout } from "../testing/layouts.ts";
import { FixedWriter } from "./write-fixed.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, proxy, service, stored } = testService;

function write(name: string, content: string | Uint8Array | object): string {
  return testService.write(name, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
}

type Texts = Parameters<FixedWriter["detail"]>[0];

let sequence = 0; // each file has the next one

function fixedFile(layout: FixedLayout, rows: readonly Texts[]): Uint8Array {
  const writer = new FixedWriter(layout, customers);
  return Buffer.concat([writer.header({ sequence: String(++sequence) }), ...rows.map((row) => writer.detail(row)), writer.trailer()]);
}

function people(from: number, n: number): Texts[] {
  return Array.from({ length: n }, (_, i) => ({
    objectId: String(from + i),
    firstName: "Zoë",
    lastName: `Ek ${i}`,
    accountID: `f${from}-${i}`,
  }));
}

const EBCDIC = customersLayout({ encoding: "cp037", lineEnd: "none" });

test("a mainframe's file is stored, and the same file one byte short, or with a count that is not its own, is refused as a whole", async () => {
  const layout = write("ebcdic.json", EBCDIC);
  const bytes = fixedFile(EBCDIC, people(2000, 500));
  const cut = write("cut.dat", bytes.subarray(0, -1));
  const refused = await batch(service.url, ["run", cut, "--layout", layout]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^Nothing of cut\.dat was stored\. /);
  const short = write("short.dat", Buffer.concat([bytes.subarray(0, 64), bytes.subarray(128)]));
  const unmatched = await batch(service.url, ["run", short, "--layout", layout]);
  expect(unmatched.code).toBe(1);
  expect(unmatched.stderr).toContain("The trailer does not match.");
  expect(unmatched.stderr).toMatch(/500.*499|499.*500/);
  expect(await stored("f2000")).toEqual([]);
  const whole = write("whole.dat", bytes);
  expect((await batch(service.url, ["run", whole, "--layout", layout])).stderr).toBe(
    "All 500 records of whole.dat are in customers: 500 created.",
  );
  const found = await stored("f2000");
  expect(found[0]).toMatchObject({ objectId: 2000, firstName: "Zoë", lastName: "Ek 0", accountID: "f2000-0" });
  expect(found).toHaveLength(500);
});

test("rejects have their original bytes, a header and a trailer, and can be loaded once they are corrected", async () => {
  const layout = write("ebcdic-2.json", EBCDIC);
  const rows = people(3000, 6).map((row, i) => (i === 1 || i === 4 ? { ...row, lastName: "" } : row));
  const path = write("mixed.dat", fixedFile(EBCDIC, rows));
  const { code } = await batch(service.url, ["run", path, "--layout", layout, "--max-rejects", "2"]);
  expect(code).toBe(2);
  const rejects = readFileSync(`${path}.rejects`);
  const [second, fifth] = [rejects.subarray(64, 128), rejects.subarray(128, 192)];
  expect([second, fifth]).toEqual([2, 5].map((i) => readFileSync(path).subarray(64 * i, 64 * (i + 1))));
  expect(
    readFileSync(`${path}.rejects.csv`, "utf8")
      .split("\r\n")
      .slice(1, 3)
      .map((line) => line.split(",").slice(0, 5)),
  ).toEqual([
    ["2", "3", "128", "lastName", "REQUIRED"],
    ["5", "6", "320", "lastName", "REQUIRED"],
  ]);
  for (const record of [second, fifth]) record.fill(0xc1, 31, 34); // AAA
  writeFileSync(`${path}.rejects`, rejects);
  expect((await batch(service.url, ["run", `${path}.rejects`, "--layout", layout])).code).toBe(0);
  expect(await stored("f3000")).toHaveLength(6);
});

test("a record with a broken packed number is rejected with its bytes and its place, and can be loaded once it is corrected", async () => {
  const { detail, trailer, ...rest } = EBCDIC;
  const [id, ...names] = detail.fields;
  const packed: FixedLayout = {
    ...rest,
    detail: { type: "D", fields: [{ name: String(id?.name), start: 2, length: 6, usage: "packed" }, ...names] },
    trailer: { type: String(trailer?.type), count: { start: 2, length: 4, usage: "binary" } },
  };
  const layout = write("packed.json", packed);
  const bytes = Buffer.from(fixedFile(packed, people(4000, 6)));
  bytes.write("000000040019", 128 + 1, "hex"); // record 3
  const path = write("packed.dat", bytes);
  expect((await batch(service.url, ["run", path, "--layout", layout, "--max-rejects", "1"])).code).toBe(2);
  expect((await stored("f4000")).map(({ objectId }) => objectId)).toEqual([4000, 4002, 4003, 4004, 4005]);
  expect(readFileSync(`${path}.rejects.csv`, "utf8")).toContain(
    "2,3,128,,RECORD,\"Record 3 (byte offset 128): Object ID (bytes 2–7) is X'000000040019', which is not a packed number: byte offset 134 should have a digit and a sign (A to F).\"",
  );
  const rejects = readFileSync(`${path}.rejects`);
  expect(rejects.subarray(64, 128)).toEqual(bytes.subarray(128, 192));
  rejects[64 + 6] = 0x1c;
  expect((await batch(service.url, ["run", write("corrected.dat", rejects), "--layout", layout, "--again"])).code).toBe(0);
  expect((await stored("f4000")).map(({ objectId }) => objectId)).toEqual([4000, 4001, 4002, 4003, 4004, 4005]);
});

test("a layout with mistakes is refused with all of them, and one that is proposed gives a sample that can be stored", async () => {
  const wrong = write("wrong.json", { ...EBCDIC, recordLenght: 64, encoding: "ebcdic" });
  const checked = await batch(service.url, ["layout", "check", wrong]);
  expect(checked.code).toBe(1);
  expect(checked.stderr).toContain('did you mean "recordLength"?');
  expect(checked.stderr).toContain("/encoding");
  const [layout, sample] = [join(folder, "new.json"), join(folder, "sample.dat")];
  expect((await batch(service.url, ["layout", "new", layout, "--encoding", "cp500"])).code).toBe(0);
  expect((await batch(service.url, ["layout", "check", layout])).code).toBe(0);
  expect((await batch(service.url, ["layout", "sample", layout, sample])).code).toBe(0);
  expect((await batch(service.url, ["validate", sample, "--layout", layout])).stderr).toBe(
    "sample.dat can be stored: 3 records, none refused. Nothing was stored.",
  );
  const again = await batch(service.url, ["layout", "new", layout]);
  expect([again.code, again.stderr]).toEqual([1, `${layout} is not written: it is there already.`]);
});

test("records are added, changed and deleted in the order of the file, also when the command is killed in between", async () => {
  const layout = write("changes.json", {
    kind: "delimited",
    collection: "customers",
    action: { column: "Do", add: "A", change: ["C", "U"], delete: "D" },
  });
  const lines = ["Do,id,Last name,Account ID", "D,799997,,"];
  for (let i = 0; i < 3000; i++) lines.push(`A,${700_000 + i},Ek,c${i}`);
  for (let i = 0; i < 3000; i++) lines.push(`${i % 2 ? "C" : "U"},${700_000 + i},Al,`);
  for (let i = 0; i < 3000; i += 2) lines.push(`D,${700_000 + i},,`);
  lines.push("A,700001,Bo,x", "C,799999,Lo,", "D,799998,,", "X,700003,,");
  const path = write("changes.csv", lines.join("\n"));
  proxy.letThrough(5);
  const running = startBatch(proxy.url, ["run", path, "--layout", layout, "--max-rejects", "5"]);
  await proxy.untilHeld();
  running.child.kill("SIGKILL");
  await running.ended;
  proxy.open();
  writeFileSync(layout, "{}"); // a run goes on as it was begun
  const { code, stderr } = await batch(service.url, ["resume", path]);
  expect(stderr).toBe(
    "7,500 of 7,505 records of changes.csv are carried out in customers (3,000 created, 3,000 updated, 1,500 deleted); 5 refused. " +
      `See changes.csv.rejects.csv. Correct changes.csv.rejects, then load it with: intake-batch run ${path}.rejects --layout ${layout}`,
  );
  expect(code).toBe(2);
  const report = JSON.parse(readFileSync(`${path}.report.json`, "utf8")) as RunReport;
  expect([report.deleted, report.outcomes.failed, report.rejects]).toEqual([1500, 4, 5]);
  expect(readFileSync(`${path}.rejects`, "utf8")).toBe(`${[...lines.slice(0, 2), ...lines.slice(-4)].join("\n")}`);
  const codes = readFileSync(`${path}.rejects.csv`, "utf8")
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(",")[4]);
  expect(codes).toEqual(["NOT_FOUND", "ALREADY_EXISTS", "NOT_FOUND", "NOT_FOUND", "RECORD"]);
  const found = (await stored("c")) as { objectId: number; lastName?: string }[];
  expect(found.map(({ objectId, lastName }) => [objectId, lastName])).toEqual(
    Array.from({ length: 1500 }, (_, i) => [700_001 + 2 * i, "Al"]),
  );
}, 180_000);
