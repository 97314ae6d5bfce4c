// Says what a saved view shows: the address of its list, without the fields that are gone.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { currentName } from "../../../core/dictionary/column-name.ts";
import { readFilterName } from "../../../core/dictionary/filters.ts";
import { fieldOf, filteredField, formatListUrl, type ListState, parseListUrl, type Search, sortedField } from "./list-url.ts";

export interface OpenView {
  /** Lacks the view itself (VIEW_PARAMETER). */
  search: Record<string, string>;
  /** The names that the view asks for and that the collection does not have. They are left out. */
  gone: readonly string[];
}

export function openView(collection: Collection, saved: Search): OpenView {
  const state = parseListUrl(collection, saved);
  const columns = saved.columns?.split(",") ?? [];
  const terms = state.sort?.split(",") ?? [];
  const isKnown = (term: string) => sortedField(collection, term) !== undefined;
  const others = Object.fromEntries(Object.entries(state.others).filter(([name]) => isInWay(collection, name)));
  const unknown = Object.keys(state.others).filter((name) => !(name in others));
  const gone = [
    ...unknown.map((name) => readFilterName(name)?.name ?? name),
    ...terms.filter((term) => !isKnown(term)).map((term) => term.replace("-", "")),
    ...columns.filter((name) => !fieldOf(collection, currentName(collection, name) ?? name)),
  ];
  const sort = terms.filter(isKnown).join(",") || undefined;
  return { search: searchOf({ ...state, sort, others }), gone: [...new Set(gone)] };
}

/** Says whether a parameter such as `or[0].city` is a filter of one of several ways, by a field that is there. The app has no words for it. */
function isInWay(collection: Collection, name: string): boolean {
  const [, own = ""] = /^or\[\d+\]\.(.+)$/.exec(name) ?? [];
  return filteredField(collection, readFilterName(own)?.name ?? "") !== undefined;
}

/** Returns what a view of the list keeps. Not the page: its cursor would soon expire. */
export function searchOf(state: ListState): Record<string, string> {
  return formatListUrl({ ...state, cursor: undefined, view: undefined });
}

/** Compares without regard to the order of the filters. */
export function isSameSearch(one: Search, other: Search): boolean {
  return inOrder(one) === inOrder(other);
}

function inOrder(search: Search): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}
