// Tests what the service learns of a run: its rows that were not stored, and when it may begin.

import { expect, onTestFinished, test, vi } from "vitest";
import type { PutRun, Run, RunUpdate } from "../../core/contract/runs.ts";
import { OutcomeLog } from "../model/outcomes.ts";
import type { Plan } from "../model/plan.ts";
import type { QueryPutRun } from "../sending/responses.ts";
import { customers, fileOf, plainDialect } from "../testing/fake-service.ts";
import { rowsAsFile } from "./rows-as-file.ts";
import { findRowsNotStored } from "./rows-not-stored.ts";
import { beginOnService, describeRun, nameOfFile, reportToService } from "./run-on-service.ts";

const CONTENT = "objectId,lastName,Note,accountID\n1,Ek,x,A-1\n2,,secret,A-2\n3,'=Lind,x,A-3\n4,Berg,x,A-4\n5,Dahl,x,A-5\n";
const plan: Plan = { dialect: plainDialect, columns: ["objectId", "lastName", null, "accountID"], mode: "upsert", matchBy: "accountID" };

function log(): OutcomeLog {
  const outcomes = new OutcomeLog();
  outcomes.recordOutcome(1, 2, "created");
  outcomes.recordOutcome(2, 3, "notSent", "Enter the last name.");
  const problem = {
    status: 422,
    code: "VALIDATION",
    title: "",
    errors: [{ pointer: "/customers/0/lastName", code: "PATTERN", detail: "" }],
  };
  outcomes.recordOutcome(3, 4, "failed", "Last name has a sign.", { problem } as never);
  outcomes.recordOutcome(4, 5, "inDoubt", "No reply.");
  outcomes.close(5, { seconds: 1, ended: "cancelled" });
  return outcomes;
}

test("a row that was not stored has the cells of fields, as they are meant, and what its reason is about", async () => {
  const rows = await findRowsNotStored({ file: fileOf(CONTENT), collection: customers, plan, outcomeLog: log() });
  const { rest } = log();
  expect(rows).toEqual([
    {
      row: 2,
      line: 3,
      outcome: "notSent",
      reason: "Enter the last name.",
      fields: ["lastName"],
      codes: ["REQUIRED"],
      values: { objectId: "2", lastName: "", accountID: "A-2" },
    },
    {
      row: 3,
      line: 4,
      outcome: "failed",
      reason: "Last name has a sign.",
      fields: ["lastName"],
      codes: ["PATTERN"],
      values: { objectId: "3", lastName: "=Lind", accountID: "A-3" },
    },
    {
      row: 4,
      line: 5,
      outcome: "inDoubt",
      reason: "No reply.",
      fields: [],
      codes: [],
      values: { objectId: "4", lastName: "Berg", accountID: "A-4" },
    },
    {
      row: 5,
      line: 6,
      outcome: "notSent",
      reason: rest,
      fields: [],
      codes: [],
      values: { objectId: "5", lastName: "Dahl", accountID: "A-5" },
    },
  ]);
});

test("rows become a file again, without those in doubt, and keep their numbers when they are sent again", async () => {
  const rows = await findRowsNotStored({ file: fileOf(CONTENT), collection: customers, plan, outcomeLog: log() });
  const run = { id: "first", fileName: "customers.xlsx", round: 2, meaning: { mode: "upsert", matchBy: ["accountID"] } } as Run;
  const again = rowsAsFile(run, rows, customers);
  expect(again?.file.name).toBe("customers.csv");
  expect(again?.plan).toEqual({ columns: [null, null, "objectId", "lastName", "accountID"], mode: "upsert", matchBy: "accountID" });
  expect(again?.again).toEqual({ run: "first", round: 3, fileName: "customers.xlsx", rows: [2, 3, 5] });
  const text = await again?.file.text();
  expect(text).toContain("'=Lind");
  const outcomeLog = new OutcomeLog();
  outcomeLog.recordOutcome(1, 2, "created");
  outcomeLog.recordOutcome(2, 3, "failed", "Wrong still.");
  outcomeLog.recordOutcome(3, 4, "unchanged");
  const job = {
    file: fileOf(text ?? ""),
    collection: customers,
    plan: { ...again?.plan, dialect: plainDialect } as Plan,
    outcomeLog,
    numbersIn: 1,
  };
  expect(await findRowsNotStored(job)).toMatchObject([{ row: 3, values: { lastName: "=Lind" } }]);
  expect(
    rowsAsFile(
      run,
      rows.filter(({ outcome }) => outcome === "inDoubt"),
      customers,
    ),
  ).toBeUndefined();
});

test("a file is named by its bytes", async () => {
  const blocks = new Uint8Array(32).fill(7);
  const name = await nameOfFile({ size: 5, blocks });
  expect(name).toMatch(/^[0-9a-f]{64}$/);
  expect(await nameOfFile({ size: 5, blocks: blocks.slice() })).toBe(name);
  expect(await nameOfFile({ size: 6, blocks })).not.toBe(name);
  expect(await nameOfFile(undefined)).toBe("");
});

const refused = (status: number) => ({
  kind: "refused" as const,
  status,
  code: "",
  detail: `Refused ${status}.`,
  problems: [],
  retryAfter: null,
});
const read = { kind: "read" as const, put: { sameFile: [] } as unknown as PutRun };

/** Answers one after the other, and then always the last. */
function telling(...answers: Awaited<ReturnType<QueryPutRun>>[]) {
  const sent: [string, RunUpdate][] = [];
  let signedIn = 0;
  return {
    sent,
    signedIn: () => signedIn,
    signIn: async () => void signedIn++,
    putRun: async (run: string, update: RunUpdate) => {
      sent.push([run, update]);
      return answers[Math.min(sent.length, answers.length) - 1] ?? read;
    },
  };
}

const described = describeRun(
  { id: "u2", fileName: "a.csv", again: { run: "u1", round: 1, fileName: "a.csv", rows: [1] } },
  { collection: "customers", plan, file: "f" },
);
const { signal } = new AbortController();

test("a round begins when the service says so, and a first upload without an answer, too", async () => {
  expect(described).toMatchObject({ id: "u1", upload: "u2", round: 1, file: "", meaning: { mode: "upsert", matchBy: ["accountID"] } });
  const signsIn = telling(refused(401), read);
  expect(await beginOnService(described, signsIn, { isNeeded: true, signal })).toEqual({ sameFile: [] });
  expect([signsIn.signedIn(), signsIn.sent.map(([run]) => run)]).toEqual([1, ["u1", "u1"]]);
  expect(await beginOnService(described, telling(refused(409)), { isNeeded: false, signal })).toEqual({ refused: "Refused 409." });
  expect(await beginOnService(described, telling(refused(403)), { isNeeded: true, signal })).toEqual({ refused: "Refused 403." });
  for (const answer of [refused(404), refused(500), { kind: "noReply" as const, detail: "" }])
    expect(await beginOnService(described, telling(answer), { isNeeded: false, signal })).toEqual({ sameFile: [] });
  const waits = new AbortController();
  const begun = beginOnService(described, telling({ kind: "noReply", detail: "" }), { isNeeded: true, signal: waits.signal });
  waits.abort();
  expect(await begun).toEqual({ sameFile: [] }); // cancelled: nothing is sent
});

test("a report is handed in once, and says whether it was taken", async () => {
  const counts = { created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 };
  const order = { report: { counts, rowsRead: 1, seconds: 1, ended: "stopped" as const, why: "Why.", notStored: [] }, rows: [], signal };
  const taken = telling(refused(401), read);
  expect(await reportToService(described, taken, { ...order, canContinue: true })).toBe(true);
  expect(taken.sent.at(-1)?.[1].report).toEqual({ state: "stopped", counts, rowsRead: 1, seconds: 1, why: "Why.", rows: [] });
  const lost = telling(read);
  expect(await reportToService(described, lost, { ...order, canContinue: false })).toBe(true);
  expect(lost.sent[0]?.[1].report?.state).toBe("cancelled"); // nobody goes on with it
  expect(await reportToService(described, telling(refused(422)), { ...order, canContinue: false })).toBe(false);
  expect(await reportToService(described, telling({ kind: "noReply", detail: "" }), { ...order, canContinue: false, attempts: 1 })).toBe(
    false,
  );
});

test("a token that has ended costs the only attempt nothing, and who signs out does not wait for another", async () => {
  const counts = { created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 };
  const order = (ended: "done" | "cancelled") => ({
    ...{ report: { counts, rowsRead: 1, seconds: 1, ended, notStored: [] }, rows: [], canContinue: false, signal, attempts: 1 },
  });
  expect(await reportToService(described, telling(refused(401), read), order("done"))).toBe(true);
  const refusing = telling(refused(401));
  expect(await reportToService(described, refusing, order("done"))).toBe(false);
  expect(refusing.sent).toHaveLength(2); // with the new token once
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const signedOut = { ...telling(refused(401)), signIn: () => new Promise<void>(() => undefined) };
  const reported = reportToService(described, signedOut, { ...order("cancelled"), attempts: 3 });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await Promise.race([reported, Promise.resolve("still waits")])).toBe(false);
  expect(signedOut.sent).toHaveLength(1);
});
