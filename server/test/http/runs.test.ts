// Reports of uploads and batch runs: who sees what of them, who sends rows again, and how they end.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_RUN_ROWS, type Run, type RunRow, type RunUpdate } from "../../../core/contract/runs.ts";
import { createSweeper, readRetention } from "../../retention.ts";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const text = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const key = { name: "objectId", title: "Object ID", type: "integer" };
const PACKAGE = {
  title: "Runs",
  resources: [
    {
      name: "companies",
      title: "Companies",
      label: ["name"],
      schema: { fields: [key, text("name", { constraints: { unique: true } }), text("rating")], primaryKey: ["objectId"] },
    },
    {
      name: "customers",
      title: "Customers",
      label: ["name"],
      schema: {
        fields: [
          key,
          text("name", { constraints: { required: true } }),
          text("iban", { constraints: { unique: true } }),
          text("region"),
          { name: "companyId", title: "Company", type: "integer" },
        ],
        primaryKey: ["objectId"],
        foreignKeys: [{ fields: ["companyId"], as: "company", reference: { resource: "companies", fields: ["objectId"] } }],
      },
    },
  ],
};

let last = 0;
const newId = () => `run-${++last}`;
const FILE = "ab".repeat(32);
const ZERO = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 };

function row(number: number, more: Partial<RunRow> = {}): RunRow {
  const values = { name: `Anna ${number}`, iban: `DE${number}`, region: "north", "company.name": "Acme" };
  return {
    row: number,
    line: number + 1,
    outcome: "failed",
    reason: `iban ${number} is wrong.`,
    fields: ["iban"],
    codes: ["PATTERN"],
    values,
    ...more,
  };
}

function update(id: string, more: Partial<RunUpdate> = {}): RunUpdate {
  return { collection: "customers", fileName: "customers.csv", file: FILE, meaning: { mode: "create" }, round: 0, upload: id, ...more };
}

const report = (rows: RunRow[], more: Partial<NonNullable<RunUpdate["report"]>> = {}): NonNullable<RunUpdate["report"]> => {
  const counts = { ...ZERO, created: 7 };
  for (const { outcome } of rows) counts[outcome]++;
  return { state: "done", counts, rowsRead: 7 + rows.length, seconds: 1.5, rows, ...more };
};

describe("a run", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService(PACKAGE);
  });
  afterAll(() => service.close());

  const bearer = (token?: string) => (token ? { authorization: `Bearer ${token}` } : {});
  const put = (id: string, body: object, token?: string) => service.call("PUT", `/v1/runs/${id}`, body, bearer(token));
  const read = (id: string, token?: string) => service.call("GET", `/v1/runs/${id}`, undefined, bearer(token));
  const rowsOf = async (id: string, token?: string) => (await service.call("GET", `/v1/runs/${id}/rows`, undefined, bearer(token))).json;
  /** A run that has ended with these rows. */
  async function ended(rows: RunRow[], more: Partial<RunUpdate> = {}): Promise<string> {
    const id = newId();
    expect((await put(id, update(id, more))).status).toBe(200);
    expect((await put(id, update(id, { ...more, report: report(rows) }))).status).toBe(200);
    return id;
  }
  const role = async (conditions: object, scope = "write") => {
    const { status, json } = await service.call("POST", "/v1/roles", { name: `Role ${++last}`, scope, conditions });
    expect(status).toBe(201);
    return (await service.newPerson(json.id)).token;
  };

  test("begins, reports its rows once, and is seen by who reads the collection", async () => {
    const id = newId();
    const begun = await put(id, update(id, { recipe: "Monthly", meaning: { mode: "upsert", matchBy: ["iban"], clears: true } }));
    expect(begun.json.run).toMatchObject({ state: "running", counts: null, keptRows: 0, meaning: { matchBy: ["iban"], clears: true } });
    const rows = [row(3), row(8, { outcome: "inDoubt", reason: "No reply.", fields: [], codes: [] }), row(9, { outcome: "notSent" })];
    const meaning = { mode: "upsert" as const, matchBy: ["iban"], clears: true };
    const first = await put(id, update(id, { recipe: "Monthly", meaning, report: report(rows) }));
    expect((await put(id, update(id, { recipe: "Monthly", meaning, report: report(rows) }))).json).toEqual(first.json); // the answer was lost
    const reader = await service.tokenFor("customers:read companies:read");
    const { json: run } = await read(id, reader);
    expect(run).toMatchObject({ id, fileName: "customers.csv", recipe: "Monthly", state: "done", rowsRead: 10, keptRows: 3, round: 0 });
    expect(run.counts).toEqual({ ...ZERO, created: 7, failed: 1, inDoubt: 1, notSent: 1 });
    expect(await rowsOf(id, reader)).toEqual({ rows, next: 9 });
    expect((await service.call("GET", `/v1/runs/${id}/rows?after=9`)).json).toEqual({ rows: [], next: null });
    const { runs } = (await service.call("GET", "/v1/runs?collection=customers", undefined, bearer(reader))).json;
    expect(runs.find((one: Run) => one.id === id)).toEqual(run);
    const other = await service.tokenFor("companies:read");
    expect([(await read(id, other)).status, (await service.call("GET", `/v1/runs/${id}/rows`, undefined, bearer(other))).status]).toEqual([
      404, 404,
    ]);
    expect((await service.call("GET", "/v1/runs", undefined, bearer(other))).json.runs).toEqual([]);
  });

  test("says how many of its changes were taken back, in its list as well", async () => {
    const id = await ended([]);
    const source = { "intake-source": `upload; run=${id}` };
    const made = await service.call("POST", "/v1/customers", [{ name: "Taken" }, { name: "Back" }], source);
    expect([made.status, (await read(id)).json.takenBack]).toEqual([201, 0]);
    expect((await service.call("POST", "/v1/customers/undo", { run: id })).json).toMatchObject({ reversed: 2 });
    expect((await read(id)).json.takenBack).toBe(2);
    const { runs } = (await service.call("GET", "/v1/runs?collection=customers")).json;
    expect(runs.find((one: Run) => one.id === id).takenBack).toBe(2);
  });

  test("is reported by who may write there, with counts that add up and fields that there are", async () => {
    const id = newId();
    expect((await put(id, update(id), await service.tokenFor("customers:read companies:create"))).status).toBe(403);
    await put(id, update(id));
    const refused = async (given: object) => (await put(id, update(id, { report: { ...report([row(1)]), ...given } }))).status;
    expect(await refused({ rowsRead: 9 })).toBe(422);
    expect(await refused({ rows: [row(1), row(1)] })).toBe(422);
    expect(await refused({ rows: [row(1), row(2)] })).toBe(422); // more than the counts say
    expect(await refused({ rows: [row(1, { values: { nothing: "x" } })] })).toBe(422);
    expect(await refused({ rows: [row(1, { fields: ["company.nothing"] })] })).toBe(422);
    expect(
      await refused({
        counts: { ...ZERO, created: 8, failed: MAX_RUN_ROWS + 1 },
        rows: Array.from({ length: MAX_RUN_ROWS + 1 }, (_, i) => row(i + 1)),
      }),
    ).toBe(422);
    expect((await put(id, update(id, { collection: "companies" }))).json.code).toBe("RUN_CHANGED");
    expect((await read(id)).json).toMatchObject({ state: "running", counts: null });
    const many = Array.from({ length: 1_200 }, (_, i) => row(2 * i + 1));
    expect((await put(id, update(id, { report: report(many) }))).status).toBe(200);
    const found: RunRow[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: { rows: RunRow[]; next: number | null } = (await service.call("GET", `/v1/runs/${id}/rows?after=${after}`)).json;
      found.push(...page.rows);
      after = page.next;
    }
    expect(found).toEqual(many);
  });

  test("takes each row that is sent again into one outcome, and of two who send them at once one", async () => {
    const id = await ended([row(3), row(5, { outcome: "inDoubt" }), row(8, { outcome: "notSent" }), row(9)]);
    const [anna, bert] = [await service.newPerson("editor"), await service.newPerson("editor")];
    const claims = await Promise.all([
      put(id, update(id, { round: 1, upload: "anna" }), anna.token),
      put(id, update(id, { round: 1, upload: "bert" }), bert.token),
    ]);
    expect(claims.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(claims.find(({ status }) => status === 409)?.json.code).toBe("RUN_BUSY");
    const upload = claims[0]?.status === 200 ? "anna" : "bert";
    const token = upload === "anna" ? anna.token : bert.token;
    expect((await put(id, update(id, { round: 2, upload: "late" }))).json.code).toBe("RUN_BUSY");
    expect((await put(id, update(id, { round: 1, upload }), token)).status).toBe(200); // after a reload
    expect((await put(id, update(id, { report: report([]) }))).json.code).toBe("RUN_CHANGED"); // the first computer has lost it
    const wrong = report([], { counts: { ...ZERO, created: 4 }, rowsRead: 4 });
    expect((await put(id, update(id, { round: 1, upload, report: wrong }), token)).status).toBe(422); // the row in doubt is not sent again
    const left = row(8, { line: 1, reason: "Still wrong.", values: { name: "Anna 8", iban: "DE0" } });
    const again = report([left], { counts: { ...ZERO, created: 1, updated: 1, failed: 1 }, rowsRead: 3 });
    expect((await put(id, update(id, { round: 1, upload, report: again }), token)).status).toBe(200);
    expect((await put(id, update(id, { round: 1, upload, report: again }), token)).status).toBe(200);
    const { json: run } = await read(id);
    expect(run.counts).toEqual({ ...ZERO, created: 8, updated: 1, failed: 1, inDoubt: 1 });
    expect(run).toMatchObject({ rowsRead: 11, round: 1, keptRows: 2, roundBy: { type: "user" }, by: { type: "key" } });
    const { rows } = await rowsOf(id);
    expect(rows).toEqual([row(5, { outcome: "inDoubt" }), { ...left, line: 9 }]); // its line is that of the file
    expect((await put(id, update(id, { round: 1, upload: "stale" }))).json.code).toBe("RUN_CHANGED");
    expect((await put(id, update(id, { round: 2, upload: "next" }))).status).toBe(200);
  });

  test("that somebody has begun is reported by nobody else", async () => {
    const id = newId();
    const [own, other] = [await service.newPerson("editor"), await service.newPerson("editor")];
    expect((await put(id, update(id), own.token)).status).toBe(200);
    for (const more of [{}, { report: report([], { counts: { ...ZERO, created: 99 }, rowsRead: 99 }) }])
      expect((await put(id, update(id, more), other.token)).json.code).toBe("RUN_CHANGED");
    expect((await put(id, update(id, { report: report([row(1)]) }), own.token)).status).toBe(200);
    expect((await read(id)).json).toMatchObject({ by: { id: own.id }, counts: { ...ZERO, created: 7, failed: 1 } });
  });

  test("that was stopped goes on where it was begun, unless its rows were sent again meanwhile", async () => {
    const id = newId();
    const stopped = report([row(4, { outcome: "notSent" })], { state: "stopped", why: "The service refused DE4." });
    await put(id, update(id, { report: stopped })); // it could not say that it began
    expect((await read(id)).json).toMatchObject({ state: "stopped", why: "The service refused DE4." });
    expect((await put(id, update(id))).json.run.state).toBe("running");
    await put(id, update(id, { report: stopped }));
    expect((await put(id, update(id, { round: 1, upload: "elsewhere" }))).status).toBe(200);
    expect((await put(id, update(id))).json.code).toBe("RUN_BUSY");
    const half = report([row(4, { outcome: "notSent" })], { state: "stopped", counts: { ...ZERO, notSent: 1 }, rowsRead: 1 });
    await put(id, update(id, { round: 1, upload: "elsewhere", report: half }));
    await put(id, update(id, { round: 1, upload: "elsewhere" }));
    const whole = report([], { counts: { ...ZERO, created: 1 }, rowsRead: 1 });
    await put(id, update(id, { round: 1, upload: "elsewhere", report: whole }));
    expect((await put(id, update(id))).json.code).toBe("RUN_CHANGED");
    expect((await read(id)).json).toMatchObject({ state: "done", rowsRead: 8, counts: { ...ZERO, created: 8 }, keptRows: 0 });
  });

  test("tells who uploads the same file of who does so at once", async () => {
    const file = "cd".repeat(32);
    const [anna, bert] = [await service.newPerson("editor"), await service.newPerson("editor")];
    const [one, other, third] = [newId(), newId(), newId()];
    const same = async (id: string, more: object, token?: string) => (await put(id, update(id, { file, ...more }), token)).json.sameFile;
    expect(await same(one, {}, anna.token)).toEqual([]);
    expect(await same(one, {}, anna.token)).toEqual([]); // it is the same upload
    expect(await same(other, {}, bert.token)).toMatchObject([{ id: one, by: { id: anna.id }, state: "running" }]);
    await put(one, update(one, { file, report: report([]) }), anna.token);
    await put(other, update(other, { file, report: report([]) }), bert.token);
    expect(await same(third, {}, anna.token)).toMatchObject([{ id: other, state: "done" }]); // one's own that has ended is known
    expect(await same(newId(), { file: "" }, anna.token)).toEqual([]);
    expect(await same(newId(), { file, collection: "companies" }, anna.token)).toEqual([]);
    expect(await same(newId(), {}, await service.tokenFor("customers:create"))).toEqual([]);
  });

  test("shows nothing of hidden fields, masks where there are masks, and no reason that may tell of them", async () => {
    const rows = [
      row(1, { reason: "Anna 1 is taken.", fields: ["name"], codes: ["ALREADY_EXISTS"] }),
      row(2),
      row(3, { reason: "A rule about DE3.", fields: ["name"], codes: ["RULE.bank"] }),
      row(4, { reason: "Too many cells: DE4.", fields: [], codes: ["CELLS"] }),
    ];
    const id = await ended(rows, { meaning: { mode: "update", matchBy: ["iban"] } });
    await put(id, update(id, { round: 1, upload: "u", meaning: { mode: "update" } }));
    const stopped = report(rows, { state: "stopped", why: "DE1 was refused.", counts: { ...ZERO, failed: 4 }, rowsRead: 4 });
    expect((await put(id, update(id, { round: 1, upload: "u", report: stopped }))).status).toBe(200);
    const narrow = await role({ customers: { fields: { hidden: ["iban"] } }, companies: { fields: { hidden: ["name"] } } });
    const seen = await rowsOf(id, narrow);
    expect(JSON.stringify([seen, (await read(id, narrow)).json])).not.toMatch(/DE\d|Acme|iban|PATTERN/);
    expect(seen.rows.map((one: RunRow) => one.reason)).toEqual(["Anna 1 is taken.", null, null, null]);
    expect(seen.rows[1].values).toEqual({ name: "Anna 2", region: "north" });
    const masked = await role({ customers: { fields: { masked: ["iban"] } } });
    const { rows: covered } = await rowsOf(id, masked);
    expect(covered[1]).toMatchObject({ reason: null, values: { name: "Anna 2", iban: "••••", "company.name": "Acme" } });
    for (const token of [narrow, masked]) expect((await put(id, update(id, { round: 2, upload: "x" }), token)).status).toBe(403);
    const own = newId();
    expect((await put(own, update(own, { report: report([row(1, { values: { name: "A" }, fields: ["name"] })]) }), narrow)).status).toBe(
      200,
    );
    expect((await put(newId(), update("x", { report: report([row(1)]) }), narrow)).status).toBe(422); // iban is no field for them
  });

  test("shows no cells of a parent to who may not read it or sees some of them only, and they send no rows again that have such", async () => {
    const rows = [
      row(1),
      row(2, { reason: "There is no company Acme.", fields: ["companyId"], codes: ["REFERENCE"] }),
      row(3, { reason: "There is no company Acme.", fields: ["company.name"], codes: ["REFERENCE"] }),
      row(4, { reason: "Too many cells: Acme.", fields: [], codes: ["CELLS"] }),
      row(5, { reason: "Too many cells.", fields: [], codes: ["CELLS"], values: { name: "Anna 5" } }),
    ];
    const id = await ended(rows);
    const apart = await service.tokenFor("customers:read customers:create customers:update");
    const some = await role({ companies: { read: { where: "rating=good" } } });
    for (const token of [apart, some]) {
      const seen = (await rowsOf(id, token)).rows;
      expect(JSON.stringify(seen)).not.toMatch(/Acme|company\.|REFERENCE/);
      expect(seen.map(({ reason }: RunRow) => reason)).toEqual(["iban 1 is wrong.", null, null, null, "Too many cells."]);
      expect(seen[0].values).toEqual({ name: "Anna 1", iban: "DE1", region: "north" });
      expect((await put(id, update(id, { round: 1, upload: "x" }), token)).status).toBe(403);
    }
    const own = await ended([row(1, { values: { name: "Anna" } })]);
    expect((await put(own, update(own, { round: 1, upload: "x" }), apart)).status).toBe(200);
  });

  test("is their own for who sees some records only, and has no rows for them, also when their role was narrowed afterwards", async () => {
    const { json: made } = await service.call("POST", "/v1/roles", { name: "Branch", scope: "write" });
    const { token } = await service.newPerson(made.id);
    const [theirs, others] = [newId(), await ended([row(1)])];
    await put(theirs, update(theirs, { report: report([row(2)], { state: "stopped", why: "DE2 was refused." }) }), token);
    expect((await rowsOf(theirs, token)).rows).toHaveLength(1);
    expect((await read(others, token)).status).toBe(200);
    const conditions = { customers: { read: { where: "region=south" } } };
    expect((await service.call("PATCH", `/v1/roles/${made.id}`, { name: "Branch", scope: "write", conditions })).status).toBe(200);
    expect([
      (await read(others, token)).status,
      (await service.call("GET", `/v1/runs/${others}/rows`, undefined, bearer(token))).status,
    ]).toEqual([404, 404]);
    expect((await read(theirs, token)).json).toMatchObject({ keptRows: 0, why: null, counts: { failed: 1 } });
    expect(await rowsOf(theirs, token)).toEqual({ rows: [], next: null });
    const { runs } = (await service.call("GET", "/v1/runs?limit=1", undefined, bearer(token))).json;
    expect(runs.map((one: Run) => one.id)).toEqual([theirs]);
    const parents = newId();
    expect((await put(parents, update(parents, { collection: "companies" }))).status).toBe(200);
    const all = (await service.call("GET", "/v1/runs", undefined, bearer(token))).json.runs;
    expect(
      all
        .filter((one: Run) => [theirs, others, parents].includes(one.id))
        .map((one: Run) => one.id)
        .sort(),
    ).toEqual([theirs, parents].sort());
    expect((await put(theirs, update(theirs, { round: 1, upload: "x" }), token)).status).toBe(403);
  });

  test("loses its rows with an erasure, also while they are sent again", async () => {
    const id = await ended([row(1), row(2, { outcome: "inDoubt" })]);
    await put(id, update(id, { round: 1, upload: "again" }));
    const { json } = await service.call("POST", "/v1/customers", { name: "Anna 1", iban: "DE-erased" });
    expect((await service.call("POST", `/v1/customers/${json.objectId}/erasure`)).status).toBe(200);
    expect((await read(id)).json).toMatchObject({ keptRows: 0, isForgotten: true, counts: { created: 7, failed: 1, inDoubt: 1 } });
    expect(await rowsOf(id)).toEqual({ rows: [], next: null });
    const late = report([row(1)], { counts: { ...ZERO, failed: 1 }, rowsRead: 1 });
    expect((await put(id, update(id, { round: 1, upload: "again", report: late }))).json.run).toMatchObject({
      keptRows: 0,
      counts: { failed: 1, inDoubt: 1 },
    });
    expect((await rowsOf(id)).rows).toEqual([]);
    expect((await put(id, update(id, { round: 2, upload: "more" }))).json.code).toBe("RUN_CHANGED");
  });

  test("loses the sentence why it stopped with an erasure, also where it has no rows", async () => {
    const id = newId();
    const why = 'The service refused "Anna", DE-why.';
    await put(id, update(id, { report: report([], { state: "stopped", why }) }));
    expect((await read(id)).json.why).toBe(why);
    const { json } = await service.call("POST", "/v1/customers", { name: "Anna", iban: "DE-why" });
    expect((await service.call("POST", `/v1/customers/${json.objectId}/erasure`)).status).toBe(200);
    expect((await read(id)).json).toMatchObject({ why: null, isForgotten: false, counts: { created: 7 } });
  });

  test("is listed page by page, and kept as long as RUN_DAYS says", async () => {
    const seen: string[] = [];
    for (let before = ""; ; ) {
      const { runs, next } = (await service.call("GET", `/v1/runs?limit=2${before}`)).json;
      seen.push(...runs.map((one: Run) => one.id));
      if (next === null) break;
      before = `&before=${next}`;
    }
    const all = (await service.call("GET", "/v1/runs?limit=200")).json.runs.map((one: Run) => one.id);
    expect(seen).toEqual(all);
    expect((await service.call("GET", "/v1/runs?before=x")).status).toBe(400);
    expect([readRetention({}).runDays, readRetention({ RUN_DAYS: "30" }).runDays]).toEqual([undefined, 30]);
    expect(() => readRetention({ RUN_DAYS: "0" })).toThrow("RUN_DAYS must be");
    const stop = new AbortController();
    const swept: string[] = [];
    const run = createSweeper(
      service.store,
      { historyDays: undefined, changesDays: undefined },
      (work) => {
        swept.push(work);
        if (work === "runs") stop.abort();
      },
      { first: 0, every: 1e9, pause: 0 },
    );
    await run(stop.signal);
    expect((await service.call("GET", "/v1/runs?limit=200")).json.runs).toHaveLength(all.length); // nothing is old
    while (await service.store.runs.sweepRuns(Date.now() + 60_000));
    expect((await service.call("GET", "/v1/runs?limit=200")).json.runs).toEqual([]);
    expect((await read(seen[0] ?? "")).status).toBe(404);
  });
});

describe("when the dictionary changes meanwhile", () => {
  let service: LivingService;
  beforeAll(async () => {
    service = await startLivingService(PACKAGE);
  });
  afterAll(() => service.close());

  test("values stand under the names of today, reports under former names are understood, and what is retired is gone", async () => {
    const id = newId();
    await service.send("PUT", `/v1/runs/${id}`, update(id, { meaning: { mode: "update", matchBy: ["iban"] }, report: report([row(1)]) }));
    const apply = async (edit: (dataPackage: typeof PACKAGE) => void) => {
      const { dataPackage, version } = service.living.served();
      const draft = structuredClone(dataPackage) as typeof PACKAGE;
      edit(draft);
      const { nextVersion } = await import("../../dictionary/start-dictionary.ts");
      const next = nextVersion({ dataPackage: draft, placeOf: (place) => place }, { version, text: JSON.stringify(dataPackage) });
      await service.living.apply(next.dataPackage, next.collections, { base: version });
    };
    await apply(({ resources: [companies, customers] }) => {
      for (const [resource, name] of [
        [companies, "name"],
        [customers, "iban"],
      ] as const)
        for (const field of (resource?.schema.fields ?? []) as { name: string }[]) if (field.name === name) field.name = `${name}New`;
      if (companies) companies.label = ["nameNew"];
    });
    const read = async () => (await service.send("GET", `/v1/runs/${id}/rows`)).json.rows[0];
    expect(await read()).toMatchObject({ fields: ["ibanNew"], values: { ibanNew: "DE1", "company.nameNew": "Acme", name: "Anna 1" } });
    expect((await service.send("GET", `/v1/runs/${id}`)).json.meaning.matchBy).toEqual(["ibanNew"]);
    const late = newId();
    expect((await service.send("PUT", `/v1/runs/${late}`, update(late, { report: report([row(1)]) }))).status).toBe(200);
    expect((await service.send("GET", `/v1/runs/${late}/rows`)).json.rows[0].values).toMatchObject({
      ibanNew: "DE1",
      "company.nameNew": "Acme",
    });
    await apply(({ resources: [, customers] }) => {
      for (const field of (customers?.schema.fields ?? []) as { name: string; retired?: boolean }[])
        if (field.name === "ibanNew") field.retired = true;
    });
    expect(await read()).toMatchObject({ fields: [], reason: "iban 1 is wrong.", values: { name: "Anna 1" } });
    expect((await read()).values.ibanNew).toBeUndefined();
    const [begun, unheard] = [newId(), newId()];
    const meaning = { mode: "update" as const, matchBy: ["iban"] };
    for (const [id, values] of [
      [begun, { name: "Anna 1", iban: "DE1" }],
      [unheard, { nothing: "x" }],
    ] as const) {
      const { status } = await service.send("PUT", `/v1/runs/${id}`, update(id, { meaning, report: report([row(1, { values })]) }));
      expect(status).toBe(id === begun ? 200 : 422);
    }
    const rowOf = async () => (await service.send("GET", `/v1/runs/${begun}/rows`)).json.rows[0].values;
    expect(await rowOf()).toEqual({ name: "Anna 1" });
    await apply(({ resources: [, customers] }) => {
      for (const field of (customers?.schema.fields ?? []) as { name: string; retired?: boolean }[]) delete field.retired;
    });
    expect(await rowOf()).toEqual({ name: "Anna 1", ibanNew: "DE1" });
  });
});
