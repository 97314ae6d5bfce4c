// The commands of docs/batch-start.md are typed as they stand there, one after the other.

import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { startBatch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, service, stored, write } = testService;

const page = readFileSync("docs/batch-start.md", "utf8");
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w*)\n(.*?)^```/gms)].flatMap(([, of, text = ""]) => (of === language ? [text] : []));

test("from nothing to a loaded file, and back", async () => {
  write("customers.csv", blocks("csv")[0] ?? "");
  write("customer.cpy", blocks("cobol")[0] ?? "");
  const commands = blocks("sh").flatMap((block) => block.split("\n").filter((line) => line.startsWith("intake-batch ")));
  expect(commands.length).toBeGreaterThan(12);
  const results: Record<string, string> = {};
  for (const command of commands) {
    const { code, out, stderr } = await startBatch(service.url, command.split(" ").slice(1), {}, `cd '${folder}'`).ended;
    expect([command, code, stderr]).toEqual([command, 0, stderr]);
    results[command] = out + stderr;
  }
  expect(results["intake-batch layout from customer.cpy customers.json --encoding cp037"]).toContain(
    "4 fields of customers are in the layout. Written to customers.json.\n",
  );
  const shown = results["intake-batch show customers.dat --layout customers.json --records 2"];
  for (const line of (blocks("text")[0] ?? "").trimEnd().split("\n")) expect(shown).toContain(line);
  expect((await stored("00071-A")).length).toBe(1); // of the file with headings; the other one was taken back
}, 180_000);
