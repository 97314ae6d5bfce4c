// Says which views a store has for reports: one a collection, with names of today, true types and nothing retired.

import type { Collection } from "../../core/dictionary/collections.ts";
import { isPackage } from "../../core/dictionary/packages.ts";
import { COLUMN_RULES, columnOf, type Engine, quoted, REPORTED_TIMES, tableOf } from "./columns.ts";

export interface Report {
  collection: string;
  /** The SELECT that the view stands for. It names the kinds: another kind is another column, though it has the same name. */
  select: string;
}

/** `text`: the data package as JSON, which says what is retired; without it nothing is. Principals are left out: they are numbers of the store's own. */
export function reportsOf(collections: readonly Collection[], engine: Engine, text = "{}"): Report[] {
  const dataPackage: unknown = JSON.parse(text);
  const resources = isPackage(dataPackage) ? dataPackage.resources : [];
  return collections.flatMap((collection) => {
    const resource = resources.find(({ name }) => name === collection.name);
    if (resource?.retired) return [];
    const retired = new Set(resource?.schema.fields.flatMap(({ name, retired }) => (retired ? name : [])));
    const shown = collection.fields.filter(({ name }) => !retired.has(name));
    const columns = [
      ...shown.map((field) => `${COLUMN_RULES[field.kind].reported[engine](columnOf(field))} AS ${quoted(field.name)}`),
      ...["createdAt", "updatedAt"].map((time) => `${REPORTED_TIMES[engine](quoted(time))} AS ${quoted(time)}`),
      '"version"',
    ];
    const kinds = shown.map(({ kind }) => kind).join();
    return [{ collection: collection.name, select: `SELECT ${columns.join(", ")} FROM ${tableOf(collection)} /* ${kinds} */` }];
  });
}

/** Says what is to be done with the views of a store. */
interface ReportChanges<R> {
  /** Views that the service made, and that go or are made anew. */
  outdated: string[];
  missing: R[];
  /** Sentences about views whose names others took. */
  notes: string[];
}

/** `stored`: by name, the mark of each view that the service made, and undefined for what others made. Theirs stays. */
export function compareReports<R extends { name: string; mark: string }>(
  wanted: readonly R[],
  stored: ReadonlyMap<string, string | undefined>,
): ReportChanges<R> {
  const isKept = ({ name, mark }: R) => stored.get(name) === mark;
  const isTaken = ({ name }: R) => stored.has(name) && stored.get(name) === undefined;
  const kept = new Set(wanted.filter(isKept).map(({ name }) => name));
  return {
    outdated: [...stored].flatMap(([name, mark]) => (mark === undefined || kept.has(name) ? [] : name)),
    missing: wanted.filter((one) => !isKept(one) && !isTaken(one)),
    notes: wanted.filter(isTaken).map(({ name }) => `reports: somebody else made "${name}", so the view of that name is missing`),
  };
}
