// Items of a record that comes again replace the stored ones: in one run that can be undone, by place or by a field.

import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { batch, makeFolder, startBatch, startService } from "../testing/process.ts";
import { openServiceProxy, type ServiceProxy } from "../testing/service-proxy.ts";

const COPYBOOK = `       01  CUST-REC.
           05  C-ID       PIC 9(5).
           05  C-NAME     PIC X(10).
           05  C-PHONE    PIC X(8) OCCURS 2 TIMES.
`;
const folder = makeFolder();
const inFolder = (name: string) => join(folder.path, name);
let service: Started;
let proxy: ServiceProxy;
let layout: string;
let phone: { collection: string; field: string; reference: string };

beforeAll(async () => {
  writeFileSync(inFolder("phones.cpy"), COPYBOOK);
  layout = inFolder("layout.json");
  const drafted = await batch("http://127.0.0.1:1", [
    ...["layout", "from", inFolder("phones.cpy"), layout, "--dictionary", inFolder("dictionary.json")],
    ...["--collection", "customers"],
  ]);
  expect([0, 6]).toContain(drafted.code);
  const [child] = JSON.parse(readFileSync(layout, "utf8")).detail.children;
  phone = { collection: child.collection, field: child.fields.at(-1).name, reference: child.fields[0].name };
  service = await startService(inFolder("store"), "0", { DICTIONARY: inFolder("dictionary.json") });
  proxy = await openServiceProxy(service.url);
});
afterAll(() => {
  proxy.close();
  service.child.kill("SIGKILL");
  folder.remove();
});

const record = (id: number, name: string, ...phones: string[]) =>
  `${String(id).padStart(5, "0")}${name.padEnd(10)}${phones
    .map((one) => one.padEnd(8))
    .join("")
    .padEnd(16)}\n`;

function write(name: string, ...records: string[]): string {
  writeFileSync(inFolder(name), records.join(""));
  return inFolder(name);
}

async function phones(): Promise<[of: number, id: number, phone: string][]> {
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const reply = await fetch(`${service.url}/v1/${phone.collection}?limit=1000`, { headers });
  const rows = ((await reply.json()) as Record<string, Record<string, unknown>[]>)[phone.collection] ?? [];
  const all = rows.map((row): [number, number, string] => [
    Number(row[phone.reference]),
    Number(Object.values(row)[0]),
    String(row[phone.field]),
  ]);
  return all.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}
const texts = async (...of: number[]) => (await phones()).filter(([id]) => of.includes(id)).map(([id, , text]) => `${id} ${text}`);
const load = (file: string, ...more: string[]) => batch(service.url, ["run", file, "--layout", layout, "--mode", "upsert", ...more]);

describe("items of a record that comes again", { timeout: 180_000 }, () => {
  test("replace the stored ones, and are written back", async () => {
    expect((await load(write("night1.dat", record(1, "Anna", "0555-001")))).code).toBe(0);
    const [first] = await phones();
    const second = await load(write("night2.dat", record(1, "Anna B.", "0555-001")));
    expect([second.code, await phones()]).toEqual([0, [first]]);
    expect((await load(write("night3.dat", record(1, "Anna C.", "0555-001")))).code).toBe(0);
    expect(await phones()).toEqual([first]);
    expect((await load(write("night3.dat", record(1, "Anna C.", "0555-001")), "--again")).code).toBe(0);
    expect(await phones()).toEqual([first]);
    const written = await batch(service.url, ["export", inFolder("out.dat"), "--layout", layout]);
    expect([written.code, readFileSync(inFolder("out.dat"), "utf8")]).toEqual([0, record(1, "Anna C.", "0555-001")]);
  });

  test("those that are gone are removed and those that are new added, and the undo takes all of it back", async () => {
    await load(write("a1.dat", record(10, "Two", "A", "B"), record(11, "One", "C"), record(12, "None")));
    const before = (await phones()).filter(([of]) => of >= 10);
    expect(before.map(([of, , text]) => `${of} ${text}`)).toEqual(["10 A", "10 B", "11 C"]);
    const file = write("a2.dat", record(10, "Two", "B"), record(11, "One"), record(12, "None", "D", "E"));
    const run = await load(file);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain("All 5 records of a2.dat are carried out in phones: 2 created, 2 deleted, 1 as it was already.");
    expect(await texts(10, 11, 12)).toEqual(["10 B", "12 D", "12 E"]);
    expect((await phones()).find(([of]) => of === 10)?.[1]).toBe(before[1]?.[1]); // the one that stays keeps its record
    expect((await batch(service.url, ["undo", file])).code).toBe(0);
    expect((await phones()).filter(([of]) => of >= 10)).toEqual(before);
    expect(await load(file)).toMatchObject({ code: 0 });
    expect(await texts(10, 11, 12)).toEqual(["10 B", "12 D", "12 E"]);
    expect((await load(write("a3.dat", record(11, "One", "C")))).code).toBe(0); // a record that is not in the file keeps its items
    expect(await texts(10, 11, 12)).toEqual(["10 B", "11 C", "12 D", "12 E"]);
  });

  test("more items than there is room for, from elsewhere, are brought back to those of the file", async () => {
    await load(write("b1.dat", record(20, "Doubled", "A", "B")));
    const headers = { ...(await authorize(service.url, "preset", ADMIN_SECRET)), "content-type": "application/json" };
    const extra = [
      { [phone.reference]: 20, [phone.field]: "A" },
      { [phone.reference]: 20, [phone.field]: "X" },
    ];
    const made = await fetch(`${service.url}/v1/${phone.collection}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ [phone.collection]: extra }),
    });
    expect(made.ok).toBe(true);
    expect(await texts(20)).toHaveLength(4);
    expect((await load(write("b2.dat", record(20, "Again", "A", "B")))).code).toBe(0);
    expect(await texts(20)).toEqual(["20 A", "20 B"]);
  });

  test("with --mode update, too", async () => {
    await load(write("c1.dat", record(30, "Update", "A")));
    const updated = await batch(service.url, [
      "run",
      write("c2.dat", record(30, "Update", "B", "C")),
      "--layout",
      layout,
      "--mode",
      "update",
    ]);
    expect([updated.code, await texts(30)]).toEqual([0, ["30 B", "30 C"]]);
  });

  test("stored items that a file does not bring are kept where the layout says so", async () => {
    const bookings = inFolder("bookings.json");
    const words = JSON.parse(readFileSync(layout, "utf8"));
    words.detail.children[0].gone = "kept";
    writeFileSync(bookings, JSON.stringify(words));
    const day = (file: string, ...more: string[]) => batch(service.url, ["run", file, "--layout", bookings, "--mode", "upsert", ...more]);
    expect((await day(write("day1.dat", record(35, "Daily", "A", "B")))).code).toBe(0);
    const first = (await phones()).filter(([of]) => of === 35);
    const second = write("day2.dat", record(35, "Daily", "C", "B"));
    expect((await day(second)).code).toBe(0);
    expect(await texts(35)).toEqual(["35 A", "35 B", "35 C"]);
    expect((await phones()).filter(([of]) => of === 35)).toEqual(expect.arrayContaining(first));
    expect((await batch(service.url, ["undo", second])).code).toBe(0);
    expect((await phones()).filter(([of]) => of === 35)).toEqual(first);
    for (const more of [[], ["--again"]]) {
      expect((await day(second, ...more)).code).toBe(0);
      expect(await texts(35)).toEqual(["35 A", "35 B", "35 C"]);
    }
  });

  test("a record that comes twice in one file is refused, with the number of the second", async () => {
    const run = await load(write("d.dat", record(40, "First", "A"), record(41, "Other"), record(40, "Second", "B")));
    expect([run.code === 0, run.stderr]).toEqual([false, expect.stringMatching(/items of \S+ 40 twice.*Record 3/s)]);
    expect(await texts(40)).toEqual([]);
  });

  test("those of a record that was merged into another one are refused, and those of the other are as they were", async () => {
    await load(write("m1.dat", record(45, "One", "A"), record(46, "Two", "B")));
    const headers = { ...(await authorize(service.url, "preset", ADMIN_SECRET)), "content-type": "application/json" };
    const body = JSON.stringify({ survivor: 45, others: [46], values: {}, versions: { 45: 1, 46: 1 } });
    expect((await fetch(`${service.url}/v1/customers/merges`, { method: "POST", headers, body })).status).toBe(201);
    const run = await load(write("m2.dat", record(46, "Two", "C")));
    expect([run.code === 0, run.stderr]).toEqual([
      false,
      expect.stringMatching(/46 was taken away by a merge.* is 45 now\..*Take the merge apart/s),
    ]);
    expect((await texts(45, 46)).sort()).toEqual(["45 A", "45 B"]);
  });

  test("a state folder on another computer has the same result", async () => {
    await load(write("e1.dat", record(50, "Here", "A", "B")), "--state", inFolder("one"));
    copyFileSync(inFolder("e1.dat"), inFolder("e2.dat"));
    await load(write("e2.dat", record(50, "There", "B")), "--state", inFolder("two"));
    expect(await texts(50)).toEqual(["50 B"]);
  });

  test("killed while items are sent, resume ends with those of the file, each once", async () => {
    const before = Array.from({ length: 1_200 }, (_, i) => record(1000 + i, "Before", `a${i}`, `b${i}`));
    await load(write("k1.dat", ...before));
    const after = Array.from({ length: 1_200 }, (_, i) =>
      record(1000 + i, "After", ...(i % 3 === 0 ? [] : i % 3 === 1 ? [`b${i}`] : [`n${i}`, `m${i}`])),
    );
    const file = write("k2.dat", ...after);
    proxy.letThrough(4);
    const first = startBatch(proxy.url, ["run", file, "--layout", layout, "--mode", "upsert"]);
    await proxy.untilHeld();
    first.child.kill("SIGKILL");
    await first.ended;
    proxy.open();
    const plans = readdirSync(inFolder(".intake")).filter((name) => name.endsWith(".items"));
    for (const name of plans) renameSync(inFolder(`.intake/${name}`), inFolder(name));
    const lost = await batch(service.url, ["resume", file]); // would send other rows under the same keys
    expect([lost.code, lost.stderr]).toEqual([
      1,
      expect.stringMatching(/^Which stored items run \S+ replaces is no longer known: .* is gone\. The run cannot go on without it\./),
    ]);
    for (const name of plans) renameSync(inFolder(name), inFolder(`.intake/${name}`));
    const resumed = await batch(service.url, ["resume", file]);
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
    const expected = Array.from({ length: 1_200 }, (_, i) => (i % 3 === 0 ? [] : i % 3 === 1 ? [`b${i}`] : [`m${i}`, `n${i}`]));
    const byRecord = new Map<number, string[]>();
    const headers = await authorize(service.url, "preset", ADMIN_SECRET);
    const list = `/v1/${phone.collection}?limit=1000&${phone.reference}[gte]=1000`;
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page = (await (await fetch(`${service.url}${list}${cursor && `&cursor=${cursor}`}`, { headers })).json()) as Record<
        string,
        never
      >;
      for (const row of page[phone.collection] as unknown as Record<string, unknown>[])
        byRecord.set(
          Number(row[phone.reference]),
          [...(byRecord.get(Number(row[phone.reference])) ?? []), String(row[phone.field])].sort(),
        );
      cursor = page.next;
    }
    expect(expected.map((_, i) => byRecord.get(1000 + i) ?? [])).toEqual(expected);
  });
});
