// undo, resume and status find the run of a file that was archived, or is gone.

import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { batch, customersCsv } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, plain, service, stored, write } = testService;

const watch = (inbox: string) => batch(service.url, ["watch", inbox, "--once", "--settle", "0"]);

test("a watched file is known where the watcher put it, where it came in, and by its folder", async () => {
  const { path: inbox, put } = makeInbox(folder, "inbox");
  const came = put("daily.csv", customersCsv(3, "daily"));
  put("other.csv", customersCsv(2, "other"));
  expect((await watch(inbox)).code).toBe(0);
  const archived = join(inbox, "archive", "daily.csv");
  for (const target of [archived, came])
    expect((await batch(service.url, ["status", target])).out).toMatch(
      /^\S+ \S+ UTC {2}\S+ {2}daily\.csv {2}.*: 3 records, 3 stored; ended\n$/,
    );
  expect((await batch(service.url, ["status", inbox])).out.trim().split("\n")).toHaveLength(2);
  const resumed = await batch(service.url, ["resume", came]);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringMatching(/of daily\.csv has ended\. Nothing is left to do\.$/)]);

  const undone = await batch(service.url, ["undo", came]);
  expect([undone.code, undone.stderr]).toEqual([0, "3 records of daily.csv taken back; the store is as it was before."]);
  expect([(await stored("daily")).length, (await stored("other")).length]).toEqual([0, 2]);
  const other = await batch(service.url, ["undo", join(inbox, "archive", "other.csv")]);
  expect([other.code, (await stored("other")).length]).toEqual([0, 0]);
});

test("of a file that was deleted the run is found by its path; of several with its name none is taken back unasked", async () => {
  const path = write("gone/monday.csv", customersCsv(2, "first"));
  expect((await batch(service.url, ["run", path])).code).toBe(0);
  write("gone/monday.csv", customersCsv(4, "second"));
  expect((await batch(service.url, ["run", path])).code).toBe(0);
  rmSync(path);
  const several = await batch(service.url, ["undo", path]);
  expect([several.code, (await stored("first")).length, (await stored("second")).length]).toEqual([1, 2, 4]);
  const [sentence, latest = ""] = several.stderr.split("\n");
  expect(sentence).toBe(`${path} is gone, and 2 runs are of files with its name. Take one back by its id:`);
  expect(plain(latest)).toBe(
    "DAY  RUN  monday.csv  customers, create: 4 records, 4 stored; ended. To take it back: intake-batch undo RUN --state /in/gone/.intake",
  );
  const [, words = ""] = /To take it back: intake-batch (.*)$/.exec(latest) ?? [];
  expect((await batch(service.url, words.split(" "))).stderr).toBe("4 records of monday.csv taken back; the store is as it was before.");
  expect((await batch(service.url, ["undo", path])).stderr).toBe("2 records of monday.csv taken back; the store is as it was before.");
});

test("what was never loaded is looked for where it could be, and these places are named", async () => {
  const path = join(folder, "inbox", "archive", "never.csv");
  const { code, stderr } = await batch(service.url, ["undo", path]);
  const [inbox, ofArchive, here] = [join(folder, "inbox", ".intake"), join(folder, "inbox", "archive", ".intake"), resolve(".intake")];
  expect([code, stderr]).toEqual([
    1,
    `There is no file and no run ${path}, neither in ${inbox} nor in ${ofArchive} nor in ${here}. To list the runs of a folder: intake-batch status --state ${inbox}`,
  ]);
});
