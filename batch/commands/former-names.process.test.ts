// Layouts and runs from before a field got another name go on reading, writing and resuming.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { customersLayout } from "../../layouts/testing/layouts.ts";
import { batch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, headers, service, write, stopMidway, proxy } = testService;

const layout = customersLayout({});
const described = write("layout.json", JSON.stringify(layout));
const NOTE = "The layout names fields as they were called before: lastName is surname now.";
const rows = (n: number) => Array.from({ length: n }, (_, i) => `${i + 1_000},Name ${i},ACC${String(i).padStart(5, "0")}`).join("\n");
const many = write("many.csv", `objectId,lastName,accountID\n${rows(5_000)}\n`);

async function call(method: string, path: string, body?: object) {
  const reply = await fetch(`${service.url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect([method, path, reply.ok]).toEqual([method, path, true]);
  return reply.json() as Promise<Record<string, unknown>>;
}

async function stored(): Promise<unknown[]> {
  const { customers } = (await call("GET", "/customers?sort=objectId&limit=10&objectId[lt]=1000")) as {
    customers: Record<string, unknown>[];
  };
  return customers.map(({ objectId, surname }) => [objectId, surname]);
}

beforeAll(async () => {
  await call("POST", "/customers", { objectId: 1, lastName: "Before", accountID: "A" });
  const stopped = await stopMidway(["run", many]);
  expect(stopped.stderr).toContain("Stopped");
  const { id, package: all } = (await call("POST", "/dictionary/drafts", { title: "Surname" })) as {
    id: string;
    package: { resources: { name: string; schema: { fields: { name: string }[] } }[] };
  };
  for (const field of all.resources.find(({ name }) => name === "customers")?.schema.fields ?? [])
    if (field.name === "lastName") field.name = "surname";
  await call("PATCH", `/dictionary/drafts/${id}`, { package: all });
  await call("POST", `/dictionary/drafts/${id}/apply`);
});

test("a run that was begun before sends the rest after, each row once", async () => {
  const resumed = await batch(proxy.url, ["resume", many]);
  expect(resumed.stderr).toContain("All 5,000 records of many.csv are in customers");
  const { total } = (await call("GET", "/customers?count=exact&surname[prefix]=Name&limit=1")) as { total: number };
  expect(total).toBe(5_000);
});

test("a layout by the former name writes and reads the field, and a line names both", async () => {
  const file = join(folder, "out.dat");
  const exported = await batch(service.url, ["export", "customers", file, "--layout", described]);
  expect([exported.code, exported.out]).toEqual([0, expect.stringContaining(NOTE)]);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("Before");
  const changed = write("in.dat", text.replace("Before", "Behind"));
  const loaded = await batch(service.url, ["run", changed, "--layout", described, "--mode", "upsert"]);
  expect([loaded.code, loaded.stderr + loaded.out]).toEqual([0, expect.stringContaining("in.dat are in customers: 1 updated")]);
  const reports = readdirSync(folder).filter((name) => /^in\..*report\.txt/.test(name));
  expect(reports.map((name) => readFileSync(join(folder, name), "utf8"))).toEqual([expect.stringContaining(NOTE)]);
  expect(await stored()).toEqual([[1, "Behind"]]);
  expect((await batch(service.url, ["layout", "check", described])).stderr).toContain(NOTE);
  const wrong = write("wrong.json", JSON.stringify(layout).replace("lastName", "nickName"));
  expect((await batch(service.url, ["layout", "check", wrong])).stderr).toContain('Customers have no field "nickName"');
});
