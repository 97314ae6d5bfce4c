// Reads the filters that choose the records of a right: `region={me.regions}`, as in the address of a list.

import type { RowCondition } from "../../core/contract/people.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { filterName } from "../../core/dictionary/filters.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Filter } from "../engine/store.ts";
import { HttpError } from "../http/errors.ts";
import { type AskedFilter, filterParameters, resolveFilter, SEVERAL } from "../http/filters.ts";
import { readParameters, wayOf } from "../http/query-parameters.ts";

/** Says who asks, where a filter names `{me}`: all ids under which they write, and the attributes of the person. */
export interface Asker {
  ids: readonly string[];
  attributes: Readonly<Record<string, readonly string[]>>;
}

/** One part of a where: a filter, or one whose values are the caller's. */
type Term = Filter | { mine: string | undefined; operator: "in" | "notIn" | "hasAny"; read(value: string): AskedFilter | undefined };

export type Where = readonly Term[];

const ME = /^\{me(?:\.([A-Za-z][A-Za-z0-9_]{0,63}))?\}$/;
const LASTING = new Set(["updatedAt", "updatedBy"]);

/** Reads a where as it stands on the wire. Returns a sentence where it is none. */
export function readWhere(given: unknown, collection: Collection, collections: readonly Collection[]): Where | string {
  const text = typeof given === "object" && given !== null ? (given as Partial<RowCondition>).where : undefined;
  if (typeof text !== "string" || Object.keys(given as object).some((name) => name !== "where"))
    return 'an object with the filter is needed, such as { "where": "city=Bonn" }.';
  const parameters = filterParameters(collection, parentsOf(collection, collections));
  const terms: Term[] = [];
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name.startsWith("filter[")) return `"${name}": write the field first, such as city[prefix]=Bo.`;
    if (wayOf(name)) return `"${name}": a condition has one way alone; give the other one to a second role, because roles add up.`;
    if (seen.has(name)) return `"${name}" stands there twice; give several values with [in].`;
    seen.add(name);
    const [own = ""] = name.split(/[.[]/);
    if (LASTING.has(own) || LASTING.has(name.split(/[.[]/)[1] ?? ""))
      return `"${own}" changes with each write, so that no record could be kept in sight by it.`;
    const term = value.includes("{me") ? readMine(name, value, parameters) : readPlain(name, value, parameters);
    if (typeof term === "string") return term;
    if ("relative" in term && term.relative) return `"${name}": a condition holds at all times, so give a fixed time, not ${value}.`;
    terms.push(term);
  }
  return terms.length > 0 ? terms : "a filter is needed, such as city=Bonn. Without a condition the right is about every record.";
}

type Readers = ReturnType<typeof filterParameters>;

function readPlain(name: string, value: string, parameters: Readers): AskedFilter | string {
  try {
    return Object.values(readParameters({ [name]: value }, parameters))[0] as AskedFilter;
  } catch (error) {
    const [first] = (error instanceof HttpError && (error.extra.errors as { detail: string }[])) || [];
    if (!first) throw error;
    return first.detail;
  }
}

/** The values come when somebody asks; until then it only has to be a filter that takes several. */
function readMine(name: string, value: string, parameters: Readers): Term | string {
  const mine = ME.exec(value);
  if (!mine) return `"${name}": {me} and {me.regions} stand alone, such as region={me.regions}.`;
  const [, field = "", operator = "in"] = /^(.*?)(?:[.[](in|notIn|hasAny)\]?)?$/.exec(name) ?? [];
  const one = operator === "hasAny" ? filterName(field, "has") : field;
  const eq = !field.includes("[") && Object.hasOwn(parameters, one) ? parameters[one] : undefined;
  if (eq) return { mine: mine[1], operator: operator as "in" | "notIn" | "hasAny", read: eq.read };
  const known = readPlain(name, "", parameters);
  return typeof known === "string" && !known.startsWith(`${name} must`)
    ? known
    : `"${name}": values of a person stand after =, [in], [notIn] or [hasAny].`;
}

/** Returns the filters of a where for one caller. Undefined where no record meets it: what they lack chooses nothing. */
export function whereFor(where: Where, { ids, attributes }: Asker): Filter[] | undefined {
  const filters: Filter[] = [];
  for (const term of where) {
    if (!("mine" in term)) {
      filters.push(term);
      continue;
    }
    const own = term.mine === undefined ? ids : Object.hasOwn(attributes, term.mine) ? (attributes[term.mine] ?? []) : [];
    const read = own.filter((value) => value !== "").map(term.read);
    const known = read.filter((one) => one !== undefined && !one.relative) as Filter[];
    const [first] = known;
    // A value that the field cannot have is nobody's, but what must not be there would then be there.
    if (!first || (term.operator === "notIn" && known.length < own.length)) return undefined;
    filters.push({ ...first, operator: term.operator, values: known.flatMap(({ values }) => values) });
  }
  return filters;
}

/** Returns the fewest filters that say the same as several ways to be among the records. */
export function anyOf(ways: readonly (readonly Filter[])[]): readonly Filter[] {
  const different = [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()];
  const [first] = different;
  if (!first) return [{ ...SEVERAL, anyOf: [] }];
  if (different.length === 1) return first;
  const lists = different.map((way) => (way.length === 1 ? listOf(way[0] as Filter) : undefined));
  const [list] = lists;
  const isOneList = list && lists.every((one) => one && one.name === list.name);
  if (isOneList) return [{ ...list, values: [...new Set(lists.flatMap((one) => (one as Filter).values))] as Value[] }];
  return [{ ...SEVERAL, anyOf: different }];
}

/** Returns the filter where it chooses by a list of values of the record's own. */
function listOf({ name, operator, values, through, anyOf: several }: Filter): Filter | undefined {
  const isList = (operator === "eq" || operator === "in") && !through && !several && !values.includes(null);
  return isList ? { name, operator: "in", values } : undefined;
}

/** A field, and perhaps one of the parent to which it refers, by name or by id. */
export type FieldPath = readonly [own: string, ofParent: string | undefined];

/** Writes the names of fields in a where as their ids, or back. `rename`: undefined where there is none such. */
export function renameWhere(where: string, rename: (path: FieldPath) => readonly string[] | undefined) {
  const given = where.replace(/^\?/, "").split("&").filter(Boolean);
  const parts = given.map((part) => {
    const at = part.indexOf("=");
    const [sent, value] = at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at)];
    const words = decodeURIComponent(sent.replaceAll("+", " ")).split(/([^A-Za-z0-9_]+)/); // at even places
    const named = rename([words[0] ?? "", words[2]]);
    if (!named) return undefined;
    for (const [i, word] of named.entries()) words[2 * i] = word;
    return words.join("") + value;
  });
  return parts.includes(undefined) ? undefined : parts.join("&");
}

/** Returns the ids under which a caller writes: their own, and with the API key of a person that person's, too. */
export function askerOf(principal: Principal, userId: string | undefined, attributes: Asker["attributes"] = {}): Asker {
  return { ids: [...new Set([principal.id, ...(userId === undefined ? [] : [userId])])], attributes };
}

/** Returns filters with the times and people that they mean to a caller at a time, `now` (ms). Both bounds of a day are counted from it. */
export function resolveFilters(
  asked: readonly AskedFilter[],
  zone: string,
  { principal, userId }: { principal: Principal; userId?: string | undefined },
  now = Date.now(),
): Filter[] {
  const asking = { zone, now, me: askerOf(principal, userId).ids };
  return asked.map((filter) => resolveFilter(filter, asking));
}
