// Shows what is said and offered when the list shows something else than its view: save, save as new, reset.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import type { View } from "../../../core/contract/views.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { meQuery } from "../../service/me.ts";
import { useViewWrites } from "../../service/view-writes.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import * as textStyles from "../../ui/text.module.css";
import { quoted } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { parseListUrl } from "../query/list-url.ts";
import { searchOf } from "../query/list-views.ts";
import type { ViewParts } from "./tabs.ts";
import * as styles from "./view-changes.module.css";
import { ViewConflict } from "./view-conflict.tsx";
import { mayChange } from "./view-rights.ts";

interface ViewChangesProps extends ViewParts {
  isChanged: boolean;
}

export function ViewChanges({ isChanged, ...parts }: ViewChangesProps) {
  const { collection, go, current, onDialog } = parts;
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const saving = useSave(parts);
  useFocusFallback();
  const view = current?.view;
  if (current && !view)
    return (
      <div className={styles.changes} data-all>
        <button type="button" className={buttonStyles.quiet} onClick={() => onDialog("new")}>
          {t("Save as view")}
        </button>
      </div>
    );
  const mayKeep = view !== undefined && mayChange(view, me) && (isChanged || (current?.gone.length ?? 0) > 0);
  return (
    <div className={styles.changes}>
      <Note {...parts} />
      {mayKeep && (
        <button type="button" className={buttonStyles.quiet} aria-disabled={saving.isPending} onClick={() => saving.save(view)}>
          {t("Save")}
        </button>
      )}
      {isChanged && (
        <button type="button" className={buttonStyles.quiet} onClick={() => onDialog("new")}>
          {view ? t("Save as new") : t("Save as view")}
        </button>
      )}
      {isChanged && current && (
        <button
          type="button"
          className={buttonStyles.quiet}
          onClick={() => go({ ...parseListUrl(collection, current.search), cursor: undefined })}
        >
          {t("Reset")}
        </button>
      )}
      {saving.conflict && <ViewConflict {...parts} {...saving.conflict} onOverwrite={saving.save} onClose={saving.giveUp} />}
    </div>
  );
}

/** Says why the list is not what the view or the link says. */
function Note({ current }: ViewParts) {
  if (!current) return <span className={textStyles.note}>{t("This view was deleted, or only its maker can see it.")}</span>;
  const list = current.gone.map(quoted).join(", ");
  return (
    <>
      {current.view?.isPartial && <span className={textStyles.note}>{t("A filter is left out, because you may not see its field.")}</span>}
      {list && <span className={textStyles.note}>{t("Left out because it no longer exists: {list}.", { list })}</span>}
    </>
  );
}

/** Saves what the list shows as the view. If somebody changed the view meanwhile, nothing is overwritten without a question. */
function useSave({ state }: ViewParts) {
  const { client, toasts } = useServices();
  const writes = useViewWrites(client);
  const [conflict, setConflict] = useState<{ mine: View; theirs: View | undefined }>();
  const search = searchOf(state);
  const { mutate, isPending } = useMutation({
    mutationFn: (view: View) => writes.change(view, { search }),
    onSuccess(changed, before) {
      setConflict(undefined);
      const undo = () => writes.change(changed, { search: before.search }).catch((error: Error) => toasts.show({ message: error.message }));
      const undoes = t("The view “{name}” is saved.", { name: changed.name });
      const message = <NameInSentence name={changed.name} text={t("The view “{name}” is saved.")} />;
      toasts.show({ message, action: { label: t("Undo"), isUndo: true, undoes, run: undo } });
    },
    async onError(error, view) {
      const isOutdated = error instanceof ApiError && (error.status === 412 || error.status === 404);
      if (isOutdated) setConflict({ mine: view, theirs: await writes.readAgain(view.id).catch(() => undefined) });
      else toasts.show({ message: `${t("Not saved.")} ${error.message}` });
    },
  });
  return { save: (view: View) => isPending || mutate(view), isPending, conflict, giveUp: () => setConflict(undefined) };
}
