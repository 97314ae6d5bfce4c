// Imports of files by API: what is stored and told of each kind of file, who may do what, and what ends one.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Import } from "../../../core/contract/imports.ts";
import { xlsxFile } from "../../../pipeline/testing/workbooks.ts";
import { createContentFolder } from "../../content/folder/content-folder.ts";
import { createImporter } from "../../imports/importer.ts";
import { startBuiltImportThread } from "../../testing/built-files.ts";
import { NO_RATE_LIMIT, openTestService, type Reply, type TestService } from "../../testing/service.ts";

const text = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const PACKAGE = {
  title: "Imports",
  resources: [
    {
      name: "customers",
      title: "Customers",
      label: ["name"],
      schema: {
        fields: [
          { name: "objectId", title: "Object ID", type: "integer" },
          text("name", { title: "Name", constraints: { required: true } }),
          text("iban", { title: "IBAN", constraints: { unique: true } }),
          text("city", { title: "City" }),
        ],
        primaryKey: ["objectId"],
      },
    },
    {
      name: "orders",
      title: "Orders",
      schema: { fields: [{ name: "orderId", title: "Order ID", type: "integer" }, text("note")], primaryKey: ["orderId"] },
    },
  ],
};

let service: TestService;
let stopImports: (() => Promise<void>) | undefined;
let last = 0;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
});
afterEach(async () => {
  await stopImports?.();
  stopImports = undefined;
});
afterAll(() => service.close());

const start = async () => {
  stopImports = await service.startImports();
};
const ibans = (some: readonly (string | number)[]) => some.map((one) => `DE${one}`);

/** Rows of a CSV file with IBANs that no other file of these tests has. */
function newRows(count: number): { csv: string; first: number } {
  const first = last + 1;
  last += count;
  const rows = Array.from({ length: count }, (_, i) => `Anna ${first + i},DE${first + i},Köln`);
  return { csv: `name,iban,city\n${rows.join("\n")}\n`, first };
}

async function post(
  query: string,
  payload: string | Buffer,
  headers: Record<string, string> = {},
  collection = "customers",
): Promise<Reply> {
  const own = { "content-type": "text/csv", ...(await admin()), ...headers };
  return service.raw("POST", `/v1/${collection}/imports${query}`, own, payload);
}

let token: string | undefined;
async function admin(): Promise<Record<string, string>> {
  token ??= await service.tokenFor("admin");
  return { authorization: `Bearer ${token}` };
}

async function read(id: string, headers?: Record<string, string>): Promise<Import> {
  const reply = await service.raw("GET", `/v1/runs/${id}/import`, headers ?? (await admin()));
  expect(reply.status).toBe(200);
  return reply.json;
}

/** Waits for its end. */
async function ended(id: string, headers?: Record<string, string>): Promise<Import> {
  await expect.poll(async () => (await read(id, headers)).state, { timeout: 50_000 }).toMatch(/done|stopped|cancelled/);
  return read(id, headers);
}

async function imported(query: string, payload: string | Buffer): Promise<Import> {
  const reply = await post(query, payload);
  expect(reply.status).toBe(202);
  return ended(reply.json.id);
}

const bodies = () => {
  const folder = join(service.folder, "files", "imports");
  const parts = readdirSync(folder).filter((name) => name.length === 2);
  return parts.flatMap((part) => readdirSync(join(folder, part)));
};

async function stored(filter: string): Promise<Record<string, unknown>[]> {
  return (await service.call("GET", `/v1/customers?${filter}&sort=objectId&limit=1000`)).json.customers;
}

describe("a file", () => {
  test("is answered at once, and stored in a run that Uploads lists and that can be taken back", async () => {
    const { csv, first } = newRows(3);
    const reply = await post("?name=new.csv&mode=create", csv);
    expect([reply.status, reply.json.state, reply.json.fileName, reply.json.bytes]).toEqual([
      202,
      "queued",
      "new.csv",
      Buffer.byteLength(csv),
    ]);
    const { id } = reply.json;
    expect(reply.headers.location).toBe(`/v1/runs/${id}/import`);
    expect(bodies().length).toBe(1);
    await start();
    expect(await ended(id)).toMatchObject({
      state: "done",
      why: null,
      rowsTotal: 3,
      rowsDone: 3,
      counts: { created: 3 },
      problems: [],
      run: id,
    });
    const run = (await service.call("GET", `/v1/runs/${id}`)).json;
    expect(run).toMatchObject({ id, fileName: "new.csv", state: "done", counts: { created: 3 }, meaning: { mode: "create" } });
    expect((await stored(`iban=DE${first}`))[0]).toMatchObject({ name: `Anna ${first}`, city: "Köln" });
    await expect.poll(bodies, { timeout: 20_000 }).toEqual([]);
    const undone = await service.call("POST", "/v1/customers/undo", { run: id });
    expect(undone.json.summary ?? undone.json).toMatchObject({ reversed: 3 });
    expect(await stored(`iban=DE${first}`)).toEqual([]);
  });

  test("in Latin-1 with semicolons, a broken row and one too many keeps its good rows, and the run has the others with reasons", async () => {
    await start();
    const { first } = newRows(4);
    const lines = [`Jürgen;DE${first};Köln;1`, `;DE${first + 1};Bonn;`, `Zoë;DE${first};Ulm;`, `Ägidius;DE${first + 3};Münster;2`];
    const found = await imported("?name=alt.csv", Buffer.from(`Name;IBAN;City;Fax\r\n${lines.join("\r\n")}\r\n`, "latin1"));
    expect(found).toMatchObject({ state: "done", rowsTotal: 4, counts: { created: 2, failed: 1, notSent: 1 } });
    expect(found.problems.map(({ field, rows }) => [field, rows]).sort()).toEqual([
      ["iban", 1],
      ["name", 1],
    ]);
    expect(found.notes.join(" ")).toMatch(/windows-1252.*Fax/s);
    const { rows } = (await service.call("GET", `/v1/runs/${found.run}/rows`)).json;
    expect(rows.map(({ row, values }: { row: number; values: object }) => [row, values])).toEqual([
      [2, { name: "", iban: `DE${first + 1}`, city: "Bonn" }],
      [3, { name: "Zoë", iban: `DE${first}`, city: "Ulm" }],
    ]);
    expect((await stored(`iban[in]=${ibans([first, first + 3])}`)).map(({ name, city }) => [name, city])).toEqual([
      ["Jürgen", "Köln"],
      ["Ägidius", "Münster"],
    ]);
  });

  test("of a workbook is read from the sheet that is asked for", async () => {
    await start();
    const { first } = newRows(2);
    const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const sheet = (name: string, iban: string) => ({
      name,
      xml: `<sheetData>${[
        ["name", "iban"],
        [`Of ${name}`, iban],
      ]
        .map((row) => `<row>${row.map(cell).join("")}</row>`)
        .join("")}</sheetData>`,
    });
    const workbook = Buffer.from(await xlsxFile([sheet("First", `DE${first}`), sheet("Second", `DE${first + 1}`)]).arrayBuffer());
    expect(await imported("?sheet=Second", workbook)).toMatchObject({ state: "done", counts: { created: 1 } });
    expect((await stored(`iban[in]=${ibans([first, first + 1])}`)).map(({ name }) => name)).toEqual(["Of Second"]);
    expect(await imported("?sheet=Third", workbook)).toMatchObject({
      state: "stopped",
      why: expect.stringMatching(/no sheet “Third”. It has First, Second/),
    });
  });

  test("of JSON Lines changes the records that it means by another unique field", async () => {
    await start();
    const { csv, first } = newRows(2);
    await imported("", csv);
    const lines = `${JSON.stringify({ iban: `DE${first}`, city: "Ulm" })}\n${JSON.stringify({ iban: "DEnobody", city: "Ulm" })}\n`;
    const found = await imported("?mode=update&matchBy=iban", lines);
    expect(found).toMatchObject({ state: "done", counts: { updated: 1, failed: 1 } });
    expect((await stored(`iban=DE${first}`))[0]).toMatchObject({ name: `Anna ${first}`, city: "Ulm" });
  });

  test("is read by a recipe, which says what a row means", async () => {
    await start();
    const { first } = newRows(1);
    const columns = ["iban", "name"];
    const content = { form: 1, mode: "create", choices: {}, columns, autoFixes: [], leftOutGroups: [] };
    const recipe = { collection: "customers", name: "Old system", headings: ["ACCT", "NM"], content };
    expect((await service.call("POST", "/v1/recipes", recipe)).status).toBe(201);
    const csv = `ACCT,NM\nDE${first},Ada\n`;
    expect(await imported("?recipe=old%20system", csv)).toMatchObject({ state: "done", recipe: "old system", counts: { created: 1 } });
    expect((await stored(`iban=DE${first}`))[0]).toMatchObject({ name: "Ada" });
    expect((await post("?recipe=old%20system&mode=create", csv)).status).toBe(400);
    expect(await imported("?recipe=none", csv)).toMatchObject({
      state: "stopped",
      why: expect.stringMatching(/no recipe “none” for customers/),
    });
  });

  test("that nobody can read, or that lacks a column, says in a sentence why nothing is stored", async () => {
    await start();
    expect(await imported("", "city\nKöln\n")).toMatchObject({
      state: "stopped",
      why: expect.stringMatching(/no column is matched with Name/),
      run: null,
    });
    const lines = await imported("", "0001ANNA      BONN\n0002BEN       ULM \n");
    expect([lines.state, lines.why]).toEqual(["stopped", expect.not.stringMatching(/--|layout/)]);
    const odd = await imported("", Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(400, 7)]));
    expect([odd.state, odd.run]).toEqual(["stopped", null]);
    expect(await imported("?encoding=klingon", "name\nA\n")).toMatchObject({
      why: expect.stringMatching(/^encoding must be one of UTF-8/),
    });
    expect(await imported("?mode=update&matchBy=city", "name,city\nA,B\n")).toMatchObject({
      why: expect.stringMatching(/^matchBy says city, which is not unique/),
    });
  });

  test("with more wrong rows than may be stores nothing", async () => {
    await start();
    const { first } = newRows(2);
    const csv = `name,iban\nAda,DE${first}\n,DE${first + 1}\n`;
    const found = await imported("?maxRejects=0", csv);
    expect(found).toMatchObject({ state: "stopped", why: "Nothing was stored: 1 of 2 rows is wrong, and maxRejects allows 0.", run: null });
    expect(found.problems).toMatchObject([{ field: "name", rows: 1 }]);
    expect(await stored(`iban=DE${first}`)).toEqual([]);
  });

  test("is only counted in a dry run", async () => {
    await start();
    const { csv, first } = newRows(2);
    await imported("", csv);
    const more = `name,iban\nAda,DE${first}\nBob,DEdry\n,DEdry2\n`;
    const found = await imported("?dryRun=true", more);
    expect(found).toMatchObject({ dryRun: true, state: "done", counts: { created: 1, failed: 1, notSent: 1 }, run: null });
    expect(found.problems.map(({ field, rows }) => [field, rows]).sort()).toEqual([
      ["iban", 1],
      ["name", 1],
    ]);
    expect(await stored("iban[prefix]=DEdry")).toEqual([]);
    expect((await service.call("GET", `/v1/runs/${found.id}`)).status).toBe(404);
  });

  test("that somebody else has just uploaded says so in a note", async () => {
    await start();
    const { csv } = newRows(1);
    const first = await imported("", csv);
    const other = { authorization: `Bearer ${await service.tokenFor("customers:create customers:read")}` };
    const { id } = (await post("", csv, other)).json;
    const notes = (await ended(id, other)).notes.filter((note) => note.startsWith("The same file"));
    expect(notes).toEqual([expect.stringMatching(new RegExp(`^The same file is in run ${first.id} of `))]);
  });

  test("that comes again under its idempotency key is one import, and another one under it is refused", async () => {
    const { csv } = newRows(1);
    const key = { "idempotency-key": `night-${last}` };
    const answers = await Promise.all([post("", csv, key), post("", csv, key), post("", csv, key)]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === "true").length).toBe(2);
    expect((await post("?dryRun=true", csv, key)).status).toBe(422);
    await start();
    expect(await ended(answers[0]?.json.id)).toMatchObject({ counts: { created: 1 } });
    const after = await post("", csv, key);
    expect(after.json).toMatchObject({ id: answers[0]?.json.id, state: "done" });
  });

  test("that is empty, too large, or one too many is refused", async () => {
    expect((await post("", "")).status).toBe(400);
    const small = await openTestService(PACKAGE, { limits: { ...NO_RATE_LIMIT, importBytes: 20, importsPerKey: 2 } });
    try {
      const send = (body: string) => small.call("POST", "/v1/customers/imports", body, { "content-type": "text/csv" });
      expect((await send("name\nA\n")).status).toBe(202);
      expect((await send(`name\n${"A".repeat(20)}\n`)).json).toMatchObject({ status: 413, code: "TOO_LARGE" });
      expect((await send("name\nB\n")).status).toBe(202);
      const many = await send("name\nC\n");
      expect([many.status, many.json.code, many.headers["retry-after"]]).toEqual([429, "TOO_MANY_IMPORTS", "10"]);
    } finally {
      await small.close();
    }
  });
});

describe("rights", () => {
  test("whoever may not write is refused before the file comes, and nobody sees or ends the import of somebody else", async () => {
    const { csv } = newRows(1);
    const as = async (scope: string) => ({ authorization: `Bearer ${await service.tokenFor(scope)}` });
    expect((await post("", csv, await as("customers:read"))).status).toBe(403);
    expect((await post("", csv, await as("orders:create"))).status).toBe(403);
    const writer = await as("customers:create");
    const { id } = (await post("", csv, writer)).json;
    const other = await as("customers:create");
    for (const method of ["GET", "DELETE"]) {
      expect((await service.raw(method, `/v1/runs/${id}/import`, other)).status).toBe(404);
      expect((await service.raw(method, `/v1/runs/${id}/import`, await admin())).status).toBe(404);
      expect((await service.raw(method, `/v1/runs/${id.slice(1)}/import`, await admin())).status).toBe(404);
      expect((await service.raw(method, "/v1/runs/none/import", writer)).status).toBe(404);
    }
    await start();
    expect(await ended(id, writer)).toMatchObject({ state: "done", counts: { created: 1 } });
  });

  test("an import has the rights of whoever began it, and no more", async () => {
    await start();
    const { first } = newRows(1);
    const writer = { authorization: `Bearer ${await service.tokenFor("customers:create customers:read")}` };
    const csv = `objectId,name,iban\n,Ada,DE${first}\n`;
    expect((await post("?mode=upsert", csv, writer)).status).toBe(403);
    const content = { form: 1, mode: "upsert", choices: {}, columns: ["objectId", "name", "iban"], autoFixes: [], leftOutGroups: [] };
    const recipe = { collection: "customers", name: "Either", headings: ["objectId", "name", "iban"], content };
    expect((await service.call("POST", "/v1/recipes", recipe)).status).toBe(201);
    const { id } = (await post("?recipe=Either", csv, writer)).json; // what it may do is found once the recipe is read
    const found = await ended(id, writer);
    expect(found.state).toBe("stopped");
    expect(found.why).toMatch(/customers:update/);
  });

  test("an import ends with a sentence when the key is revoked meanwhile, and its run says so", async () => {
    const { csv } = newRows(10);
    const { keyId, token: own } = await service.newCredentials("customers:create customers:read");
    const { id } = (await post("", csv, { authorization: `Bearer ${own}` })).json;
    expect((await service.call("DELETE", `/v1/keys/${keyId}`)).status).toBe(204);
    await start();
    await expect.poll(async () => (await service.store.imports.readImport(id))?.state, { timeout: 50_000 }).toBe("stopped");
    const job = await service.store.imports.readImport(id);
    expect(job?.result.why).toBe("Whoever began this import may not store records here any more. Nothing more was stored.");
  });

  test("a person whose role is taken away stops being able to write", async () => {
    const person = await service.newPerson("editor");
    const headers = { authorization: `Bearer ${person.token}` };
    const { csv, first } = newRows(5);
    const { id } = (await post("", csv, headers)).json;
    expect(id).toEqual(expect.any(String));
    await service.store.people.changeUser(person.id, { roles: ["viewer"] });
    await start();
    await expect.poll(async () => (await service.store.imports.readImport(id))?.state, { timeout: 50_000 }).toBe("stopped");
    expect((await service.store.imports.readImport(id))?.result.why).toMatch(/customers:create/);
    expect(await stored(`iban=DE${first}`)).toEqual([]);
    expect((await service.raw("GET", `/v1/runs/${id}/import`, headers)).status).toBe(404);
  });

  test("a person signs out, and the import goes on as theirs", async () => {
    const person = await service.newPerson("editor");
    const { csv, first } = newRows(2);
    const { id } = (await post("", csv, { authorization: `Bearer ${person.token}` })).json;
    await service.raw("DELETE", "/v1/sessions/current", { authorization: `Bearer ${person.token}` });
    await start();
    await expect.poll(async () => (await service.store.imports.readImport(id))?.state, { timeout: 50_000 }).toBe("done");
    expect((await stored(`iban=DE${first}`))[0]?.createdBy).toMatchObject({ type: "user", id: person.id });
    expect((await service.call("GET", `/v1/runs/${id}`)).json.by).toMatchObject({ type: "user", id: person.id });
  });
});

describe("in the middle", () => {
  const ROWS = 9_000; // nine requests, of which the limit lets few through at a time
  const FILE = `name,iban\n${Array.from({ length: ROWS }, (_, i) => `Anna ${i},DE${i}`).join("\n")}\n`;
  let slow: TestService;
  beforeEach(async () => {
    slow = await openTestService(PACKAGE, { limits: { ...NO_RATE_LIMIT, requestsPerSecond: 2, requestBurst: 4 } });
  });
  afterEach(() => slow.close());

  /** Sends the file as somebody whose requests count apart from those of the test. */
  async function begin() {
    const { keyId, token: own } = await slow.newCredentials("customers:create customers:read");
    const headers = { authorization: `Bearer ${own}`, "content-type": "text/csv" };
    const { status, json } = await slow.raw("POST", "/v1/customers/imports", headers, FILE);
    expect(status).toBe(202);
    const job = () => slow.store.imports.readImport(json.id);
    await slow.startImports();
    await expect.poll(async () => (await job())?.progress.rowsDone ?? 0, { timeout: 50_000 }).toBeGreaterThan(0);
    return { id: json.id as string, keyId, job };
  }
  const stateOf = (job: () => Promise<{ state: string } | undefined>) => expect.poll(async () => (await job())?.state, { timeout: 55_000 });
  const total = async () => (await slow.call("GET", "/v1/customers?limit=1&count=exact")).json.total;

  test("a service that stops leaves an import to its next start, and each row is stored once", { timeout: 120_000 }, async () => {
    const { id } = await begin();
    expect((await slow.store.imports.readImport(id))?.state).toBe("running");
    await slow.reopen();
    await slow.startImports();
    const job = () => slow.store.imports.readImport(id);
    await stateOf(job).toBe("done");
    expect((await job())?.progress).toMatchObject({ rowsTotal: ROWS, rowsDone: ROWS, counts: { created: ROWS, inDoubt: 0 } });
    expect(await total()).toBe(ROWS);
  });

  test("somebody ends it: what is stored stays, and the report adds up", { timeout: 120_000 }, async () => {
    const { id, job } = await begin();
    expect(await slow.store.imports.cancelImport(id, Date.now())).toMatchObject({ state: "running", isCancelled: true });
    await stateOf(job).toBe("cancelled");
    const { counts, rowsTotal } = (await job())?.progress ?? {};
    expect(counts?.created).toBe(await total());
    expect((counts?.created ?? 0) + (counts?.notSent ?? 0)).toBe(ROWS);
    expect([rowsTotal, (await job())?.result.why]).toEqual([ROWS, null]);
    expect((await slow.call("GET", `/v1/runs/${id}`)).json).toMatchObject({ state: "cancelled", counts });
  });

  test("a process that has lost it keeps no batch of it any more", async () => {
    const { id } = await begin();
    expect(await slow.store.imports.keepImportBatch({ id, holder: "another" }, 1, "{}")).toBe(false);
    expect(await slow.store.imports.beginImport({ id, holder: "another" }, "{}")).toBe(false);
    expect(await slow.store.imports.renewImport({ id, holder: "another" }, 1, { rowsTotal: 1, rowsDone: 1, counts: null })).toBe("lost");
    expect(JSON.parse((await slow.store.imports.readImportBatch(id, 1)) ?? "")).toMatchObject({ first: 1, last: 1_000 });
  });
});

describe("a thread that cannot do its work", () => {
  const importerWith = (startThread: (options: WorkerOptions) => Worker) => {
    const content = createContentFolder(join(service.folder, "files", "imports"));
    const timing = { lease: 3_000, beat: 50, search: 50, again: 10 };
    return createImporter({ store: service.store, content, report: () => undefined, startThread }, timing);
  };
  const endOf = async (startThread: (options: WorkerOptions) => Worker) => {
    const { id } = (await post("", newRows(1).csv)).json;
    const stop = new AbortController();
    const running = importerWith(startThread).run(stop.signal);
    const found = await ended(id);
    stop.abort();
    await running;
    return found;
  };

  test("for want of memory ends with a sentence", async () => {
    const found = await endOf((options) => startBuiltImportThread({ ...options, resourceLimits: { maxOldGenerationSizeMb: 8 } }));
    expect([found.state, found.why]).toEqual([
      "stopped",
      expect.stringMatching(/^The file is too large: reading it takes more than 512 MB/),
    ]);
  });

  test("is started again some times, and then ends with a sentence", async () => {
    let starts = 0;
    const found = await endOf(() => {
      starts += 1;
      return new Worker("throw new Error('broken')", { eval: true });
    });
    expect([found.state, found.why, starts]).toEqual(["stopped", expect.stringMatching(/^The service tried several times/), 5]);
  });
});

describe("an end", () => {
  test("of an import that waits removes its file, and nothing of it is stored", async () => {
    const { csv, first } = newRows(1);
    const { id } = (await post("", csv)).json;
    const cancelled = await service.raw("DELETE", `/v1/runs/${id}/import`, await admin());
    expect([cancelled.status, cancelled.json.state]).toEqual([200, "cancelled"]);
    await start();
    await expect.poll(bodies, { timeout: 20_000 }).toEqual([]);
    expect((await read(id)).state).toBe("cancelled");
    expect(await stored(`iban=DE${first}`)).toEqual([]);
    expect((await service.raw("DELETE", `/v1/runs/${id}/import`, await admin())).json.state).toBe("cancelled");
  });

  test("an erasure removes what an import says of its rows", async () => {
    await start();
    const { csv, first } = newRows(1);
    await imported("", csv);
    const again = await imported("", csv);
    expect(again.problems.length).toBe(1);
    const [record] = await stored(`iban=DE${first}`);
    expect((await service.call("POST", `/v1/customers/${record?.objectId}/erasure`)).status).toBe(200);
    await expect.poll(async () => (await read(again.id)).problems, { timeout: 20_000 }).toEqual([]);
    expect(await read(again.id)).toMatchObject({ state: "done", counts: { failed: 1 }, notes: [], why: null });
    expect((await service.store.imports.readImport(again.id))?.begun).toBe("");
  });

  test("an erasure removes what one that is not over keeps of its rows, and leaves how its file is read", async () => {
    const { csv } = newRows(1);
    const { id } = (await post("", csv)).json;
    const { imports } = service.store;
    const [held, now] = [{ id, holder: "somebody" }, Date.now()];
    expect((await imports.takeImport(held.holder, now, now + 60_000))?.id).toBe(id);
    const problems = [{ field: "iban", code: "UNIQUE", message: "IBAN DE77 is taken.", rows: 1 }];
    await imports.beginImport(held, JSON.stringify({ plan: { mode: "create" }, rowsTotal: 1, notes: ["DE77 stands twice."], problems }));
    const { objectId } = (await service.call("POST", "/v1/customers", { name: "Erased", iban: "DE77" })).json;
    expect((await service.call("POST", `/v1/customers/${objectId}/erasure`)).status).toBe(200);
    const begun = async () => (await imports.readImport(id))?.begun ?? "";
    await expect.poll(begun, { timeout: 20_000 }).not.toContain("DE77");
    expect(JSON.parse(await begun())).toEqual({ plan: { mode: "create" }, rowsTotal: 1, notes: [], problems: [] });
    const nothing = { state: "cancelled" as const, why: null, problems: [], notes: [], counts: null, rowsTotal: null };
    expect(await imports.endImport(held, nothing, now)).toBe(true);
  });
});
