// The store of callers from whom fields are hidden or masked: all that it answers has passed `present`.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { OPERATORS } from "../../core/dictionary/filters.ts";
import { whenThere } from "../engine/script/awaitable.ts";
import type { Store } from "../engine/store.ts";
import { wayOf } from "../http/query-parameters.ts";
import type { HiddenFields, UnseenFields } from "../people/auth/access-tokens.ts";
import { presentRun, presentRunRow } from "../runs/run-columns.ts";
import type { StoredRun } from "../runs/store/runs.ts";
import type { Saved } from "../saved/store/saved.ts";
import { mapHistory } from "./map-history.ts";
import { present, presentEntry, presentJson } from "./present.ts";
import { isOfHiddenRule } from "./present-written.ts";
import type { Passed } from "./row-store.ts";

/**
 * Wraps `store` for callers who may not know `hidden`. Collections may be given as these callers know them; the store itself gets those of
 * `collections`, the whole dictionary. `hidesFields`: more is hidden than what is retired for all.
 */
export function showStore(store: Store, collections: readonly Collection[], hidden: HiddenFields, hidesFields = true): Store {
  const byName = new Map(collections.map((one) => [one.name, one]));
  const whole = ({ name }: Collection) => byName.get(name) as Collection;
  const hiddenOf = ({ name }: Pick<Collection, "name">) => hidden.get(name);
  // Broken rules, duplicates and unique values are asked of the collection as the caller knows it.
  const passed: Pick<Store, Exclude<Passed, "erase"> | "countBroken" | "findBroken" | "merges" | "duplicates" | "findHolders"> = store;
  return {
    ...passed,
    ...mapHistory(store, {
      entry(entry) {
        const own = byName.get(entry.collection);
        const isHidden = (rule: string) => !own || isOfHiddenRule({ rule }, own, hidden.get(own.name));
        return presentEntry(entry, hidden.get(entry.collection), isHidden);
      },
      changes: (collection, json) => presentJson(json, hidden.get(collection)),
    }),
    ...showSaved(store, byName, hidden),
    runs: showRuns(store, collections, hidden, hidesFields),
    read: (collection, id) => whenThere(store.read(whole(collection), id), (record) => record && present(record, hiddenOf(collection))),
    readJson(collection, id) {
      const hidden = hiddenOf(collection);
      if (!hidden) return store.readJson(whole(collection), id);
      return whenThere(store.read(whole(collection), id), (record) => record && asJson(present(record, hidden)));
    },
    async list(collection, page, options) {
      const found = await store.list(whole(collection), page, options);
      return { ...found, records: found.records.map((record) => present(record, hiddenOf(collection))) };
    },
    count: (collection, selection, options) => store.count(whole(collection), selection, options),
    summarize: (collection, query, options) => store.summarize(whole(collection), query, options), // its route asks for fields that are seen
    // A proposal is made of words that records have, also of hidden ones.
    near: async (collection, query, options) => (hiddenOf(collection) ? [] : store.near(whole(collection), query, options)),
    write: (batch) => store.write({ ...batch, collection: whole(batch.collection) }),
    erase: (collection, ...others) => store.erase(whole(collection), ...others),
  };
}

function asJson(record: WireRecord) {
  return { json: JSON.stringify(record), version: record.version };
}

/** Reports of runs, and the rows that they did not store. */
function showRuns({ runs }: Store, collections: readonly Collection[], hidden: HiddenFields, hidesFields: boolean): Store["runs"] {
  const aboutOf = (name: string) => {
    const collection = collections.find((one) => one.name === name);
    return collection && { collection, collections, hidden, hidesFields };
  };
  const shown = (run: StoredRun): StoredRun[] => {
    const about = aboutOf(run.collection);
    return about ? [presentRun(run, about)] : [];
  };
  return {
    ...runs,
    listRuns: async (...given) => (await runs.listRuns(...given)).flatMap(shown),
    async readRun(...given) {
      const run = await runs.readRun(...given);
      return run && shown(run)[0];
    },
    async listRunRows(run, after) {
      const about = aboutOf(run.collection);
      return about ? (await runs.listRunRows(run, after)).map((row) => presentRunRow(row, about)) : [];
    },
    async putRun(given) {
      const put = await runs.putRun(given);
      return typeof put === "string" ? put : (shown(put)[0] ?? "changed");
    },
  };
}

/** Takes what tells of hidden fields from what people have saved or exported. */
function showSaved(
  { saved, exportLog }: Store,
  byName: ReadonlyMap<string, Collection>,
  hidden: HiddenFields,
): Pick<Store, "saved" | "exportLog"> {
  /** Is true where a parameter of a list such as `city[prefix]` or `customer.city` is, or may be, about a hidden field. */
  const isAbout = (collection: string, parameter: string): boolean => {
    const [name = "", ...further] = ((wayOf(parameter)?.own ?? parameter).split("[", 1)[0] ?? "").split(".");
    if (further.length > 1 && OPERATORS.some((one) => one === further.at(-1))) further.pop(); // `customer.city.prefix`
    if (further.length === 0) return hidden.get(collection)?.has(name) ?? false;
    const field = byName.get(collection)?.references.find(({ reference }) => reference.as === name);
    return !field || isAbout(collection, field.name) || isAbout(field.reference.collection, further.join("."));
  };
  const presentView = (view: Saved): Saved => {
    const isShown = (word: string) => !isAbout(view.collection, word.replace(/^-/, ""));
    const stored = JSON.parse(view.brief) as Record<string, string>;
    const search = Object.entries(stored).flatMap(([name, value]): [string, string][] => {
      if (name === "q") return [[name, value]];
      const unseen = hidden.get(view.collection);
      if (name === "columns") return [[name, wordsWhere(value, (word) => unseen?.get(word) !== "hidden")]];
      return isShown(name) ? [[name, name === "sort" ? wordsWhere(value, isShown) : value]] : [];
    });
    // An order or a column that is left out changes nothing about which records are shown, so only filters are left out altogether.
    return { ...view, brief: JSON.stringify(Object.fromEntries(search)), isPartial: search.length < Object.keys(stored).length };
  };
  return {
    saved: {
      ...saved,
      async listSaved(kind, reader) {
        const all = await saved.listSaved(kind, reader);
        return kind === "view" ? all.map(presentView) : all;
      },
      async readSaved(kind, id) {
        const item = await saved.readSaved(kind, id);
        if (item?.kind === "view") return presentView(item);
        return item && !mayHaveValues(item, hidden.get(item.collection)) ? item : undefined;
      },
      async changeSaved(kind, id, change, ...others) {
        const before = kind === "view" ? await saved.readSaved(kind, id) : undefined;
        const brief = before ? withUnseen(change.brief, before.brief, presentView(before).brief) : change.brief;
        const changed = await saved.changeSaved(kind, id, { ...change, brief }, ...others);
        return before && typeof changed === "object" && "brief" in changed ? presentView(changed) : changed;
      },
    },
    exportLog: {
      ...exportLog,
      listExports: async (...given) =>
        (await exportLog.listExports(...given)).map((one) => {
          const filter = one.filter.filter((name) => !isAbout(one.collection, name));
          return filter.length === one.filter.length ? one : { ...one, filter, query: null };
        }),
    },
  };
}

/**
 * Keeps what a caller does not see of a view that they write anew: filters by hidden fields, and orders and columns with some where the rest is
 * as it was shown.
 */
function withUnseen(given: string, before: string, shown: string): string {
  const [next, all, seen] = [given, before, shown].map((text) => JSON.parse(text)) as [Brief, Brief, Brief];
  const kept = Object.entries(all).filter(([name]) => seen[name] === undefined || seen[name] === (next[name] ?? ""));
  return JSON.stringify({ ...next, ...Object.fromEntries(kept) });
}

type Brief = Record<string, string | undefined>;

function wordsWhere(list: string, isKept: (word: string) => boolean): string {
  return list.split(",").filter(isKept).join(",");
}

/** Is true where a recipe names a hidden field: it may hold values that people have corrected there. */
function mayHaveValues({ content }: Saved, hidden: UnseenFields | undefined): boolean {
  return [...(hidden?.keys() ?? [])].some((name) => content.includes(JSON.stringify(name)));
}
