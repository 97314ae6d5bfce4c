// The sequence in a header: yesterday's file is refused, a gap is named, and rejects have the sequence of their file.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DelimitedLayout, FixedLayout } from "../../layouts/layouts/layout.ts";
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";

const LAYOUT: FixedLayout = {
  kind: "fixed",
  collection: "customers",
  recordLength: 30,
  lineEnd: "lf",
  recordType: { start: 1, length: 1 },
  header: { type: "H", sender: { start: 2, length: 8 }, fileId: { start: 10, length: 4 }, sequence: { start: 14, length: 3 } },
  detail: {
    type: "D",
    fields: [
      { name: "objectId", start: 2, length: 6 },
      { name: "firstName", start: 8, length: 8 },
      { name: "lastName", start: 16, length: 8 },
      { name: "accountID", start: 24, length: 7 },
    ],
  },
  trailer: { type: "T", count: { start: 2, length: 4 } },
};
const folder = makeFolder();
let service: Started;
let layout: string;
beforeAll(async () => {
  layout = join(folder.path, "layout.json");
  writeFileSync(layout, JSON.stringify(LAYOUT));
  service = await startService(join(folder.path, "store"));
});
afterAll(() => {
  service.child.kill("SIGKILL");
  folder.remove();
});

const line = (text: string) => `${text.padEnd(30)}\n`;
const detail = (id: number, name: string) => line(`D${String(id).padStart(6, "0")}${name.padEnd(8)}${"Long".padEnd(8)}acc${id}`);
function file(name: string, sender: string, sequence: number, ...details: string[]): string {
  const path = join(folder.path, name);
  const header = line(`H${sender.padEnd(8)}CUST${String(sequence).padStart(3, "0")}`);
  writeFileSync(path, [header, ...details, line(`T${String(details.length).padStart(4, "0")}`)].join(""));
  return path;
}
const load = (path: string, ...more: string[]) => batch(service.url, ["run", path, "--layout", layout, "--mode", "upsert", ...more]);
async function nameOf(id: number): Promise<string> {
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  return ((await (await fetch(`${service.url}/v1/customers/${id}`, { headers })).json()) as { firstName: string }).firstName;
}

describe("of one sender and file", { timeout: 60_000 }, () => {
  test("a lower or equal one is refused, --again insists, and a gap is named", async () => {
    expect((await load(file("today.dat", "BANK", 42, detail(1, "Today")))).code).toBe(0);
    for (const sequence of [41, 42]) {
      const old = await load(file(`old-${sequence}.dat`, "BANK", sequence, detail(1, "Old")));
      expect([old.code, old.stderr]).toEqual([
        1,
        expect.stringMatching(`its sequence is ${sequence}, and the last one of this sender and file, today.dat, had 42`),
      ]);
      expect(await nameOf(1)).toBe("Today");
    }
    expect((await load(file("other.dat", "SHOP", 7, detail(2, "Shop")))).code).toBe(0); // of another sender
    const gap = await load(file("later.dat", "BANK", 45, detail(1, "Later")));
    expect([gap.code, gap.stderr]).toEqual([0, expect.stringContaining("had 42 (run ")]);
    expect(gap.stderr).toContain("files are missing between them");
    expect((await load(file("next.dat", "BANK", 46, detail(1, "Next")))).stderr).not.toContain("missing");
    expect((await load(file("back.dat", "BANK", 44, detail(1, "Back")), "--again")).code).toBe(0);
    expect([await nameOf(1), (await load(file("on.dat", "BANK", 45, detail(1, "On")))).code]).toEqual(["Back", 0]);
  });

  test("a run that was taken back, or refused whole, does not count", async () => {
    const path = file("undone.dat", "MILL", 9, detail(3, "Undone"));
    expect([(await load(path)).code, (await batch(service.url, ["undo", path])).code]).toEqual([0, 0]);
    expect((await load(file("instead.dat", "MILL", 9, detail(4, "Instead")))).code).toBe(0);
    expect((await load(file("wrong.dat", "MILL", 10, detail(0, "")))).code).toBe(1);
    expect((await load(file("right.dat", "MILL", 10, detail(5, "Right")))).code).toBe(0);
  });

  test("rejects are loaded with the sequence of their file, and after 999 comes 1", async () => {
    const path = file("some.dat", "FARM", 999, detail(6, "Fine"), `D00000x${"Bad".padEnd(8)}${"Long".padEnd(8)}acc7   \n`);
    expect((await load(path, "--max-rejects", "1")).code).toBe(2);
    expect(readdirSync(folder.path)).toContain("some.dat.rejects");
    writeFileSync(`${path}.rejects`, [line("HFARM    CUST999"), detail(7, "Mended"), line("T0001")].join(""));
    expect((await load(`${path}.rejects`)).code).toBe(0);
    expect((await load(file("first.dat", "FARM", 1, detail(6, "First")))).code).toBe(0);
  });
});

test("of a delimited file, whose rejects stand between its header and a trailer", { timeout: 60_000 }, async () => {
  const described = join(folder.path, "delimited.json");
  const layout: DelimitedLayout = {
    ...{ kind: "delimited", collection: "customers", delimiter: "|", headingLine: 0 },
    ...{ columns: [null, "objectId", "lastName", "accountID"], detail: { type: "D" } },
    header: { type: "H", sender: { column: 2 }, sequence: { column: 3 } },
    trailer: { type: "T", count: { column: 3 }, totals: [{ of: "objectId", column: 2 }] },
  };
  writeFileSync(described, JSON.stringify(layout));
  const run = (name: string, text: string, ...more: string[]) => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return batch(service.url, ["run", path, "--layout", described, "--mode", "upsert", ...more]);
  };
  const refused = await run("cut.txt", "H|DESK|7\r\nD|801|Ek|a\r\nT|1603|2\r\n");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("It says 2 detail records; the file has 1.")]);
  const some = await run("some.txt", 'H|DESK|7\r\nD|801||a\r\nD|802|"Al|bo"|b\r\nD|803||c\r\nT|2406|3\r\n', "--max-rejects", "2");
  expect([some.code, some.stderr]).toEqual([2, expect.any(String)]);
  const rejects = readFileSync(join(folder.path, "some.txt.rejects"), "utf8");
  expect(rejects).toBe("H|DESK|7\r\nD|801||a\r\nD|803||c\r\nT|1604|2\n");
  expect((await run("some.txt.rejects", rejects.replaceAll("||", "|Mended|"))).code).toBe(0);
  const old = await run("old.txt", "H|DESK|6\nD|801|Old|a\nT|801|1\n");
  expect([old.code, old.stderr]).toEqual([1, expect.stringContaining("its sequence is 6, and the last one of this sender and file")]);
  expect((await run("nines.txt", "H|DESK|999\nD|801|Nines|a\nT|801|1\n")).code).toBe(0);
  expect((await run("first.txt", "H|DESK|1\nD|801|First|a\nT|801|1\n")).stderr).toContain("its sequence is 1, and the last one");
});
