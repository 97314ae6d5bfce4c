// The business date in a header: a file of another day is refused, and `--again` insists.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BusinessDate, FixedLayout } from "../../layouts/layouts/layout.ts";
import type { Started } from "../../server/testing/process.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";

const folder = makeFolder();
let service: Started;
beforeAll(async () => {
  service = await startService(join(folder.path, "store"));
});
afterAll(() => {
  service.child.kill("SIGKILL");
  folder.remove();
});

const PLACE = { start: 2, length: 8, format: "YYYYMMDD", zone: "Europe/Berlin", days: 1 };
function layoutOf(businessDate: Partial<BusinessDate> = {}): FixedLayout {
  return {
    kind: "fixed",
    collection: "customers",
    recordLength: 40,
    lineEnd: "lf",
    recordType: { start: 1, length: 1 },
    header: { type: "H", businessDate: { ...PLACE, ...businessDate } },
    detail: {
      type: "D",
      fields: [
        { name: "objectId", start: 2, length: 6 },
        { name: "lastName", start: 8, length: 16 },
        { name: "accountID", start: 24, length: 10 },
      ],
    },
    trailer: { type: "T", count: { start: 2, length: 4 } },
  };
}
function write(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}
const line = (text: string) => `${text.padEnd(40)}\n`;
const textOf = (day: string, id: number) =>
  [line(`H${day}`), line(`D${String(id).padStart(6, "0")}${"Long".padEnd(16)}acc${id}`), line("T0001")].join("");
/** 23:30 UTC is half past midnight of March 15 in Berlin. */
const NIGHT = Date.UTC(2024, 2, 14, 23, 30);
const load = (command: string, path: string, layout: string, ...more: string[]) =>
  batch(service.url, [command, path, "--layout", layout, ...more], {}, () => NIGHT);

describe("a business date", { timeout: 60_000 }, () => {
  test("may be so many days before or after today in its zone, and the sentence says both", async () => {
    const layout = write("days.json", JSON.stringify(layoutOf()));
    for (const [day, id] of [
      ["20240314", 1],
      ["20240315", 2],
      ["20240316", 3],
    ] as const)
      expect((await load("run", write(`good-${id}.dat`, textOf(day, id)), layout)).code).toBe(0);
    for (const [command, day, iso] of [
      ["run", "20240313", "2024-03-13"],
      ["run", "20240317", "2024-03-17"],
      ["validate", "20240317", "2024-03-17"],
    ] as const) {
      const path = write(`${command}-${day}.dat`, textOf(day, 4));
      const refused = `Nothing of ${command}-${day}.dat was stored: its business date is ${iso}, and only 2024-03-14 to 2024-03-16, 1 day before or after today in Europe/Berlin, is allowed. To load it all the same, add --again.`;
      expect(await load(command, path, layout)).toMatchObject({ code: 1, stderr: refused });
      expect(await load(command, path, layout)).toMatchObject({ code: 1, stderr: refused }); // the second time, too
      expect((await load(command, path, layout, "--again")).code).toBe(0);
      if (command === "run") expect((await batch(service.url, ["undo", path])).code).toBe(0);
    }
    expect((await load("run", write("some.dat.rejects", textOf("20240101", 5)), layout)).code).toBe(0);
  });

  test("with 0 days is today's alone, and one that is no day is refused with --again, too", async () => {
    const layout = write("today.json", JSON.stringify(layoutOf({ days: 0, format: "YYMMDD", length: 6, pivot: 50 })));
    const yesterday = await load("run", write("yesterday.dat", textOf("240314", 6)), layout);
    expect(yesterday.stderr).toContain("its business date is 2024-03-14, and only 2024-03-15, today in Europe/Berlin, is allowed.");
    expect((await load("run", write("today.dat", textOf("240315", 6)), layout)).code).toBe(0);
    const none = await load("run", write("none.dat", textOf("240230", 7)), layout, "--again");
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("its business date is “240230”, which is no day as YYMMDD.")]);
  });

  test("a watcher puts such a file into rejected, with the reason beside it", async () => {
    const layout = write("watched.json", JSON.stringify(layoutOf()));
    const inbox = makeInbox(folder.path, "inbox");
    inbox.put("old.dat", textOf("20240301", 8));
    expect((await load("watch", inbox.path, layout, "--once")).code).toBe(1);
    expect(inbox.within("rejected")).toEqual(["old.dat", "old.dat.report.json", "old.dat.report.txt"]);
    expect(readFileSync(join(inbox.path, "rejected", "old.dat.report.txt"), "utf8")).toContain("its business date is 2024-03-01");
  });

  test("an export has the day of the clock in the zone, and can be loaded", async () => {
    const layout = write("export.json", JSON.stringify(layoutOf({ days: 0 })));
    const path = join(folder.path, "written.dat");
    expect((await load("export", path, layout)).code).toBe(0);
    expect(readFileSync(path, "utf8").slice(0, 10)).toBe("H20240315 ");
    expect((await load("run", path, layout, "--mode", "upsert")).code).toBe(0);
  });

  test("what a layout says wrongly of it is named with its place", async () => {
    const wrong = layoutOf({ format: "hhmm", zone: "Europe/Berlim" });
    const { code, stderr } = await batch(service.url, ["layout", "check", write("wrong.json", JSON.stringify(wrong))]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("/header/businessDate/format: must be that of a day, such as YYYYMMDD")]);
    expect(stderr).toContain('/header/businessDate/zone: is no zone that this program knows; did you mean "Europe/Berlin"?');
  });
});
