// Files that are read, matched and corrected by a recipe of the service.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { RECIPES_PATH } from "../../core/contract/paths.ts";
import { customersLayout, recordsOf } from "../../layouts/testing/layouts.ts";
import type { RecipeContent } from "../../pipeline/mapping/recipe.ts";
import { rowsXml, xlsxFile, zipFile } from "../../pipeline/testing/workbooks.ts";
import { batch, KEY, startBatch } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, service, headers, stopMidway, stored, storedOnce, write, proxy } = testService;

const HEADINGS = ["Wer", "Kto", "Stand"];
const CONTENT: RecipeContent = {
  ...{ form: 1, mode: "create", choices: { delimiter: ";", headingLine: 2 } },
  columns: ["lastName", "accountID", null],
  autoFixes: [{ field: "accountID", name: "hidden" }],
  leftOutGroups: [{ field: "", code: "CELLS" }],
  values: [
    { field: "accountID", from: "", to: "none" },
    { field: "lastName", from: "", to: null },
  ],
};

async function save(name: string, content: object = CONTENT): Promise<void> {
  const body = JSON.stringify({ name, collection: "customers", headings: HEADINGS, content });
  const reply = await fetch(`${service.url}/v1${RECIPES_PATH}`, { method: "POST", headers, body });
  expect(reply.status).toBe(201);
}

const fileOf = (rows: readonly string[]) => ["Liste vom Montag", HEADINGS.join(";"), ...rows].join("\n");

test("a file is read by the recipe: heading, columns, corrections, and rows that are left out", async () => {
  await save("Daily list");
  const path = write("daily.csv", fileOf(["Ek;r-1;ok", "Berg;r-2\u0007;ok", ";r-3;ok", "Total: 3", "Lind;;ok"]));
  const { code, stderr } = await batch(service.url, ["run", path, "--recipe", "daily LIST", "--out", folder]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("All 3 records of daily.csv are in customers: 3 created, 2 more left out.")]);
  expect((await stored("r-")).map(({ accountID }) => accountID)).toEqual(["r-1", "r-2"]);
  expect(await stored("none")).toHaveLength(1);
  const report = JSON.parse(readFileSync(join(folder, "daily.csv.report.json"), "utf8"));
  expect(report.notes).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Read by the recipe “Daily list” \(version 1, .+\)\.$/),
      "2 records left out, as the recipe or --suspect-rows says.",
    ]),
  );
  expect(report).toMatchObject({ recordsRead: 5, rejects: 0 });
});

test("a run by a recipe that was stopped midway goes on with the same rows, though the recipe is another one now", async () => {
  await save("Large");
  const rows = Array.from({ length: 10_000 }, (_, i) => (i % 100 === 0 ? `;large-${i};ok` : `Ek;large-${i};ok`));
  const path = write("large.csv", fileOf(rows));
  const stopped = await stopMidway(["run", path, "--recipe", "Large"]);
  expect(stopped.code).toBe(3);
  const { recipes } = (await (await fetch(`${service.url}/v1${RECIPES_PATH}`, { headers })).json()) as {
    recipes: { id: string; name: string }[];
  };
  const { id } = recipes.find(({ name }) => name === "Large") ?? {};
  await fetch(`${service.url}/v1${RECIPES_PATH}/${id}`, { method: "DELETE", headers });
  const resumed = await batch(proxy.url, ["resume", path]);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("All 9,900 records of large.csv")]);
  expect(await storedOnce("large-")).toEqual([9_900, 9_900]);
}, 180_000);

test("what stands in the way is said, and nothing is sent", async () => {
  await save("Strict");
  await save("Later", { ...CONTENT, form: 2 });
  const sentenceOf = async (path: string, ...args: string[]) => {
    const { code, stderr } = await batch(service.url, ["run", path, ...args]);
    expect(code).toBe(1);
    return stderr.split("\n").at(-1);
  };
  const path = write("strict.csv", fileOf(["Ek;s-1;ok"]));
  expect((await sentenceOf(path, "--recipe", "Weekly"))?.replace(/are: .*?\./, "are: ALL.")).toBe(
    "The service has no recipe “Weekly”. There are: ALL. Recipes are saved in the app, after the check of a file, and by layout save.",
  );
  expect(await sentenceOf(path, "--recipe", "Later")).toBe(
    "The recipe “Later” cannot be read: it was saved by a later version of Intake, or by another program. Install the version of this program that the service has.",
  );
  const other = write("other.csv", "Liste\nWer;Stand;Ort\nEk;ok;Graz");
  expect(await sentenceOf(other, "--recipe", "Strict")).toBe(
    "Nothing of other.csv was stored: the recipe “Strict” needs the column “Kto”. Its heading is read as: Wer, Stand, Ort. Choose the file in the app to match it anew, and save the recipe again.",
  );
  const bare = write("bare.csv", "Liste\nStand;Ort\nok;Graz");
  expect(await sentenceOf(bare, "--recipe", "Strict")).toBe(
    "Nothing of bare.csv was stored: the recipe “Strict” needs the columns “Wer”, “Kto”. Its heading is read as: Stand, Ort. Choose the file in the app to match it anew, and save the recipe again.",
  );
  await save("Nameless", { ...CONTENT, columns: [null, "accountID", null] });
  expect(await sentenceOf(path, "--recipe", "Nameless")).toBe(
    "Nothing of strict.csv was stored: the recipe “Nameless” needs a column for Last name. Its heading is read as: Wer, Kto, Stand. Choose the file in the app to match it anew, and save the recipe again.",
  );
  expect(await sentenceOf(path, "--recipe", "Strict", "--mode", "update")).toBe(
    "The recipe says what to do with each record: leave --mode out. See: intake-batch --help",
  );
  expect(await sentenceOf(path, "--recipe", "Strict", "--layout", "a.json")).toBe(
    "A layout and a recipe both say how a file is read: leave one of them out. See: intake-batch --help",
  );
  expect(await stored("s-")).toEqual([]);
});

test("a layout that is saved as a recipe reads the file, and is replaced under its name", async () => {
  const kept = customersLayout();
  const layout = write("kept.json", JSON.stringify(kept));
  const saved = await batch(service.url, ["layout", "save", layout, "--recipe", "Host", "--mode", "upsert"]);
  expect([saved.code, saved.stderr]).toEqual([
    0,
    "The layout is kept as the recipe “Host” for customers. Load files by it: intake-batch run FILE --recipe Host",
  ]);
  const rows = ["77001", "77002"].map((objectId) => ({ objectId, firstName: "Host", lastName: "One", accountID: "host-1" }));
  const path = write("host.dat", Buffer.concat(recordsOf(kept, rows)));
  const { code, stderr } = await batch(service.url, ["run", path, "--recipe", "host", "--out", folder]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("All 2 records of host.dat are in customers: 2 created.")]);
  expect(JSON.parse(readFileSync(join(folder, "host.dat.report.json"), "utf8")).notes[0]).toMatch(
    /^Read by the recipe “Host” \(version 1, .+\)\.$/,
  );
  const again = await batch(service.url, ["layout", "save", layout, "--recipe", "HOST"]);
  expect(again.stderr).toBe(
    "The layout is kept in place of version 1 as the recipe “HOST” for customers. Load files by it: intake-batch run FILE --recipe HOST",
  );
  const options = await batch(service.url, ["validate", path, "--recipe", "host", "--heading", "1"]);
  expect([options.code, options.stderr]).toEqual([
    1,
    "The recipe “HOST” has a layout, which describes the whole file: leave --sheet, --entry, --heading, --encoding, --separator and --suspect-rows out.",
  ]);
});

test("a layout is not saved over a recipe of the app, nor with mistakes, nor without a name", async () => {
  await save("Of the app");
  const right = write("right.json", JSON.stringify(customersLayout()));
  const wrong = write("mistaken.json", JSON.stringify({ ...customersLayout(), recordLength: 3 }));
  const outcome = async (...args: string[]) => {
    const { code, stderr } = await batch(service.url, ["layout", "save", ...args]);
    expect(code).toBe(1);
    return stderr;
  };
  expect(await outcome(right, "--recipe", "of the APP")).toBe("There is a recipe “Of the app” without a layout: choose another name.");
  expect(await outcome(right, "--recipe", "x".repeat(300))).toBe(
    "The service does not accept the recipe: name must be a text of 1 to 100 characters, on one line.",
  );
  expect(await outcome(wrong, "--recipe", "Mistaken")).toContain("The layout mistaken.json has");
  expect(await outcome(right)).toContain("layout save takes --recipe, the name under which it is kept.");
});

test("rows that look like no data are loaded when the recipe keeps them, unless the caller leaves them out", async () => {
  await save("Keeps headings", { ...CONTENT, accepted: ["HEADING"] });
  const file = (name: string) =>
    write(`${name}.csv`, fileOf(["Ek;1", "Berg;2", "Lind;3"].map((row) => `${row}-${name};ok`).concat(HEADINGS.join(";"))));
  const kept = await batch(service.url, ["run", file("keeps"), "--recipe", "Keeps headings"]);
  expect([kept.code, (await stored("Kto")).length]).toEqual([0, 1]);
  const left = await batch(service.url, ["run", file("drops"), "--recipe", "Keeps headings", "--suspect-rows", "leave-out"]);
  expect([left.code, (await stored("Kto")).length, (await stored("1-drops")).length]).toEqual([0, 1, 1]);
});

test("a wrong row counts as refused as without a recipe", async () => {
  await save("With mistakes", { ...CONTENT, values: [] });
  const path = write("mistakes.csv", fileOf(["Ek;m-1;ok", ";m-2;ok", "Total"]));
  const refused = await batch(service.url, ["run", path, "--recipe", "With mistakes"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("1 of 3 records is wrong and --max-rejects allows 0.")]);
  const { code } = await batch(service.url, ["run", path, "--recipe", "With mistakes", "--max-rejects", "1"], { INTAKE_KEY: KEY });
  expect([code, await stored("m-")]).toMatchObject([2, [{ accountID: "m-1" }]]);
});

test("rows that look like no data are refused, left out or loaded, as the caller says", async () => {
  const file = (name: string) => {
    const records = ["Ek;1", "Li;2", "Wu;3"].map((row, i) => `${row};${name}-${i}`);
    return write(`${name}.csv`, ["lastName;firstName;accountID", ...records, "lastName;firstName;accountID"].join("\n"));
  };
  const refused = await batch(service.url, ["run", file("again")]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("1 of 4 records is wrong and --max-rejects allows 0.")]);
  const left = await batch(service.url, ["run", file("left"), "--suspect-rows", "leave-out"]);
  expect(left.code).toBe(0);
  const report = readFileSync(join(folder, "left.csv.report.txt"), "utf8");
  expect(report).toContain("           1 not sent\n                       1 of those not sent were left out, and are no rejects\n");
  expect(JSON.parse(readFileSync(join(folder, "left.csv.report.json"), "utf8"))).toMatchObject({ leftOut: 1, rejects: 0 });
  expect((await stored("left-")).length).toBe(3);
  expect(await stored("accountID")).toEqual([]);
  expect((await batch(service.url, ["run", file("kept"), "--suspect-rows", "load"])).code).toBe(0);
  expect((await stored("accountID")).length).toBe(1);
  const wrong = await batch(service.url, ["run", file("word"), "--suspect-rows", "keep"]);
  expect(wrong.stderr).toContain('--suspect-rows is one of refuse, leave-out, load, not "keep".');
});

test("the rules for columns of a recipe are applied, and a pattern that may take too long is refused before anything is read", async () => {
  const columns = [null, "accountID", null, "lastName", "firstName"];
  const split = { do: "split", column: 0, separator: ",", at: "first", into: ["Last", "First"] };
  const digits = { do: "replace", column: 1, find: "^No\\. ", to: "c-", isPattern: true, ignoresCase: false };
  await save("Names", { ...CONTENT, columns, columnRules: [split, digits] });
  await save("Slow", { ...CONTENT, columns, columnRules: [split, { ...digits, find: "^(\\w+\\s?)+$" }] });
  const path = write("names.csv", fileOf(["Poe, Ana;No. 1;ok", "Ek;No. 2;ok"]));
  const slow = await batch(service.url, ["run", path, "--recipe", "Slow"]);
  expect([slow.code, slow.stderr.replace(/such as .*\. Write/, "such as ATTACK. Write")]).toEqual([
    1,
    "The recipe “Slow” is not used. In its rule that finds ^(\\w+\\s?)+$, the pattern takes exponential time on some texts, such as ATTACK. Write it so that no two of its parts can match the same letters: (a+)+ as a+, for example.",
  ]);
  const { code } = await batch(service.url, ["run", path, "--recipe", "Names"]);
  expect(code).toBe(0);
  expect(await stored("c-")).toMatchObject([
    { lastName: "Poe", firstName: "Ana", accountID: "c-1" },
    { lastName: "Ek", firstName: null, accountID: "c-2" },
  ]);
});

test("rejects are as in the file, not as the rules for columns made them: they are loaded by the same recipe", async () => {
  const columns = [null, "accountID", null, "lastName", "firstName"];
  const split = { do: "split", column: 0, separator: ",", at: "first", into: ["Last", "First"] };
  const oneLine = { do: "replace", column: 0, find: "\n", to: " ", isPattern: false, ignoresCase: false };
  await save("Lines", { ...CONTENT, values: [], columns, columnRules: [split, oneLine] });
  const rows = ['"Poe\n, Ana";;ok', "Ek;l-1;ok", '"A\nB";;ok', "Li;l-2;ok"];
  const args = ["--recipe", "Lines", "--max-rejects", "2"];
  const path = write("lines.csv", fileOf(rows));
  expect((await batch(service.url, ["run", path, ...args])).code).toBe(2);
  expect(readFileSync(`${path}.rejects`, "utf8")).toBe(fileOf([rows[0] as string, `${rows[2]}\n`]));
  const packed = write("lines.csv.gz", gzipSync(fileOf(rows.map((row) => row.replace("l-", "packed-")))));
  expect((await batch(service.url, ["run", packed, ...args])).code).toBe(2);
  expect(readFileSync(`${packed}.rejects`, "utf8")).toBe('\uFEFFWer,Kto,Stand\r\n"Poe\n, Ana",,ok\r\n"A\nB",,ok\r\n');
});

test("a watched folder is loaded by the recipe, file by file, though the watcher is killed", async () => {
  await save("Watched");
  const { path: inbox, put, filesWithin } = makeInbox(folder, "inbox");
  const rows = Array.from({ length: 9_000 }, (_, i) => (i % 100 === 0 ? `;watch-${i};ok` : `Ek;watch-${i};ok`));
  const first = put("a.csv", fileOf(rows));
  put("b.csv", fileOf(["Ek;watch-last;ok"]));
  const watch = ["watch", inbox, "--once", "--settle", "0", "--recipe", "watched"];
  const unknown = await batch(service.url, [...watch.slice(0, -1), "Unknown"]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/^The service has no recipe “Unknown”\. There are: /)]);
  expect(existsSync(first)).toBe(true); // nothing was taken

  proxy.letThrough(3);
  const killed = startBatch(proxy.url, watch);
  await proxy.untilHeld();
  killed.child.kill("SIGKILL");
  await killed.ended;
  proxy.open();
  expect((await batch(service.url, watch)).code).toBe(0);
  expect(filesWithin("archive")).toEqual(["a.csv", "b.csv"]);
  expect(await storedOnce("watch-")).toEqual([8_911, 8_911]);
}, 180_000);

test.each([
  [
    "workbook",
    { sheet: "Mai", headingLine: 3 },
    xlsxFile(
      [
        { name: "Apr", xml: rowsXml([["Nothing here"]]) },
        { name: "Mai", xml: rowsXml([["Liste"], [], HEADINGS, ["Ek", "workbook-1", ""], ["", "workbook-2", ""]]) },
      ],
      {},
      "workbook.xlsx",
    ),
    "--heading 1",
  ],
  [
    "archive",
    { entry: "a.csv", headingLine: 2, delimiter: ";", encoding: "windows-1252" },
    zipFile({ "a.csv": fileOf(["Ek;archive-1;", ";archive-2;"]), "b.csv": "Nothing;here\n" }, "archive.zip"),
    "--heading 1 --encoding UTF-8 --separator ,",
  ],
])(
  "rejects of a %s that a recipe reads are loaded by the command that is named, once they are right",
  async (name, choices, file, options) => {
    await save(name, { ...CONTENT, choices, autoFixes: [], leftOutGroups: [], values: [] });
    const path = write(file.name, new Uint8Array(await file.arrayBuffer()));
    const { code, stderr } = await batch(service.url, ["run", path, "--recipe", name, "--max-rejects", "none"]);
    const [, command = ""] = /load it with: intake-batch (.+)/.exec(stderr) ?? [];
    expect([code, command]).toEqual([2, `run ${path}.rejects --recipe ${name} ${options}`]);
    writeFileSync(`${path}.rejects`, readFileSync(`${path}.rejects`, "utf8").replace(`,${name}-2`, `Berg,${name}-2`));
    const again = await batch(service.url, command.split(" "));
    expect([again.code, await storedOnce(`${name}-`)]).toEqual([0, [2, 2]]);
  },
);
