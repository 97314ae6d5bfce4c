// Stored records that break rules of today: how many, and which.

import { DEFAULT_PAGE } from "../../core/contract/limits.ts";
import { API_ROOT } from "../../core/contract/paths.ts";
import {
  type Broken,
  CONSTRAINTS,
  type Constraint,
  TREND_DAYS,
  type ViolationDay,
  violationsPath,
} from "../../core/contract/violations.ts";
import { parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { exceptionName } from "../engine/exceptions.ts";
import type { ReadOptions, Store } from "../engine/store.ts";
import { StoreTooCostly } from "../engine/store.ts";
import { countedToday, dateOfDay } from "../engine/violation-counts.ts";
import type { BrokenCounts } from "../engine/violations.ts";
import { type Cursors, MAX_CURSOR } from "../http/cursor.ts";
import { type HttpError, httpErrors } from "../http/errors.ts";
import { listOf, named, object, type Schema, schemaNames } from "../http/json-schemas.ts";
import type { Limits } from "../http/limits.ts";
import { clampedCount, flag, nameAmong, oneOf, readParameters, text } from "../http/query-parameters.ts";
import { jsonAnswer, showing } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { dayOf } from "./count-violations.ts";
import { toException } from "./rule-exceptions.ts";

interface ViolationParts {
  store: Store;
  collections: readonly Collection[];
  cursors: Cursors;
  limits: Limits;
}

interface Asked {
  constraint: Constraint;
  field: string;
  rule: string;
  exceptions: boolean;
  days: boolean;
  limit: number;
  cursor: string;
}

/** `collections`: as the caller knows them, so that no rule of a hidden field is counted. */
export function violationsRoute(collection: Collection, { store, collections, cursors, limits }: ViolationParts): Route {
  const parents = parentsOf(collection, collections).map(({ parent }) => parent);
  const parameters = {
    constraint: oneOf<Constraint>(...CONSTRAINTS),
    field: nameAmong("the name of a field", collection.fields),
    rule: nameAmong("the name of a rule of the collection", collection.rules ?? []),
    exceptions: flag,
    days: flag,
    limit: clampedCount(limits.recordsPerPage),
    cursor: text(MAX_CURSOR),
  };
  return {
    url: API_ROOT + violationsPath(collection.name),
    GET: {
      scope: `${collection.name}:read`,
      compresses: true,
      doc: {
        id: `violations_${collection.name}`,
        summary: `${collection.title} that break rules of today: how many, or with constraint and field, or with rule, which`,
        parameters,
        responses: { 200: answerSchema(collection) },
      },
      async handle(request, { limitedAs: owner }, { signal }) {
        const { limit = DEFAULT_PAGE, cursor, days = false, ...asked } = readParameters<Asked>(request.query, parameters);
        const { exceptions: isExcepted = false } = asked;
        const options: ReadOptions = { owner, signal };
        const broken = brokenOf(collection, asked);
        if (days) return jsonAnswer(200, { days: await daysOf(collection, store, parents) });
        if (!broken) {
          const { counts: rules, complete } = await countAll(store, collection, { parents }, options);
          const before = rules.length > 0 ? await daysOf(collection, store, parents) : [];
          return jsonAnswer(200, { rules: rules.map((one) => ({ ...one, since: sinceOf(one, before) })), complete });
        }
        const list = JSON.stringify(["violations", collection.name, broken, isExcepted]);
        const place = cursor === undefined ? undefined : cursors.open(list, cursor);
        const after = place && "after" in place ? Number(place.after[0]) : 0;
        const { ids, next } = await store.findBroken(collection, { parents, broken, isExcepted, after, limit }, options);
        const { name } = collection.key;
        const page = { words: [], filters: [{ name, operator: "in" as const, values: ids }], sort: [{ name, descending: false }], limit };
        const { records } = ids.length > 0 ? await store.list(collection, page, options) : { records: [] };
        const exceptions = isExcepted && {
          exceptions: (await store.exceptions.listExceptions(collection.name, exceptionName(collection, broken), ids)).map(toException),
        };
        const body = {
          [collection.name]: records,
          ...exceptions,
          ...(next !== undefined && { next: cursors.seal(list, { after: [next] }) }),
        };
        return showing(jsonAnswer(200, body), () => [
          { collection: collection.name, ids: records.map((record) => record[name] as number) },
        ]);
      },
    },
  };
}

function answerSchema(collection: Collection): Schema {
  return object(
    {
      rules: listOf(named("IntakeBrokenRule")),
      days: {
        ...listOf(named("IntakeBrokenRulesOfDay")),
        description: "With days=true.",
      },
      complete: { type: "boolean", description: "False: there may be more, because reading all values takes too long." },
      [collection.name]: listOf(named(schemaNames(collection).record)),
      exceptions: {
        ...listOf(named("IntakeException")),
        description: "With exceptions=true: those of the records, which break it on purpose.",
      },
      next: { type: "string", description: "The cursor of the next page, if there may be one." },
    },
    [],
  );
}

/** Days without a count are left out, and all of them for callers who see some records only. */
async function daysOf(collection: Collection, store: Store, parents: readonly Collection[]): Promise<ViolationDay[]> {
  const found = await store.violationCounts.listCounts(collection.name, dayOf() - TREND_DAYS + 1);
  return found.map(({ day, counts }) => ({
    day: dateOfDay(day),
    rules: counts.flatMap((one) => countedToday(collection, one, parents) ?? []),
  }));
}

/** Returns the day since which each count found records that break this; undefined where the last one found none. `days`: the earliest first. */
function sinceOf({ rule, constraint, field }: Broken, days: readonly ViolationDay[]): string | undefined {
  const isSame = (one: Broken) => one.rule === rule && one.constraint === constraint && one.field === field;
  return days.slice(days.findLastIndex(({ rules }) => !rules.some(isSame)) + 1)[0]?.day;
}

/** Returns what is asked for; undefined where that is how many there are of each. Throws 400. */
function brokenOf({ key }: Collection, { constraint, field, rule, exceptions = false }: Partial<Asked>): Broken | undefined {
  if (exceptions && rule === undefined && (constraint === undefined || field === undefined)) throw wrongExceptions();
  if (constraint === undefined && field === undefined) return rule === undefined ? undefined : { rule, field: key.name };
  if (constraint !== undefined && field !== undefined && rule === undefined) return { constraint, field };
  const parameter = rule !== undefined ? "rule" : constraint === undefined ? "constraint" : "field";
  const detail = "Send constraint and field together, or rule alone, or none of them.";
  throw httpErrors.badParameters([{ parameter, code: "BAD_PARAMETER", detail }]);
}

function wrongExceptions(): HttpError {
  const detail = "Send exceptions with rule, or with constraint and field.";
  return httpErrors.badParameters([{ parameter: "exceptions", code: "BAD_PARAMETER", detail }]);
}

/** Counts what can be counted in the time of a read. */
async function countAll(
  store: Store,
  collection: Collection,
  query: Parameters<Store["countBroken"]>[1],
  options: ReadOptions,
): Promise<BrokenCounts> {
  try {
    return await store.countBroken(collection, query, options);
  } catch (error) {
    if (error instanceof StoreTooCostly) return { counts: [], complete: false };
    throw error;
  }
}
