// Values that were chosen in the groups of problems and not applied: whatever would drop them asks first.

import { useCallback, useEffect, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { useUnsavedChanges } from "../../app/navigation/unsaved-changes.ts";
import { useBlocker } from "../../app/router/use-blocker.ts";
import { count } from "../../values/format.ts";

export interface PendingValues {
  rows: number;
  apply: () => void;
}

/** Says what is chosen in the group with this key; undefined once nothing is. Stable between renders. */
export type OnPending = (key: string, pending: PendingValues | undefined) => void;

/** `askFirst` runs what would drop the values, after a question if there are any. Leaving the page and signing out ask by themselves. */
export function usePendingValues() {
  const [groups, setGroups] = useState<ReadonlyMap<string, PendingValues>>(new Map());
  const [asked, setAsked] = useState<{ goOn: () => void; stay?: () => void; onApplied?: () => void }>();
  const onPending = useCallback<OnPending>((key, pending) => {
    setGroups((before) => {
      const next = new Map(before);
      if (pending) next.set(key, pending);
      else next.delete(key);
      return next;
    });
  }, []);
  const rows = [...groups.values()].reduce((sum, group) => sum + group.rows, 0);
  const close = () => setAsked(undefined);
  const unsaved = useUnsavedChanges();
  useEffect(() => {
    unsaved.current = rows > 0;
    return () => {
      unsaved.current = false;
    };
  }, [rows, unsaved]);
  // Values that are applied are kept with the file, so that the page may be left then.
  const mayLeave = () =>
    new Promise<boolean>((resolve) => setAsked({ goOn: () => resolve(true), onApplied: () => resolve(true), stay: () => resolve(false) }));
  useBlocker(() => rows > 0, mayLeave);
  const dialog = asked && (
    <ConfirmDialog
      title={t("Apply the chosen values first?")}
      cancelLabel={t("Apply them")}
      confirmLabel={t("Go on without them")}
      onFirst={() => {
        close();
        for (const { apply } of groups.values()) apply();
        asked.onApplied?.();
      }}
      onConfirm={() => {
        close();
        asked.goOn();
      }}
      onCancel={() => {
        close();
        asked.stay?.();
      }}
    >
      {count(rows, "Values are chosen for {n} row and not applied yet.", "Values are chosen for {n} rows and not applied yet.")}
    </ConfirmDialog>
  );
  return { rows, onPending, askFirst: (goOn: () => void) => (rows > 0 ? setAsked({ goOn }) : goOn()), dialog };
}
