// Rows of an upload that look like stored records are found before, and each becomes what was chosen for it.

import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { checkFile } from "../../../pipeline/checking/check-file.ts";
import { Findings } from "../../../pipeline/checking/findings.ts";
import { CorrectionSession } from "../../../pipeline/correction/correction-session.ts";
import type { Act, CorrectionState } from "../../../pipeline/correction/correction-state.ts";
import type { SimilarRow } from "../../../pipeline/correction/similar-state.ts";
import { createValueCounts } from "../../../pipeline/correction/wrong-values.ts";
import { type Clock, realClock } from "../../../pipeline/model/clock.ts";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { runUpload } from "../../../pipeline/runs/run-upload.ts";
import { type BatchLog, memoryLog } from "../../../pipeline/sending/journal.ts";
import type { PostBatch } from "../../../pipeline/sending/responses.ts";
import { createUploadService, type UploadService } from "../../../pipeline/sending/upload-service.ts";
import { checkOnce, createFollower } from "../../duplicates/matcher.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const field = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const PACKAGE = {
  title: "People",
  resources: [
    {
      name: "people",
      singular: "person",
      noun: "person",
      title: "People",
      label: ["firstName", "lastName"],
      match: {
        comparisons: [
          { fields: ["firstName", "lastName"], as: "name", weight: 6, unlike: 3 },
          { fields: ["phone"], as: "phone", weight: 6 },
        ],
        same: 9,
        maybe: 5,
      },
      schema: {
        fields: [
          field("id", { type: "integer" }),
          field("firstName"),
          field("lastName", { constraints: { required: true } }),
          field("phone"),
          field("city", { default: '"Bonn"' }),
          field("badge", { constraints: { unique: true } }),
        ],
        primaryKey: "id",
      },
    },
  ],
};

let service: TestService;
let people: Collection;
let baseUrl: string;
let token: string;
const follower = createFollower();
beforeAll(async () => {
  service = await openTestService(PACKAGE);
  people = service.collections[0] as Collection;
  baseUrl = `${await service.app.listen({ port: 0, host: "127.0.0.1" })}/v1`;
  token = await service.tokenFor("admin");
});
afterAll(() => service.close());

let ids: number[] = [];
/** Three people are stored, and the service has looked at them. */
beforeEach(async () => {
  const before: { id: number }[] = (await service.call("GET", "/v1/people?limit=1000")).json.people;
  if (before.length > 0) await service.call("POST", "/v1/people/deletions", { people: before.map(({ id }) => ({ id })) });
  const stored = [
    { firstName: "Ada", lastName: "Lovelace", phone: "0171 5550001", city: "London" },
    { firstName: "Grace", lastName: "Hopper", phone: "0171 5550002", city: "New York" },
    { firstName: "Karen", lastName: "Jones", phone: "0171 5550003", city: "Rome" },
  ];
  ids = (await service.call("POST", "/v1/people", { people: stored })).json.people.map(({ id }: { id: number }) => id);
  await followAll();
});

const all = async (): Promise<Record<string, unknown>[]> => (await service.call("GET", "/v1/people?limit=1000&sort=id")).json.people;
/** With PostgreSQL the feed, which the search for duplicates follows, lets nothing pass while an older transaction of the whole server runs. */
async function followAll(): Promise<void> {
  const stored = await all();
  const fed = async () => (await service.call("GET", "/v1/changes?collection=people&limit=1000")).json.changes as Record<string, unknown>[];
  const isFed = (changes: Awaited<ReturnType<typeof fed>>) =>
    stored.every(({ id, version }) => changes.some((change) => change.objectId === id && change.version === version));
  await vi.waitFor(async () => expect(isFed(await fed())).toBe(true), 50_000);
  const living = { served: () => ({ collections: service.collections, store: service.store, version: 1 }) };
  for (let quiet = 0; quiet < 2; ) quiet = (await checkOnce(living as never, follower)) ? 0 : quiet + 1;
}
const open = (own = token, run = "run", unlessChangedSince?: string): UploadService =>
  createUploadService(baseUrl, people, own, () => {}, { source: `upload; run=${run}`, unlessChangedSince });

const HEADING = "firstName,lastName,phone,city";
const ROWS = [
  "Ada,Lovelace,0171 5550001,",
  "Grace,Hoper,0171 5550002,Boston",
  "Someone,Else,0171 5559999,Ulm",
  "Karen,Smith,0171 5550003,Rome",
];
const dialect: Plan["dialect"] = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 };

interface Opened {
  act(act: Act): Promise<void>;
  state(): CorrectionState;
  plan(): Plan;
  rows(): SimilarRow[];
  /** How many rows the service was asked to compare. */
  asked(): number;
  file: File;
}

async function openFile(rows: readonly string[], { own = token, more = {} as Partial<Plan>, heading = HEADING } = {}): Promise<Opened> {
  const file = new File([`${heading}\n${rows.join("\n")}\n`], "people.csv");
  const plan: Plan = { dialect, columns: heading.split(","), mode: "create", ...more };
  const findings = new Findings(people, plan, createValueCounts(undefined, undefined));
  for await (const _ of checkFile(file, people, plan, findings));
  let latest: CorrectionState | undefined;
  const fail = (error: unknown) => {
    throw error;
  };
  const session = new CorrectionSession({
    file,
    collection: people,
    plan,
    findings,
    post: (_, state) => (latest = state),
    fail,
    clock: QUICK,
  });
  let asked = 0;
  const { postDry, findTwin, queryTime, ...compare } = open(own);
  const counting: PostBatch = (records, key, mode, signal, how) => {
    if (how?.onDuplicate) asked += records.length;
    return postDry(records, key, mode, signal, how);
  };
  session.preview(counting, findTwin, queryTime, undefined, compare);
  const quiet = async () => {
    while (session.isBusy) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await quiet();
  return {
    async act(act) {
      if (act === COMPARE) await followAll();
      session.act(act);
      await quiet();
    },
    state: () => latest as CorrectionState,
    plan: () => session.plan,
    rows() {
      const answer = session.answer({ for: "similar", from: 0, to: 100 });
      if (answer.for !== "similar") throw new Error(answer.for);
      return answer.rows;
    },
    asked: () => asked,
    file,
  };
}

/** Nobody corrects anything meanwhile, so no pause is needed. */
const QUICK: Clock = { ...realClock, sleep: (ms, signal) => realClock.sleep(Math.min(ms, 5), signal) };
const COMPARE = { do: "compare", isOn: true } as const;

interface Sent {
  file: File;
  plan: Plan;
  own?: string;
  run?: string;
  log?: BatchLog;
  post?: (post: PostBatch) => PostBatch;
}

let runs = 0;
async function send({ file, plan, own, run = `run-${++runs}`, log = memoryLog(), post = (one) => one }: Sent): Promise<Report> {
  const upload = open(own, run, plan.previewedAt);
  const never = new AbortController().signal;
  const job = {
    ...upload,
    postBatch: post(upload.postBatch),
    log,
    file,
    plan,
    collection: people,
    uploadId: run,
    rowsTotal: 4,
    signal: never,
  };
  let report: Report | undefined;
  for await (const state of runUpload(job)) if (state.step === "report") ({ report } = state);
  return report as Report;
}

test("rows that look like stored records are found with what is alike, and each becomes what was chosen", async () => {
  const opened = await openFile(ROWS);
  expect(opened.state().similar).toBeUndefined();
  expect(opened.asked()).toBe(0);
  await opened.act(COMPARE);
  expect(opened.state().similar).toMatchObject({ is: "done", rowsDone: 4, rowsTotal: 4, progress: 1, rows: 3, same: 2, open: 3, clear: 2 });
  expect(opened.rows().map(({ row, found }) => [row, found.map(({ id, level }) => [id, level])])).toEqual([
    [1, [[ids[0], "same"]]],
    [2, [[ids[1], "same"]]],
    [4, [[ids[2], "maybe"]]],
  ]);
  const [, second] = opened.rows();
  expect(second?.record).toEqual({ firstName: "Grace", lastName: "Hoper", phone: "0171 5550002" });
  expect(second?.found[0]).toMatchObject({
    version: 1,
    record: { lastName: "Hopper" },
    reasons: [{ found: "letters" }, { found: "same" }],
  });

  await opened.act({ do: "allSimilar", to: "update" });
  expect(opened.state().similar).toMatchObject({ open: 1, updated: 2 });
  await opened.act({ do: "allSimilar", to: null });
  expect(opened.state().similar).toMatchObject({ open: 0, updated: 2, leftOut: 1 });
  expect(opened.state().preview).toMatchObject({ is: "done", counts: { created: 1, updated: 1, unchanged: 1 } });
  expect(opened.asked()).toBe(4); // a decision asks nothing anew

  expect((await send({ ...opened, plan: opened.plan() })).counts).toMatchObject({
    created: 1,
    updated: 1,
    unchanged: 1,
    notSent: 1,
    failed: 0,
  });
  const stored = await all();
  expect(stored).toHaveLength(4);
  expect(stored[0]).toMatchObject({ id: ids[0], city: "London", version: 1 }); // an empty cell keeps what is stored
  expect(stored[1]).toMatchObject({ id: ids[1], lastName: "Hoper", city: "Boston", version: 2 });
  expect(stored[2]).toMatchObject({ id: ids[2], lastName: "Jones", version: 1 });
});

test("a second upload of the same file finds all of its rows, and leaves them out", async () => {
  const first = await openFile(ROWS);
  expect((await send({ ...first, plan: first.plan() })).counts).toMatchObject({ created: 4 });
  const second = await openFile(ROWS);
  await second.act(COMPARE);
  expect(second.state().similar).toMatchObject({ rows: 4, same: 4 });
  await second.act({ do: "allSimilar", to: null });
  expect((await send({ ...second, plan: second.plan() })).counts).toMatchObject({ created: 0, notSent: 4 });
  expect(await all()).toHaveLength(7);
});

test("a record that was changed since, also by the same person, is not overwritten, and can be chosen again", async () => {
  const opened = await openFile(ROWS);
  await opened.act(COMPARE);
  await opened.act({ do: "allSimilar", to: "update" });
  const change = { authorization: `Bearer ${token}`, "content-type": "application/merge-patch+json", "if-match": "*" };
  expect((await service.raw("PATCH", `/v1/people/${ids[1]}`, change, '{"city":"Paris"}')).status).toBe(200);
  const stale = await send({ ...opened, plan: opened.plan() });
  expect(stale.counts).toMatchObject({ created: 2, unchanged: 1, failed: 1, updated: 0 });
  expect(stale.notStored).toMatchObject([
    { row: 2, outcome: "failed", reason: "Somebody changed the record meanwhile. Nothing was done." },
  ]);
  expect((await all())[1]).toMatchObject({ lastName: "Hopper", city: "Paris" });

  await opened.act(COMPARE);
  expect(opened.state().similar).toMatchObject({ outdated: 1, updated: 1 });
  expect(opened.rows()[1]).toMatchObject({ row: 2, to: undefined, isOutdated: true, found: [{ id: ids[1], version: 2 }] });
  await opened.act({ do: "similar", choices: [{ row: 2, to: { id: ids[1] as number, version: 2 } }] });
  expect(opened.state().similar).toMatchObject({ outdated: 0, updated: 2 });
});

test("of two rows that are one record the first one changes it", async () => {
  const opened = await openFile([ROWS[1] as string, "Grace,Hopper,0171 5550002,Ulm"]);
  await opened.act(COMPARE);
  expect(opened.state().similar).toMatchObject({ rows: 2, same: 2, clear: 1 });
  await opened.act({ do: "allSimilar", to: "update" });
  expect(opened.state().similar).toMatchObject({ updated: 1, open: 1, clear: 0 });
  expect(opened.rows()[1]?.taken).toEqual({ [ids[1] as number]: 1 });
});

test("an upload that dies with the answer goes on, and changes no record twice", async () => {
  const opened = await openFile(ROWS);
  await opened.act(COMPARE);
  await opened.act({ do: "allSimilar", to: "update" });
  const log = memoryLog();
  const plan = opened.plan();
  const dies: (post: PostBatch) => PostBatch =
    (post) =>
    async (...given) => {
      await post(...given);
      return { kind: "refused", status: 403, code: "", detail: "It died.", problems: [], retryAfter: null };
    };
  // The answer is lost, and the tab with it: the entry of the batch has no result.
  const keep: BatchLog["keep"] = (entry, isNow) => (entry.result ? Promise.resolve() : log.keep(entry, isNow));
  await send({ ...opened, plan, log: { from: log.from, keep }, post: dies, run: "dying" });
  const report = await send({ ...opened, plan, log, run: "dying" });
  expect(report.counts).toMatchObject({ created: 2, updated: 1, unchanged: 1, failed: 0, inDoubt: 0 });
  expect((await all()).map(({ version }) => version)).toEqual([1, 2, 1, 1, 1]);
});

test("rows that name records by a unique value stay what they are between rows that change others", async () => {
  expect((await service.call("POST", "/v1/people", { lastName: "Badger", badge: "B-7", city: "Ulm" })).status).toBe(201);
  const heading = "badge,firstName,lastName,phone,city";
  const rows = ["B-1,Ada,Lovelace,0171 5550001,Oslo", "B-7,,Badger,,Kiel", "B-2,Grace,Hopper,0171 5550002,Oslo", "B-3,,Fresh,,Oslo"];
  const opened = await openFile(rows, { heading, more: { mode: "upsert", matchBy: "badge" } });
  await opened.act(COMPARE);
  expect(opened.state().similar).toMatchObject({ is: "done", rows: 2, same: 2 });
  await opened.act({ do: "allSimilar", to: "update" });
  expect(opened.state().preview).toMatchObject({ counts: { created: 1, updated: 3 } });
  expect((await send({ ...opened, plan: opened.plan() })).counts).toMatchObject({ created: 1, updated: 3, failed: 0 });
  expect((await all()).map(({ badge, city }) => [badge ?? null, city])).toEqual([
    ["B-1", "Oslo"],
    ["B-2", "Oslo"],
    [null, "Rome"],
    ["B-7", "Kiel"],
    ["B-3", "Oslo"],
  ]);
});

test("after a correction only what became another is compared, and what was decided stays", async () => {
  const opened = await openFile([...ROWS, "Nobody,,0171 5550001,"]); // without a last name
  await opened.act(COMPARE);
  expect([opened.asked(), opened.state().similar?.rows]).toEqual([4, 3]);
  await opened.act({ do: "allSimilar", to: "new" });
  await opened.act({ do: "edit", row: 5, column: 1, text: "Lovelace" });
  expect([opened.asked(), opened.state().similar]).toMatchObject([5, { is: "done", rowsDone: 5, rows: 4, open: 1, added: 3 }]);
  await opened.act({ do: "undo" });
  await opened.act({ do: "undo" });
  expect([opened.asked(), opened.state().similar]).toMatchObject([5, { rows: 3, open: 3, added: 0 }]);
});

test("it can be stopped, says so where the service does not answer, and tells nothing to those who may not read", async () => {
  const opened = await openFile(ROWS);
  await opened.act(COMPARE);
  await opened.act({ do: "compare", isOn: false }); // it has ended: nothing is stopped
  expect(opened.state().similar).toMatchObject({ is: "done" });
  const blind = await openFile(ROWS, { own: await service.tokenFor("people:create") });
  await blind.act(COMPARE);
  expect(blind.state().similar).toMatchObject({ is: "stopped", rowsDone: 0, rows: 0, why: expect.stringMatching(/\S/) });
});
