// Each list that leaves as a file is in the log and in the activity: who, by which filters, how many rows.

import { get } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { EXPORT_DAYS, EXPORT_QUERY_DAYS, type ExportEntry, type ExportPage } from "../../../core/contract/history.ts";
import { createBackgroundWork } from "../../background-work.ts";
import { NO_REPORT } from "../../engine/background.ts";
import { StoreUnavailable } from "../../engine/store.ts";
import { createSweeper } from "../../retention.ts";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

interface Line {
  event?: string;
  msg: string;
  by: string;
  requestId: string;
}

const DAY = 86_400_000; // ms

let lines: Line[] = [];
const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) };
const exported = () => lines.filter(({ event }) => event === "exported");

let service: TestService;
let port: number;
beforeAll(async () => {
  service = await openTestService(ORDERS, { logLevel: "warn", logTo });
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  port = (service.app.server.address() as AddressInfo).port;
  const customers = Array.from({ length: 3 }, (_, i) => ({ objectId: 1 + i, name: `Meier ${i}`, accountNumber: `a${i}`, city: "Ulm" }));
  await service.call("POST", "/v1/customers", { customers });
  await service.call("POST", "/v1/orders", { objectId: 21, customerId: 1, orderNumber: "o1" });
});
afterAll(() => service.close());
beforeEach(() => {
  lines = [];
});

const list = async (query = "", token?: string): Promise<ExportPage> =>
  (await service.call("GET", `/v1/activity/exports${query}`, undefined, token ? { authorization: `Bearer ${token}` } : {})).json;
const newest = async (token?: string): Promise<ExportEntry | undefined> => (await list("?limit=1", token)).exports[0];

/** The newest export. Whoever has the whole file finds that it has ended, at once. */
async function ended(): Promise<ExportEntry> {
  const entry = await newest();
  if (!entry || entry.rows === null) throw new Error("it has not ended");
  return entry;
}

/** More than the buffers of a connection hold. */
async function addMany(name: string): Promise<void> {
  const customers = Array.from({ length: 10_000 }, (_, i) => ({ name: "x".repeat(200), accountNumber: `${name}-${i}` }));
  for (let i = 0; i < 2; i++) {
    const part = customers.map((one) => ({ ...one, accountNumber: `${one.accountNumber}-${i}` }));
    await service.call("POST", "/v1/customers?onError=continue", { customers: part });
  }
}

test("a file is noted with who took it, its filters and its rows; the log has the filters' names alone", async () => {
  const { id, token } = await service.newPerson("viewer");
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.raw("GET", "/v1/customers.csv?name[prefix]=Meier&city=Ulm&q=meier&limit=2&sort=name&fields=name", headers);
  expect(reply.text.split("\r\n")).toHaveLength(4); // heading, two rows, and the end
  const entry = await ended();
  expect(entry).toMatchObject({
    ...{ by: { type: "user", id }, collection: "customers", expanded: [], rows: 2, complete: true },
    ...{ filter: ["name[prefix]", "city", "q"], query: "name%5Bprefix%5D=Meier&city=Ulm&q=meier" },
  });
  const [line] = exported();
  const fields = { collection: "customers", filter: ["name[prefix]", "city", "q"], expanded: [], rows: 2, complete: true };
  expect(line).toMatchObject({ by: `user ${id}`, requestId: reply.headers["request-id"], ...fields });
  expect(JSON.stringify(lines)).not.toMatch(/meier|ulm/i);
});

test("labels of parents, children below their parent and a list with Accept are exports like any other; HEAD and pages are none", async () => {
  await service.call("GET", "/v1/orders.csv?expand=customer");
  expect(await ended()).toMatchObject({ collection: "orders", expanded: ["customers"], filter: [], query: null, rows: 1, complete: true });
  await service.call("GET", "/v1/customers/1/orders?q=o1", undefined, { accept: "text/csv" });
  expect(await ended()).toMatchObject({ collection: "orders", filter: ["q", "customerId"], query: "q=o1&customerId=1", rows: 1 });
  await service.call("GET", "/v1/customers.csv?q=%20&name.prefix=Nobody&city[]=Ulm&city[]=Bonn");
  const empty = await ended();
  expect(empty).toMatchObject({ filter: ["name[prefix]", "city"], rows: 0, complete: true });
  await service.call("HEAD", "/v1/customers.csv");
  await service.call("GET", "/v1/customers");
  expect((await newest())?.id).toBe(empty.id);
});

test("whoever may read the collection sees that it was exported; what was searched for, administrators and the one who searched", async () => {
  const [one, other] = [await service.newPerson("viewer"), await service.newPerson("viewer")];
  await service.raw("GET", "/v1/customers.csv?q=meier", { authorization: `Bearer ${one.token}` });
  await ended();
  expect((await newest(one.token))?.query).toBe("q=meier");
  expect(await newest(other.token)).toMatchObject({ by: { id: one.id }, filter: ["q"], query: null });
  expect((await newest())?.query).toBe("q=meier");
  expect((await list("", await service.tokenFor("orders:read"))).exports.every(({ collection }) => collection === "orders")).toBe(true);
  expect((await list("", await service.tokenFor("customers:create"))).exports).toEqual([]);
});

test("the list has pages, and filters by collection, person and day", async () => {
  const all = (await list("?limit=200")).exports;
  const paged: ExportEntry[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: ExportPage = await list(`?limit=2${next && `&before=${next}`}`);
    paged.push(...page.exports);
    next = page.next;
  }
  expect(all.length).toBeGreaterThan(3);
  expect(paged).toEqual(all);
  expect((await list("?collection=orders")).exports).toEqual(all.filter(({ collection }) => collection === "orders"));
  const who = all[0]?.by?.id;
  expect((await list(`?by=${who}`)).exports).toEqual(all.filter(({ by }) => by?.id === who));
  expect((await list("?to=2020-01-01")).exports).toEqual([]);
  expect((await list("?from=2020-01-01&timeZone=Europe/Berlin&limit=200")).exports).toEqual(all);
  expect((await service.call("GET", "/v1/activity/exports?before=1")).status).toBe(400);
});

test("an export that its client leaves has the rows so far, and is not complete", async () => {
  await addMany("left");
  const token = await service.tokenFor("read");
  lines = [];
  await new Promise<void>((resolve, reject) => {
    const request = get(
      { port, host: "127.0.0.1", path: "/v1/customers.csv", headers: { authorization: `Bearer ${token}` } },
      (response) => {
        let bytes = 0;
        response.on("data", (part: Buffer) => {
          bytes += part.length;
          if (bytes > 1_000) response.destroy(); // more than the heading
        });
        response.once("close", resolve);
      },
    );
    request.on("error", reject);
  });
  await vi.waitFor(() => expect(exported()).toHaveLength(1), { timeout: 30_000 });
  const entry = await vi.waitFor(ended, { timeout: 30_000 }); // nobody waits for that who has left
  expect(entry).toMatchObject({ complete: false, query: null });
  expect(entry.rows).toBeGreaterThan(0);
  expect(entry.rows).toBeLessThan(20_000);
  expect(exported()).toMatchObject([{ rows: entry.rows, complete: false, source: "127.0.0.1" }]);
});

test("an export is broken off when its caller has other rights by then, and only then", async () => {
  await addMany("watched");
  const roleOf = async (name: string) => (await service.call("POST", "/v1/roles", { name, scope: "customers:read" })).json.id as string;
  const [role, other] = [await roleOf("Exporters"), await roleOf("Others")];
  const person = await service.newPerson(role);
  const key = await service.newCredentials("customers:read");
  const changes = {
    "a role that hides a field": () =>
      service.call("PATCH", `/v1/roles/${role}`, { conditions: { customers: { fields: { hidden: ["city"] } } } }),
    "another person's role": () => service.call("PATCH", `/v1/roles/${other}`, { scope: "read" }),
    "the person is disabled": () => service.call("PATCH", `/v1/users/${person.id}`, { status: "disabled" }),
    "the key is revoked": () => service.call("DELETE", `/v1/keys/${key.keyId}`),
  };
  for (const [name, change] of Object.entries(changes)) {
    const isEnded = await new Promise<boolean>((resolve, reject) => {
      const token = (name.includes("key") ? key : person).token;
      const request = get(
        { port, host: "127.0.0.1", path: "/v1/customers.csv", headers: { authorization: `Bearer ${token}` } },
        (response) => {
          expect(response.statusCode).toBe(200);
          response.once("data", () => {
            response.pause();
            change().then(({ status }) => {
              expect(status).toBeLessThan(300);
              response.resume();
            }, reject);
          });
          response.once("error", () => resolve(true)).once("end", () => resolve(false));
        },
      );
      request.on("error", reject);
    });
    expect(isEnded, name).toBe(!name.includes("another"));
    const entry = await vi.waitFor(ended, { timeout: 30_000 });
    expect(entry.complete, name).toBe(!isEnded);
  }
});

test("an export that cannot be noted is refused, and counts no more as one that is under way", async () => {
  const { exportLog } = service.store;
  const begin = vi.spyOn(exportLog, "beginExport").mockRejectedValue(new StoreUnavailable("the disk is away"));
  for (let i = 0; i < 10; i++) expect((await service.call("GET", "/v1/customers.csv?limit=1")).status).toBe(503);
  begin.mockRestore();
  expect((await service.call("GET", "/v1/customers.csv?limit=1")).status).toBe(200);
  await ended();
});

test("an erasure forgets what lists were searched by, and keeps that they were exported", async () => {
  await service.call("GET", "/v1/customers.csv?name=Meier%202");
  const before = await ended();
  expect(before.query).toBe("name=Meier+2");
  await service.call("POST", "/v1/customers/3/erasure");
  expect(await newest()).toEqual({ ...before, query: null });
  expect((await list("?limit=200")).exports.every(({ query }) => query === null)).toBe(true);
});

test("values that were searched for are kept for some months, exports for a year, and both no longer than the history", async () => {
  const { exportLog } = service.store;
  const now = Date.now();
  const add = (id: string, days: number) =>
    exportLog.beginExport(
      {
        ...{ id: id.repeat(16), at: now - days * DAY, by: { type: "key", id: "0" }, collection: "contacts" },
        ...{ expanded: [], filter: ["q"], query: "q=x" },
      },
      10,
    );
  await add("a", EXPORT_QUERY_DAYS - 1);
  await add("b", EXPORT_QUERY_DAYS + 1);
  await add("c", EXPORT_DAYS - 1);
  await add("d", EXPORT_DAYS + 1);
  const kept = async () => (await list("?collection=contacts")).exports.map(({ id, query }) => [id[0], query]);
  const timing = { first: 1, every: 5, pause: 0 };
  const sweep = async (historyDays: number | undefined, changesDays: number | undefined, expected: unknown) => {
    const work = createBackgroundWork(createSweeper(service.store, { historyDays, changesDays }, NO_REPORT, timing));
    work.start();
    await vi.waitFor(async () => expect(await kept()).toEqual(expected), { timeout: 10_000 });
    await work.stop();
  };
  await sweep(undefined, undefined, [
    ["a", "q=x"],
    ["b", null],
    ["c", null],
  ]);
  await sweep(30, 200, [
    ["a", null],
    ["b", null],
  ]);
});

test("of one principal so many are kept that nobody fills the store with them", async () => {
  const { exportLog } = service.store;
  const entry = { collection: "contacts", expanded: [], filter: [], query: null };
  for (const [i, id] of ["busy", "calm", "busy", "busy", "busy"].entries())
    await exportLog.beginExport({ ...entry, by: { type: "key", id }, id: `${i}`.repeat(16), at: i }, 3);
  const found = await exportLog.listExports({ collections: ["contacts"] }, { at: 60, id: "" }, 100);
  expect(found.map(({ at, by }) => [at, by?.id])).toEqual([
    [4, "busy"],
    [3, "busy"],
    [2, "busy"],
    [1, "calm"],
  ]);
});
