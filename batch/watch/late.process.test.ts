// Tests what `status` and a watcher say of late files, and which rule a numbered file has.

import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openRuns } from "../runs/run-registry.ts";
import { batch, customersCsv } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, service, stored, write } = testService;

const HOUR = 3_600_000; // ms
const DAY = 24 * HOUR;

/** The time of the day, in UTC, that is so long before or after an instant. */
const clockAt = (instant: number) => new Date(instant).toISOString().slice(11, 16);

test("a file that is late is named once for each time, by the log and by status, and no more once it is loaded", async () => {
  const { path: inbox, put } = makeInbox(folder, "late");
  put("bank-1.csv", customersCsv(1, "late-bank"));
  put("shop.csv", customersCsv(1, "late-shop"));
  await batch(service.url, ["watch", inbox, "--once", "--settle", "0"]);
  const [run] = await openRuns(join(inbox, ".intake")).list();
  const loaded = run?.startedAt ?? 0;
  const [from, by] = [clockAt(loaded - HOUR), clockAt(loaded + HOUR)];
  const expected = { by, from, zone: "UTC" };
  const rules = write(
    "late.json",
    JSON.stringify([{ files: "bank-*.csv", expected }, { files: "shop.csv" }, { files: "none.csv", expected }]),
  );
  const late = (file: string, often: string, last: RegExp) =>
    new RegExp(`^${file.replace("*", "\\*")}: late\\. It was expected by [-0-9]{10} ${by} \\(UTC\\)${often}\\. ${last.source}$`);
  const lateAt = async (now: number, args: string[]) => {
    const { code, out } = await batch(service.url, [...args, "--rules", rules], {}, () => now);
    expect(code).toBe(0);
    return out.split("\n").filter((line) => line.includes(": late."));
  };
  const status = ["status", inbox];
  const watch = ["watch", inbox, "--once"];
  for (const args of [status, watch]) {
    expect(await lateAt(loaded + 2 * HOUR, args)).toEqual([expect.stringMatching(late("none.csv", "", /None is known\./))]);
    for (const [days, often] of [
      [1, ""],
      [2, ", as on 1 expected day before"],
      [3, ", as on 2 expected days before"],
    ] as const)
      expect(await lateAt(loaded + days * DAY + 2 * HOUR, args)).toEqual([
        expect.stringMatching(late("bank-*.csv", often, /The last one was loaded on .* UTC\./)),
        expect.stringMatching(late("none.csv", "", /None is known\./)),
      ]);
  }
  const { out } = await batch(service.url, [...status, "--rules", rules, "--json"], {}, () => loaded + 2 * HOUR);
  expect(out).toContain('"step":"late","file":"none.csv"');
});

test("a file whose records were all refused, and one of an earlier rule, leave a file late", async () => {
  const { path: inbox, put } = makeInbox(folder, "refused");
  put("mill-1.csv", "id,Last name,Account ID\n7100,,x\n");
  const load = ["watch", inbox, "--once", "--settle", "0", "--max-rejects", "none"];
  expect((await batch(service.url, load)).code).not.toBe(0);
  const by = clockAt(Date.now() + HOUR);
  const expected = { by, from: by, zone: "UTC" };
  const rules = write(
    "refused.json",
    JSON.stringify([
      { files: "mill-*.csv", expected },
      { files: "*.csv", expected },
    ]),
  );
  const late = async () => {
    const { out } = await batch(service.url, ["status", inbox, "--rules", rules], {}, () => Date.now() + 2 * HOUR);
    return [...out.matchAll(/^(\S+): late\./gm)].map(([, files]) => files);
  };
  expect(await late()).toEqual(["mill-*.csv", "*.csv"]);
  put("mill-2.csv", customersCsv(1, "late-mill"));
  expect((await batch(service.url, load)).code).toBe(0);
  expect(await late()).toEqual(["*.csv"]);
});

test("a name that the archive has already is still that of its rule", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "nights");
  const rules = write("nights.json", JSON.stringify([{ files: "daily.csv", mode: "upsert", maxRejects: 1 }, { files: "*" }]));
  for (const night of [1, 2, 3]) {
    put("daily.csv", `id,Last name,Account ID\n7001,Night ${night},nights-1\n7002,,x\n`);
    const { code } = await batch(service.url, ["watch", inbox, "--once", "--settle", "0", "--rules", rules]);
    expect([code, (await stored("nights")).map((one) => (one as { lastName?: string }).lastName)]).toEqual([2, [`Night ${night}`]]);
  }
  expect(filesWithin("archive")).toEqual(["daily.2.csv", "daily.3.csv", "daily.csv"]);
});
