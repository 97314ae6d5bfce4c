// Files that were chosen together: each is looked at, then they are uploaded one by one, each as the one before.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import type { CorrectionState } from "../../../pipeline/correction/correction-state.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import { proposeMatch } from "../../../pipeline/mapping/match-records.ts";
import { applyRecipe, recipeOf, similarRecipe } from "../../../pipeline/mapping/recipe.ts";
import { NO_CORRECTIONS } from "../../../pipeline/model/corrections.ts";
import type { Dialect } from "../../../pipeline/model/dialect.ts";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import type { Command, WorkerEvent } from "../worker/messages.ts";
import { QueueKeeper } from "./keep-queue.ts";
import { createList, type Decided, type FileQueue, type List, type QueuedFile, unread } from "./queued-files.ts";
import type { UploadManager } from "./upload-manager.ts";

export interface FileQueueActions {
  /** Opens the first file if nothing is open. */
  add(files: readonly File[], collection: Collection): void;
  /** Does nothing while another file is being worked on. */
  open(id: number): void;
  remove(id: number): void;
  /** Takes a file for one that is absent. */
  chooseAgain(id: number, file: File): void;
  /** Brings back what is kept of an earlier tab, or of this one before a reload. */
  restore(collection: Collection, signal: AbortSignal): Promise<void>;
  setAutomatic(isAutomatic: boolean): void;
}

const queues = new WeakMap<UploadManager, FileQueueActions>();

/** Returns the queue of a tab. It outlives the pages, as the manager does; signing out empties it. */
export function fileQueueOf(manager: UploadManager): FileQueueActions {
  const found = queues.get(manager) ?? createFileQueue(manager);
  queues.set(manager, found);
  return found;
}

/** A file that was read as it is now needs no decision: its columns are those of an earlier one. */
export function isLike(decided: Decided | undefined, header: readonly string[] | undefined): boolean {
  return decided !== undefined && header !== undefined && similarRecipe([decided], header) !== undefined;
}

/** Nothing of the file is being worked on: another can be opened. */
export function isFree({ step }: Pick<UploadState, "step">): boolean {
  return step === "refused" || step === "report" || step === "undone";
}

const EMPTY: Omit<FileQueue, "collection"> = { files: [], isAutomatic: false };

function createFileQueue(manager: UploadManager): FileQueueActions {
  const list = createList(manager);
  const { queue, change, changeFile } = list;
  const keeper = new QueueKeeper(manager, list);
  const { open, follow } = createOpener(manager, list);
  const readUnread = createReader(manager, list);
  let lastId = 0;
  const nextId = () => {
    lastId = 1 + Math.max(lastId, ...(queue()?.files ?? []).map(({ id }) => id));
    return lastId;
  };
  manager.subscribe(keeper.follow);
  return {
    add(files, collection) {
      const now = queue();
      const before = now?.collection.name === collection.name ? now : { ...EMPTY, collection };
      const absent = ({ name, size }: File) => before.files.find((one) => one.is === "absent" && one.name === name && one.size === size);
      const added = files.map((file) => ({ id: absent(file)?.id ?? nextId(), ...unread(file) }));
      const replaced = before.files.map((one) => ({ ...one, ...added.find(({ id }) => id === one.id) }));
      manager.setQueue({ ...before, files: [...replaced, ...added.filter(({ id }) => !before.files.some((one) => one.id === id))] });
      if (added[0]) open(added[0].id);
      void readUnread();
    },
    open,
    remove(id) {
      const now = queue();
      if (!now || now.openId === id) return;
      const files = now.files.filter((one) => one.id !== id);
      manager.setQueue(files.length > 0 ? { ...now, files } : undefined);
    },
    chooseAgain(id, file) {
      changeFile(id, unread(file));
      void readUnread();
    },
    restore: (collection, signal) => keeper.restore(collection, signal, () => void readUnread()),
    setAutomatic(isAutomatic) {
      change({ isAutomatic });
      follow();
    },
  };
}

function firstOf({ queue }: List, ...states: QueuedFile["is"][]): QueuedFile | undefined {
  return queue()?.files.find(({ is }) => states.includes(is));
}

/** Looks at one after the other, so that many files do not hold up the one that is open. */
function createReader(manager: UploadManager, list: List): () => Promise<void> {
  let isReading = false;
  return async () => {
    if (isReading) return;
    isReading = true;
    for (let next = firstOf(list, "unread"); next; next = firstOf(list, "unread")) {
      const { collection } = list.queue() as FileQueue;
      list.changeFile(next.id, next.file ? stateFrom(await inspectAside(manager, next.file, collection)) : { is: "absent" });
    }
    isReading = false;
  };
}

function createOpener(manager: UploadManager, list: List): { open(id: number): void; follow(): void } {
  const { queue, change, changeFile } = list;
  const follower = createFollower(manager, list, () => {
    const next = firstOf(list, "waiting", "unread");
    if (next) open(next.id);
  });
  const isBusy = () => {
    const { upload } = manager.state();
    return upload !== undefined && !isFree(upload);
  };

  function open(id: number): void {
    const next = queue()?.files.find((one) => one.id === id);
    if (!next?.file || isBusy()) return;
    if (next.uploadId) void goOn(next, next.uploadId);
    else begin(next, next.file);
  }

  function begin({ id, header }: QueuedFile, file: File): void {
    const { collection, decided } = queue() as FileQueue;
    follower.start(id);
    // This comes first: until then the manager still has the file before.
    manager.inspect(file, collection, isLike(decided, header) ? decided?.content.choices : undefined);
    changeFile(id, { uploadId: manager.current().id });
    change({ openId: id });
  }

  /** Goes on with its corrections, or from the row at which its upload stopped. The follower notices. */
  async function goOn(one: QueuedFile, uploadId: string): Promise<void> {
    const stored = (await manager.uploads().catch(() => [])).find(({ id }) => id === uploadId);
    const now = queue();
    if (!one.file || !now?.files.some(({ id }) => id === one.id) || isBusy()) return;
    const isUnfinished = stored?.job && stored.endedAt === undefined && !stored.isElsewhere;
    if (isUnfinished) manager.continueUpload(stored, now.collection, [], stored.hasCopy ? undefined : one.file);
    else begin(one, one.file);
  }

  return { open, follow: follower.follow };
}

/** Follows the open file: gives it the plan of the one before, notes what is decided, and goes on when it may. */
function createFollower(manager: UploadManager, { queue, change, changeFile }: List, openNext: () => void) {
  /** The plan is given once, and what is decided is noted once for each change. */
  let followed: { openId?: number | undefined; isPlanned?: boolean; revision?: number; isSent?: boolean } = {};

  function follow(): void {
    const { upload, collection } = manager.state();
    if (collection) onContinued(manager.current().id);
    const id = queue()?.openId;
    const one = queue()?.files.find((each) => each.id === id);
    if (!one) return;
    if (!collection)
      change({ openId: undefined }); // closed: it waits again
    else if (followed.openId !== one.id || one.uploadId !== manager.current().id) return;
    else if (upload?.step === "columns") plan(one, upload.inspection);
    else if (upload?.step === "checked") onChecked(upload.check, upload.corrections);
    else if (upload?.step === "refused") onRefused(one, upload);
    else if (upload?.step === "report") onReport(one, upload.report);
  }

  /** One that was opened before is gone on with, from the queue or from the list of unfinished uploads. Its plan is its own. */
  function onContinued(uploadId: string): void {
    const one = queue()?.files.find((each) => each.uploadId === uploadId && each.is !== "done");
    if (!one || one.id === followed.openId) return;
    followed = { openId: one.id, isPlanned: true };
    change({ openId: one.id });
  }

  /** Chooses the columns and corrections of the file before, if this one is like it. */
  function plan({ id }: QueuedFile, { header, dialect }: FileInspection): void {
    if (followed.isPlanned) return;
    followed.isPlanned = true;
    changeFile(id, { is: "waiting", header });
    const { collection, decided, isAutomatic } = queue() as FileQueue;
    if (!decided || !isLike(decided, header)) return;
    const { plan, isSame } = planAs(decided, collection, header, dialect);
    manager.choose(plan);
    if (isAutomatic && isSame) manager.check();
  }

  function onChecked(check: CheckSummary, corrections: CorrectionState): void {
    if (followed.revision !== corrections.revision) {
      followed.revision = corrections.revision;
      void note(manager, change);
    }
    if (followed.isSent || !queue()?.isAutomatic || !needsNobody(check, corrections)) return;
    followed.isSent = true;
    manager.upload();
  }

  function onRefused({ id, is, title: before }: QueuedFile, { title, detail }: Extract<UploadState, { step: "refused" }>): void {
    if (is === "refused" && title === before) return;
    followed = { openId: id }; // read otherwise, it may be planned after all
    changeFile(id, { is: "refused", title, detail });
    if (queue()?.isAutomatic) openNext();
  }

  function onReport(one: QueuedFile, report: Report): void {
    if (one.report === report) return;
    changeFile(one.id, { is: "done", report });
    if (queue()?.isAutomatic && report.ended === "done") openNext();
  }

  manager.subscribe(follow);
  return {
    follow,
    start(openId: number): void {
      followed = { openId };
    },
  };
}

/** Keeps what was decided, for the files that come after. */
async function note(manager: UploadManager, change: List["change"]): Promise<void> {
  const { fileName = "", choices } = manager.state();
  const { plan: decided, headings } = await manager.query({ for: "plan" });
  change({ decided: { fileName, headings, content: recipeOf(decided, choices), recipe: decided.recipe } });
}

/** Returns the plan of the file before, for one with these headings. `isSame`: it has the same columns. */
function planAs(
  { content, headings, recipe }: Decided,
  collection: Collection,
  header: readonly string[],
  dialect: Dialect,
): { plan: Plan; isSame: boolean } {
  const { columns, meaning, rules, columnRules, gone, added } = applyRecipe(content, headings, collection, header);
  const more = { ...(columnRules.length > 0 && { rules: columnRules }), ...(recipe !== undefined && { recipe }) };
  const matchBy = meaning.matchBy && proposeMatch(collection, columns, meaning.matchBy);
  const plan = { dialect, columns, ...meaning, ...more, matchBy, fixes: { ...NO_CORRECTIONS, ...rules } };
  return { plan, isSame: gone.length === 0 && added.length === 0 };
}

/** Reads the start of a file in a worker of its own; the open file stays as it is. */
function inspectAside(manager: UploadManager, file: File, collection: Collection): Promise<UploadState> {
  return new Promise((resolve) => {
    const worker = manager.startWorker();
    const end = (state: UploadState) => {
      worker.terminate();
      resolve(state);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerEvent>) => data.type === "state" && end(data.state));
    worker.addEventListener("error", ({ message: detail }) => end({ step: "refused", title: t("This file could not be read."), detail }));
    worker.postMessage({ type: "inspect", file, collection, choices: {} } satisfies Command);
  });
}

function stateFrom(state: UploadState): Partial<QueuedFile> {
  if (state.step === "columns") return { is: "waiting", header: state.inspection.header };
  if (state.step === "refused") return { is: "refused", title: state.title, detail: state.detail };
  return { is: "waiting" };
}

/** Every row is ready, and the service would refuse none: nobody has to decide anything. */
function needsNobody({ rowsRead, ready, strayQuotes, damage, notes }: CheckSummary, { recheck, preview }: CorrectionState): boolean {
  if (recheck !== null || ready === 0 || ready !== rowsRead || preview.is !== "done") return false;
  if (strayQuotes || damage.length + notes.length > 0) return false;
  const { failed, unknown, created, updated, unchanged, repeats } = preview.counts;
  return failed + unknown + repeats === 0 && created + updated + unchanged === ready;
}
