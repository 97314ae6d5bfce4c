// Counts what a draft does to what is stored: first figures at once, those of rules as they are counted on.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { DictionaryImpact } from "../../../core/contract/dictionary.ts";
import { addImpact } from "../../../core/dictionary/rule-impact.ts";
import { useServices } from "../../app/services/services.ts";
import { impactQuery, readImpact } from "../../service/dictionary-drafts.ts";

/** `etag`: of the draft as it is stored; undefined while something is not stored yet. */
export function useImpact(id: string, etag: string | null | undefined) {
  const { client } = useServices();
  const query = useQuery({ ...impactQuery(client, id, etag ?? null), enabled: etag !== undefined });
  const [counted, setCounted] = useState<{ first: DictionaryImpact; all: DictionaryImpact }>();
  const first = etag === undefined ? undefined : query.data;
  const impact = first && counted?.first === first ? counted.all : first;
  useEffect(() => {
    if (first?.next === undefined) return;
    const end = new AbortController();
    const countOn = async (all: DictionaryImpact): Promise<void> => {
      if (all.next === undefined) return;
      const more = addImpact(all, await readImpact(client, id, all.next, end.signal));
      setCounted({ first, all: more });
      await countOn(more);
    };
    countOn(first).catch((error) => {
      if (!end.signal.aborted) setCounted({ first, all: { changes: first.changes, complete: false } });
      return error;
    });
    return () => end.abort();
  }, [client, id, first]);
  return { impact, error: query.error, isFetching: query.isFetching, refetch: query.refetch };
}
