// Tests which files a watcher takes and how it reads each: markers, rules by name, and files that grow too late.

import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { customersLayout, recordsOf } from "../../layouts/testing/layouts.ts";
import { batch, customersCsv, startBatch } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, proxy, service, stored, storedOnce, write } = testService;

const watchOnce = (inbox: string, ...more: string[]) => batch(service.url, ["watch", inbox, "--once", "--settle", "0", ...more]);

test("a log has two lines for each file: that it is taken, and how it ended", async () => {
  const { path: inbox, put } = makeInbox(folder, "lines");
  put("a.csv", customersCsv(2, "lines-a"));
  put("b.csv", "Last name,Account ID\n,lines-b\n");
  const { code, out } = await watchOnce(inbox);
  expect(code).toBe(1);
  expect(out.trim().split("\n")).toEqual([
    `Watching ${inbox}`,
    "a.csv: taken",
    "a.csv: exit code 0, now archive/a.csv. All 2 records of a.csv are in customers: 2 created.",
    "b.csv: taken",
    "b.csv: exit code 1, now rejected/b.csv. Nothing of b.csv was stored: 1 of 1 record is wrong and --max-rejects allows 0. First: line 2, lastName: Last name has no value, and each record needs one. See b.csv.rejects.csv.",
  ]);
});

test("with --done only files with a marker are taken, however long the others have not changed", async () => {
  const { path: inbox, put, write: writeIn, filesWithin } = makeInbox(folder, "marked");
  put("ready.csv", customersCsv(2, "ready"));
  writeIn("halfway.csv", customersCsv(2, "halfway"));
  expect((await watchOnce(inbox, "--done")).code).toBe(0);
  expect(filesWithin("archive")).toEqual(["ready.csv"]);
  expect([existsSync(join(inbox, "halfway.csv")), await stored("halfway")]).toEqual([true, []]);
  writeIn("halfway.csv.done", "");
  expect((await watchOnce(inbox, "--done")).code).toBe(0);
  expect(filesWithin("archive")).toEqual(["halfway.csv", "ready.csv"]);
});

test("rules say by name which layout or mode reads a file; one without a rule stays and is named once", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "ruled");
  const layout = customersLayout();
  write("conf/host.json", JSON.stringify(layout));
  const rules = write(
    "conf/rules.json",
    JSON.stringify([
      { files: "host-??.dat", layout: "host.json" },
      { files: "loose*.csv", maxRejects: 1, mode: "upsert" },
      { files: "*.csv" },
    ]),
  );
  put("host-01.dat", Buffer.concat(recordsOf(layout)).toString());
  put("host-1.dat", "no rule");
  symlinkSync(write("elsewhere.csv", customersCsv(1, "ruled-link")), join(inbox, "link.csv"));
  mkdirSync(join(inbox, "folder.csv"));
  mkdirSync(join(inbox, "older"));
  put("loose.csv", "id,Last name,Account ID\n8801,Ek,ruled-1\n8802,,ruled-2\n");
  put("strict.csv", "id,Last name,Account ID\n8803,Ek,ruled-3\n8804,,ruled-4\n");
  const { out } = await watchOnce(inbox, "--rules", rules);
  expect([filesWithin("archive"), filesWithin("rejected")]).toEqual([["host-01.dat", "loose.csv"], ["strict.csv"]]);
  expect(out.split("\n").filter((line) => line.includes("host-1.dat"))).toEqual([
    "host-1.dat: stays where it is, because no rule of rules.json is for it. Add a rule and watch the folder again, or move the file away.",
  ]);
  expect(out.split("\n").filter((line) => /^(link|folder|older)/.test(line))).toEqual([
    "link.csv: stays where it is, because it is a link. Put the file itself into the folder.",
    "folder.csv: stays where it is, because it is a folder. Put its files into the folder that is watched.",
  ]);
  expect((await stored("ruled")).map(({ objectId }) => objectId)).toEqual([8801]);
});

test("every mistake of the rules is said before anything is taken", async () => {
  const { path: inbox, put } = makeInbox(folder, "wrong");
  const file = put("a.csv", customersCsv(1, "wrong"));
  const rules = write(
    "wrong.json",
    JSON.stringify([
      ...[{ files: "in/*" }, { files: "*", layuot: "x" }, { files: "*", mode: "add", maxRejects: -1 }],
      ...["*", { files: "*", layout: 1 }, { files: "*", recipe: "" }, { files: "*", collection: null }],
      { files: "*", layout: "a.json", recipe: "Daily", mode: "create" },
    ]),
  );
  const { code, stderr } = await watchOnce(inbox, "--rules", rules);
  expect([code, existsSync(file)]).toEqual([1, true]);
  expect(stderr.split("\n")).toEqual([
    "The rules wrong.json cannot be used:",
    '/0/files: must be a name with * and ?, such as "customers-*.dat"',
    "/1/layuot: is not a key here; there are files, expected, layout, recipe, collection, mode, maxRejects",
    "/2/mode: must be one of create, update, upsert",
    '/2/maxRejects: must be a whole number or "none"',
    "/3: must be an object",
    "/4/layout: must be a path of a layout",
    "/5/recipe: must be the name of a recipe",
    "/6/collection: must be the name of a collection",
    "/7/recipe: a layout and a recipe both say how a file is read: leave one of them out",
    "/7/mode: the recipe says what to do with each record: leave it out",
  ]);
  for (const text of ["{", "{}", "[]"])
    expect((await watchOnce(inbox, "--rules", write("none.json", text))).stderr).toBe(
      'The rules none.json cannot be used:\nIt must be a list such as [{ "files": "customers-*.dat", "layout": "customers.json" }].',
    );
  const gone = join(folder, "gone.json");
  expect((await watchOnce(inbox, "--rules", gone)).stderr).toBe(`The rules ${gone} cannot be read: it does not exist.`);
  const missing = write("missing.json", JSON.stringify([{ files: "*", layout: "nowhere.json" }]));
  expect((await watchOnce(inbox, "--rules", missing)).stderr).toBe(
    `The layout ${join(folder, "nowhere.json")} cannot be read: it does not exist.`,
  );
  const both = await watchOnce(inbox, "--rules", rules, "--collection", "customers");
  expect(both.stderr).toBe("The rules say how each file is read: leave --layout, --recipe and --collection out. See: intake-batch --help");
});

test("a file that grows after it was loaded is named, with the command that takes its run back", async () => {
  const { path: inbox, put } = makeInbox(folder, "grown");
  put("late.csv", customersCsv(2, "late"));
  proxy.letThrough(0);
  const watcher = startBatch(proxy.url, ["watch", inbox, "--settle", "0", "--json"]);
  await watcher.untilOutput('"step":"watching"');
  proxy.open();
  await watcher.untilOutput('"to":"archive/late.csv"');
  appendFileSync(join(inbox, "archive", "late.csv"), "Ola,Ek,late-more\n");
  await watcher.untilOutput('"step":"grew"');
  watcher.child.kill("SIGTERM");
  const { out } = await watcher.ended;
  const grew = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { step: string; file: string; from: number; to: number; run: string })
    .find(({ step }) => step === "grew");
  expect(grew).toMatchObject({ file: "late.csv", to: (grew?.from ?? 0) + "Ola,Ek,late-more\n".length });
  expect((await batch(service.url, ["undo", String(grew?.run)])).code).toBe(0);
  expect(await stored("late")).toEqual([]);
}, 180_000);

test("a file that changes while it is loaded is not loaded anew over what is stored of it", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "midway");
  put("big.csv", customersCsv(12_000, "midway"));
  proxy.letThrough(4);
  const watcher = startBatch(proxy.url, ["watch", inbox, "--once", "--settle", "0"]);
  await proxy.untilHeld();
  watcher.child.kill("SIGKILL");
  await watcher.ended;
  proxy.open();
  const path = join(inbox, "processing", "big.csv");
  writeFileSync(path, `${readFileSync(path, "utf8")}Ola,Ek,midway-more\n`);
  const { code, out, stderr } = await watchOnce(inbox);
  expect([code, filesWithin("rejected")]).toEqual([3, ["big.csv"]]);
  const [, whole = "", run = ""] = stderr.match(/^big\.csv changed from ([\d,]+) bytes .* \(run (\S+)\)\./) ?? [];
  const longer = (Number(whole.replaceAll(",", "")) + "Ola,Ek,midway-more\n".length).toLocaleString("en");
  const sentence = `big.csv changed from ${whole} bytes to ${longer} bytes while it was loaded (run ${run}). Before you put the whole file into the folder again, take back what is stored of it with: intake-batch undo ${run} --state ${join(inbox, ".intake")}`;
  expect(stderr).toBe(sentence);
  expect(out).toContain(`\nbig.csv: exit code 3, now rejected/big.csv. ${sentence}\n`);
  const [records, accounts] = await storedOnce("midway");
  expect(records).toBe(accounts);
}, 180_000);

test("while the service is away the log says that the file is tried again, and no command to type", async () => {
  const { path: inbox, put } = makeInbox(folder, "away");
  put("a.csv", customersCsv(1, "away"));
  proxy.letThrough(4);
  const watcher = startBatch(proxy.url, ["watch", inbox, "--settle", "0"]);
  await watcher.untilOutput("a.csv: taken");
  proxy.open();
  await watcher.untilOutput("now archive/a.csv");
  watcher.child.kill("SIGTERM");
  await watcher.ended;
  const gone = startBatch("http://127.0.0.1:1", ["watch", inbox, "--settle", "0"]);
  await gone.untilOutput("tried again");
  gone.child.kill("SIGTERM");
  const { code, out, stderr } = await gone.ended;
  expect([code, ...out.trim().split("\n")]).toEqual([
    0,
    "No service answers at http://127.0.0.1:1. Check the address and that it runs. It is tried again in 30 seconds.",
    "Stopping: the batches that were sent are finished first.",
    `Watching ${inbox}`,
  ]);
  expect(stderr).toBe(`No longer watching ${inbox}. What is in processing goes on with the next watch.`);
}, 180_000);
