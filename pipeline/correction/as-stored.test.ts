// Values that break a rule of today and stand in the records that a file updates.

import { expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import datapackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import { type Fields, validateRecord } from "../../core/dictionary/validate.ts";
import type { CheckSummary, Findings } from "../checking/findings.ts";
import { NO_CORRECTIONS } from "../model/corrections.ts";
import type { Plan, RowMode } from "../model/plan.ts";
import { type CheckJob, runCheck } from "../runs/run-upload.ts";
import type { BatchAnswer, PostBatch } from "../sending/responses.ts";
import { counted, createClock, createService, fileOf, planFor, upload } from "../testing/fake-service.ts";
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

async function check(rows: string, mode: Plan["mode"], more: Partial<CheckJob> = {}): Promise<{ check: CheckSummary; plan: Plan }> {
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
  for await (const state of runCheck(job)) if (state.step === "checked") check = state.check;
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
