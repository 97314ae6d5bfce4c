// Brings in what other people do to the record, and says who else has it open. Loaded when the page is at rest.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { refetchRecord } from "../../service/cache-updates.ts";
import { DICTIONARY_NEWS } from "../../service/dictionary-news.ts";
import { historyKey } from "../../service/history.ts";
import { meQuery } from "../../service/me.ts";
import { Monogram } from "../../ui/monogram.tsx";
import * as textStyles from "../../ui/text.module.css";
import type { News } from "../live/follow-feed.ts";
import { liveUpdatesOf } from "../live/live-updates.ts";
import { useViewers } from "../live/use-viewers.ts";
import * as styles from "./live-record.module.css";

interface LiveRecordProps {
  collection: Collection;
  id: number;
  /** The version that is shown; undefined when the record is deleted. */
  version: number | undefined;
  /** Is called before a version above `seen` may come. */
  onNews: (seen: number) => void;
}

export function LiveRecord({ collection, id, version, onNews }: LiveRecordProps) {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  useFollowRecord({ collection, id, version, onNews });
  const viewers = useViewers(collection, id, version !== undefined && me?.principal.type === "user");
  return (
    <div className={styles.viewers} role="status">
      {viewers.length > 0 && (
        <>
          <span className={textStyles.hidden}>{t("Also open for:")}</span>
          <ul>
            {viewers.slice(0, MOST_SHOWN).map(({ id, name }) => (
              <li key={id}>
                <bdi>
                  <Monogram name={name} />
                </bdi>
                <bdi>{name}</bdi>
              </li>
            ))}
            {viewers.length > MOST_SHOWN && (
              <li title={viewers.map(({ name }) => name).join(", ")}>{t("and {n} more", { n: viewers.length - MOST_SHOWN })}</li>
            )}
          </ul>
        </>
      )}
    </div>
  );
}

const MOST_SHOWN = 3;

/** Reads the record again after a change of which this page does not know. In a tab that nobody sees, when it is seen again. */
function useFollowRecord({ collection, id, version, onNews }: LiveRecordProps): void {
  const services = useServices();
  const queries = useQueryClient();
  const latest = useRef({ version, onNews });
  latest.current = { version, onNews };
  useEffect(() => {
    let wanted = 0; // the version that was heard of, until it is read
    let isOver = false;
    let isReading = false;

    async function read(): Promise<void> {
      if (isReading || document.visibilityState === "hidden") return;
      isReading = true;
      while (!isOver && wanted > 0) {
        while (queries.isMutating() > 0) await new Promise((resolve) => setTimeout(resolve, 50)); // it may be this page's own change
        const asked = wanted;
        wanted = 0; // what is heard of from here on may not be in the answer
        const seen = latest.current.version;
        if (isOver || (seen !== undefined && asked <= seen)) continue;
        if (seen !== undefined) latest.current.onNews(seen);
        const read = await refetchRecord(queries, services.client, collection, id).catch(() => undefined);
        if (read === null) await queries.invalidateQueries({ queryKey: historyKey(collection, id) }); // it says who deleted it
      }
      isReading = false;
    }

    const hear = (news: News) => {
      if (news.type === "dictionary") return void queries.invalidateQueries({ queryKey: DICTIONARY_NEWS });
      const changes = news.type === "gap" ? [] : news.changes.filter((one) => one.collection === collection.name && one.objectId === id);
      if (news.type === "gap") wanted = Number.POSITIVE_INFINITY;
      for (const change of changes) wanted = Math.max(wanted, change.version);
      if (wanted > 0) void read();
    };
    const unsubscribe = liveUpdatesOf(services).subscribe(hear);
    document.addEventListener("visibilitychange", read);
    return () => {
      isOver = true;
      unsubscribe();
      document.removeEventListener("visibilitychange", read);
    };
  }, [services, queries, collection, id]);
}
