// Says how the shown page of a list differs from what it would be now, because of other people.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { useServices } from "../../app/services/services.ts";
import { DICTIONARY_NEWS } from "../../service/dictionary-news.ts";
import { idOf, type ListQuery, type Page } from "../../service/records.ts";
import type { News } from "../live/follow-feed.ts";
import { liveUpdatesOf } from "../live/live-updates.ts";
import { type PageNews, refreshPage } from "../live/page-news.ts";

const READ_EVERY = 1_000; // ms at most
const REST = 5; // times as long as the last reading took
const LONGEST_REST = 5_000; // ms

/** Holds what other people did. */
export interface RowNews {
  /** The page to which it belongs. */
  page: Page | undefined;
  /** Marks rows by their keys. `by` is a name, empty where it is not known. */
  marks: ReadonlyMap<number, { is: "changed" | "deleted"; by: string }>;
  /** Records that would stand on the page and do not. */
  added: number;
}

const NONE: RowNews = { page: undefined, marks: new Map(), added: 0 };

export function usePageNews(collection: Collection, query: ListQuery, page: Page): RowNews {
  const services = useServices();
  const queries = useQueryClient();
  const [news, setNews] = useState(NONE);
  const latest = useRef({ query, page });
  latest.current = { query, page };
  useEffect(() => {
    const { client, session } = services;
    const deletedBy = new Map<number, { id: string; name: string }>();
    const isOwn = (by: { id: string } | null | undefined) => by?.id === session.owner();

    async function read(): Promise<void> {
      const found = await refreshPage(queries, client, collection, latest.current.query);
      if (found) setNews((before) => merge(before.page === latest.current.page ? before : NONE, found));
      else reader.want(); // what is read anew at the moment may be from before the change
    }

    function merge({ marks: before }: RowNews, { page, changed, deleted, added }: PageNews): RowNews {
      const marks = new Map(before);
      for (const { updatedBy, ...record } of changed.filter((one) => !isOwn(one.updatedBy)))
        marks.set(idOf(collection, record as WireRecord), { is: "changed", by: updatedBy?.name ?? "" });
      for (const id of deleted.filter((id) => !isOwn(deletedBy.get(id))))
        marks.set(id, { is: "deleted", by: deletedBy.get(id)?.name ?? "" });
      return { page, marks, added: added.filter(({ updatedBy }) => !isOwn(updatedBy)).length };
    }

    const reader = createReader(read, () => queries.isMutating() > 0);
    const unsubscribe = liveUpdatesOf(services).subscribe((one: News) => {
      if (one.type === "dictionary") return void queries.invalidateQueries({ queryKey: DICTIONARY_NEWS });
      const changes = one.type === "gap" ? [] : one.changes.filter((change) => change.collection === collection.name);
      for (const { operation, objectId, by } of changes)
        if ((operation === "deleted" || operation === "erased") && by) deletedBy.set(objectId, by);
      if (one.type === "gap" || changes.length > 0) reader.want();
    });
    return () => {
      unsubscribe();
      reader.close();
    };
  }, [services, queries, collection]);
  return news.page === page ? news : NONE;
}

/** Reads at once when it is wanted, then after a pause; not while nobody sees the page, nor while it writes something itself. */
function createReader(read: () => Promise<void>, isWriting: () => boolean): { want(): void; close(): void } {
  let isWanted = false;
  let isReading = false;
  let isOver = false;
  let timer: number | undefined;

  async function readNow(): Promise<void> {
    timer = undefined;
    if (isOver || !isWanted || document.visibilityState === "hidden") return;
    if (isWriting()) return plan(50);
    isWanted = false;
    isReading = true;
    const from = performance.now();
    await read().catch(() => {}); // the next change is another occasion
    isReading = false;
    plan(Math.min(LONGEST_REST, Math.max(READ_EVERY, REST * (performance.now() - from))));
  }
  function plan(ms: number): void {
    timer = window.setTimeout(readNow, ms);
  }
  function want(): void {
    isWanted = true;
    if (timer === undefined && !isReading) plan(0);
  }
  const seen = () => isWanted && want();
  document.addEventListener("visibilitychange", seen);
  return {
    want,
    close() {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    },
  };
}
