// `missing`: lists the records that the service has and a file has not, and deletes them if asked.

import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { allRecords } from "../../client/read-records.ts";
import { deleteRecords } from "../../client/write-records.ts";
import type { ProblemBody } from "../../core/contract/problems.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { filterName, MAX_FILTER_VALUES } from "../../core/dictionary/filters.ts";
import { count } from "../../core/text/count.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import type { KeySet } from "../../pipeline/model/key-set.ts";
import {
  type CompareRecord,
  comparedQuery,
  comparedWith,
  findMissing,
  type LookUpNames,
  mergedInFile,
  metNames,
  namesInFile,
} from "../../pipeline/runs/missing-records.ts";
import { lookUp } from "../../pipeline/sending/find-records.ts";
import type { Options } from "../console/arguments.ts";
import { COMMAND_LINE } from "../console/command-line.ts";
import { CommandError, EXIT, type Exit, InvalidFile, stoppedBy } from "../console/exit-codes.ts";
import { planReading, type Reading } from "../files/choose-reader.ts";
import { openSource, type Source } from "../files/source-file.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { cellsOf, type ExportedRecord } from "../runs/exported-records.ts";
import { newRunId } from "../runs/run-registry.ts";
import { createRecipeReader, openClient, patient, readCollections, signIn, toCommandError } from "../runs/service.ts";
import { JSON_LINES, jsonLines, requireFree, wholeOf, writeWhole } from "./export.ts";

/** A stored record as it was when it was compared. */
interface Seen {
  id: number;
  version: number;
}

/**
 * `missing FILE LIST`. The list is JSON Lines and appears whole or not at all; without a missing record there is none, and the code is
 * that of nothing to do. Throws CommandError.
 */
export async function listMissing([path = "", list = ""]: readonly string[], options: Options, context: CommandContext): Promise<Exit> {
  const { connection, progress, signal, decrypt, now } = context;
  if (!JSON_LINES.test(list)) throw new CommandError(EXIT.nothing, "The file to write is JSON Lines, and its name ends with .jsonl.");
  await requireFree(list);
  const source = await openSource(path, decrypt);
  const { token, dictionary } = await signIn(connection, options.deletes === undefined ? "read" : "write");
  const client = patient(openClient(connection, token), signal);
  const asked = { ...options, mode: "update" as const };
  const planned = await planReading(source, readCollections(dictionary), asked, createRecipeReader(connection, token));
  const { collection, reading } = planned;
  for (const note of reading.notes) progress.line(note, { step: "reading", sentence: note });
  const names = await namedIn(source, collection, reading);
  try {
    const found = await writeMissing(list, client, { source, collection, reading, names }, options, signal);
    const { seen, unnamed } = found;
    const { noun } = collection;
    const apart =
      unnamed === 0
        ? ""
        : ` ${count(unnamed, "stored record")} cannot be named by such a file, for want of a value, and ${unnamed === 1 ? "is" : "are"} not among them.`;
    progress.line(`${count(seen.length, "record")} missing.`, { step: "missing", records: seen.length, unnamed, file: list });
    if (seen.length === 0)
      return { code: EXIT.notNeeded, sentence: `${source.name} has every stored ${noun}.${apart} Nothing was written.` };
    const listed = `${count(seen.length, "stored record")} of ${collection.name} ${seen.length === 1 ? "is" : "are"} not in ${source.name}, and listed in ${list}.${apart}`;
    if (options.deletes === undefined) return { code: EXIT.stored, sentence: listed };
    if (seen.length > options.deletes)
      throw new CommandError(EXIT.nothing, `${listed} None was deleted: --delete allows ${options.deletes.toLocaleString("en")}.`);
    return await deleteAll(client, { collection, seen, run: newRunId(new Date(now())) }, listed, context);
  } catch (error) {
    const isFilter = error instanceof ApiError && error.status === 400 && options.where !== undefined;
    throw isFilter
      ? new CommandError(EXIT.nothing, `--where is no filter of ${collection.name}: ${error.message}`)
      : toCommandError(error, connection.url);
  }
}

/** Collects what names the records that the rows of the file mean. Throws CommandError unless every row names one, or is left out by a recipe. */
async function namedIn(source: Source, collection: Collection, { plan, openRows, layout }: Reading): Promise<KeySet> {
  if (layout?.is.action)
    throw new CommandError(EXIT.nothing, "The layout has an action, so the file itself says which records are deleted.");
  const named = await namesInFile({ file: source.file, plan, openRows }, collection).catch(unreadable(source));
  switch (named.status) {
    case "named":
      return named.names;
    case "nameless":
      throw nameless(source, named.line);
    case "indirect":
      throw new CommandError(
        EXIT.nothing,
        named.field.masked
          ? `The key sees only a part of ${named.field.title}, so stored records cannot be compared with the rows of ${source.name}.`
          : `No column of ${source.name} is ${named.field.title} itself, so its rows cannot be compared with stored records.`,
      );
    case "empty":
      throw new CommandError(EXIT.nothing, `${source.name} has no records, so every stored record would be missing. Nothing was compared.`);
  }
}

function unreadable({ name }: Source): (error: unknown) => never {
  return (error) => {
    throw error instanceof FileError ? new InvalidFile(`${name} cannot be read further. ${error.message}`) : error;
  };
}

function nameless({ name }: Source, line: number): CommandError {
  return new CommandError(
    EXIT.nothing,
    `Line ${line} of ${name} does not say which stored record it means, so it is not known which ones the file lacks.`,
    [],
    "Correct the row, or say with --match-by which fields name a record.",
  );
}

interface Compared {
  source: Source;
  collection: Collection;
  reading: Reading;
  names: KeySet;
}

async function writeMissing(
  list: string,
  client: Client,
  { source, collection, reading, names }: Compared,
  { where }: Options,
  signal: AbortSignal,
): Promise<{ seen: Seen[]; unnamed: number }> {
  const { plan, openRows } = reading;
  const { name, key } = collection;
  const met = metNames(plan.matchBy);
  const compare = comparedWith(names, collection, plan.matchBy, met);
  const compared = { ...readWhere(where), ...comparedQuery(collection, plan.matchBy) };
  const versions = new Map<number, number>();
  const remember: CompareRecord = (record) => {
    const state = compare(record);
    if (state === "missing") versions.set(record[key.name] as number, record.version);
    return state;
  };
  const { ids, unnamed } = await findMissing(allRecords(client, name, compared, signal), remember, key.name, Number.POSITIVE_INFINITY);
  const ask: LookUpNames = (field, values) => lookUp(client, collection, field, values, signal);
  const merged =
    ids.length > 0
      ? await mergedInFile({ file: source.file, plan, openRows }, collection, met, ask, signal).catch(unreadable(source))
      : new Set<number>();
  const wanted = ids.filter((id) => !merged.has(id));
  const own = collection.fields.filter((field) => !collection.lookups.has(field.name));
  const part = wholeOf({ ...collection, fields: own });
  const seen: Seen[] = [];
  async function* records(): AsyncGenerator<ExportedRecord> {
    for (let at = 0; at < wanted.length; at += MAX_FILTER_VALUES) {
      const some = wanted.slice(at, at + MAX_FILTER_VALUES).join();
      for await (const page of allRecords(client, name, { [filterName(key.name, "in")]: some, sort: key.name }, signal))
        for (const record of page) {
          const id = record[key.name] as number;
          if (record.version !== versions.get(id)) continue; // somebody has changed it since it was compared
          seen.push({ id, version: record.version });
          yield { part, id, texts: cellsOf(part.collection, record), action: "add", items: [] };
        }
    }
  }
  // Nothing is written where nothing is missing any more.
  const all = records();
  const first = await all.next();
  if (first.done) return { seen, unnamed };
  async function* withFirst(): AsyncGenerator<ExportedRecord> {
    yield first.value as ExportedRecord;
    yield* all;
  }
  await writeWhole(list, jsonLines({ records: withFirst() }));
  return { seen, unnamed };
}

const NO_FILTERS = ["fields", "deleted", "offset"]; // with them it would not be known which records are there

/** Throws CommandError: a filter that were lost would have more records deleted. */
function readWhere(where: string | undefined): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(where)) {
    if (name in query)
      throw new CommandError(EXIT.nothing, `--where has "${name}" twice. For one of several values write ${name}[in]=a,b.`);
    if (NO_FILTERS.includes(name)) throw new CommandError(EXIT.nothing, `--where takes filters, and "${name}" is none.`);
    query[name] = value;
  }
  return query;
}

const AT_ONCE = 1_000; // records of a request

/** Deletes what is still as it was compared. Records that others refer to are tried again while that deletes any, as a tree needs it. */
async function deleteAll(
  client: Client,
  { collection, seen, run }: { collection: Collection; seen: readonly Seen[]; run: string },
  listed: string,
  { signal, progress }: CommandContext,
): Promise<Exit> {
  let [left, deleted, batches]: [readonly Seen[], number, number] = [seen, 0, 0];
  let reasons = new Map<string, number>();
  const undo = () => (deleted > 0 ? `To take that back: ${COMMAND_LINE} undo ${run}` : "");
  try {
    for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
      before = left.length;
      reasons = new Map();
      const failed: Seen[] = [];
      for (let from = 0; from < left.length; from += AT_ONCE) {
        signal.throwIfAborted();
        const some = left.slice(from, from + AT_ONCE);
        const records = some.map(({ id, version }) => ({ [collection.key.name]: id, version }));
        const options = { match: "version", idempotencyKey: `${run}:${batches++}`, source: `batch; run=${run}`, signal } as const;
        const { results, summary } = await deleteRecords(client, collection.name, records, options);
        deleted += summary.deleted;
        for (const [i, { outcome, problem }] of results.entries()) {
          if (outcome !== "failed") continue;
          failed.push(some[i] as Seen);
          const { errors: [first] = [], detail = "The service does not say why." } = (problem ?? {}) as Partial<ProblemBody>;
          const why = first?.detail ?? detail;
          reasons.set(why, (reasons.get(why) ?? 0) + 1);
        }
        progress.line(`${count(deleted, "record")} deleted.`, { step: "deleting", records: seen.length, deleted, run });
      }
      left = failed;
    }
  } catch (error) {
    if (signal.aborted) throw new CommandError(EXIT.stopped, `Stopped: ${count(deleted, "record")} deleted. ${listed}`, [], undo());
    throw deleted === 0 ? error : stoppedBy(error, undo());
  }
  const done = `${listed} ${count(deleted, "record")} deleted.`;
  if (left.length === 0) return { code: EXIT.stored, sentence: done, next: undo() };
  const details = [...reasons].map(([why, n]) => `${n.toLocaleString("en")}: ${why}`);
  return {
    code: EXIT.rejects,
    sentence: `${done} ${count(left.length, "record")} not deleted, for the reasons below.`,
    details,
    next: undo(),
  };
}
