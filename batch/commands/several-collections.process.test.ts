// Tests what the command says where the service has several collections: which one is meant, and what is left over.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RECIPES_PATH } from "../../core/contract/paths.ts";
import type { RecipeContent } from "../../pipeline/mapping/recipe.ts";
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { openRuns, type StoredRun } from "../runs/run-registry.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";
import { openServiceProxy } from "../testing/service-proxy.ts";

const folder = makeFolder();
let service: Started;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await startService(join(folder.path, "store"), "0", { DICTIONARY: "core/dictionary/orders.example.json" });
  headers = await authorize(service.url, "preset", ADMIN_SECRET);
});
afterAll(() => {
  service.child.kill("SIGKILL");
  folder.remove();
});

function write(name: string, content: string | object): string {
  const path = join(folder.path, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

async function outcome(...args: string[]): Promise<string> {
  const { code, stderr } = await batch(service.url, args);
  return `${code} ${stderr.replaceAll(folder.path, "/in")}`;
}

async function post(path: string, body: object): Promise<void> {
  const reply = await fetch(`${service.url}/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect([path, reply.status]).toEqual([path, 201]);
}

const CONTACTS = {
  kind: "fixed",
  lineEnd: "lf",
  collection: "contacts",
  recordLength: 40,
  detail: {
    fields: [
      { name: "objectId", start: 1, length: 6 },
      { name: "customerId", start: 7, length: 6 },
      { name: "name", start: 13, length: 20 },
    ],
  },
};

const CONTACTS_OF_BOTH = [
  { name: "customerId", start: 2, length: 6 },
  { name: "name", start: 8, length: 10 },
];

test("a file for one of several collections needs its name", async () => {
  const path = write("a.csv", "Name,Customer\nEk,1\n");
  expect(await outcome("run", path)).toBe(
    "1 The service has several collections. Say with --collection which one is meant: customers, contacts, orders.",
  );
  expect(await outcome("run", path, "--collection", "colours")).toBe(
    "1 The service has no collection colours. It has customers, contacts, orders.",
  );
});

test("a recipe of several collections needs the name of one; one of none is named with those that there are", async () => {
  const content: RecipeContent = { form: 1, mode: "create", choices: {}, columns: ["name"], autoFixes: [], leftOutGroups: [], values: [] };
  for (const collection of ["customers", "contacts"]) await post(RECIPES_PATH, { name: "Daily", collection, headings: ["Name"], content });
  const path = write("b.csv", "Name\nEk\n");
  expect(await outcome("run", path, "--recipe", "daily")).toBe(
    "1 Several collections have a recipe “daily”. Say with --collection which one is meant: contacts, customers.",
  );
  const hint = "Recipes are saved in the app, after the check of a file, and by layout save.";
  expect(await outcome("run", path, "--recipe", "Weekly", "--collection", "contacts")).toBe(
    `1 The service has no recipe “Weekly” for contacts. There is: “Daily”. ${hint}`,
  );
  expect(await outcome("run", path, "--recipe", "Weekly", "--collection", "orders")).toBe(
    `1 The service has no recipe “Weekly” for orders. There is none yet. ${hint}`,
  );
});

test("an export of a collection that the layout does not have says which it has", async () => {
  const file = join(folder.path, "none.dat");
  expect(await outcome("export", "customers", file, "--layout", write("contacts.json", CONTACTS))).toBe(
    "1 The layout is for contacts, not for customers. Name contacts, or no collection.",
  );
  const both = {
    ...CONTACTS,
    recordType: { start: 40, length: 1 },
    detail: { type: "P", ...CONTACTS.detail },
    otherDetails: [
      {
        type: "C",
        collection: "customers",
        fields: [
          { name: "accountNumber", start: 1, length: 6 },
          { name: "name", start: 13, length: 20 },
        ],
      },
    ],
  };
  const layout = write("both.json", both);
  expect(await outcome("export", "orders", file, "--layout", layout)).toBe(
    "1 The layout is for contacts and customers, not for orders. Name contacts or customers, or no collection for all of them.",
  );
  const shown = await batch(service.url, ["show", write("shown.dat", ""), "--layout", layout]);
  expect(shown.out.split("\n")).toContain("The layout also describes records for customers, which have a run and a report of their own.");
  expect(await outcome("export", file, "--layout", layout, "--changes-since", "now")).toBe(
    "1 The layout has no action for deletes of customers and contacts, and changes may be deletes: add one, or leave --changes-since out.",
  );
});

test("items that cannot stand in their record are named, and how many have no record in the file", async () => {
  const file = (name: string) => join(folder.path, `${name}.dat`);
  const orders = (parent: string, key: string) => ({
    kind: "fixed",
    lineEnd: "lf",
    collection: parent,
    recordLength: 60,
    detail: {
      fields: [
        { name: "objectId", start: 1, length: 6 },
        { name: "name", start: 7, length: 20 },
        { name: key, start: 27, length: 6 },
      ],
      children: [
        {
          collection: "orders",
          start: 33,
          length: 20,
          max: 1,
          fields: [
            { name: "orderNumber", start: 33, length: 10 },
            { name: "contactId", start: 1, length: 6, null: "000000" },
            { name: "customerId", start: 43, length: 6 },
          ],
        },
      ],
    },
  });
  await post("/customers", { customer: { objectId: 1, name: "Ek", accountNumber: "A1" } });
  await post("/contacts", { contact: { objectId: 2, customerId: 1, name: "Ana" } });
  await post("/orders", { order: { objectId: 3, customerId: 1, orderNumber: "B3", status: "open" } });
  expect(await outcome("export", file("left"), "--layout", write("left.json", orders("contacts", "customerId")))).toBe(
    "0 1 record of contacts and 0 of orders written to /in/left.dat. 1 record of orders refers to no record of contacts and is not in the file.",
  );
  await post("/orders", { order: { objectId: 4, customerId: 1, orderNumber: "B4", status: "open" } });
  expect(await outcome("export", file("more"), "--layout", write("left.json", orders("contacts", "customerId")))).toBe(
    "0 1 record of contacts and 0 of orders written to /in/more.dat. 2 records of orders refer to no record of contacts and are not in the file.",
  );
  const backwards = {
    ...CONTACTS,
    detail: {
      fields: CONTACTS.detail.fields,
      children: [
        {
          collection: "customers",
          start: 33,
          length: 8,
          max: 1,
          fields: [
            { name: "name", start: 33, length: 8 },
            { name: "accountNumber", start: 1, length: 6 },
          ],
        },
      ],
    },
  };
  expect(await outcome("export", file("back"), "--layout", write("back.json", backwards))).toBe(
    "1 Customers do not refer to Contacts, so it is not known which of them belong in which record. Take them out of the layout.",
  );
});

test("where the first collection is stored and all of the second is refused, it is not said that nothing is stored", async () => {
  const layout = write("two.json", {
    kind: "fixed",
    lineEnd: "lf",
    collection: "customers",
    recordLength: 30,
    recordType: { start: 1, length: 1 },
    detail: {
      type: "C",
      fields: [
        { name: "name", start: 2, length: 10 },
        { name: "accountNumber", start: 12, length: 6 },
      ],
    },
    otherDetails: [
      {
        collection: "contacts",
        type: "P",
        fields: CONTACTS_OF_BOTH,
      },
    ],
  });
  const file = write("two.dat", ["CEk        TW-1  ", "P999999Ana       "].map((line) => `${line.padEnd(30)}\n`).join(""));
  expect(await outcome("run", file, "--layout", layout)).toBe(
    "2 The one record of two.dat is in customers: 1 created. Nothing of two.dat is in contacts: its one record was refused. See two.dat.2.rejects.csv.",
  );
});

test("a record that others need is left by undo, and named with the reason", async () => {
  const path = write("c.csv", "Object ID,Name,Account number\n71,Ek,U1\n72,Al,U2\n");
  expect(await outcome("run", path, "--collection", "customers")).toBe("0 All 2 records of c.csv are in customers: 2 created.");
  await post("/orders", { order: { objectId: 73, customerId: 71, orderNumber: "B73", status: "open" } });
  const { code, out, stderr } = await batch(service.url, ["undo", path]);
  const [ended, ...reasons] = stderr.split("\n");
  expect([code, ended]).toEqual([2, "1 record of c.csv taken back; 1 record could not be taken back. They are named above."]);
  expect(reasons).toEqual([
    "Other records refer to 1 record, such as customer 71: 1 record of orders refers to this customer. Delete or change them first.",
    expect.stringMatching(/^When that is out of the way, take them back with: intake-batch undo /),
  ]);
  expect(out.split("\n")).toContain("Left as it is: customer 71. 1 record of orders refers to this customer. Delete or change them first.");
});

test("an undo of several collections loses nothing that another process noted in a run meanwhile", async () => {
  const layout = write("both.json", {
    kind: "fixed",
    lineEnd: "lf",
    collection: "customers",
    recordLength: 30,
    recordType: { start: 1, length: 1 },
    detail: {
      type: "C",
      fields: [
        { name: "objectId", start: 2, length: 6 },
        { name: "name", start: 8, length: 10 },
        { name: "accountNumber", start: 18, length: 6 },
      ],
    },
    otherDetails: [{ collection: "contacts", type: "P", fields: CONTACTS_OF_BOTH }],
  });
  const file = write("both.dat", ["C000081Ek        BO-1  ", "P000081Ana       "].map((line) => `${line.padEnd(30)}\n`).join(""));
  expect((await batch(service.url, ["run", file, "--layout", layout])).code).toBe(0);
  const runs = openRuns(join(folder.path, ".intake"));
  const proxy = await openServiceProxy(service.url);
  try {
    proxy.letThrough(0);
    const undone = batch(proxy.url, ["undo", file]);
    await proxy.untilHeld(); // it takes the contacts back first
    const customers = (await runs.at(file)).find(({ collection }) => collection === "customers") as StoredRun;
    await runs.put({ ...customers, notes: ["noted meanwhile"] });
    proxy.open();
    expect((await undone).code).toBe(0);
    expect(await runs.get(customers.id)).toMatchObject({ isUndone: true, notes: ["noted meanwhile"] });
  } finally {
    proxy.close();
  }
});

test("an export names a value that is not the layout's constant, and where the next one of changes begins", async () => {
  const [file, layout] = [join(folder.path, "constant.dat"), { ...CONTACTS, recordLength: 40 }];
  const constant = { ...layout, detail: { fields: [...layout.detail.fields, { name: "email", constant: "nobody@example.org" }] } };
  expect(await outcome("export", file, "--layout", write("constant.json", constant))).toBe(
    "1 Nothing was written: of contact 2, email is “”, and the layout says that it is always “nobody@example.org”. Correct the record or the layout.",
  );
  const deletes = { ...layout, action: { start: 40, length: 1, add: "A", delete: "D" } };
  const path = write("deletes.json", deletes);
  const { code, out, stderr } = await batch(service.url, ["export", file, "--layout", path]);
  const [, cursor = ""] = /^The next export of changes begins at (\S+)\n$/.exec(out) ?? [];
  expect([code, stderr]).toEqual([
    0,
    `1 record of contacts written to ${file}. What changes from now on: intake-batch export FILE --layout ${path} --changes-since ${cursor}`,
  ]);
});

test("the header is compared once for all collections, so that the second can follow on another day", async () => {
  const header = {
    sequence: { start: 2, length: 3 },
    businessDate: { start: 5, length: 8, format: "YYYYMMDD", zone: "UTC", days: 0 },
  };
  const layout = write("night.json", {
    ...{ kind: "fixed", lineEnd: "lf", collection: "customers", recordLength: 30, recordType: { start: 1, length: 1 } },
    header: { type: "H", ...header },
    detail: {
      type: "C",
      fields: [
        { name: "objectId", start: 18, length: 6 },
        { name: "name", start: 2, length: 10 },
        { name: "accountNumber", start: 12, length: 6 },
      ],
    },
    otherDetails: [
      {
        ...{ collection: "contacts", type: "P" },
        fields: [
          { name: "customerId", start: 2, length: 6 },
          { name: "name", start: 8, length: 10 },
        ],
      },
    ],
  });
  const night = (name: string, sequence: string, id: string) =>
    write(name, [`H${sequence}20240315`, `CEk        ${id}${id}`, `P${id}Ana`].map((line) => `${line.padEnd(30)}\n`).join(""));
  const file = night("night.dat", "001", "400001");
  let hour = 0;
  const ticking = () => Date.UTC(2024, 2, 15, 23 + hour++);
  expect(await batch(service.url, ["run", file, "--layout", layout], {}, ticking)).toMatchObject({ code: 0 }); // over midnight
  const gap = night("gap.dat", "003", "400003");
  const { code, stderr } = await batch(service.url, ["run", gap, "--layout", layout], {}, () => Date.UTC(2024, 2, 15));
  expect([code, stderr.match(/one file is missing/g)]).toEqual([0, ["one file is missing"]]);
  await forgetContacts();
  const resumed = await batch(service.url, ["resume", gap], {}, () => Date.UTC(2024, 2, 18));
  expect([resumed.code, resumed.stderr]).toEqual([0, "The one record of gap.dat is in contacts: 1 created."]);
  const { parts, ...first } = await forgetContacts();
  write("gap.dat", readFileSync(gap, "utf8").replace("Ana", "Bob"));
  const other = await outcome("resume", first.id, "--state", join(folder.path, ".intake"));
  expect([parts, other]).toEqual([
    ["customers", "contacts"],
    expect.stringMatching(/^1 gap\.dat is not the file that run \S+ began with\./),
  ]);
});

/** Makes it as if the command had been killed before the second collection of gap.dat. Returns the run of its first. */
async function forgetContacts(): Promise<{ id: string; parts: string[] }> {
  const state = join(folder.path, ".intake");
  const names = readdirSync(state).filter((name) => name.endsWith(".json"));
  const runs = names.map((name) => JSON.parse(readFileSync(join(state, name), "utf8"))).filter((run) => run.fileName === "gap.dat");
  const second = runs.find((run) => run.collection === "contacts");
  expect((await batch(service.url, ["undo", second.id, "--state", state])).code).toBe(0);
  rmSync(join(state, `${second.id}.json`));
  return runs.find((run) => run.collection === "customers");
}
