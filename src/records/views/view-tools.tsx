// Shows what belongs to an open view, or to a list that differs from it: options, dialogs, other people’s changes.

import { EllipsisVertical } from "lucide";
import { useEffect, useRef } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import { PanelButton } from "../../ui/panel.tsx";
import { Icon } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { parseListUrl } from "../query/list-url.ts";
import { isSameSearch, searchOf } from "../query/list-views.ts";
import type { ViewParts } from "./tabs.ts";
import { ViewChanges } from "./view-changes.tsx";
import { ViewDialog } from "./view-dialog.tsx";
import { ViewOptions } from "./view-options.tsx";

interface ViewToolsProps extends ViewParts {
  /** The list shows something else than its view. */
  isOther: boolean;
  dialog: "new" | "edit" | undefined;
}

/** Is rendered only once the views are known. */
export function ViewTools({ isOther, dialog, ...parts }: ViewToolsProps) {
  const { current, onDialog } = parts;
  useFollow(parts);
  useHome(parts);
  const options = current?.view && t("Options of {name}", { name: current.view.name });
  return (
    <>
      {(isOther || current?.view?.isPartial || (current?.gone.length ?? 0) > 0) && <ViewChanges {...parts} isChanged={isOther} />}
      {options && <OptionsButton {...parts} label={options} />}
      {dialog && <ViewDialog {...parts} what={dialog} onClose={() => onDialog(undefined)} />}
    </>
  );
}

function OptionsButton({ label, ...parts }: ViewParts & { label: string }) {
  useFocusFallback(); // when the view has been deleted with it
  return (
    <PanelButton
      label={
        <>
          <Icon of={EllipsisVertical} />
          <span className={textStyles.hidden}>{label}</span>
        </>
      }
      title={label}
      align="end"
    >
      {(close) => <ViewOptions {...parts} onDone={close} />}
    </PanelButton>
  );
}

/** When somebody changes the view that is open, the list goes along, unless it shows something else already. */
function useFollow({ collection, state, go, current }: ViewParts): void {
  const last = useRef(current);
  useEffect(() => {
    const before = last.current;
    last.current = current;
    if (!current?.view || before?.view?.id !== current.view.id || isSameSearch(before.shows, current.shows)) return;
    const isUntouched = isSameSearch(searchOf(state), before.shows);
    if (isUntouched) go({ ...parseListUrl(collection, current.search), cursor: undefined }, true);
  }, [collection, state, go, current]);
}

/** What the list opens with is kept in this browser, so that it opens without waiting. It follows the view. */
function useHome({ collection, tabs }: ViewParts): void {
  const { views } = useServices();
  useEffect(() => {
    const saved = views.of(collection);
    const { home } = saved;
    if (typeof home !== "object") return;
    const shows = tabs.find(({ view }) => view?.id === home.id)?.shows;
    if (shows && isSameSearch(shows, home.search)) return;
    views.put(collection, { ...saved, home: shows && { id: home.id, search: shows } });
  }, [views, collection, tabs]);
}
