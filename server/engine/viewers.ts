// Keeps who has a record open, as long as they say so again and again. SQLite has one process, so memory will do.

import type { Principal } from "../../core/contract/principals.ts";

export interface RecordPlace {
  collection: string;
  id: number;
}

/** A tab in which a person has the record open. */
export interface ViewerTab {
  person: Principal;
  /** The client's name for it. */
  tab: string;
}

export interface Viewers {
  /** The tab has the record open until then (ms since 1970), unless it is said again. */
  add(place: RecordPlace, viewer: ViewerTab, until: number): Promise<void>;
  /** Nothing happens when it is not there. */
  remove(place: RecordPlace, viewer: ViewerTab): Promise<void>;
  /** Returns the people who have it open, each once, in the order of their names; at most MOST_LISTED. */
  list(place: RecordPlace, now: number): Promise<Principal[]>;
}

export const MOST_LISTED = 50; // people
const MOST_TABS = 10_000; // in memory; with one more, the record that was looked at longest ago is forgotten

interface Entry {
  person: Principal;
  until: number;
}

export function createViewersInMemory(mostTabs = MOST_TABS): Viewers {
  /** The one that was said longest ago comes first: a Map keeps the order of insertion. */
  const records = new Map<string, Map<string, Entry>>();
  let tabs = 0;
  const nameOf = ({ collection, id }: RecordPlace) => `${collection} ${id}`;
  const tabOf = ({ person, tab }: ViewerTab) => `${person.id} ${tab}`;

  function drop(record: string, tab: string): void {
    const open = records.get(record);
    if (open?.delete(tab)) tabs -= 1;
    if (open?.size === 0) records.delete(record);
  }

  function dropExpired(record: string, now: number): void {
    for (const [tab, { until }] of records.get(record) ?? []) if (until <= now) drop(record, tab);
  }

  return {
    async add(place, viewer, until) {
      const record = nameOf(place);
      drop(record, tabOf(viewer));
      const open = records.get(record) ?? new Map();
      records.delete(record);
      records.set(record, open.set(tabOf(viewer), { person: viewer.person, until }));
      tabs += 1;
      const [oldest = record] = records.keys();
      dropExpired(oldest, Date.now());
      if (tabs > mostTabs) for (const tab of [...(records.get(oldest)?.keys() ?? [])]) drop(oldest, tab);
    },
    async remove(place, viewer) {
      drop(nameOf(place), tabOf(viewer));
    },
    async list(place, now) {
      dropExpired(nameOf(place), now);
      const people = new Map([...(records.get(nameOf(place))?.values() ?? [])].map(({ person }) => [person.id, person]));
      return byName([...people.values()]).slice(0, MOST_LISTED);
    },
  };
}

/** Sorts by code points, as PostgreSQL does it with COLLATE "C". */
function byName(people: Principal[]): Principal[] {
  return people.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
