// Files whose records name their parents by a number of another system.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { ORDERS } from "../../server/testing/service.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";

const { path: folder, remove } = makeFolder();
let service: Started;
let headers: Record<string, string>;
const ids: Record<string, number> = {};

beforeAll(async () => {
  service = await startService(join(folder, "store"), "0", { DICTIONARY: ORDERS });
  headers = { ...(await authorize(service.url, "preset", ADMIN_SECRET)), "content-type": "application/json" };
  for (const accountNumber of ["A-1", "A-2"]) {
    const body = JSON.stringify({ name: "Ek", accountNumber });
    const made = await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body });
    ids[accountNumber] = ((await made.json()) as { objectId: number }).objectId;
  }
});
afterAll(() => {
  service.child.kill("SIGKILL");
  remove();
});

async function ordersOf(accountNumber: string): Promise<unknown[]> {
  const reply = await fetch(`${service.url}/v1/orders?customer.accountNumber=${accountNumber}&sort=orderNumber`, { headers });
  return ((await reply.json()) as { orders: Record<string, unknown>[] }).orders.map(({ orderNumber }) => orderNumber);
}

test("a column names the parents; a row whose parent is not there is rejected with its reason, the others are stored", async () => {
  const path = join(folder, "orders.csv");
  const rows = ["B-1,A-1,10.50", "B-2,A-2,", "B-3,A-9,3", "B-4,A-1,"];
  writeFileSync(path, ["orderNumber,Customer account number,total", ...rows].join("\n"));
  const { code, stderr } = await batch(service.url, ["run", path, "--collection", "orders", "--out", folder]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("3 created")]);
  expect(await ordersOf("A-1")).toEqual(["B-1", "B-4"]);
  expect(await ordersOf("A-2")).toEqual(["B-2"]);
  const rejects = readFileSync(join(folder, "orders.csv.rejects.csv"), "utf8");
  expect(rejects).toContain("3,4,65,customer.accountNumber,REFERENCE_NOT_FOUND,Customer: Account number: no record has this value.");
});

test("a layout has a place for the parent's number", async () => {
  const layout = {
    kind: "fixed",
    title: "Orders",
    collection: "orders",
    encoding: "utf-8",
    recordLength: 12,
    lineEnd: "lf",
    detail: {
      fields: [
        { name: "orderNumber", start: 1, length: 6 },
        { name: "customer.accountNumber", start: 7, length: 6 },
      ],
    },
  };
  const [layoutPath, path] = [join(folder, "orders.layout.json"), join(folder, "orders.dat")];
  writeFileSync(layoutPath, JSON.stringify(layout));
  writeFileSync(path, "L-1   A-1   \nL-2   A-2   \n");
  const { code, stderr } = await batch(service.url, ["run", path, "--layout", layoutPath, "--out", folder]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("2 created")]);
  expect(await ordersOf("A-2")).toEqual(["B-2", "L-2"]);
  expect(existsSync(join(folder, "orders.dat.rejects.dat"))).toBe(false);
});

test("an undo says in groups what keeps records, and takes them back once it is out of the way", async () => {
  const path = join(folder, "parents.csv");
  writeFileSync(path, "objectId,Name,Account number\n501,Al,P-1\n502,Bo,P-2\n503,Cy,P-3\n");
  expect((await batch(service.url, ["run", path, "--collection", "customers"])).code).toBe(0);
  const newOrder = async (orderNumber: string, customerId: number) => {
    const made = await fetch(`${service.url}/v1/orders`, { method: "POST", headers, body: JSON.stringify({ orderNumber, customerId }) });
    return ((await made.json()) as { objectId: number }).objectId;
  };
  const orders = [await newOrder("P-1a", 501), await newOrder("P-1b", 501), await newOrder("P-3a", 503)];
  const { code, out, stderr } = await batch(service.url, ["undo", path]);
  const [sentence = "", because = "", next = "", ...more] = stderr.split("\n");
  expect([code, sentence, because, more]).toEqual([
    2,
    "1 record of parents.csv taken back; 2 records could not be taken back. They are named above.",
    "Other records refer to 2 records, such as customer 503: 1 record of orders refers to this customer. Delete or change them first.",
    [],
  ]);
  expect(out).toContain("Left as it is: customer 501. 2 records of orders refer to this customer. Delete or change them first.\n");
  const [, id = ""] = /^When that is out of the way, take them back with: intake-batch undo (\S+) --state /.exec(next) ?? [];
  for (const order of orders) await fetch(`${service.url}/v1/orders/${order}`, { method: "DELETE", headers });
  const again = await batch(service.url, ["undo", id, "--state", join(folder, ".intake")]);
  const before = "1 had been taken back or deleted before";
  expect([again.code, again.stderr]).toEqual([0, `2 records of parents.csv taken back; ${before}; the store is as it was before.`]);
});
