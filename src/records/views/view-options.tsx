// Offers what can be done with the view that is open: rename, share, move, open with it, delete.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { View } from "../../../core/contract/views.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { meQuery } from "../../service/me.ts";
import { useViewWrites } from "../../service/view-writes.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as panelStyles from "../../ui/panel.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatRelativeTime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import type { ViewParts } from "./tabs.ts";
import { isMaker, mayChange, mayChooseWhoSees } from "./view-rights.ts";
import * as styles from "./views-panel.module.css";

export function ViewOptions(props: ViewParts & { onDone: () => void }) {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const { current, onDone, onDialog } = props;
  const actions = useActions(props);
  if (!current?.view) return null;
  const { view } = current;
  const isChangeable = mayChange(view, me);
  return (
    <div className={panelStyles.content}>
      <span className={textStyles.hint}>
        {who(view, isMaker(view, me))}
        {me && !isChangeable && <> {t("Its maker and administrators can change it.")}</>}
      </span>
      <div className={styles.menu}>
        <Item label={actions.isHome ? t("No longer open the list with it") : t("Open the list with it")} onPress={actions.toggleHome} />
        {isChangeable && (
          <>
            <Item
              label={mayChooseWhoSees(view, me) ? t("Name and who sees it…") : t("Rename…")}
              onPress={() => {
                onDone();
                onDialog("edit");
              }}
            />
            <Item label={t("Move to the left")} onPress={actions.moveBy(-1)} />
            <Item label={t("Move to the right")} onPress={actions.moveBy(1)} />
            <Item label={t("Delete")} onPress={actions.remove} />
          </>
        )}
      </div>
    </div>
  );
}

function Item({ label, onPress }: { label: string; onPress: (() => void) | undefined }) {
  return (
    <button type="button" className={buttonStyles.quiet} aria-disabled={!onPress} onClick={onPress}>
      {label}
    </button>
  );
}

function who({ isShared, createdBy, createdAt }: View, isMine: boolean): ReactNode {
  const when = formatRelativeTime(createdAt);
  if (!isShared) return t("Only you see it. Made {when}.", { when });
  if (isMine) return t("Everybody sees it. Made by you, {when}.", { when });
  if (!createdBy) return t("Everybody sees it. Made {when}.", { when });
  return <NameInSentence name={createdBy.name} text={t("Everybody sees it. Made by {name}, {when}.", { when })} />;
}

function useActions({ collection, state, go, tabs, current, onDone }: ViewParts & { onDone: () => void }) {
  const { client, views: local, toasts } = useServices();
  const writes = useViewWrites(client);
  const saved = local.of(collection);
  const view = current?.view;
  const isHome = saved.home !== undefined && saved.home.id === view?.id;
  const fail = (error: Error) => toasts.show({ message: error.message });

  function toggleHome(): void {
    if (current?.view) local.put(collection, { ...saved, home: isHome ? undefined : { id: current.view.id, search: current.shows } });
    onDone();
  }

  /** Between two others lies their middle; at the end, one more. */
  function moveBy(by: -1 | 1): (() => void) | undefined {
    const peers = tabs.flatMap((tab) => (tab.view && tab.view.isShared === view?.isShared ? [tab.view] : []));
    const at = peers.findIndex(({ id }) => id === view?.id);
    const [near, far] = [peers[at + by], peers[at + 2 * by]];
    if (!view || !near) return undefined;
    return () => void writes.change(view, { place: far ? (near.place + far.place) / 2 : near.place + by }).catch(fail);
  }

  async function remove(): Promise<void> {
    if (!view) return;
    onDone();
    try {
      await writes.remove(view);
    } catch (error) {
      return fail(error as Error);
    }
    // The list stays as it is; only its name is gone.
    go({ cursor: state.cursor, view: undefined }, true);
    const undoes = t("The view “{name}” is deleted.", { name: view.name });
    const undo = async () => {
      await writes.bringBack(view);
      if (isHome) local.put(collection, { ...local.of(collection), home: { id: view.id, search: current.shows } });
      toasts.show({ message: <NameInSentence name={view.name} text={t("The view “{name}” is back.")} /> });
    };
    const message = <NameInSentence name={view.name} text={t("The view “{name}” is deleted.")} />;
    toasts.show({ message, action: { label: t("Undo"), isUndo: true, undoes, run: () => void undo().catch(fail) } });
  }

  return { isHome, toggleHome, moveBy, remove };
}
