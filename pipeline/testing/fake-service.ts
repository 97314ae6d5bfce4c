// For tests: collections, files, a clock that tests control, and a service in memory that fails on demand.

import type { HttpErrorCode, ProblemBody } from "../../core/contract/problems.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import customersPackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import employeesPackage from "../../core/dictionary/employees.example.json" with { type: "json" };
import type { Fields } from "../../core/dictionary/validate.ts";
import type { Clock } from "../model/clock.ts";
import type { Dialect } from "../model/dialect.ts";
import type { Outcomes, Report } from "../model/outcomes.ts";
import type { Plan, RowMode, UploadMode } from "../model/plan.ts";
import { runUpload, type UploadJob } from "../runs/run-upload.ts";
import type { UploadState } from "../runs/upload-state.ts";
import { memoryLog } from "../sending/journal.ts";
import type { BatchAnswer, PostBatch, QueryKeyHours, ReadBack } from "../sending/responses.ts";

export const customers = firstOf(customersPackage);
export const employees = firstOf(employeesPackage);

/** A file whose slices are read in the same turn of the event loop, so that reading never races with a clock of `createClock`. */
export function fileOf(content: string | Uint8Array, name = "customers.csv"): File {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const file = new File([bytes as BlobPart], name, { type: "text/csv" });
  file.slice = (from, to) => {
    const part = bytes.slice(from, to);
    return Object.assign(new Blob([part as BlobPart]), { arrayBuffer: () => Promise.resolve(part.buffer as ArrayBuffer) });
  };
  return file;
}

/** A customers file with rows 1 … n, each with its own Object ID. */
export function customersFile(n: number): File {
  const rows = Array.from({ length: n }, (_, i) => `${i + 1},Märta,Ångström ${i + 1},00071-A\n`);
  return fileOf(`objectId,firstName,lastName,accountID\n${rows.join("")}`);
}

/** Time stands still until someone sleeps. A turn of the event loop later it is the time when the first sleeper wakes. */
export function createClock(random: () => number = () => 0.5): Clock {
  let time = 1_800_000_000_000;
  let sleepers: { at: number; wake(): void }[] = [];
  function wakeFirst(): void {
    const first = sleepers.reduce<(typeof sleepers)[number] | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined);
    if (!first) return;
    time = Math.max(time, first.at);
    first.wake();
  }
  return {
    random,
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sleeper = { at: time + ms, wake };
        sleepers.push(sleeper);
        setImmediate(wakeFirst);
        signal.addEventListener("abort", wake);
        function wake(): void {
          sleepers = sleepers.filter((other) => other !== sleeper);
          signal.removeEventListener("abort", wake);
          resolve();
        }
      }),
  };
}

/** "lost": the request never arrives. "silent": it is carried out, but there is no reply. A number: that status, nothing is done. */
export type Fault = "lost" | "silent" | "short" | number | { status: number; retryAfter: number };

/** UTF-8 with commas and a heading in its first line. */
export const plainDialect: Dialect = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 };

/** The plan for a file with all columns of customers in their own order. */
export function planFor(mode: UploadMode, columns: Plan["columns"] = ["objectId", "firstName", "lastName", "accountID"]): Plan {
  return { dialect: plainDialect, columns, mode };
}

/** Creates customers, with a journal of its own and nobody who signs in. */
export function jobFor(file: File, { postBatch, readBack, queryKeyHours }: FakeService): UploadJob {
  return {
    file,
    collection: customers,
    plan: planFor("create"),
    uploadId: "u1",
    postBatch,
    readBack,
    queryKeyHours,
    log: memoryLog(),
    signIn: () => Promise.reject(new Error("nobody")),
    signal: new AbortController().signal,
    clock: createClock(),
  };
}

/** Uploads customers to the end. Throws when there is no report or its counts do not add up to the rows read. */
export async function upload(
  file: File,
  service: FakeService,
  job: Partial<UploadJob> = {},
  onState: (state: UploadState) => void = () => undefined,
): Promise<{ report: Report; states: UploadState[] }> {
  const states: UploadState[] = [];
  for await (const state of runUpload({ ...jobFor(file, service), ...job })) {
    states.push(state);
    onState(state);
  }
  const last = states.at(-1);
  if (last?.step !== "report") throw new Error(`The upload ended with ${last?.step}.`);
  const { counts, rowsRead } = last.report;
  const sum = Object.values(counts).reduce((a, b) => a + b, 0);
  if (sum !== rowsRead) throw new Error(`${rowsRead} rows were read, but the outcomes are ${JSON.stringify(counts)}.`);
  return { report: last.report, states };
}

/** The outcomes with a count above 0. */
export function counted({ counts }: Report): Partial<Outcomes> {
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));
}

export interface FakeService {
  postBatch: PostBatch;
  /** Answers what would happen to the records, and stores nothing. */
  dryPost: PostBatch;
  readBack: ReadBack;
  queryKeyHours: QueryKeyHours;
  /** Holds what is stored, by key. Records without a key get one. */
  records: Map<number, Fields>;
  calls: { key: string; records: Fields[]; at: number }[];
  /** The most requests that were in flight together. */
  mostAtOnce: number;
}

export interface FakeServiceOptions {
  collection?: Collection;
  clock?: Clock;
  /** Milliseconds on that clock for each request. */
  takes?: number;
  /** Called before each request (they count from 0). Undefined: no fault. */
  fault?: (call: number, records: readonly Fields[]) => Fault | undefined;
  /** Carries out each request again, whatever its idempotency key, and promises none. */
  ignoresKeys?: boolean;
  /** Refuses this record in its result. */
  reject?: (record: Fields) => string | undefined;
}

const NEVER = new AbortController().signal;

export function createService({
  collection = customers,
  clock,
  takes,
  fault,
  reject,
  ignoresKeys = false,
}: FakeServiceOptions = {}): FakeService {
  const records = new Map<number, Fields>();
  const answers = new Map<string, { batch: Fields[]; results: BatchResult[] }>();
  const calls: FakeService["calls"] = [];
  let atOnce = 0;
  const service: FakeService = { records, calls, mostAtOnce: 0, postBatch, dryPost, readBack, queryKeyHours };
  return service;

  async function postBatch(batch: Fields[], key: string, mode: RowMode | readonly RowMode[]): Promise<BatchAnswer> {
    const failing = fault?.(calls.length, batch);
    calls.push({ key, records: batch, at: clock?.now() ?? 0 });
    service.mostAtOnce = Math.max(service.mostAtOnce, ++atOnce);
    if (clock && takes) await clock.sleep(takes, NEVER);
    else await new Promise((resolve) => setImmediate(resolve));
    atOnce--;
    if (failing === "lost") return { kind: "noReply", detail: "" };
    if (typeof failing === "number") return rejection(failing, null);
    if (typeof failing === "object") return rejection(failing.status, failing.retryAfter);
    const kept = ignoresKeys ? undefined : answers.get(key);
    if (kept && JSON.stringify(kept.batch) !== JSON.stringify(batch)) return rejection(422, null);
    const results = kept?.results ?? batch.map((record, index) => write(records, record, index, modeAt(mode, index)));
    answers.set(key, { batch, results });
    if (failing === "silent") return { kind: "noReply", detail: "" };
    return { kind: "answered", results: failing === "short" ? results.slice(1) : results };
  }

  async function queryKeyHours(): ReturnType<QueryKeyHours> {
    return { kind: "read", hours: ignoresKeys ? 0 : 24 };
  }

  async function readBack(ids: readonly number[]): ReturnType<ReadBack> {
    const found = ids.flatMap((id): [number, Fields][] => {
      const record = records.get(id);
      return record ? [[id, record]] : [];
    });
    return { kind: "read", records: new Map(found) };
  }

  async function dryPost(batch: Fields[], _key: string, mode: RowMode | readonly RowMode[]): Promise<BatchAnswer> {
    await new Promise((resolve) => setImmediate(resolve));
    const copy = new Map(records);
    return { kind: "answered", results: batch.map((record, index) => write(copy, record, index, modeAt(mode, index))) };
  }

  function write(records: Map<number, Fields>, record: Fields, index: number, mode: RowMode): BatchResult {
    const key = (record[collection.key.name] ?? 9_000_000_000 + records.size) as number;
    const stored = records.get(key);
    const invalid = reject?.(record);
    const problem = invalid === undefined ? conflict(stored, mode) : problemOf(422, "VALIDATION", invalid);
    if (problem) return { index, outcome: "failed", status: problem.status, problem };
    if (mode === "delete") {
      records.delete(key);
      return { index, outcome: "updated", status: 204 };
    }
    const next = { ...stored, ...record };
    records.set(key, next);
    if (!stored) return { index, outcome: "created", status: 201 };
    const changes = changesOf(stored, next);
    const outcome = Object.keys(changes).length > 0 ? "updated" : "unchanged";
    return { index, outcome, status: 200, changes, [collection.key.name]: key };
  }
}

function modeAt(mode: RowMode | readonly RowMode[], index: number): RowMode {
  return typeof mode === "string" ? mode : (mode[index] as RowMode);
}

function changesOf(old: Fields, now: Fields): Record<string, [unknown, unknown]> {
  const changed = Object.keys(now).filter((name) => now[name] !== (old[name] ?? null));
  return Object.fromEntries(changed.map((name) => [name, [old[name] ?? null, now[name]]]));
}

function conflict(stored: Fields | undefined, mode: RowMode): ProblemBody | undefined {
  if (mode === "create" && stored) return problemOf(409, "ALREADY_EXISTS", "This Object ID is taken.");
  if ((mode === "update" || mode === "delete") && !stored) return problemOf(404, "NOT_FOUND", "There is no such record.");
  return undefined;
}

function problemOf(status: number, code: HttpErrorCode, detail: string): ProblemBody {
  return { type: "about:blank", title: "Refused", status, detail, code };
}

function rejection(status: number, retryAfter: number | null): BatchAnswer {
  return { kind: "refused", status, code: "", detail: `The service answered ${status}.`, problems: [], retryAfter };
}

function firstOf(dataPackage: unknown): Collection {
  const read = readDataPackage(dataPackage);
  const collection = "collections" in read ? read.collections[0] : undefined;
  if (!collection) throw new Error("A data package of the tests is wrong.");
  return collection;
}
