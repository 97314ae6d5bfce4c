// The store of callers whose rights are about some records only: what they may not see is not there.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { toConditions } from "../engine/filter-sql.ts";
import { type AllRowRights, asOfParent, type CheckedRecord, type MetParents, meets, throughParents } from "../engine/row-rights.ts";
import { type Awaitable, whenThere } from "../engine/script/awaitable.ts";
import type { ScriptStores } from "../engine/scripts.ts";
import type { Credentials, Filter, Page, Selection, Store } from "../engine/store.ts";
import type { BrokenCount, ViolationQuery } from "../engine/violations.ts";
import { httpErrors } from "../http/errors.ts";
import { unreadColumns, withoutUnread } from "../runs/run-columns.ts";
import type { RunFilter, StoredRun } from "../runs/store/runs.ts";
import { presentReplay } from "./present-replay.ts";
import { limitHistory } from "./row-history.ts";

/** Says which records of a collection may be seen. */
export interface RowSight {
  /** Returns undefined where all records of the collection may be seen. */
  filtersOf(collection: Pick<Collection, "name">): readonly Filter[] | undefined;
  /** Keeps what is of records that may be seen. `recordOf`: undefined for one of which nothing is known, which may not. */
  keepSeen<One>(collection: Collection, all: readonly One[], recordOf: (one: One) => CheckedRecord | undefined): Promise<One[]>;
}

/**
 * The parts of a store that answer nothing of records, or only whoever sees them all. A new part of the store has to be limited, or to be named
 * here: otherwise the compiler refuses it.
 */
export type Passed =
  | keyof Credentials
  | Exclude<keyof ScriptStores, "exportLog" | "saved" | "runs" | "merges" | "duplicates">
  | ("people" | "viewers" | "secrets" | "attempts" | "isShared" | "pools" | "ping" | "time" | "close" | "copy" | "rewrite" | "erase")
  | ("sweepHistory" | "sweepAnswers" | "emptyStep" | "takeDictionary" | "impactOf" | "countRules" | "countValues" | "readCounts");

/** `collections`: the whole dictionary, as `store` has it. Collections may be given as callers know them. */
export function limitRows(store: Store, collections: readonly Collection[], rows: AllRowRights): Store {
  const byName = new Map(collections.map((one) => [one.name, one]));
  const whole = ({ name }: Pick<Collection, "name">) => byName.get(name) as Collection;
  const sight = createSight(store, byName, rows);
  const { filtersOf, ifSeen, within } = sight;
  const read: Store["read"] = (collection, id) =>
    whenThere(store.read(whole(collection), id), (record) => ifSeen(whole(collection), record));
  /** Leaves out records that may not be seen, and whether a record agrees with a parent that may not be seen. */
  const amongSeen = <Query extends ViolationQuery>(collection: Collection, query: Query): Query => {
    const filters = filtersOf(collection);
    const parents = query.parents.filter((parent) => !filtersOf(parent));
    return { ...query, parents, ...(filters && { only: toConditions(whole(collection), filters) }) };
  };
  const passed: Pick<Store, Passed> = store;
  const past = limitHistory(store, collections, sight);
  const requireUpdate = createUpdateCheck(store, whole, rows, sight);
  const isSeen = async (name: string, id: number) => (await read(whole({ name }), id)) !== undefined;
  const merged = { filtersOf, isSeen, wasSeen: createPastSight(store, past.history) };
  return {
    ...passed,
    ...past,
    merges: limitMerges(store, merged),
    findHolders: limitHolders(store, merged),
    saved: store.saved, // views and recipes are shown as people have written them
    runs: limitRuns(store, byName, filtersOf),
    violationCounts: limitCounts(store, byName, filtersOf),
    exceptions: limitExceptions(store, requireUpdate),
    duplicates: limitDuplicates(store, requireUpdate),
    read,
    readJson(collection, id) {
      const record = read(collection, id);
      if (record instanceof Promise) return record.then((one) => one && { json: JSON.stringify(one), version: one.version });
      return record && store.readJson(whole(collection), id); // what is there at once has its text as well
    },
    async list(collection, page, options) {
      refuseOrder(page, filtersOf);
      return store.list(whole(collection), within(collection, page), options);
    },
    count: (collection, selection, options) => store.count(whole(collection), within(collection, selection), options),
    summarize: (collection, query, options) => store.summarize(whole(collection), within(collection, query), options),
    // A proposal is made of words that records have, also of those that may not be seen.
    near: async (collection, query, options) => (filtersOf(collection) ? [] : store.near(whole(collection), query, options)),
    countBroken: (collection, query, options) => store.countBroken(collection, amongSeen(collection, query), options),
    findBroken: (collection, query, options) => store.findBroken(collection, amongSeen(collection, query), options),
    async write(batch) {
      const collection = whole(batch.collection);
      const written = await store.write({ ...batch, collection, rows });
      return "answer" in written && written.replayed
        ? { ...written, answer: await presentReplay(collection, batch.form, written.answer, sight) }
        : written;
    },
    // How many rows others took, and by which filters, is for those who see them all.
    exportLog: {
      ...store.exportLog,
      listExports: (filter, ...others) => {
        const own = filter.collections.filter((name) => !filtersOf({ name }));
        return store.exportLog.listExports({ ...filter, collections: own }, ...others);
      },
    },
  };
}

/** Says whether a record that is gone was in sight as it was when it went. Of one that had left before, nothing is told. */
type WasSeen = (name: string, id: number) => Promise<boolean>;

function createPastSight({ history }: Pick<Store, "history">, limited: Pick<Store["history"], "listEntries">): WasSeen {
  return async (name, id) => {
    const newest = [name, id, Number.MAX_SAFE_INTEGER, 1] as const;
    const [[last], [seen]] = await Promise.all([history.listEntries(...newest), limited.listEntries(...newest)]);
    return last !== undefined && seen?.version === last.version;
  };
}

interface MergeSight {
  filtersOf: RowSight["filtersOf"];
  wasSeen: WasSeen;
  isSeen(name: string, id: number): Promise<boolean>;
}

/** A record that may not be seen was merged into none, and none was merged into it. */
function limitMerges({ merges }: Pick<Store, "merges">, { filtersOf, wasSeen, isSeen }: MergeSight): Store["merges"] {
  return {
    async findSurvivors(name, ids) {
      const found = await merges.findSurvivors(name, ids);
      if (!filtersOf({ name })) return found;
      for (const [id, survivor] of found) if (!(await isSeen(name, survivor)) || !(await wasSeen(name, id))) found.delete(id);
      return found;
    },
    async listMerges(name, selection) {
      const all = await merges.listMerges(name, selection);
      if (!filtersOf({ name })) return all;
      const seen: typeof all = [];
      for (const merge of all) {
        const others: number[] = [];
        for (const id of merge.others) if (await wasSeen(name, id)) others.push(id);
        if (others.length > 0 && (await isSeen(name, merge.survivor))) seen.push({ ...merge, others });
      }
      return seen;
    },
  };
}

/** A value of a record that may not be seen is one of no record, also where the record has become part of another one since. */
function limitHolders(store: Pick<Store, "findHolders">, { filtersOf, wasSeen, isSeen }: MergeSight): Store["findHolders"] {
  return async (collection, field, values) => {
    const found = await store.findHolders(collection, field, values);
    const { name } = collection;
    if (!filtersOf({ name })) return found;
    for (const [value, { id, mergedFrom = id }] of found)
      if (!(await isSeen(name, id)) || (mergedFrom !== id && !(await wasSeen(name, mergedFrom)))) found.delete(value);
    return found;
  };
}

/**
 * Nobody can tell which record a row would have become, so whoever sees some records only is shown the reports of their own runs, without the
 * rows that were not stored and without what a sentence may quote. Nor can anybody tell which parent a row means: where some of these are seen only,
 * rows have no cells of them.
 */
function limitRuns(
  { runs }: Pick<Store, "runs">,
  byName: ReadonlyMap<string, Collection>,
  filtersOf: RowSight["filtersOf"],
): Store["runs"] {
  const limited = (name: string) => filtersOf({ name }) !== undefined;
  const shown = (run: StoredRun, reader: RunFilter["reader"]): StoredRun[] => {
    if (!limited(run.collection)) return [run];
    if (run.by?.type !== reader.type || run.by.id !== reader.id) return [];
    const { why: _, ...report } = run.report ?? {};
    return [{ ...run, kept: 0, report: run.report && (report as StoredRun["report"]) }];
  };
  return {
    ...runs,
    async listRuns(filter, ...others) {
      const found = await runs.listRuns({ ...filter, ownOf: filter.collections.filter(limited) }, ...others);
      return found.flatMap((run) => shown(run, filter.reader));
    },
    async readRun(id, reader) {
      const run = await runs.readRun(id, reader);
      return run && shown(run, reader)[0];
    },
    async listRunRows(run, after) {
      const collection = byName.get(run.collection);
      if (!collection || limited(run.collection)) return [];
      const isUnread = unreadColumns(collection, (parent) => !limited(parent));
      const rows = await runs.listRunRows(run, after);
      return isUnread ? rows.map((row) => withoutUnread(row, isUnread)) : rows;
    },
    findSameFile: async (given, now) => (limited(given.collection) ? [] : runs.findSameFile(given, now)),
    async putRun(given) {
      const put = await runs.putRun(given);
      return typeof put === "string" ? put : (shown(put, given.by)[0] ?? "changed");
    },
  };
}

type FindWhole = (collection: Pick<Collection, "name">) => Collection;

/** Throws 403 where the right to change records is not about this one. */
type RequireUpdate = (one: { collection: string; id: number }) => Promise<void>;

function createUpdateCheck(store: Store, whole: FindWhole, rows: AllRowRights, { keepMet }: OwnSight): RequireUpdate {
  return async (one) => {
    const collection = whole({ name: one.collection });
    const { update, why } = rows.get(collection.name) ?? {};
    const record = update && (await store.read(collection, one.id));
    if (update && record && (await keepMet(collection, update, [record], (only) => only)).length === 0)
      throw httpErrors.forbiddenByRoles(why?.update ?? "");
  };
}

/** Pairs are read with the records that the caller sees (server/duplicates/routes.ts). */
function limitDuplicates({ duplicates }: Store, requireUpdate: RequireUpdate): Store["duplicates"] {
  const requireBoth = async ({ collection, a, b }: { collection: string; a: number; b: number }) => {
    for (const id of [a, b]) await requireUpdate({ collection, id });
  };
  return {
    ...duplicates,
    async keepDifferent(pair) {
      await requireBoth(pair);
      return duplicates.keepDifferent(pair);
    },
    async endDifferent(pair) {
      await requireBoth(pair);
      return duplicates.endDifferent(pair);
    },
  };
}

function limitExceptions(store: Store, requireUpdate: RequireUpdate): Store["exceptions"] {
  return {
    ...store.exceptions,
    async putException(one, ...given) {
      await requireUpdate(one);
      return store.exceptions.putException(one, ...given);
    },
    async endException(one) {
      await requireUpdate(one);
      return store.exceptions.endException(one);
    },
  };
}

/** Tells what broke rules day by day to those alone who see all records of the collection, and of its parents where it is compared with them. */
function limitCounts(
  { violationCounts }: Pick<Store, "violationCounts">,
  byName: ReadonlyMap<string, Collection>,
  filtersOf: RowSight["filtersOf"],
): Store["violationCounts"] {
  const isOfUnseenParent = (name: string, { constraint, field }: Pick<BrokenCount, "constraint" | "field">) => {
    const reference = byName.get(name)?.fields.find((own) => columnName(own) === field)?.reference;
    return constraint === "foreignKey" && (!reference || filtersOf({ name: reference.collection }) !== undefined);
  };
  return {
    ...violationCounts,
    async listCounts(name, since) {
      if (filtersOf({ name })) return [];
      const days = await violationCounts.listCounts(name, since);
      return days.map((day) => ({ ...day, counts: day.counts.filter((one) => !isOfUnseenParent(name, one)) }));
    },
  };
}

function refuseOrder({ sort }: Page, filtersOf: RowSight["filtersOf"]): void {
  const term = sort.find(({ through }) => through && filtersOf({ name: through.collection }));
  if (!term) return;
  const detail = "You see some of these parents only, so that no list is ordered by them. Order it by a field of its own.";
  throw httpErrors.badParameters([{ parameter: "sort", code: "BAD_PARAMETER", detail }]);
}

interface OwnSight extends RowSight {
  /** Keeps what is of records that meet these filters. */
  keepMet<One>(
    collection: Collection,
    filters: readonly Filter[],
    all: readonly One[],
    recordOf: (one: One) => CheckedRecord | undefined,
  ): Promise<One[]>;
  /** Returns the record that was read, where it may be seen; at once where no parent has to be read. */
  ifSeen(collection: Collection, record: WireRecord | undefined): Awaitable<WireRecord | undefined>;
  /** Chooses among what may be seen. A filter through a parent finds only what has a parent that may be seen. */
  within<Chosen extends Selection>(collection: Collection, chosen: Chosen): Chosen;
}

function createSight(store: Store, byName: ReadonlyMap<string, Collection>, rows: AllRowRights): OwnSight {
  const filtersOf: RowSight["filtersOf"] = ({ name }) => rows.get(name)?.read;
  const throughSeen = (filter: Filter): Filter => {
    if (filter.anyOf) return { ...filter, anyOf: filter.anyOf.map((way) => way.map(throughSeen)) };
    return filter.through ? { ...filter, through: parentSeen(filter.through) } : filter;
  };
  const parentSeen = ({ further, ...through }: NonNullable<Filter["through"]>): NonNullable<Filter["through"]> => {
    const of = byName.get(through.collection);
    const seen = of && filtersOf(of);
    return { ...through, ...(further && { further: parentSeen(further) }), ...(seen && { seen: toConditions(of, seen) }) };
  };
  const keepMet: OwnSight["keepMet"] = async (collection, filters, all, recordOf) => {
    const records = all.map(recordOf);
    const known = records.filter((record) => record !== undefined);
    const parents = await readMetParents(store, byName, filters, known);
    return all.filter((_, i) => records[i] && meets(collection, filters, records[i], parents));
  };
  return {
    filtersOf,
    keepMet,
    async keepSeen(collection, all, recordOf) {
      const filters = filtersOf(collection);
      return filters && all.length > 0 ? keepMet(collection, filters, all, recordOf) : [...all];
    },
    ifSeen(collection, record) {
      const filters = filtersOf(collection);
      if (!filters || record === undefined) return record;
      const isSeen = (parents: MetParents) => (meets(collection, filters, record, parents) ? record : undefined);
      return throughParents(filters).length === 0 ? isSeen(new Map()) : readMetParents(store, byName, filters, [record]).then(isSeen);
    },
    within(collection, chosen) {
      const filters = chosen.filters?.map(throughSeen);
      const own = filtersOf(collection) ?? [];
      return filters || own.length > 0 ? { ...chosen, filters: [...(filters ?? []), ...own] } : chosen;
    },
  };
}

/** Reads which parents of these records meet the filters that lead through them. */
export async function readMetParents(
  store: Pick<Store, "list">,
  byName: ReadonlyMap<string, Collection>,
  filters: readonly Filter[],
  records: readonly CheckedRecord[],
): Promise<MetParents> {
  const met = throughParents(filters).map(async (filter) => {
    const { through } = filter;
    const parent = byName.get(through?.collection ?? "");
    const values = [...new Set(records.map((record) => record[through?.field ?? ""]).filter((id) => typeof id === "number"))];
    if (!parent || values.length === 0) return [filter, new Set<number>()] as const;
    const { name } = parent.key;
    const chosen = [{ name, operator: "in" as const, values }, asOfParent(filter)];
    const page = { words: [], filters: chosen, limit: values.length, sort: [{ name, descending: false }] };
    const found = await store.list(parent, page);
    return [filter, new Set(found.records.map((record) => record[name] as number))] as const;
  });
  return new Map(await Promise.all(met));
}
