// Values that break a rule of today and stand in the records that a file updates.

import { expect, onTestFinished, test, vi } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import datapackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import type { Field } from "../../core/dictionary/fields.ts";
import { type Fields, validateRecord } from "../../core/dictionary/validate.ts";
import type { CheckSummary, Findings } from "../checking/findings.ts";
import { mayBeStored } from "../checking/validate-row.ts";
import { NO_CORRECTIONS } from "../model/corrections.ts";
import type { Plan, RowMode } from "../model/plan.ts";
import { type CheckJob, runCheck } from "../runs/run-upload.ts";
import type { UploadState } from "../runs/upload-state.ts";
import type { BatchAnswer, PostBatch } from "../sending/responses.ts";
import { counted, createClock, createService, employees, fileOf, planFor, upload } from "../testing/fake-service.ts";
import { findingsOf, HEADER } from "../testing/fake-session.ts";

/** Customers whose names may have five characters and whose first name is required, as somebody decided after they were stored. */
const narrowed = (() => {
  const changed = structuredClone(datapackage) as { resources: { schema: { fields: { name: string; constraints?: object }[] } }[] };
  for (const field of changed.resources[0]?.schema.fields ?? []) {
    if (field.name === "lastName") field.constraints = { required: true, maxLength: 5 };
    if (field.name === "firstName") field.constraints = { required: true };
  }
  const read = readDataPackage(changed);
  if (!("collections" in read) || !read.collections[0]) throw new Error("The data package of the test is wrong.");
  return read.collections[0];
})();

/** The rule of decision 0209, on records in memory: a value is held to the rules only where it differs from the stored one. */
function openService(stored: readonly Fields[]) {
  const records = new Map(stored.map((record) => [record.objectId, record]));
  const asked: Fields[][] = [];
  const answer = (batch: Fields[], mode: RowMode | readonly RowMode[]): BatchAnswer => ({
    kind: "answered",
    results: batch.map((record, index) => {
      const current = records.get(record.objectId ?? null);
      const problemOf = (status: number, code: "VALIDATION" | "NOT_FOUND", fields: string[]) => ({
        ...{ index, outcome: "failed" as const, status },
        problem: {
          ...{ type: "about:blank", title: "", detail: "", status, code },
          errors: fields.map((name) => ({ code: "TOO_LONG" as const, detail: "", pointer: `/${index}/${name}` })),
        },
      });
      if (!current && mode === "update") return problemOf(404, "NOT_FOUND", []);
      const { problems = [] } = validateRecord(narrowed, record, { from: "json", partial: current !== undefined });
      const standing = problems.filter(({ field }) => !current || record[field] !== current[field]);
      if (standing.length > 0)
        return problemOf(
          422,
          "VALIDATION",
          standing.map(({ field }) => field),
        );
      const isSame = Object.entries(record).every(([name, value]) => current?.[name] === value);
      return { index, outcome: current ? (isSame ? "unchanged" : "updated") : "created", status: 200 };
    }),
  });
  const dryPost: PostBatch = (batch, _key, mode) => {
    asked.push(batch);
    return Promise.resolve(answer(batch, mode));
  };
  return { asked, dryPost };
}

const STORED: Fields[] = [
  { objectId: 1, firstName: "Ana", lastName: "Longname", accountID: "A" },
  { objectId: 2, firstName: null, lastName: "Ek", accountID: "A" },
  { objectId: 3, firstName: "Bo", lastName: "Otherlong", accountID: "A" },
];

async function check(
  rows: string,
  mode: Plan["mode"],
  more: Partial<CheckJob> = {},
  onState: (state: UploadState) => void = () => undefined,
): Promise<{ check: CheckSummary; plan: Plan }> {
  let plan = planFor(mode);
  let check: CheckSummary | undefined;
  const job = {
    ...{ file: fileOf(HEADER + rows), collection: narrowed, plan },
    ...{ signal: new AbortController().signal, clock: createClock() },
    onFound: (_: Findings, checked: Plan) => {
      plan = checked;
    },
    ...more,
  };
  for await (const state of runCheck(job)) {
    onState(state);
    if (state.step === "checked") check = state.check;
  }
  if (!check) throw new Error("The check did not end.");
  return { check, plan };
}
const groupsOf = ({ groups }: CheckSummary) => groups.map(({ field, code, ranges }) => [field, code, ranges]);

test("a cell that breaks a rule is no problem where the record has that value, and one where it has another", async () => {
  for (const mode of ["update", "upsert"] as const) {
    const rows = "1,Ana,Longname,B\n2,,Ek,B\n3,Bo,Changedname,B\n4,Cy,Longname,B\n";
    const found = await check(rows, mode, { dryPost: openService(STORED).dryPost });
    expect(groupsOf(found.check)).toEqual([["lastName", "TOO_LONG", [[3, 4]]]]);
    expect(found.check.ready).toBe(2);
    // The upload itself sends such a value along, and an empty cell leaves what is stored.
    const service = createService({ collection: narrowed });
    for (const record of STORED) service.records.set(record.objectId as number, record);
    const { report } = await upload(fileOf(HEADER + rows), service, { collection: narrowed, plan: found.plan });
    expect(counted(report)).toEqual({ updated: 2, notSent: 2 });
    expect([service.records.get(1), service.records.get(2)]).toEqual([
      { ...STORED[0], accountID: "B" },
      { ...STORED[1], accountID: "B" },
    ]);
  }
});

test("the plan survives being stored as JSON, as the command keeps it for resume", async () => {
  const { plan } = await check("1,Ana,Longname,B\n", "update", { dryPost: openService(STORED).dryPost });
  const again = await check("1,Ana,Longname,B\n", "update", { plan: JSON.parse(JSON.stringify(plan)) });
  expect(again.check.ready).toBe(1);
});

test("a value of a row with another mistake is compared as well, and the second of two rows with a key like the first", async () => {
  const { dryPost } = openService(STORED);
  const found = await check("1,Ana,Longname,\u0001\n3,Bo,Otherlong,B\n3,Bo,Otherlong,C\nx,Bo,Otherlong,C\n", "upsert", { dryPost });
  expect(groupsOf(found.check)).toEqual([
    ["accountID", "CHARACTERS", [[1, 1]]],
    ["lastName", "TOO_LONG", [[4, 4]]],
    ["objectId", "KIND", [[4, 4]]],
  ]);
});

test("only rows that may update are asked about, once, and a service that says nothing changes nothing", async () => {
  const { asked, dryPost } = openService(STORED);
  expect((await check("1,Ana,Longname,B\n", "create", { dryPost })).check.ready).toBe(0);
  expect((await check("1,Ana,Ek,B\n2,Bo,Ek,B\n", "update", { dryPost })).check.ready).toBe(2);
  expect(asked).toEqual([]);
  await check("1,Ana,Ek,B\n3,Bo,Otherlong,B\n", "update", { dryPost });
  expect(asked).toEqual([[{ objectId: 3, firstName: "Bo", lastName: "Otherlong", accountID: "B" }]]);
  const refused = { kind: "refused" as const, status: 403, code: "", detail: "No.", problems: [], retryAfter: null };
  const found = await check("3,Bo,Otherlong,B\n", "update", { dryPost: () => Promise.resolve(refused) });
  expect([found.check.ready, found.plan.asStored]).toEqual([0, undefined]);
});

test("an edited cell is held to the rules again, and taking the edit back leaves the stored value", async () => {
  const file = fileOf(`${HEADER}1,Ana,Longname,B\n`);
  const { plan } = await check("1,Ana,Longname,B\n", "update", { dryPost: openService(STORED).dryPost });
  const wrongWith = async (edits: Record<number, Record<number, string>>) => {
    const fixes = { ...NO_CORRECTIONS, edits };
    return groupsOf((await findingsOf(file, narrowed, { ...plan, fixes })).summary()).length;
  };
  expect([
    await wrongWith({}),
    await wrongWith({ 1: { 2: "Longername" } }),
    await wrongWith({ 1: { 2: "Short" } }),
    await wrongWith({ 1: { 3: "C" } }),
  ]).toEqual([0, 1, 0, 0]);
});

const rowsFrom = (first: number, n: number, lastName = "Newlyadded") =>
  Array.from({ length: n }, (_, i) => `${first + i},Ana,${lastName},B\n`).join("");
const refused = (status: number) => ({ kind: "refused" as const, status, code: "", detail: "No.", problems: [], retryAfter: null });

test("a file is read again only for rules that may have been others", async () => {
  const readings = async (rows: string, mode: "update" | "upsert", changed: Partial<CheckJob> = {}) => {
    const file = fileOf(HEADER + rows);
    const slice = vi.spyOn(file, "slice");
    await check(rows, mode, { file, dryPost: openService(STORED).dryPost, ...changed });
    const all = slice.mock.calls.length;
    slice.mockClear();
    await check(rows, mode, { file, ...changed });
    return all / slice.mock.calls.length;
  };
  expect(await readings("1,Ana,Longname,B\n", "update")).toBe(3); // to check, to ask, and to check with what was said
  expect(await readings("4,Ana,Newlyadded,B\n", "upsert")).toBe(2);
  expect(await readings("x,Ana,Ek,B\n,Ana,Ek,B\n", "update")).toBe(1);
  expect(await readings("x,Ana,Ek,B\n1,#REF!,Ek,B\n1,Ana,Ek,B,B\n", "upsert")).toBe(1);
  const plan = planFor("upsert", ["objectId", "firstName", null, "accountID"]);
  expect(await readings("1,Ana,Ek,B\n", "upsert", { plan })).toBe(1); // the column of the last name lacks in every row
});

test("a value with more decimals than are allowed may be stored, one with more digits than its kind holds is not", () => {
  const [, , salary] = employees.fields;
  const field = salary as Field;
  expect(mayBeStored("TOO_PRECISE", { ...field, decimals: 2 }, false)).toBe(true);
  expect(mayBeStored("TOO_PRECISE", field, false)).toBe(false);
});

test("the check shows how far it has asked, with as many requests as a preview has", async () => {
  const clock = createClock();
  const { asked, dryPost } = openService(STORED);
  let inFlight = 0;
  let most = 0;
  const slow: PostBatch = async (...batch) => {
    most = Math.max(most, ++inFlight);
    await clock.sleep(1_000, new AbortController().signal);
    inFlight--;
    return dryPost(...batch);
  };
  const shown = new Set<number>();
  let bytes = 0;
  await check(rowsFrom(10, 6_000), "upsert", { dryPost: slow, clock }, (state) => {
    if (state.step !== "checking" || asked.length === 0 || asked.length === 6) return;
    shown.add(state.rowsRead);
    bytes = state.bytesRead / state.bytesTotal;
  });
  expect(most).toBe(2);
  expect(shown.size).toBeGreaterThan(2);
  expect(bytes).toBeCloseTo(Math.max(...shown) / 6_000, 3);
  expect(bytes).toBeGreaterThan(0.6);
});

test("it gives up when twenty batches in a row have nothing that is stored, and keeps what was found before", async () => {
  const late = openService(STORED);
  const found = await check(`${rowsFrom(10, 19_999)}1,Ana,Longname,B\n${rowsFrom(100_000, 25_000)}3,Bo,Otherlong,B\n`, "upsert", {
    dryPost: late.dryPost,
  });
  expect(late.asked).toHaveLength(40);
  expect(found.check.ready).toBe(1);
  const never = openService(STORED);
  await check(`${rowsFrom(10, 25_000)}1,Ana,Longname,B\n`, "upsert", { dryPost: never.dryPost });
  expect(never.asked).toHaveLength(20);
});

test("a service that is busy, silent or refuses is asked once, without waiting; one that takes less at once gets less", async () => {
  const answers: BatchAnswer[] = [refused(503), refused(429), refused(500), refused(401), refused(403), { kind: "noReply", detail: "" }];
  for (const answer of answers) {
    const clock = createClock();
    const began = clock.now();
    const dryPost = vi.fn<PostBatch>(() => Promise.resolve(answer));
    const { check: summary } = await check("1,Ana,Longname,B\n3,Bo,Otherlong,B\n", "update", { dryPost, clock });
    expect([summary.ready, dryPost.mock.calls.length]).toEqual([0, 1]);
    expect(clock.now() - began).toBeLessThan(1_000);
  }
  const { dryPost } = openService(STORED);
  const small: PostBatch = (batch, ...how) => (batch.length > 1 ? Promise.resolve(refused(413)) : dryPost(batch, ...how));
  expect((await check("1,Ana,Longname,B\n3,Bo,Otherlong,B\n", "update", { dryPost: small })).check.ready).toBe(2);
});

test("a check that is cancelled does not wait for the last responses", async () => {
  const clock = createClock();
  const began = clock.now();
  const cancel = new AbortController();
  const dryPost: PostBatch = (_batch, _key, _mode, signal) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ kind: "noReply", detail: "" }));
      cancel.abort();
    });
  await expect(check("1,Ana,Longname,B\n", "update", { dryPost, clock, signal: cancel.signal })).rejects.toThrow("did not end");
  expect(clock.now() - began).toBeLessThan(1_000);
});

test("a part of the app that cannot be fetched leaves the problems, as a service that says nothing", async () => {
  vi.resetModules();
  vi.doMock("./as-stored.ts", () => Promise.reject(new Error("not fetched")));
  onTestFinished(() => void vi.doUnmock("./as-stored.ts"));
  const { runCheck: runFresh } = await import("../runs/run-upload.ts");
  const job = { file: fileOf(`${HEADER}1,Ana,Longname,B\n`), collection: narrowed, plan: planFor("update") };
  const states: UploadState[] = [];
  for await (const state of runFresh({ ...job, signal: new AbortController().signal, dryPost: openService(STORED).dryPost }))
    states.push(state);
  expect(states.at(-1)).toMatchObject({ step: "checked", check: { ready: 0 } });
});
