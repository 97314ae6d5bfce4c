// --create-parents: a run creates the records to which its file refers, each once, and its undo takes them back.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { ADMIN_SECRET, authorize } from "../../server/testing/process.ts";
import { ORDERS } from "../../server/testing/service.ts";
import { batch, makeFolder, startBatch, startService } from "../testing/process.ts";
import { openServiceProxy } from "../testing/service-proxy.ts";

const { path: folder, remove } = makeFolder();
const service = await startService(join(folder, "store"), "0", { DICTIONARY: ORDERS });
const headers = { ...(await authorize(service.url, "preset", ADMIN_SECRET)), "content-type": "application/json" };
afterAll(() => {
  service.child.kill("SIGKILL");
  remove();
});

async function all(collection: string): Promise<Record<string, unknown>[]> {
  const reply = await fetch(`${service.url}/v1/${collection}?limit=1000`, { headers });
  return ((await reply.json()) as Record<string, Record<string, unknown>[]>)[collection] ?? [];
}

function write(name: string, ...rows: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.join("\n"));
  return path;
}

function makeOut(name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

const run = (path: string, ...more: string[]) => batch(service.url, ["run", path, "--collection", "orders", "--out", folder, ...more]);

test("a dry run creates nothing, the run creates each parent once with its columns, and one undo takes all back", async () => {
  const made = await fetch(`${service.url}/v1/customers`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "Ek", accountNumber: "A-1" }),
  });
  expect(made.status).toBe(201);
  const rows = Array.from({ length: 30 }, (_, i) => `B-${i},N-${i % 10},Firm ${i % 10},Bonn`);
  const path = write("orders.csv", "Order number,Account number,Name,City", "B-x,A-1,Ek,Ulm", ...rows);
  const dry = await run(path, "--create-parents", "--dry-run", "--out", makeOut("dry"));
  expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining("31 would be created")]);
  expect(await all("customers")).toHaveLength(1);
  expect(await all("orders")).toHaveLength(0);
  const { code, stderr } = await run(path, "--create-parents");
  expect([code, stderr]).toEqual([0, expect.stringContaining("31 created. 10 records of customers were created first.")]);
  const customers = await all("customers");
  expect(customers.map(({ accountNumber }) => accountNumber).sort()).toEqual(["A-1", ...Array.from({ length: 10 }, (_, i) => `N-${i}`)]);
  expect(customers.find(({ accountNumber }) => accountNumber === "N-3")).toMatchObject({ name: "Firm 3", city: "Bonn" });
  expect(customers.find(({ accountNumber }) => accountNumber === "A-1")?.city ?? null).toBeNull(); // what is there stays as it is
  expect(JSON.parse(readFileSync(join(folder, "orders.csv.report.json"), "utf8"))).toMatchObject({
    parents: [{ collection: "customers", created: 10, there: 0, failed: 0 }],
  });
  const undone = await batch(service.url, ["undo", path]);
  expect([undone.code, undone.stderr]).toEqual([
    0,
    expect.stringContaining("31 records of orders.csv taken back, and 10 parents that it had created"),
  ]);
  expect((await all("customers")).map(({ accountNumber }) => accountNumber)).toEqual(["A-1"]);
  expect(await all("orders")).toHaveLength(0);
});

test.each([
  ["before the service has the parents", 0],
  ["after the service has the parents, and before the command knows it", 1],
])("a command that is killed %s goes on, and no parent and no record is there twice", async (_, writes) => {
  const before = (await all("customers")).length;
  const name = `killed-${writes}`;
  const rows = Array.from({ length: 900 }, (_, i) => `${name} ${i},${name} ${i % 200},Firm`);
  const path = write(`${name}.csv`, "Order number,Customer account,Customer name", ...rows);
  const proxy = await openServiceProxy(service.url);
  onTestFinished(() => proxy.close());
  proxy.letThrough(writes);
  const killed = startBatch(proxy.url, ["run", path, "--collection", "orders", "--out", folder, "--create-parents"]);
  await proxy.untilHeld();
  killed.child.kill("SIGKILL");
  await killed.ended;
  proxy.open();
  const { code, stderr } = await batch(service.url, ["resume", path, "--out", folder]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("900 created. 200 records of customers were created first.")]);
  const customers = await all("customers");
  expect(customers).toHaveLength(before + 200);
  expect(new Set(customers.map(({ accountNumber }) => accountNumber)).size).toBe(before + 200);
  expect((await all("orders")).filter(({ orderNumber }) => String(orderNumber).startsWith(name))).toHaveLength(900);
  const undone = await batch(service.url, ["undo", path]);
  expect([undone.code, undone.stderr]).toEqual([0, expect.stringContaining("and 200 parents that it had created")]);
  expect(await all("customers")).toHaveLength(before);
});

test("a file that does not say what a parent needs is refused before anything is stored, and without the option its rows are rejects", async () => {
  const path = write("lacking.csv", "Order number,Account number", "L-1,Z-1");
  const refused = await run(path, "--create-parents");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(
      "Nothing of lacking.csv was stored: 1 of customers are not there, and to create them the file lacks Customers: Name.",
    ),
  ]);
  const without = await batch(service.url, [
    "run",
    write("plain.csv", "Order number,Customer account", "L-1,Z-1"),
    "--collection",
    "orders",
    "--out",
    folder,
  ]);
  expect(without.code).toBe(1);
  expect((await all("customers")).map(({ accountNumber }) => accountNumber)).toEqual(["A-1"]);
});

test("a parent that was merged into another one is there, by its key and by what the merge took away", async () => {
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${service.url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(reply.status).toBe(201);
    return (await reply.json()) as Record<string, unknown>;
  };
  const { objectId: one } = await post("customers", { accountNumber: "M-1", name: "One" });
  const { objectId: two } = await post("customers", { accountNumber: "M-2", name: "Two" });
  await post("customers/merges", { survivor: one, others: [two], values: {}, versions: { [`${one}`]: 1, [`${two}`]: 1 } });
  const before = (await all("customers")).length;
  const path = write("merged.csv", "Order number,Account number,Name", "M-o1,M-2,Two", "M-o2,M-1,One");
  const { code, stderr } = await run(path, "--create-parents");
  expect([code, stderr]).toEqual([0, expect.stringContaining("2 created.")]);
  expect(await all("customers")).toHaveLength(before);
  const orders = (await all("orders")).filter(({ orderNumber }) => String(orderNumber).startsWith("M-o"));
  expect(orders.map(({ customerId }) => customerId)).toEqual([one, one]);
});
