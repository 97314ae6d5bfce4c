// The client package against a real service, also when the way to it loses, doubles and refuses requests.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client/http-client.ts";
import { cancelImport, importFile, untilImported } from "../client/import-files.ts";
import { openCollection } from "../client/open-collection.ts";
import { withRetries } from "../client/retries.ts";
import { createKeySession } from "../client/token-exchange.ts";
import { UploadStopped, uploadRecords } from "../client/upload-records.ts";
import { createRecord } from "../client/write-records.ts";
import { FAULTS, type FaultProxy, startFaultProxy } from "../e2e/support/fault-proxy.ts";
import { createKeys } from "../server/people/auth/api-keys.ts";
import { EMPLOYEES, openTestService, type TestService } from "../server/testing/service.ts";

interface Customer {
  objectId?: number;
  firstName?: string | null;
  lastName: string;
  accountID: string;
}

let service: TestService;
let key: string;
let port: number;
beforeAll(async () => {
  service = await openTestService();
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  port = (service.app.server.address() as AddressInfo).port;
  key = await createKeys(service.store).create("write");
});
afterAll(() => service.close());

function clientAt(at = port, apiKey = key) {
  const baseUrl = `http://127.0.0.1:${at}/v1`;
  return createClient({ baseUrl, session: createKeySession(baseUrl, apiKey) });
}

const stored = async (q: string) => (await service.call("GET", `/v1/customers?q=${q}&limit=1000&count=exact`)).json.total as number;

async function* rows(lastName: string, count: number): AsyncGenerator<Customer> {
  for (let i = 0; i < count; i++) yield { lastName, accountID: `${i}` };
}

describe("an upload of an async iterable", () => {
  let proxy: FaultProxy | undefined;
  afterAll(() => proxy?.close());

  test("stores each record once, whatever happens on the way", async () => {
    const faults = FAULTS.filter((fault) => fault !== "413" && fault !== "cut");
    proxy = await startFaultProxy(() => port, { fault: (batch) => faults[batch], delay: 10 });
    const batches = [];
    const options = { batchSize: 150, inFlight: 3 };
    for await (const batch of uploadRecords(clientAt(proxy.port), "customers", rows("Faulty", 1_000), options)) batches.push(batch);
    expect(proxy.met).toBe(faults.length);
    expect(batches.map(({ from }) => from)).toEqual([0, 150, 300, 450, 600, 750, 900]);
    expect(batches.flatMap(({ results }) => results.map(({ index }) => index))).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
    expect(batches.at(-1)?.summary).toMatchObject({ total: 1_000, created: 1_000, failed: 0 });
    expect(await stored("faulty")).toBe(1_000);
  });

  test("that begins anew with its key stores nothing twice, also records without an id", async () => {
    const upload = (count: number) => uploadRecords(clientAt(), "customers", rows("Killed", count), { key: "night-1", batchSize: 100 });
    for await (const { from } of upload(500)) if (from >= 200) break; // as if the program ended here
    let total = 0;
    for await (const { summary } of upload(500)) total = summary.created;
    expect(total).toBe(500);
    expect(await stored("killed")).toBe(500);
  });

  test("asks for no more records than it can send", async () => {
    let asked = 0;
    async function* counted(): AsyncGenerator<Customer> {
      for await (const row of rows("Slowly", 1_000)) {
        asked++;
        yield row;
      }
    }
    for await (const { from } of uploadRecords(clientAt(), "customers", counted(), { batchSize: 10, inFlight: 2 })) {
      expect(asked).toBeLessThanOrEqual(from + 3 * 10 + 1);
      if (from >= 100) break;
    }
  });

  test("cuts batches by the bytes that the service takes", async () => {
    const wide = Array.from({ length: 300 }, (_, i) => ({
      lastName: "é".repeat(200),
      accountID: `${i}`,
      firstName: "\u{1f600}".repeat(200),
    }));
    const sizes = [];
    for await (const { results } of uploadRecords(clientAt(), "customers", Array(30).fill(wide).flat(), {
      batchSize: 10_000,
      dryRun: true,
    })) {
      sizes.push(results.length);
    }
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(9_000);
  });

  test("that is refused as a whole names the first record without a result", async () => {
    const reader = await createKeys(service.store).create("read");
    const upload = uploadRecords(clientAt(port, reader), "customers", rows("Refused", 10));
    const error = await upload.next().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(UploadStopped);
    expect(error).toMatchObject({ from: 0, cause: { status: 403, code: "INSUFFICIENT_SCOPE" } });
    expect((error as Error).message).toMatch(/^The upload stopped at record 1: /);
  });
});

describe("a collection that is opened by its name", () => {
  test("checks values by the dictionary of the service, in the reader's language", async () => {
    const customers = await openCollection<Customer>(clientAt(), "customers");
    expect(customers.collection.key.name).toBe("objectId");
    expect(customers.check({ lastName: "Smith", accountID: "7" })).toEqual([]);
    expect(customers.check({ lastName: "", accountID: "7".repeat(65) }).map(({ field, code }) => [field, code])).toEqual([
      ["lastName", "REQUIRED"],
      ["accountID", "TOO_LONG"],
    ]);
    await expect(openCollection(clientAt(), "orders")).rejects.toThrow(
      'The service has no collection "orders" for this key. It has: customers.',
    );
  });

  test("knows the kinds of another dictionary", async () => {
    const other = await openTestService(EMPLOYEES);
    try {
      await other.app.listen({ port: 0, host: "127.0.0.1" });
      const itsKey = await createKeys(other.store).create("read");
      const employees = await openCollection(clientAt((other.app.server.address() as AddressInfo).port, itsKey), "employees");
      const kinds = new Set(employees.collection.fields.map(({ kind }) => kind));
      expect(kinds.has("date") && kinds.has("decimal")).toBe(true);
    } finally {
      await other.close();
    }
  });

  test("creates, changes and deletes in one request, once whatever happens on the way", async () => {
    const lossy = await startFaultProxy(() => port, { fault: (batch) => (batch === 0 ? "dropAfter" : undefined), delay: 10 });
    try {
      const customers = await openCollection<Customer>(clientAt(lossy.port), "customers");
      const made = await customers.create({ lastName: "Mixed", accountID: "1" });
      const { summary, results } = await customers.write([
        { action: "create", record: { lastName: "Mixed", accountID: "2" } },
        { action: "update", record: { objectId: made.objectId as number, lastName: "Mixed too" } },
        { action: "delete", record: { objectId: made.objectId as number } },
        { action: "delete", record: { objectId: 987_654 } },
      ]);
      expect(summary).toEqual({ total: 4, created: 1, updated: 1, unchanged: 0, deleted: 1, failed: 1 });
      expect(results.map(({ status }) => status)).toEqual([201, 200, 200, 404]);
      expect(await stored("mixed")).toBe(1);
    } finally {
      lossy.close();
    }
  });

  test("creates, reads, changes, lists and deletes", async () => {
    const customers = await openCollection<Customer>(clientAt(), "customers");
    const made = await customers.create({ lastName: "Opened", accountID: "1" });
    const record = { id: made.objectId, version: made.version };
    expect(await customers.read(record.id)).toMatchObject({ lastName: "Opened", version: 1 });
    const changed = await customers.update(record, { firstName: "Ada" });
    await expect(customers.update(record, { firstName: "Eve" })).rejects.toMatchObject({ status: 412 });
    const names = [];
    for await (const { firstName } of customers.all({ q: "opened" })) names.push(firstName);
    expect(names).toEqual(["Ada"]);
    expect((await customers.list({ q: "opened" })).records).toHaveLength(1);
    await customers.delete({ ...record, version: changed.version });
    await expect(customers.read(record.id)).rejects.toMatchObject({ status: 404 });
    await expect(customers.delete({ id: "7", version: 1 })).rejects.toThrow('The id must be the number in objectId, not "7".');
  });
});

test("a key that is none is refused with the sentence of the batch command, before anything is sent", () => {
  expect(() => clientAt(port, "hello")).toThrow("The API key is not of the form ink_<id>.<secret>. Copy it whole.");
});

test("the examples of client/README.md compile in a strict program", { timeout: 120_000 }, () => {
  const readme = readFileSync("client/README.md", "utf8");
  const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code);
  expect(examples.length).toBeGreaterThan(1);
  const folder = mkdtempSync(join(tmpdir(), "intake-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const rows = "declare function readRows(): AsyncIterable<{ lastName: string; accountID: string }>;\n";
  writeFileSync(join(folder, "examples.ts"), rows + examples.join(""));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "NodeNext",
    target: "ES2023",
    lib: ["ES2023", "ES2024.String", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ["node"],
    typeRoots: [resolve("node_modules/@types")],
    paths: { "@intake/client": [resolve("client/http-client.ts")], "@intake/client/*": [resolve("client/*.ts")] },
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["examples.ts"] }));
  const { stdout, status } = spawnSync("node_modules/.bin/tsc", ["-p", folder], { encoding: "utf8" });
  expect([status, stdout]).toEqual([0, ""]);
});

test("a file is imported once under its key, and told of until its end", async () => {
  const end = await service.startImports();
  const client = clientAt();
  const file = new File(["lastName;accountID;firstName\nImported;i1;Ada\nImported;i2;\n"], "monday.csv", { type: "text/csv" });
  const options = { idempotencyKey: "monday", mode: "create", acknowledge: "all" } as const;
  const [sent, again] = [await importFile(client, "customers", file, options), await importFile(client, "customers", file, options)];
  expect([again.id, sent.fileName]).toEqual([sent.id, "monday.csv"]);
  expect(await untilImported(client, sent.id, { every: 100 })).toMatchObject({ state: "done", counts: { created: 2 }, run: sent.id });
  expect(await stored("imported")).toBe(2);
  const dry = await importFile(client, "customers", file, { dryRun: true, matchBy: ["objectId"], name: "again.csv" });
  expect(await untilImported(client, dry.id, { every: 100 })).toMatchObject({
    dryRun: true,
    fileName: "again.csv",
    counts: { created: 2 },
  });
  expect((await cancelImport(client, dry.id)).state).toBe("done");
  await end();
});

describe("a request that is tried again", () => {
  test("makes one record, though its first answer is lost", async () => {
    const fields = { lastName: "Twice", accountID: "1" };
    let sent = 0;
    const made = await withRetries(async () => {
      const record = await createRecord(clientAt(), "customers", fields, "once-only");
      if (++sent === 1) throw noReply;
      return record;
    });
    expect([sent, made.version, await stored("twice")]).toEqual([2, 1, 1]);
  });

  test("gives up when its patience is over, and at once when nothing can get better", async () => {
    let tries = 0;
    const fails = () => {
      tries++;
      return Promise.reject(noReply);
    };
    await expect(withRetries(fails, { patience: 1 })).rejects.toBe(noReply);
    expect(tries).toBe(1);
    await expect(withRetries(() => clientAt().request("GET", "/nothing"))).rejects.toMatchObject({ status: 404 });
  });

  test("waits no longer once it is aborted", async () => {
    const stop = new AbortController();
    const waiting = withRetries(() => Promise.reject(noReply), { signal: stop.signal, patience: 600_000 });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});

const noReply = await noReplyOf();

/** The error of a request to a port where nobody listens. */
async function noReplyOf(): Promise<Error> {
  const nobody = await startFaultProxy(() => 0, { fault: () => undefined });
  nobody.close();
  return clientAt(nobody.port, "ink_id.secret")
    .request("GET", "/", { open: true })
    .then(
      () => new Error("somebody answered"),
      (error: Error) => error,
    );
}
