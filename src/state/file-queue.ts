// Files that were chosen together: each is looked at, then they are uploaded one by one, each as the one before.

import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import type { CheckSummary } from "../../pipeline/checking/findings.ts";
import type { CorrectionState } from "../../pipeline/correction/correction-state.ts";
import type { FileInspection } from "../../pipeline/inspection/inspect-file.ts";
import { applyRecipe, type RecipeContent, recipeOf, similarRecipe } from "../../pipeline/mapping/recipe.ts";
import { NO_CORRECTIONS } from "../../pipeline/model/corrections.ts";
import type { Dialect } from "../../pipeline/model/dialect.ts";
import type { Report } from "../../pipeline/model/outcomes.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import type { Command, WorkerEvent } from "../worker/messages.ts";
import type { UploadManager } from "./upload-manager.ts";

export interface FileQueue {
  collection: Collection;
  files: readonly QueuedFile[];
  /** The file that the manager has open. */
  openId?: number | undefined;
  /** Files like the first are checked and uploaded by themselves, as long as nothing has to be decided. */
  isAutomatic: boolean;
  /** What was decided last, for the files like it. */
  decided?: Decided | undefined;
}

export interface QueuedFile {
  id: number;
  file: File;
  is: "unread" | "waiting" | "refused" | "done";
  /** Once it was looked at. */
  header?: readonly string[];
  /** With refused: why. */
  title?: string;
  detail?: string;
  /** With done: what became of its rows, and under which id. */
  report?: Report;
  uploadId?: string;
}

/** Of the file with this name. */
interface Decided {
  fileName: string;
  headings: readonly string[];
  content: RecipeContent;
  /** The name of the recipe that it began with. */
  recipe?: string | undefined;
}

export interface FileQueueActions {
  /** Opens the first file if nothing is open. */
  add(files: readonly File[], collection: Collection): void;
  /** Does nothing while another file is being worked on. */
  open(id: number): void;
  remove(id: number): void;
  setAutomatic(isAutomatic: boolean): void;
}

const queues = new WeakMap<UploadManager, FileQueueActions>();

/** The queue of a tab. It outlives the pages, as the manager does; signing out empties it. */
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
  let lastId = 0;
  let isReading = false;
  const follower = createFollower(manager, list, openNext);

  /** One after the other, so that many files do not hold up the one that is open. */
  async function readUnread(): Promise<void> {
    if (isReading) return;
    isReading = true;
    for (let next = firstOf("unread"); next; next = firstOf("unread")) {
      const { collection } = queue() as FileQueue;
      changeFile(next.id, stateFrom(await inspectAside(manager, next.file, collection)));
    }
    isReading = false;
  }

  function firstOf(...states: QueuedFile["is"][]): QueuedFile | undefined {
    return queue()?.files.find(({ is }) => states.includes(is));
  }

  function open(id: number): void {
    const { upload } = manager.state();
    const now = queue();
    const next = now?.files.find((one) => one.id === id);
    if (!now || !next || (upload && !isFree(upload))) return;
    follower.start(id);
    // First: until then the manager still has the file before.
    manager.inspect(next.file, now.collection, isLike(now.decided, next.header) ? now.decided?.content.choices : undefined);
    change({ openId: id });
  }

  function openNext(): void {
    const next = firstOf("waiting", "unread");
    if (next) open(next.id);
  }

  return {
    add(files, collection) {
      const now = queue();
      const before = now?.collection.name === collection.name ? now : { ...EMPTY, collection };
      const added = files.map((file): QueuedFile => ({ id: ++lastId, file, is: "unread" }));
      manager.setQueue({ ...before, files: [...before.files, ...added] });
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
    setAutomatic(isAutomatic) {
      change({ isAutomatic });
      follower.follow();
    },
  };
}

interface List {
  queue(): FileQueue | undefined;
  change(part: Partial<FileQueue>): void;
  changeFile(id: number, part: Partial<QueuedFile>): void;
}

function createList(manager: UploadManager): List {
  const queue = () => manager.state().queue;
  const change: List["change"] = (part) => {
    const now = queue();
    if (now) manager.setQueue({ ...now, ...part });
  };
  return {
    queue,
    change,
    changeFile: (id, part) => change({ files: (queue()?.files ?? []).map((one) => (one.id === id ? { ...one, ...part } : one)) }),
  };
}

/** Follows the open file: gives it the plan of the one before, notes what is decided, and goes on when it may. */
function createFollower(manager: UploadManager, { queue, change, changeFile }: List, openNext: () => void) {
  /** The plan is given once, and what is decided is noted once for each change. */
  let followed: { openId?: number | undefined; isPlanned?: boolean; revision?: number; isSent?: boolean } = {};

  function follow(): void {
    const { upload, collection } = manager.state();
    const id = queue()?.openId;
    const one = queue()?.files.find((each) => each.id === id);
    if (!one) return;
    if (!collection)
      change({ openId: undefined }); // closed: it waits again
    else if (followed.openId !== one.id) return;
    else if (upload?.step === "columns") plan(one, upload.inspection);
    else if (upload?.step === "checked") onChecked(upload.check, upload.corrections);
    else if (upload?.step === "refused") onRefused(one, upload);
    else if (upload?.step === "report") onReport(one, upload.report);
  }

  /** The columns and corrections of the file before, if this one is like it. */
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
      void note();
    }
    if (followed.isSent || !queue()?.isAutomatic || !needsNobody(check, corrections)) return;
    followed.isSent = true;
    manager.upload();
  }

  /** Keeps what was decided, for the files that come after. */
  async function note(): Promise<void> {
    const { fileName = "", choices } = manager.state();
    const { plan: decided, headings } = await manager.query({ for: "plan" });
    change({ decided: { fileName, headings, content: recipeOf(decided, choices), recipe: decided.recipe } });
  }

  function onRefused({ id, is, title: before }: QueuedFile, { title, detail }: Extract<UploadState, { step: "refused" }>): void {
    if (is === "refused" && title === before) return;
    followed = { openId: id }; // read otherwise, it may be planned after all
    changeFile(id, { is: "refused", title, detail });
    if (queue()?.isAutomatic) openNext();
  }

  function onReport(one: QueuedFile, report: Report): void {
    const { id: uploadId, fileName } = manager.current();
    // An older upload may have been continued in between.
    if (one.report === report || one.file.name !== fileName || (one.uploadId ?? uploadId) !== uploadId) return;
    changeFile(one.id, { is: "done", report, uploadId });
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

/** The plan of the file before, for one with these headings. `isSame`: it has the same columns. */
function planAs(
  { content, headings, recipe }: Decided,
  collection: Collection,
  header: readonly string[],
  dialect: Dialect,
): { plan: Plan; isSame: boolean } {
  const { columns, mode, rules, columnRules, gone, added } = applyRecipe(content, headings, collection, header);
  const more = { ...(columnRules.length > 0 && { rules: columnRules }), ...(recipe !== undefined && { recipe }) };
  const plan = { dialect, columns, mode, ...more, fixes: { ...NO_CORRECTIONS, ...rules } };
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
