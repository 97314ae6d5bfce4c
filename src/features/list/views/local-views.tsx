// Views that an earlier version kept in this browser are offered to become one's own at the service.

import { useMutation } from "@tanstack/react-query";
import { foldName } from "../../../../core/contract/names.ts";
import type { View } from "../../../../core/contract/views.ts";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../../core/i18n/translate.ts";
import { useViewWrites } from "../../../api/related/view-writes.ts";
import * as buttonStyles from "../../../components/button.module.css";
import * as noticeStyles from "../../../components/notice.module.css";
import { Failure, Notice } from "../../../components/primitives.tsx";
import { useFocusFallback } from "../../../components/restore-focus.ts";
import { useServices } from "../../../context/services.ts";
import { quoted } from "../../../fields/format.ts";
import { isSameSearch, openView } from "../../../state/list-views.ts";
import type { LocalView, SavedViews } from "../../../state/views.ts";

interface LocalViewsProps {
  collection: Collection;
  saved: SavedViews;
  /** All that the service has. */
  views: readonly View[];
}

export function LocalViews({ collection, saved, views }: LocalViewsProps) {
  const { client, views: local, toasts } = useServices();
  const writes = useViewWrites(client);
  useFocusFallback();

  const keep = useMutation({
    async mutationFn() {
      const known = views.filter((view) => view.collection === collection.name && !view.isShared);
      for (const one of saved.views) {
        const search = withTexts(one);
        const name = freeName(one, known);
        const there = known.find((view) => foldName(view.name) === foldName(one.name) && isSameSearch(view.search, search));
        const kept = there ?? (await writes.create({ name, collection: collection.name, isShared: false, search }));
        known.push(kept);
        drop(one, kept); // one by one: what fails is offered again
      }
      return saved.views.length;
    },
    onSuccess: (n) => toasts.show({ message: tCount(n, "{n} view is kept by the service now.", "{n} views are kept by the service now.") }),
  });

  function drop(one: LocalView, kept?: View): void {
    const now = local.of(collection);
    const home = now.home === one.name ? kept && { id: kept.id, search: openView(collection, kept.search).search } : now.home;
    local.put(collection, { ...now, views: now.views.filter(({ name }) => name !== one.name), home });
  }

  function remove(): void {
    const before = saved;
    const undoes = tCount(before.views.length, "{n} view of this browser is removed.", "{n} views of this browser are removed.");
    local.put(collection, { ...saved, views: [], home: typeof saved.home === "string" ? undefined : saved.home });
    const undo = () => local.put(collection, { ...local.of(collection), views: before.views, home: before.home });
    toasts.show({ message: undoes, action: { label: t("Undo"), isUndo: true, undoes, run: undo } });
  }

  const list = saved.views.map(({ name }) => quoted(name)).join(", ");
  return (
    <>
      <Notice>
        {t("This browser has views of this list from before: {list}.", { list })}{" "}
        {t("The service keeps views now, so that you find them on every computer.")}
        <div className={noticeStyles.actions}>
          <button type="button" aria-disabled={keep.isPending} onClick={() => keep.isPending || keep.mutate()}>
            {t("Keep them as your own views")}
          </button>
          <button type="button" className={buttonStyles.quiet} onClick={remove}>
            {t("Remove them")}
          </button>
        </div>
      </Notice>
      {keep.error && <Failure error={keep.error} />}
    </>
  );
}

function withTexts({ search }: LocalView): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** "Mine", or "Mine 2" where one's own views have that name already. */
function freeName({ name }: LocalView, known: readonly View[]): string {
  const isFree = (wanted: string) => !known.some((view) => foldName(view.name) === foldName(wanted));
  for (let n = 1; ; n++) {
    const wanted = n === 1 ? name : `${name.slice(0, 55)} ${n}`;
    if (isFree(wanted)) return wanted;
  }
}
