// Lets clients send names that fields had before: in bodies, filters, sorts and columns.

import type { Collection } from "../../core/dictionary/collections.ts";
import { formerNamesOf } from "../../core/dictionary/current-names.ts";
import { wayOf } from "../http/query-parameters.ts";

/** A former name that was understood. `field`: the name of today. */
export interface UsedName {
  collection: string;
  former: string;
  field: string;
}

const LISTS_OF_NAMES = new Set(["sort", "fields", "matchBy", "columns", "group", "measure"]); // parameters, also of the app, whose values are names of fields

/** One name in such a list: `-total`, `sum:total`. */
const TERM = /^(-?(?:(?:sum|avg|min|max|distinct):)?)(.*)$/s;

export interface Renamed {
  query: Record<string, unknown>;
  /** The former names that occurred. */
  used: readonly UsedName[];
}

/** Reads the query of a request about a collection. Undefined where it has no former name. */
export function renameQuery(
  query: unknown,
  collection: Collection,
  collections: readonly Collection[],
  namesOf = formerNamesOf,
): Renamed | undefined {
  const used: UsedName[] = [];
  const rename = (of: Collection, name: string): string => {
    const now = namesOf(of).get(name);
    const isNoted = used.some(({ collection: known, former }) => known === of.name && former === name);
    if (now !== undefined && !isNoted) used.push({ collection: of.name, former: name, field: now });
    return now ?? name;
  };
  /** `path`: a field, or one of a parent, perhaps with an operator: `fax`, `team.fax.gte`, `fax[gte]`, `filter[team][fax]`, `or[0].fax`. */
  const renamePath = (path: string): string => {
    const words = path.split(/([^A-Za-z0-9_]+)/); // at even places; between them is what separates
    let place = wayOf(path) ? 4 : words[0] === "filter" && words.length > 1 ? 2 : 0;
    let of = collection;
    for (let parents = 0; parents < 2 && words.length > place + 2; parents++) {
      const reference = of.references.find((field) => field.reference.as === words[place])?.reference;
      const parent = collections.find((one) => one.name === reference?.collection);
      if (!parent) break;
      of = parent;
      place += 2;
    }
    words[place] = rename(of, words[place] ?? "");
    return words.join("");
  };
  const renameTerm = (term: string) => term.replace(TERM, (_, before: string, path: string) => before + renamePath(path));
  const entries = Object.entries(query as Record<string, unknown>).map(([name, value]) => {
    const isList = LISTS_OF_NAMES.has(name) && typeof value === "string";
    return isList ? [name, value.split(",").map(renameTerm).join(",")] : [renamePath(name), value];
  });
  return used.length > 0 ? { query: Object.fromEntries(entries), used } : undefined;
}

/** Finds the former names that a body of JSON has as names. */
export function renamedInBody(body: unknown, collection: Collection): UsedName[] {
  const text = typeof body === "string" ? body : body instanceof Uint8Array ? Buffer.from(body).toString("latin1") : "";
  const isName = (name: string) => text.includes(`"${name}"`) && new RegExp(`"${name}"\\s*:`).test(text);
  return [...formerNamesOf(collection)].flatMap(([former, field]) =>
    isName(former) ? [{ collection: collection.name, former, field }] : [],
  );
}

/** Returns the value of the header field that says which former names were understood. */
export function renamedHeader(used: readonly UsedName[]): string {
  return [...new Set(used.map(({ former, field }) => `${former}=${field}`))].join(", ");
}
