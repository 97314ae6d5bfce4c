// Tests what a run says when it is not known whether records are stored, or what it sent.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { batch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";
import type { StoredLine } from "./journal-lines.ts";
import { formatRun, openRuns, type StoredRun } from "./run-registry.ts";

const testService = await startTestService();
afterAll(testService.close);
const { plain, service, storedOnce, write } = testService;

async function outcome(...args: string[]): Promise<string> {
  const { code, stderr } = await batch(service.url, args);
  return `${code} ${plain(stderr)}`;
}

/** A run of records without ids, whose state a test may change; `path`: of its file. */
async function runOf(path: string, ...options: string[]): Promise<{ run: StoredRun; journal: string; forgetEnd(): void }> {
  await batch(service.url, ["run", path, ...options]);
  const runs = openRuns(join(dirname(path), ".intake"));
  const [run] = await runs.at(path);
  if (!run) throw new Error(`There is no run of ${path}.`);
  const { endedAt: _, exit: __, report: ___, ...begun } = run;
  return {
    run,
    journal: join(runs.folder, `${run.id}.batches`),
    forgetEnd: () => writeFileSync(join(runs.folder, `${run.id}.json`), formatRun(begun)),
  };
}

/** Makes it as if the command had died before the reply to these rows, longer ago than the service keeps its replies. */
async function loseReply(path: string, from: number, ...options: string[]): Promise<void> {
  const { run, journal, forgetEnd } = await runOf(path, ...options);
  forgetEnd();
  const sent = { sentAt: run.startedAt - 30 * 86_400_000, split: [] };
  const answered: StoredLine = { ...sent, first: 1, last: from - 1, result: { reasons: [], spent: 1, outcomes: "1".repeat(from - 1) } };
  const lines: StoredLine[] = [...(from > 1 ? [answered] : []), { ...sent, first: from, last: run.rowsTotal }];
  writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

describe("records of which the service gave no reply", () => {
  test("one is named as in doubt, with what to do before it is loaded again, and only in the list", async () => {
    const path = write("one/a.csv", "Last name,Account ID\nEk,one1\nAl,one2\nBo,one3\n");
    await loseReply(path, 3);
    expect(await outcome("undo", path)).toBe(
      "3 It is not known yet whether some records of a.csv are stored. Find out first with: intake-batch resume /in/one/a.csv",
    );
    expect(await outcome("resume", path)).toBe(
      "2 2 of 3 records of a.csv are in customers (2 created); 0 refused, 1 in doubt. See a.csv.2.rejects.csv. The record in doubt may or may not be stored; the list names it with the code IN_DOUBT. Look for it in the service before you load it again.",
    );
    expect(readFileSync(`${path}.2.rejects.csv`, "utf8")).toBe(
      "record,line,byte,field,code,message\r\n3,4,37,,IN_DOUBT,The service did not reply for this row. It may or may not be stored.\r\n",
    );
    expect(readFileSync(`${path}.2.rejects`, "utf8")).toBe("Last name,Account ID\n");
  });

  test("of several, beside a refused one, the refused one alone is ready to be loaded again", async () => {
    const path = write("several/a.csv", "Last name,Account ID\nEk,sev1\nAl,sev2\n,sev3\n");
    await loseReply(path, 1, "--max-rejects", "1");
    expect(await outcome("resume", path)).toBe(
      "2 0 of 3 records of a.csv are in customers; 1 refused, 2 in doubt. See a.csv.2.rejects.csv. The records in doubt may or may not be stored; the list names them with the code IN_DOUBT. Look for them in the service before you load them again. Correct a.csv.2.rejects, then load it with: intake-batch run /in/several/a.csv.2.rejects",
    );
    expect(readFileSync(`${path}.2.rejects.csv`, "utf8").split("\r\n")).toEqual([
      "record,line,byte,field,code,message",
      "1,2,21,,IN_DOUBT,The service did not reply for this row. It may or may not be stored.",
      "2,3,29,,IN_DOUBT,The service did not reply for this row. It may or may not be stored.",
      '3,4,37,lastName,REQUIRED,"Last name has no value, and each record needs one."',
      "",
    ]);
    expect(readFileSync(`${path}.2.rejects`, "utf8")).toBe("Last name,Account ID\n,sev3\n");
    expect(readFileSync(`${path}.2.report.txt`, "utf8")).toContain("\n                       2 in doubt\n");
  });
});

test("a file whose records are all in doubt is not loaded again without a word", async () => {
  const path = write("doubt/a.csv", "Last name,Account ID\nEk,all1\n");
  await loseReply(path, 1);
  expect((await batch(service.url, ["resume", path])).code).toBe(2);
  expect(await outcome("run", path)).toBe(
    "5 a.csv was loaded on DAY as a.csv (run RUN, 0 records, 1 in doubt). To load it once more, add --again.",
  );
  expect(await storedOnce("all1")).toEqual([1, 1]);
});

describe("a run cannot go on", () => {
  const next =
    "The run cannot go on without it. Restore it from a backup, or take back what is stored with: intake-batch undo RUN --state /in/PLACE/.intake";

  test("without its journal; it can still be taken back", async () => {
    const path = write("gone/a.csv", "Last name,Account ID\nEk,gone1\n");
    const { journal, forgetEnd } = await runOf(path);
    forgetEnd();
    rmSync(journal);
    expect(await outcome("resume", path)).toBe(
      `1 What run RUN has sent is no longer known: /in/gone/.intake/RUN.batches is gone. ${next.replace("PLACE", "gone")}`,
    );
    expect(await outcome("undo", path)).toBe("0 1 record of a.csv taken back; the store is as it was before.");
  });

  test("with a damaged journal, whose line is named", async () => {
    const path = write("damaged/a.csv", "Last name,Account ID\nEk,damaged1\n");
    const { journal, forgetEnd } = await runOf(path);
    forgetEnd();
    writeFileSync(journal, `{"first":1,"la\n${readFileSync(journal, "utf8")}`);
    expect(await outcome("resume", path)).toBe(
      `1 The journal /in/damaged/.intake/RUN.batches is damaged at line 1. ${next.replace("PLACE", "damaged")}`,
    );
  });

  test("when its layout is of another version", async () => {
    const path = write("layout/a.csv", "Last name,Account ID\nEk,layout1\n");
    const layout = write("layout/a.json", '{"kind":"delimited","collection":"customers"}');
    const { run } = await runOf(path, "--layout", layout);
    const { endedAt: _, exit: __, report: ___, ...begun } = run;
    const later = formatRun({ ...begun, layout: '{"kind":"columnar","collection":"customers"}' });
    writeFileSync(join(dirname(path), ".intake", `${run.id}.json`), later);
    expect(await outcome("resume", path)).toBe(
      "1 Nothing more was sent: the layout of run RUN cannot be read by this version. Continue with the version of the program that began it.",
    );
  });

  test("when its own file is none; every command that reads the folder says so", async () => {
    const path = write("state/a.csv", "Last name,Account ID\nEk,state1\n");
    const { run } = await runOf(path);
    writeFileSync(join(dirname(path), ".intake", `${run.id}.json`), "{");
    for (const command of ["status", "resume", "undo", "run"])
      expect(await outcome(command, path)).toBe(
        "1 /in/state/.intake/RUN.json is not the state of a run. Move it away, or restore it from a backup.",
      );
  });
});

test("a run whose changes the history does not know is not taken back, and the sentence says why that may be", async () => {
  const path = write("history/a.csv", "Last name,Account ID\nEk,h1\n");
  const { run, journal } = await runOf(path);
  expect((await batch(service.url, ["undo", path])).code).toBe(0);
  const { endedAt, ...rest } = run;
  const older = { ...rest, id: "20200101-000000-0123456789ab", ...(endedAt !== undefined && { endedAt }) };
  writeFileSync(join(dirname(journal), `${older.id}.json`), formatRun(older));
  expect(await outcome("undo", older.id, "--state", dirname(journal))).toBe(
    "1 Nothing of a.csv was taken back: the service's history has no changes of run RUN. The run is older than the history, its changes are no longer kept, or it changed nothing.",
  );
});
