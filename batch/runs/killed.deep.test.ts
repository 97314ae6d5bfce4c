// Kills the command, the service or both at random moments; after `resume` each record is stored once.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createClient } from "../../client/http-client.ts";
import { allRecords } from "../../client/read-records.ts";
import { createKeySession } from "../../client/token-exchange.ts";
import { RECIPES_PATH } from "../../core/contract/paths.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import customersPackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import { FixedWriter } from "../../layouts/formats/write-fixed.ts";
import type { FixedLayout, Layout } from "../../layouts/layouts/layout.ts";
import { selectDetail } from "../../layouts/layouts/select-detail.ts";
import { customers } from "../../layouts/testing/layouts.ts";
import type { RecipeContent } from "../../pipeline/mapping/recipe.ts";
import { odsFile, odsTable, rowsXml, xlsxFile, zipFile } from "../../pipeline/testing/workbooks.ts";
import { ADMIN_SECRET, authorize, killProcesses, readAll, type Started } from "../../server/testing/process.ts";
import { randomInt, rounds } from "../../server/testing/rounds.ts";
import { batch, customersCsv, KEY, makeFolder, type Running, startBatch, startService } from "../testing/process.ts";

const folder = makeFolder();
afterAll(() => {
  killProcesses();
  folder.remove();
});

const ROUNDS = rounds(1, 25);
/** Loaded at once; the command of the first one lives through it. */
const KINDS = ["csv", "xlsx", "recipe", "ods", "zip", "blocked", "trimmed", "mixed", "details", "items"] as const;
type Kind = (typeof KINDS)[number];
const FILES = KINDS.length;
const ROWS = 5_000; // five batches
const NO_NAME = "-".repeat(201); // longer than a first name may be
const SENDING = 600; // ms, in which most of the batches leave
let lastId = 0;

/** The customers with two more collections: notes of their own, and lines that refer to a customer. */
const PACKAGE = {
  ...customersPackage,
  resources: [
    ...customersPackage.resources,
    ...["notes", "lines"].map((name) => ({
      name,
      schema: {
        fields: [
          { name: "objectId", type: "integer" },
          { name: "accountID", type: "string", constraints: { required: true } },
          ...(name === "lines" ? [{ name: "customerId", type: "integer", constraints: { required: true } }] : []),
        ],
        primaryKey: ["objectId"],
        ...(name === "lines" && {
          foreignKeys: [{ fields: ["customerId"], reference: { resource: "customers", fields: ["objectId"] }, onDelete: "cascade" }],
        }),
      },
    })),
  ],
};
const dictionary = readDataPackage(PACKAGE);
if ("mistakes" in dictionary) throw new Error(JSON.stringify(dictionary.mistakes));
const [, notes, lines] = dictionary.collections as [Collection, Collection, Collection];
/** In these files each record comes with one of another collection. */
const SECOND: Partial<Record<Kind, Collection>> = { details: notes, items: lines };

const RECIPE: RecipeContent = {
  form: 1,
  mode: "create",
  choices: {},
  columns: ["firstName", "lastName", "accountID"],
  autoFixes: [],
  leftOutGroups: [],
  values: [{ field: "firstName", from: NO_NAME, to: "" }],
};

/** Files of older systems: blocked records of a mainframe with a table, trimmed lines, adds, changes and deletes in turn, two kinds of records, and items of a table. */
const LAYOUTS: Partial<Record<Kind, Layout>> = {
  mixed: {
    kind: "delimited",
    collection: "customers",
    headingLine: 0,
    columns: [null, "objectId", "firstName", "lastName", "accountID"],
    action: { column: 1, add: "A", change: "C", delete: "D" },
  },
  blocked: {
    kind: "fixed",
    collection: "customers",
    encoding: "cp273",
    recordLength: 86,
    recordFormat: "bdw+rdw",
    lineEnd: "none",
    recordType: { start: 1, length: 1 },
    detail: {
      type: "D",
      fields: [
        { name: "accountID", start: 5, length: 20 },
        { name: "lastName", start: 45, length: 20 },
        { name: "firstName", start: 65, length: 20 },
      ],
      occurs: [{ start: 5, length: 20, max: 2, dependingOn: { start: 2, length: 2, usage: "packed" } }],
    },
    trailer: { type: "T", count: { start: 2, length: 4, usage: "binary" } },
  },
  details: {
    kind: "fixed",
    collection: "customers",
    recordLength: 61,
    lineEnd: "lf",
    recordType: { start: 1, length: 1 },
    detail: {
      type: "D",
      fields: [
        { name: "firstName", start: 2, length: 20 },
        { name: "lastName", start: 22, length: 20 },
        { name: "accountID", start: 42, length: 20 },
      ],
    },
    otherDetails: [{ type: "N", collection: "notes", fields: [{ name: "accountID", start: 2, length: 20 }] }],
    trailer: { type: "T", count: { start: 2, length: 6 } },
  },
  items: {
    kind: "fixed",
    collection: "customers",
    recordLength: 110,
    lineEnd: "lf",
    detail: {
      fields: [
        { name: "objectId", start: 1, length: 10 },
        { name: "firstName", start: 11, length: 20 },
        { name: "lastName", start: 31, length: 20 },
        { name: "accountID", start: 51, length: 20 },
      ],
      children: [
        {
          collection: "lines",
          start: 71,
          length: 20,
          max: 2,
          fields: [
            { name: "customerId", start: 1, length: 10 },
            { name: "accountID", start: 71, length: 20 },
          ],
        },
      ],
    },
  },
  trimmed: {
    kind: "fixed",
    collection: "customers",
    recordLength: 60,
    lineEnd: "lf",
    trimmed: true,
    detail: {
      minLength: 41,
      fields: [
        { name: "firstName", start: 1, length: 20 },
        { name: "lastName", start: 21, length: 20 },
        { name: "accountID", start: 41, length: 20 },
      ],
    },
  },
};

test(`${ROUNDS * FILES} files whose commands and service were killed are stored in the end, every record once`, {
  timeout: 1_800_000,
}, async () => {
  writeFileSync(join(folder.path, "package.json"), JSON.stringify(PACKAGE));
  let service = await start();
  const port = new URL(service.url).port;
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const body = JSON.stringify({ name: "Kills", collection: "customers", headings: ["Vor", "Nach", "Konto"], content: RECIPE });
  const made = await fetch(`${service.url}/v1${RECIPES_PATH}`, { method: "POST", headers, body });
  expect(made.status).toBe(201);
  for (const kind of KINDS) if (LAYOUTS[kind]) writeFileSync(layoutPath(kind), JSON.stringify(LAYOUTS[kind]));
  for (let round = 0; round < ROUNDS; round++) {
    const files = KINDS.map((kind, i) => {
      const name = `r${round}f${i}-`;
      const path = join(folder.path, `${name}.${kind === "recipe" ? "csv" : kind}`);
      const by = LAYOUTS[kind] ? ["--layout", layoutPath(kind)] : kind === "recipe" ? ["--recipe", "Kills"] : ["--collection", "customers"];
      return { kind, name, path, run: ["run", path, ...by] };
    });
    for (const { kind, name, path } of files) writeFileSync(path, await contentOf(kind, customersCsv(ROWS, name)));
    const commands = files.map(({ run }) => startBatch(service.url, [...run, "--json"]));
    const deaths = commands.slice(1).map(async (command) => {
      await comeNear(command);
      command.child.kill("SIGKILL");
    });
    await comeNear(commands[randomInt(FILES)] as Running);
    service = await killService(service, port);
    await Promise.all([...deaths, ...commands.map(({ ended }) => ended)]);
    // Killed before its first batch it left nothing to resume, and is begun anew.
    const resume = async ({ path, run }: (typeof files)[number]) => {
      const { code } = await batch(service.url, ["resume", path]);
      return code === 0 ? code : (await batch(service.url, run)).code;
    };
    expect(await Promise.all(files.map(resume))).toEqual(files.map(() => 0));
    for (const { kind, name } of files) {
      const stored = await readAll(service.url, headers, `&accountID[prefix]=${name}`);
      expect([stored.length, new Set(stored.map(({ accountID }) => accountID)).size], kind).toEqual([ROWS, ROWS]);
      // What was added and changed once has the version 2; what was added and deleted is gone.
      if (kind === "mixed") expect(new Set(stored.map(({ version }) => version))).toEqual(new Set([2]));
      expect(new Set(stored.map(({ firstName }) => firstName)), kind).toEqual(new Set([kind === "recipe" ? null : "Märta"]));
      const second = SECOND[kind];
      if (second) expect(await accountsOf(service.url, second, name), kind).toEqual([ROWS, ROWS]);
    }
  }
});

function start(port = "0"): Promise<Started> {
  return startService(folder.path, port, { DICTIONARY: join(folder.path, "package.json") });
}

/** Counts how many records of the collection have such an account, and how many different ones. */
async function accountsOf(url: string, { name }: Collection, prefix: string): Promise<[records: number, accounts: number]> {
  const baseUrl = `${url}/v1`;
  const client = createClient({ baseUrl, session: createKeySession(baseUrl, KEY) });
  const accounts: unknown[] = [];
  for await (const page of allRecords(client, name, { "accountID[prefix]": prefix }))
    accounts.push(...page.map(({ accountID }) => accountID));
  return [accounts.length, new Set(accounts).size];
}

function layoutPath(kind: Kind): string {
  return join(folder.path, `${kind}.json`);
}

/** In a file with a second collection each record has one record there, with the same account. */
function fixedFile(layout: FixedLayout, second: Collection | undefined, rows: readonly string[][]): Uint8Array {
  const writer = new FixedWriter(layout, customers);
  const [table] = layout.detail.children ?? [];
  const other = second && selectDetail(layout, second.name);
  const ofOther = second && other && !table ? writer.forDetail(other, second) : undefined;
  const details = rows.flatMap(([firstName = "", lastName = "", accountID = ""]) => {
    const objectId = table ? String(++lastId) : "";
    const items = table && second ? [{ table, collection: second, rows: [{ id: 0, texts: { customerId: objectId, accountID } }] }] : [];
    const own = writer.detail({ objectId, firstName, lastName, accountID }, undefined, items);
    return ofOther ? [own, ofOther.detail({ accountID })] : [own];
  });
  const bytes = Buffer.concat([...details, writer.trailer()]);
  return layout.trimmed ? Buffer.from(bytes.toString("utf8").replace(/ +$/gm, "")) : bytes;
}

/** Each row is added and changed, and one more record is added and deleted: actions and records in turn. */
function mixedFile(rows: readonly string[][]): string {
  return rows
    .map(([firstName, lastName, accountID]) => {
      const [id, other] = [++lastId, ++lastId];
      return `A,${id},,${lastName},${accountID}\nA,${other},,${lastName},${accountID}\nC,${id},${firstName},,\nD,${other},,,\n`;
    })
    .join("");
}

/** The rows as such a file, or as the recipe expects them: under other headings, with a first name that means none. */
async function contentOf(kind: Kind, csv: string): Promise<string | Uint8Array> {
  if (kind === "csv") return csv;
  const [heading = [], ...rows] = csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  if (kind === "recipe") return ["Vor,Nach,Konto", ...rows.map(([, ...rest]) => [NO_NAME, ...rest].join(","))].join("\n");
  if (kind === "mixed") return mixedFile(rows);
  const layout = LAYOUTS[kind];
  if (layout?.kind === "fixed") return fixedFile(layout, SECOND[kind], rows);
  const table = [heading, ...rows];
  const file = () => {
    if (kind === "xlsx") return xlsxFile([{ name: "Customers", xml: rowsXml(table) }]);
    return kind === "ods" ? odsFile(odsTable(table)) : zipFile({ "customers.csv": csv });
  };
  return new Uint8Array(await file().arrayBuffer());
}

/** Some moment while the batches leave, sometimes before the first or after the last. */
async function comeNear(command: Running): Promise<void> {
  if (randomInt(4) > 0) await command.untilOutput('"step":"checked"');
  await new Promise((resolve) => setTimeout(resolve, randomInt(SENDING)));
}

/** And starts it again on its port, where the command looks for it. */
async function killService({ child, ended }: Started, port: string): Promise<Started> {
  child.kill("SIGKILL");
  await ended;
  return start(port);
}
