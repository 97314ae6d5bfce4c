// Stored values follow when a formula changes, when a field becomes computed or plain, and when another day has come.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createConverter } from "../../dictionary/converter.ts";
import { StoreOutdated } from "../../engine/store.ts";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const field = (name: string, type = "string", more: object = {}) => ({ name, title: name, type, ...more });
const packageWith = (full: object, more: readonly object[] = [], timeZone = "Pacific/Pago_Pago") => ({
  title: "Staff",
  timeZone,
  resources: [
    {
      name: "staff",
      singular: "member",
      title: "Staff",
      schema: {
        fields: [field("id", "integer"), field("first"), field("last"), field("full", "string", full), ...more],
        primaryKey: "id",
      },
    },
  ],
});
const FULL = { computed: 'first + " " + last' };

let service: LivingService;
let [stopping, running] = [new AbortController(), Promise.resolve()];
const failures: unknown[] = [];
const startWork = () => {
  stopping = new AbortController();
  running = createConverter(service.living, (_, error) => error !== undefined && failures.push(error)).run(stopping.signal);
};
const stopWork = () => {
  stopping.abort();
  return running;
};
beforeAll(async () => {
  service = await startLivingService(packageWith({}));
  startWork();
});
afterAll(async () => {
  await stopWork();
  await service.close();
  expect(failures).toEqual([]);
});

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);

async function draft(dataPackage: object): Promise<{ id: string; impact: { kind: string; detail?: string }[]; etag: string }> {
  const made = await send("POST", "/v1/dictionary/drafts", { title: "next", comment: "", package: dataPackage });
  expect(made.status, JSON.stringify(made.json)).toBe(201);
  const { changes } = (await send("GET", `/v1/dictionary/drafts/${made.json.id}/impact`)).json;
  return { id: made.json.id, impact: changes, etag: String(made.headers.etag) };
}

async function apply({ id, etag }: { id: string; etag: string }): Promise<void> {
  const applied = await send("POST", `/v1/dictionary/drafts/${id}/apply`, undefined, { "if-match": etag });
  expect(applied.status, JSON.stringify(applied.json)).toBe(200);
}

async function computed(reason: string, isEnded = true) {
  for (let i = 0; i < 400; i++) {
    const [last] = (await send("GET", "/v1/dictionary/computations")).json.computations;
    if (last?.reason === reason && last.run.endsWith(reason === "day" ? last.run.slice(4) : String(service.living.served().version)))
      if (!isEnded || last.state === "done") return last;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("nothing is computed anew");
}

const all = async () => (await send("GET", "/v1/staff?sort=id&limit=1000")).json.staff as { id: number; full: string; version: number }[];

test("a field that becomes computed is filled by the service, which the history names with the reason", async () => {
  const names = Array.from({ length: 450 }, (_, i) => ({ first: `A${i}`, last: "B", full: i === 0 ? "typed" : i === 1 ? "A1 B" : null }));
  expect((await send("POST", "/v1/staff", { staff: names })).status).toBe(201);
  const next = await draft(packageWith(FULL));
  expect(next.impact).toEqual([expect.objectContaining({ kind: "computed", path: "staff.full", effect: "at once" })]);
  expect(next.impact[0]?.detail).toBe("450 records are computed anew. 2 of them have a value that was typed; the history keeps it.");
  await apply(next);
  expect(await computed("formulas")).toMatchObject({ collection: "staff", fields: ["full"], seen: 450, total: 450, changed: 449 });
  const records = await all();
  expect(records.every(({ full }, i) => full === `A${i} B`)).toBe(true);
  expect(records.map(({ version }) => version).slice(0, 3)).toEqual([2, 1, 2]);
  const by = { type: "service", id: "Intake", name: "Intake" };
  const source = { type: "computation", run: `formulas-${service.living.served().version}` };
  const { history } = (await send("GET", `/v1/staff/${records[0]?.id}/history`)).json;
  expect(history[0]).toMatchObject({ by, source, version: 2, changes: { full: ["typed", "A0 B"] } });
  const feed = async () => (await send("GET", "/v1/changes?source=computation&limit=1000")).json.changes;
  await expect.poll(async () => (await feed()).length, { timeout: 10_000 }).toBe(449); // with PostgreSQL it waits for open transactions
  expect((await feed())[0]).toMatchObject({ by, source });
});

test("a run that a killed process has begun is ended by another one, and nothing is written twice", async () => {
  await stopWork();
  const next = await draft(packageWith({ computed: 'last + ", " + first' }));
  expect(next.impact[0]?.detail).toBe("450 records are computed anew.");
  await apply(next);
  const [first] = await all();
  const [stored] = await service.store.computations.readComputations();
  // As a process leaves it that was killed after its first batch.
  startWork();
  await computed("formulas", false);
  await stopWork();
  const [left] = await service.store.computations.readComputations();
  if (!left || !first || !stored) throw new Error("nothing is stored");
  const isBegun = left.state === "running";
  const abandoned = { ...left, state: "running" as const, after: isBegun ? left.after : first.id, touchedAt: left.touchedAt - 60_000 };
  expect(await service.store.computations.saveComputation(abandoned, left.touchedAt)).toBe(true);
  startWork();
  await computed("formulas");
  const records = await all();
  expect(records.every(({ full }, i) => full === `B, A${i}`)).toBe(true);
  expect(new Set(records.slice(2).map(({ version }) => version))).toEqual(new Set([3]));
});

test("what reads today is computed once a day, and only what changes is written", async () => {
  const more = [
    field("born", "date"),
    field("seen", "date", { computed: "today" }),
    field("grown", "boolean", { computed: "age(born) >= 18" }),
  ];
  await apply(await draft(packageWith(FULL, more)));
  await computed("formulas");
  const before = await all();
  await apply(await draft(packageWith(FULL, more, "Pacific/Kiritimati"))); // there it is a day or two later
  const last = await computed("day");
  const [day] = last.run.match(/\d{4}-\d\d-\d\d/) ?? [];
  expect(last).toMatchObject({ changed: 450, fields: ["full", "seen", "grown"] });
  const after = (await all()) as unknown as Record<string, unknown>[];
  expect(after.every(({ seen, grown, version }, i) => seen === day && grown === null && version === (before[i]?.version ?? 0) + 1)).toBe(
    true,
  );
});

test("what an upload has changed is undone, although values were computed anew since", async () => {
  const [one] = await all();
  const source = { "intake-source": "upload; run=up1" };
  expect((await send("PATCH", `/v1/staff/${one?.id}`, { first: "Y" }, source)).status).toBe(200);
  const upload = await send("POST", "/v1/staff", { staff: [{ first: "New", last: "One" }] }, source);
  await apply(await draft(packageWith({ computed: 'first + "-" + last' })));
  await computed("formulas");
  const undone = await send("POST", "/v1/staff/undo", { run: "up1" }, { as: "admin" });
  expect([undone.status, undone.json]).toEqual([200, expect.objectContaining({ reversed: 2, kept: 0, failed: 0 })]);
  expect((await send("GET", `/v1/staff/${one?.id}`)).json).toMatchObject({ first: "A0", full: "A0-B" });
  expect((await send("GET", `/v1/staff/${upload.json.staff[0].id}`)).status).toBe(404);
  const run = await send("POST", "/v1/staff/undo", { run: `formulas-${service.living.served().version}` }, { as: "admin" });
  expect([run.status, run.json.errors?.[0].detail]).toEqual([
    422,
    "This run has computed values anew. Take it back where the dictionary is changed.",
  ]);
});

test("who has not heard of a new formula does not write by the one of before", async () => {
  const { store, collections } = service.living.served();
  const [collection] = collections;
  if (!collection) throw new Error("no collection");
  await apply(await draft(packageWith({ computed: 'last + "/" + first' })));
  const form = { kind: "record", pointer: "", isMany: false, instance: "", requestId: "late" } as const;
  const op = { verb: "post", id: null, given: { first: "L", last: "ate" }, onConflict: "error", onMissing: "create" } as const;
  const late = {
    collection,
    by: { type: "key", id: "k1", name: "" },
    source: { type: "api", run: null },
    ops: [op],
    atomic: true,
    form,
  } as const;
  await expect(Promise.resolve(store.write(late))).rejects.toBeInstanceOf(StoreOutdated);
  await apply(await draft(packageWith({ computed: 'first + "-" + last' })));
  await computed("formulas");
  expect((await all()).every(({ full }) => full.includes("-"))).toBe(true);
});

test("a field that becomes plain keeps its values, and one that is renamed is not computed again", async () => {
  const renamed = packageWith({ computed: 'given + "-" + last' });
  const [staff] = renamed.resources;
  Object.assign(staff?.schema.fields[1] ?? {}, { name: "given", formerNames: ["first"] });
  const before = await all();
  await apply(await draft(renamed));
  const [one] = await all();
  expect((await send("PATCH", `/v1/staff/${one?.id}`, { given: "Z" })).json.full).toBe("Z-B");
  Object.assign(staff?.schema.fields[3] ?? {}, { computed: undefined });
  await apply(await draft(renamed));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await send("PATCH", `/v1/staff/${one?.id}`, { full: "typed" })).json.full).toBe("typed");
  expect((await all()).slice(1).map(({ full, version }) => [full, version])).toEqual(
    before.slice(1).map(({ full, version }) => [full, version]),
  );
  expect((await send("GET", "/v1/dictionary/computations")).json.computations).toEqual([]);
});
