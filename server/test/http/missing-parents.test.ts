// An upload creates the parents that it names: none is there twice, and one undo takes all back.

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { withFileParents } from "../../../core/dictionary/file-parents.ts";
import { type Corrections, NO_CORRECTIONS, type ParentRule } from "../../../pipeline/model/corrections.ts";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { findMissingParents } from "../../../pipeline/parents/find-missing.ts";
import { findNear } from "../../../pipeline/parents/parent-groups.ts";
import { runUpload } from "../../../pipeline/runs/run-upload.ts";
import { undoRun } from "../../../pipeline/runs/undo.ts";
import { type BatchLog, memoryLog } from "../../../pipeline/sending/journal.ts";
import type { PostBatch } from "../../../pipeline/sending/responses.ts";
import { createUploadService, type UploadService } from "../../../pipeline/sending/upload-service.ts";
import { ORDERS, openTestService, readCollections, type TestService } from "../../testing/service.ts";

let service: TestService;
let baseUrl: string;
let token: string;
const { collections } = readCollections(ORDERS);
const known = { collections, mayCreate: () => true };
const named = (name: string) => collections.find((one) => one.name === name) as Collection;
const orders = withFileParents(named("orders"), known);
const contacts = withFileParents(named("contacts"), known);
const never = new AbortController().signal;

beforeAll(async () => {
  service = await openTestService(ORDERS);
  baseUrl = `${await service.app.listen({ port: 0, host: "127.0.0.1" })}/v1`;
  token = await service.tokenFor("admin");
});
afterAll(() => service.close());
afterEach(async () => {
  for (const name of ["orders", "contacts", "customers"]) {
    const ids = (await all(name)).map(({ objectId }) => objectId);
    if (ids.length > 0)
      expect((await service.call("POST", `/v1/${name}/deletions`, { [name]: ids.map((objectId) => ({ objectId })) })).status).toBe(200);
  }
});

async function all(name: string): Promise<Record<string, unknown>[]> {
  return (await service.call("GET", `/v1/${name}?limit=1000`)).json[name];
}

const open = (run: string, own = token): UploadService =>
  createUploadService(baseUrl, orders, own, () => {}, { source: `upload; run=${run}` });

const COLUMNS = ["orderNumber", "customer.accountNumber", "customer.name", "customer.city"];
const dialect: Plan["dialect"] = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 };
const fileOf = (...rows: string[]) => new File([`order,account,name,city\n${rows.join("\n")}\n`], "orders.csv");
const planOf = (rules: readonly Omit<ParentRule, "field">[], fixes: Corrections = NO_CORRECTIONS): Plan => ({
  ...{ dialect, columns: COLUMNS, mode: "create" },
  fixes: { ...fixes, parents: rules.map((rule) => ({ field: "customer.accountNumber", ...rule })) },
});
const ROWS = Array.from({ length: 40 }, (_, i) => `B-${i},N-${i % 8},Firm ${i % 8},${i < 8 ? "" : "Bonn"}`);
const ALL_NEW = Array.from({ length: 8 }, (_, i) => ({ from: `N-${i}`, to: "new" as const }));

interface Attempt {
  run: string;
  file?: File;
  plan?: Plan;
  log?: BatchLog;
  own?: string;
  /** What becomes of each request, by its number; undefined: it is answered. */
  fault?: (call: number) => "lost" | "silent" | undefined;
}

/** Ends early, as a tab that is closed, with the first request that a fault befalls. */
async function attempt({
  run,
  file = fileOf(...ROWS),
  plan = planOf(ALL_NEW),
  log = memoryLog(),
  own,
  fault,
}: Attempt): Promise<Report | undefined> {
  const upload = open(run, own);
  let calls = 0;
  const closed = new AbortController();
  const failing =
    (post: PostBatch): PostBatch =>
    async (...given) => {
      const what = fault?.(calls++);
      if (closed.signal.aborted) return new Promise(() => undefined);
      const answer = what === "lost" ? undefined : await post(...given);
      if (answer && !what) return answer;
      closed.abort();
      return new Promise(() => undefined);
    };
  const parents = { post: (to: Collection) => failing(upload.parents.post(to)) };
  const keep: BatchLog["keep"] = (...entry) => (closed.signal.aborted ? new Promise(() => undefined) : log.keep(...entry));
  const states = runUpload({
    ...{ ...upload, parents, postBatch: failing(upload.postBatch), log: { from: log.from, keep } },
    ...{ file, plan, collection: orders, uploadId: run, rowsTotal: ROWS.length, signal: never },
  });
  const ended = (async () => {
    let report: Report | undefined;
    for await (const state of states) if (state.step === "report") ({ report } = state);
    return report;
  })();
  const died = new Promise<undefined>((resolve) => closed.signal.addEventListener("abort", () => resolve(undefined)));
  return Promise.race([ended, died]);
}

async function undo(run: string, own = token, collection = "orders") {
  const upload = open(run, own);
  const elsewhere = { ...upload, collection, order: ["orders", "contacts", "customers"] };
  let last: unknown;
  for await (const state of undoRun({ ...upload, postUndo: upload.undoIn(collection), elsewhere, run, signal: never })) last = state;
  return last;
}

async function expectEachOnce(): Promise<void> {
  const customers = await all("customers");
  expect(customers.map(({ accountNumber }) => accountNumber).sort()).toEqual(ALL_NEW.map(({ from }) => from));
  const ids = new Map(customers.map(({ accountNumber, objectId }) => [accountNumber, objectId]));
  const stored = await all("orders");
  expect(stored).toHaveLength(40);
  for (const { orderNumber, customerId } of stored) expect(customerId).toBe(ids.get(`N-${Number(String(orderNumber).slice(2)) % 8}`));
}

for (const call of [0, 1]) {
  for (const what of ["lost", "silent"] as const) {
    test(`a tab that dies with request ${call} ${what} goes on, and no parent is there twice`, async () => {
      const log = memoryLog();
      const run = `dying-${call}-${what}`;
      expect(await attempt({ run, log, fault: (n) => (n === call ? what : undefined) })).toBeUndefined();
      const report = await attempt({ run, log });
      expect(report).toMatchObject({ counts: { created: 40, failed: 0, inDoubt: 0 }, parents: [{ created: 8, there: 0, failed: 0 }] });
      await expectEachOnce();
      expect(await undo(run)).toMatchObject({ ended: "done", counts: { reversed: 40 }, others: { reversed: 8, failed: 0 } });
      expect([await all("orders"), await all("customers")]).toEqual([[], []]);
    });
  }
}

test("a parent gets the first value that the file has for it, and one that came meanwhile is used as it is", async () => {
  expect((await service.call("POST", "/v1/customers", { name: "Other", accountNumber: "N-3" })).status).toBe(201);
  const report = await attempt({ run: "meanwhile" });
  expect(report).toMatchObject({ counts: { created: 40 }, parents: [{ collection: "customers", created: 7, there: 1, failed: 0 }] });
  await expectEachOnce();
  const byNumber = new Map((await all("customers")).map((one) => [one.accountNumber, one]));
  expect(byNumber.get("N-3")).toMatchObject({ name: "Other" });
  expect(byNumber.get("N-2")).toMatchObject({ name: "Firm 2", city: "Bonn" });
  expect(await undo("meanwhile", token, "customers")).toMatchObject({ ended: "done", counts: { reversed: 7 }, others: { reversed: 40 } });
  expect((await all("customers")).map(({ name }) => name)).toEqual(["Other"]);
});

test("a parent that breaks a rule is not created, and its rows say that it is not there; values may be mapped and left out", async () => {
  const ek = (await service.call("POST", "/v1/customers", { name: "Ek", accountNumber: "E-1" })).json.objectId;
  const file = fileOf("B-1,N-0,Firm,", `B-2,N-1,${"x".repeat(201)},`, "B-3,N-2,Firm,", "B-4,N-3,Firm,");
  const rules = [...ALL_NEW.slice(0, 2), { from: "N-2", to: ek }, { from: "N-3", to: null }];
  const report = await attempt({ run: "mapped", file, plan: planOf(rules) });
  expect(report).toMatchObject({
    counts: { created: 2, failed: 1, notSent: 37 },
    parents: [{ created: 1, failed: 1, reasons: [{ text: "N-1" }] }],
  });
  expect((await all("orders")).map(({ orderNumber, customerId }) => [orderNumber, customerId === ek]).sort()).toEqual([
    ["B-1", false],
    ["B-3", true],
  ]);
  await undo("mapped");
});

test("whoever may not create parents stores nothing, and whoever may not delete them undoes nothing", async () => {
  const clerk = await service.tokenFor("orders:read orders:create orders:update orders:delete customers:read");
  const refused = await attempt({ run: "clerk", own: clerk });
  expect(refused).toMatchObject({ ended: "stopped", why: expect.stringContaining("the right to do this"), counts: { created: 0 } });
  expect([await all("orders"), await all("customers")]).toEqual([[], []]);
  await attempt({ run: "boss" });
  expect(await undo("boss", clerk)).toMatchObject({ ended: "stopped", counts: { reversed: 0 } });
  await expectEachOnce();
});

test("the parents that are missing are found by what the service lets see, and so are near ones", async () => {
  const stored = [
    { name: "Ångström", accountNumber: "Angstrom-7", city: "Ulm" },
    { name: "Hidden", accountNumber: "Hidden-1", city: "Kiel" },
  ];
  for (const body of stored) expect((await service.call("POST", "/v1/customers", body)).status).toBe(201);
  const file = fileOf(
    "B-1,Angstrom-7,,",
    "B-2,Hidden-1,,",
    "B-3,angstrøm-7,,",
    "B-4,Hidden-2,,",
    'B-5,"a,""b",,',
    "B-6,hidden-1,,",
    "B-7,B-7,,",
    "B-8,B-7,,",
  );
  const plan = planOf([]);
  const missingFor = async (own: string) => {
    const { parents } = open("find", own);
    const [missing] = await findMissingParents({ file, collection: orders, plan, signal: never }, async (...asked) => {
      const answer = await parents.find(...asked);
      return answer.kind === "read" ? answer.found : undefined;
    });
    if (!missing) throw new Error("not known");
    const near = await findNear(missing, parents.findNear, never);
    return [[...missing.values].map(([text, { rows }]) => `${text} ${rows}`), [...near].map(([text, { value }]) => `${text} ${value}`)];
  };
  const seen = ["angstrøm-7 1", "Hidden-2 1", 'a,"b 1', "hidden-1 1", "B-7 2"];
  expect(await missingFor(token)).toEqual([seen, ["angstrøm-7 Angstrom-7", "hidden-1 Hidden-1"]]);
  const made = await service.call("POST", "/v1/roles", {
    name: "Ulm",
    scope: "customers:read orders:read orders:create",
    conditions: { customers: { read: { where: "city=Ulm" } } },
  });
  expect(made.status).toBe(201);
  const { token: person } = await service.newPerson(made.json.id);
  expect(await missingFor(person)).toEqual([["Hidden-1 1", ...seen], ["angstrøm-7 Angstrom-7"]]);
});

test("references by number are found, too, and a file of many values asks in several requests", async () => {
  const made = (await service.call("POST", "/v1/customers", { name: "Ek", accountNumber: "E-1" })).json.objectId;
  const file = new File(
    [
      `customer,name\n${[made, 99_001, 99_001, ...Array.from({ length: 250 }, (_, i) => 80_000 + i)].map((id) => `${id},Ann`).join("\n")}\n`,
    ],
    "contacts.csv",
  );
  const plan: Plan = { dialect, columns: ["customerId", "name"], mode: "create" };
  const { parents } = open("numbers");
  const [missing] = await findMissingParents({ file, collection: contacts, plan, signal: never }, async (...asked) => {
    const answer = await parents.find(...asked);
    return answer.kind === "read" ? answer.found : undefined;
  });
  expect([missing?.values.size, missing?.values.get("99001")?.rows, missing?.values.has(String(made))]).toEqual([251, 2, false]);
});
