// Links to the previous and next record: in the order of the list that the user came from, else by key.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { idOf, listQuery } from "../../service/records.ts";
import { cachedPageWith, type PreviousNext, previousNextQuery } from "../../service/related-records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { keyName } from "../../ui/keyboard/key-name.ts";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import * as styles from "./previous-next-links.module.css";

export function PreviousNextLinks({ collection, id }: { collection: Collection; id: number }) {
  const { previous, next } = usePreviousNext(collection, id);
  usePreviousNextShortcuts(collection, { previous, next });
  const { noun } = collection;
  return (
    <nav className={styles.links} aria-label={t("Previous and next record")}>
      <Step collection={collection} id={previous} label={t("Previous {noun}", { noun })} sign="↑" />
      <Step collection={collection} id={next} label={t("Next {noun}", { noun })} sign="↓" />
    </nav>
  );
}

function Step({ collection, id, label, sign }: { collection: Collection; id: number | undefined; label: string; sign: "↑" | "↓" }) {
  if (id === undefined) {
    return (
      <button type="button" className={buttonStyles.quiet} aria-label={label} disabled>
        {sign}
      </button>
    );
  }
  const params = { collection: collection.name, id: String(id) };
  const keys = {
    title: `${label} (${keyName("Alt")}+${sign})`,
    "aria-keyshortcuts": `Alt+Arrow${sign === "↓" ? "Down" : "Up"}`,
  };
  return (
    <Link className={buttonStyles.quiet} to="/$collection/$id" params={params} aria-label={label} {...keys}>
      {sign}
    </Link>
  );
}

/** Uses the list page as it was read, so that saving does not move the record within the list. */
function usePreviousNext(collection: Collection, id: number): PreviousNext {
  const { client } = useServices();
  const queries = useQueryClient();
  const [from] = useState(() => cachedPageWith(queries, collection, id));
  const ids = from?.page.records.map((record) => idOf(collection, record)) ?? [];
  const at = ids.indexOf(id);
  const pageQuery = (cursor: string | undefined, isWanted: boolean) => ({
    ...listQuery(client, collection, { ...from?.params, cursor: cursor ?? "" }),
    enabled: isWanted && cursor !== undefined,
  });
  const { data: pageAfter } = useQuery(pageQuery(from?.page.next, at === ids.length - 1));
  const { data: pageBefore } = useQuery(pageQuery(from?.page.prev, at === 0));
  // Observed here, the page stays in the cache while someone steps through it.
  useQuery({ ...listQuery(client, collection, from?.params ?? {}), enabled: false });
  const { data: byKey } = useQuery({ ...previousNextQuery(client, collection, id), enabled: !from });
  if (!from) return byKey ?? { previous: undefined, next: undefined };
  const first = at === ids.length - 1 && from.page.next ? pageAfter?.records[0] : undefined;
  const last = at === 0 && from.page.prev ? pageBefore?.records.at(-1) : undefined;
  return { previous: ids[at - 1] ?? (last && idOf(collection, last)), next: ids[at + 1] ?? (first && idOf(collection, first)) };
}

/** They work inside a text field too, but not in a select or a date input, which use these keys. */
function usePreviousNextShortcuts(collection: Collection, { previous, next }: PreviousNext): void {
  const { keys } = useServices();
  const navigate = useNavigate();
  const to = (id: number | undefined) => {
    if (id === undefined) return undefined;
    return (event?: KeyboardEvent) => {
      if (event?.target instanceof Element && event.target.closest("select, [data-picker]")) return false;
      return void navigate({ to: "/$collection/$id", params: { collection: collection.name, id: String(id) } });
    };
  };
  useShortcuts(keys, { previous: to(previous), next: to(next) });
}
