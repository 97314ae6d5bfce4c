// GET of a collection's summary: counts and sums of a list, in groups.

import { DEFAULT_PAGE, MAX_SEARCH } from "../../core/contract/limits.ts";
import { API_ROOT } from "../../core/contract/paths.ts";
import {
  MEASURES,
  type Measure,
  MOST_GROUP_FIELDS,
  MOST_GROUPS,
  MOST_MEASURES,
  PERIODS,
  type Period,
  summaryPath,
} from "../../core/contract/summaries.ts";
import { parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { toSortable } from "../../core/dictionary/decimals.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { SERVICE_TIMES } from "../../core/dictionary/filters.ts";
import { KIND_TRAITS, type Value } from "../../core/dictionary/kinds.ts";
import { liesOnDays } from "../../core/dictionary/relative-times.ts";
import { clockShifts } from "../../core/forms/time-zones.ts";
import { resolveFilters } from "../access/row-conditions.ts";
import { sortValue } from "../engine/columns.ts";
import { wordsOfSearch } from "../engine/search-words.ts";
import type { Filter, ReadOptions, Store } from "../engine/store.ts";
import type { SummaryGroup, SummaryMeasure, SummaryRow } from "../engine/summary.ts";
import { type Cursors, MAX_CURSOR } from "../http/cursor.ts";
import { timeZone } from "../http/days.ts";
import { httpErrors } from "../http/errors.ts";
import { filtersOf } from "../http/far-filters.ts";
import { documentedFilters, filtersIn } from "../http/filters.ts";
import { named } from "../http/json-schemas.ts";
import type { Limits } from "../http/limits.ts";
import { clampedCount, type Parameter, readParameters, text } from "../http/query-parameters.ts";
import { jsonAnswer, showing } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { scopesForParents } from "./expand.ts";
import { type FindParts, findHits, isSearchPartial } from "./find-records.ts";

interface SummaryParts {
  store: Store;
  collections: readonly Collection[];
  cursors: Cursors;
  limits: Limits;
}

interface Asked {
  group: SummaryGroup[];
  measure: SummaryMeasure[];
  sort: { name: string; descending: boolean }[];
  q: string;
  limit: number;
  cursor: string;
  timeZone: string;
}

/** `collections`: as the caller knows them, so that nothing is counted by a hidden field. */
export function summaryRoute(collection: Collection, { store, collections, cursors, limits }: SummaryParts): Route {
  const parents = parentsOf(collection, collections);
  const fixed = {
    group: groupParameter(collection),
    measure: measureParameter(collection),
    sort: ORDER,
    q: text(MAX_SEARCH),
    limit: clampedCount(limits.recordsPerPage),
    cursor: text(MAX_CURSOR),
    timeZone,
  };
  return {
    url: API_ROOT + summaryPath(collection.name),
    GET: {
      scope: `${collection.name}:read`,
      alsoNeeds: ({ query }) => scopesForParents(parents, query, collections),
      compresses: true,
      doc: {
        id: `summary_${collection.name}`,
        summary: `${collection.title}: counts and sums of a list, in groups`,
        parameters: { ...fixed, ...documentedFilters(collection, parents) },
        responses: { 200: named("IntakeSummary") },
      },
      async handle(request, session, { signal }) {
        const { limitedAs: owner, hidden } = session;
        const own = filtersOf(collection, parents, { query: request.query, collections });
        const given = readParameters<Record<string, unknown>>(request.query, { ...fixed, ...own });
        const { group: groups = [], measure: measures = COUNT_ALONE, q = "", timeZone: zone = "UTC", ...page } = given as Partial<Asked>;
        const asked = filtersIn(given, Object.keys(own));
        const order = orderOf(groups, measures, page.sort ?? []);
        const filters = resolveFilters(asked, zone, session);
        const options: ReadOptions = { owner, signal };
        const chosen = await searched({ collection, parents, store, hidden }, q, filters, options);
        const known: SummaryMeasure[] = [...measures, ...COUNT_ALONE, { of: "min", name: collection.key.name }];
        const summary = await store.summarize(collection, { ...chosen, groups, measures: known, shifts: clockShifts(zone) }, options);
        if (summary.isPartial)
          throw wrong("group", `There are more than ${MOST_GROUPS} groups. Choose records by filters, or group by less.`);
        const list = JSON.stringify(["summary", collection.name, groups, measures, order, q, zone, asked]);
        const { rows, next } = pageOf(placed(collection, summary.groups, { groups, measures, order }), { cursors, list, ...page });
        const names = measures.map(nameOfMeasure);
        const answer = jsonAnswer(200, {
          groups: rows.map(({ group, measured }) => ({
            ...byNames(
              groups.map(({ name }) => name),
              group,
            ),
            ...byNames(names, measured),
          })),
          total: byNames(names, summary.total),
          ...(next !== undefined && { next }),
        });
        return showing(answer, () => [
          { collection: collection.name, ids: [...rows.map(({ measured }) => measured), summary.total].flatMap(onlyIdIn) },
        ]);
      },
    },
  };
}

const COUNT_ALONE: readonly SummaryMeasure[] = [{ of: "count", name: "" }];

function nameOfMeasure({ of, name }: SummaryMeasure): string {
  return of === "count" ? of : `${of}:${name}`;
}

function byNames(names: readonly string[], values: readonly (Value | null)[]): Record<string, Value | null> {
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? null]));
}

/** Returns the key of the record whose values a group of one record shows. Of several records a group names none. */
function onlyIdIn(measured: readonly (Value | null)[]): number[] {
  const [count, id] = measured.slice(-2);
  return count === 1 ? [id as number] : [];
}

function wrong(parameter: string, detail: string) {
  return httpErrors.badParameters([{ parameter, code: "BAD_PARAMETER", detail }]);
}

const MOST_HITS = 10_000; // records that are found in the fields alone that the caller may know

/** Chooses the records as the list does. `q` of nothing but signs finds nothing. */
async function searched(parts: FindParts, q: string, filters: readonly Filter[], options: ReadOptions) {
  const words = wordsOfSearch(parts.collection, q);
  const { name } = parts.collection.key;
  if (words.length === 0 && q.trim() !== "") return { words, filters: [...filters, { name, operator: "in" as const, values: [-1] }] };
  if (!isSearchPartial(parts, { words })) return { words, filters };
  const ids: number[] = [];
  for await (const found of findHits(parts, { words, filters, sort: [{ name, descending: false }] }, options)) {
    ids.push(...found.map((record) => record[name] as number));
    if (ids.length > MOST_HITS)
      throw wrong("q", `More than ${MOST_HITS} records have these words. Search for more of them, or choose by filters.`);
  }
  return { words: [], filters: [{ name, operator: "in" as const, values: ids.length > 0 ? ids : [-1] }] };
}

/** Nobody finds out by a group or a sum what a mask covers. A record of several values would be in several groups. */
function fieldsOf(collection: Collection): readonly Field[] {
  return [...collection.fields.filter(({ masked, item }) => !masked && !item), ...SERVICE_TIMES];
}

function groupParameter(collection: Collection): Parameter<SummaryGroup[]> {
  const fields = new Map(fieldsOf(collection).map((field) => [field.name, field]));
  const isKnown = ({ name, period }: { name: string; period?: string }): boolean => {
    const field = fields.get(name);
    return field !== undefined && (period === undefined || (liesOnDays(field.kind) && PERIODS.some((one) => one === period)));
  };
  return {
    expects: `up to ${MOST_GROUP_FIELDS} fields with commas between, each once; behind a day or a moment may stand its period, such as createdAt:month (${PERIODS.join(", ")})`,
    schema: { type: "string" },
    read(given) {
      const groups = given.split(",").map((word) => {
        const [name = "", period, more] = word.split(":");
        return more === undefined ? { name, ...(period !== undefined && { period: period as Period }) } : { name: "" };
      });
      const isUsable = groups.length <= MOST_GROUP_FIELDS && groups.every(isKnown);
      return isUsable && new Set(groups.map(({ name }) => name)).size === groups.length ? groups : undefined;
    },
  };
}

/** Says which fields a measure may be of. */
const MEASURED: Record<Measure, (field: Field) => boolean> = {
  count: () => false,
  sum: ({ kind }) => KIND_TRAITS[kind].isAmount === true,
  avg: ({ kind }) => KIND_TRAITS[kind].isAmount === true,
  min: ({ kind }) => KIND_TRAITS[kind].order !== undefined,
  max: ({ kind }) => KIND_TRAITS[kind].order !== undefined,
  distinct: () => true,
};

function measureParameter(collection: Collection): Parameter<SummaryMeasure[]> {
  const fields = new Map(fieldsOf(collection).map((field) => [field.name, field]));
  return {
    expects: `up to ${MOST_MEASURES} of count, sum:, avg:, min:, max: and distinct: with a field behind, each once, with commas between; sums and averages are of amounts, the smallest and largest of amounts, days and times`,
    schema: { type: "string" },
    read(given) {
      const measures = given.split(",").flatMap((word): SummaryMeasure[] => {
        if (word === "count") return [...COUNT_ALONE];
        const [first, name = "", more] = word.split(":");
        const of = MEASURES.find((one) => one === first);
        const field = fields.get(name);
        return of && field && more === undefined && MEASURED[of](field) ? [{ of, name }] : [];
      });
      const isUsable = measures.length === given.split(",").length && measures.length <= MOST_MEASURES;
      return isUsable && new Set(measures.map(nameOfMeasure)).size === measures.length ? measures : undefined;
    },
  };
}

const ORDER: Parameter<Asked["sort"]> = {
  expects: "names of groups or measures that are asked for, with commas between and - before a descending one",
  schema: { type: "string" },
  read: (given) => given.split(",").map((word) => ({ name: word.replace(/^-/, ""), descending: word.startsWith("-") })),
};

/** Returns the order made total by the groups. Throws 400 for a name that is not asked for. */
function orderOf(groups: readonly SummaryGroup[], measures: readonly SummaryMeasure[], sort: Asked["sort"]): Asked["sort"] {
  const names = [...groups.map(({ name }) => name), ...measures.map(nameOfMeasure)];
  if (new Set(names).size < names.length) throw wrong("group", "A group and a measure would have the same name in the answer: count.");
  const unknown = sort.find(({ name }) => !names.includes(name));
  if (unknown) throw wrong("sort", `The groups can be in the order of ${names.join(", ")}; ${unknown.name} is none of them.`);
  const others = groups.filter(({ name }) => !sort.some((term) => term.name === name));
  return [...sort, ...others.map(({ name }) => ({ name, descending: false }))];
}

interface Placed extends SummaryRow {
  /** Is compared part by part. */
  place: readonly (Value | null)[];
}

/** Returns the groups in their order, which is the same on both engines. No value comes before every value. */
function placed(
  collection: Collection,
  rows: readonly SummaryRow[],
  { groups, measures, order }: { groups: readonly SummaryGroup[]; measures: readonly SummaryMeasure[]; order: Asked["sort"] },
): { rows: Placed[]; compare: (a: Placed["place"], b: Placed["place"]) => number } {
  const parts = order.map(({ name, descending }) => {
    const at = groups.findIndex((group) => group.name === name);
    const group = groups[at];
    const measure = measures.find((one) => nameOfMeasure(one) === name);
    const of = measures.indexOf(measure as SummaryMeasure);
    const isSum = measure?.of === "sum" || measure?.of === "avg";
    const place = (row: SummaryRow): (Value | null)[] => {
      const value = (group ? row.group[at] : row.measured[of]) ?? null;
      if (value === null) return [null, null];
      if (group?.period || measure?.of === "count" || measure?.of === "distinct") return [value, null];
      return isSum
        ? [toSortable(String(value)), null]
        : [sortValue(collection, { [group?.name ?? measure?.name ?? ""]: value }, group?.name ?? measure?.name ?? ""), value];
    };
    return { descending, place };
  });
  const compare = (a: Placed["place"], b: Placed["place"]): number => {
    for (const [i, left] of a.entries()) {
      const difference = compared(left, b[i] ?? null);
      if (difference !== 0) return parts[i >> 1]?.descending ? -difference : difference;
    }
    return 0;
  };
  const all = rows.map((row) => ({ ...row, place: parts.flatMap(({ place }) => place(row)) }));
  return { rows: all.sort((a, b) => compare(a.place, b.place)), compare };
}

function compared(a: Value | null, b: Value | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

interface PageParts {
  cursors: Cursors;
  list: string;
  limit?: number;
  cursor?: string;
}

/** Goes by the place of the last group, so that no group is skipped or comes twice while others write. */
function pageOf({ rows, compare }: ReturnType<typeof placed>, { cursors, list, limit = DEFAULT_PAGE, cursor }: PageParts) {
  const place = cursor === undefined ? undefined : cursors.open(list, cursor);
  const after = place && "after" in place ? place.after : undefined;
  const rest = after ? rows.filter((row) => compare(row.place, after) > 0) : rows;
  const last = rest.length > limit ? rest[limit - 1] : undefined;
  return { rows: rest.slice(0, limit), next: last && cursors.seal(list, { after: last.place }) };
}
