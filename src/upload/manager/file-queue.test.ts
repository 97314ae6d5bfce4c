// When a file goes on by itself, and when it waits for a person.

import { expect, test } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import type { CorrectionState, PreviewCounts } from "../../../pipeline/correction/correction-state.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { fileQueueOf } from "./file-queue.ts";
import type { UploadManager, UploadManagerState } from "./upload-manager.ts";

const HEADINGS = ["Number", "Name"];
const COLLECTION = { name: "customers", fields: [], uniqueKeys: [], byName: new Map([["id", {}]]) } as unknown as Collection;

/** A manager whose worker is the test: `show` is what the worker would post. `done` is what the queue asked for. */
function openManager(decided: object = {}) {
  let state: UploadManagerState = { choices: {} };
  const listeners = new Set<() => void>();
  const done: string[] = [];
  const chosen: Plan[] = [];
  const set = (change: Partial<UploadManagerState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const manager = {
    person: () => "https://intake.example.org/v1 anna",
    state: () => state,
    subscribe: (listener: () => void) => listeners.add(listener),
    setQueue: (queue: UploadManagerState["queue"]) => set({ queue }),
    inspect(file: File, collection: Collection) {
      done.push(`open ${file.name}`);
      set({ collection, fileName: file.name, upload: undefined });
    },
    startWorker() {
      const worker = new EventTarget();
      const answer = () => worker.dispatchEvent(Object.assign(new Event("message"), { data: { type: "state", state: columns() } }));
      return Object.assign(worker, { postMessage: () => queueMicrotask(answer), terminate() {} });
    },
    choose(plan: Plan) {
      done.push("choose");
      chosen.push(plan);
    },
    check: () => done.push("check"),
    upload: () => done.push("upload"),
    query: async () => ({
      for: "plan",
      headings: HEADINGS,
      plan: { dialect: {}, columns: ["id", null], mode: "create", fixes: undefined, ...decided },
    }),
    current: () => ({ id: `upload of ${state.fileName}`, fileName: state.fileName }),
  } as unknown as UploadManager;
  return { manager, queue: fileQueueOf(manager), done, chosen, show: (upload: UploadState) => set({ upload }), set };
}

function columns(header = HEADINGS): UploadState {
  return { step: "columns", inspection: { header, dialect: {} } as unknown as FileInspection };
}

function checked(check: Partial<CheckSummary> = {}, counts: Partial<PreviewCounts> = {}, is: "done" | "counting" = "done"): UploadState {
  const none = { created: 0, updated: 0, unchanged: 0, failed: 0, repeats: 0, awaiting: 0, unknown: 0, existing: 0, absent: 0, warned: 0 };
  const preview = {
    is,
    counts: { ...none, created: 3, ...counts },
    rowsDone: 3,
    rowsTotal: 3,
    rowsPerSecond: 1,
    changes: [],
    warned: [],
    left: new Map(),
    rejections: [],
  };
  const corrections: CorrectionState = { revision: 0, recheck: null, canUndo: false, canRedo: false, preview, parents: [] };
  return {
    step: "checked",
    check: { rowsRead: 3, ready: 3, leftOut: 0, warned: 0, damage: [], notes: [], ...check } as CheckSummary,
    corrections,
  };
}

const reported = (ended: Report["ended"] = "done") => ({ step: "report", report: { ended } as Report }) satisfies UploadState;
const file = (name: string) => new File(["x"], name);
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** The first file is decided and uploaded, and the second is open. */
async function openSecond(header = HEADINGS, decided: object = {}) {
  const opened = openManager(decided);
  opened.queue.add([file("a.csv"), file("b.csv"), file("c.csv")], COLLECTION);
  await settled();
  opened.show(columns());
  opened.show(checked());
  await settled();
  opened.queue.setAutomatic(true);
  opened.show(reported());
  expect(opened.done).toEqual(["open a.csv", "upload", "open b.csv"]);
  opened.done.length = 0;
  opened.show(columns(header));
  return opened;
}

test("a file like the one before is checked and uploaded, and then comes the next", async () => {
  const { done, show, manager } = await openSecond();
  show(checked());
  show(checked());
  show(reported());
  expect(done).toEqual(["choose", "check", "upload", "open c.csv"]);
  expect(manager.state().queue?.files.map(({ is, uploadId }) => [is, uploadId])).toEqual([
    ["done", "upload of a.csv"],
    ["done", "upload of b.csv"],
    ["waiting", "upload of c.csv"],
  ]);
});

test.each([
  ["a row has problems", checked({ ready: 2 })],
  ["a row is left out", checked({ ready: 2, leftOut: 1 })],
  ["no row is ready", checked({ rowsRead: 0, ready: 0 }, { created: 0 })],
  ["the service would refuse one", checked({}, { created: 2, failed: 1 })],
  ["it gave no answer for one", checked({}, { created: 2, unknown: 1 })],
  ["a key stands twice in the file", checked({}, { created: 2, repeats: 1 })],
  ["a spreadsheet damaged it", checked({ damage: ["Zeros are gone."] })],
  ["a sheet has something to know of", checked({ notes: ["2 rows are hidden."] })],
  ["the preview has not ended", checked({}, {}, "counting")],
])("it waits for a person when %s", async (_, state) => {
  const { done, show } = await openSecond();
  show(state);
  expect(done).toEqual(["choose", "check"]);
});

test.each([
  ["has another column", ["Number", "Name", "Town"], ["choose"]],
  ["lacks one", ["Number"], []],
  ["has other columns", ["X", "Y"], []],
])("a file that %s is not checked by itself", async (_, header, asked) => {
  expect((await openSecond(header)).done).toEqual(asked);
});

test("a file like the one before has its rules for columns and its recipe, too", async () => {
  const rules = [{ do: "trim", column: 1 }];
  const { chosen } = await openSecond(["Name", "Number"], { rules, recipe: "Daily" });
  expect(chosen).toMatchObject([{ columns: [null, "id"], rules: [{ do: "trim", column: 0 }], recipe: "Daily" }]);
});

test("a file that stopped early holds up the others", async () => {
  const { done, show } = await openSecond();
  show(checked());
  show(reported("stopped"));
  expect(done).toEqual(["choose", "check", "upload"]);
});

test("the report of an older upload that was continued meanwhile is no report of the open file", async () => {
  const { show, set, manager } = await openSecond();
  set({ fileName: "older.csv" });
  show(reported());
  expect(manager.state().queue?.files[1]).toMatchObject({ is: "waiting" });
});

test("a file that is closed waits again, and another can be taken off", async () => {
  const { queue, set, manager } = await openSecond();
  set({ collection: undefined as never, upload: undefined });
  expect(manager.state().queue).toMatchObject({ openId: undefined, files: [{}, { is: "waiting" }, { is: "waiting" }] });
  for (const { id } of manager.state().queue?.files ?? []) queue.remove(id);
  expect(manager.state().queue).toBeUndefined();
});
