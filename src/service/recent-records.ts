// The records that were opened in this tab. In memory only: they end with the session, and with the tab.

import type { QueryClient } from "@tanstack/react-query";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { idOf } from "./records.ts";

export interface RecentRecord {
  collection: Collection;
  record: WireRecord;
}

const KEY = ["recentRecords"];
const MOST = 8;

/** Lists the latest first. */
export function recentRecords(queries: QueryClient): readonly RecentRecord[] {
  return queries.getQueryData<readonly RecentRecord[]>(KEY) ?? [];
}

/** Call it with each version that is shown. `record` is null when it is gone. */
export function noteOpened(queries: QueryClient, collection: Collection, id: number, record: WireRecord | null): void {
  const others = recentRecords(queries).filter((one) => one.collection !== collection || idOf(collection, one.record) !== id);
  queries.setQueryDefaults(KEY, { gcTime: Number.POSITIVE_INFINITY });
  queries.setQueryData(KEY, [...(record ? [{ collection, record }] : []), ...others].slice(0, MOST));
}
