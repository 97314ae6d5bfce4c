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
