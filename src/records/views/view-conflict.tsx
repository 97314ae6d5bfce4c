// Somebody changed or deleted the view since it was opened: what to do with one's own change.

import type { View } from "../../../core/contract/views.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useRestoreFocus } from "../../ui/focus/restore-focus.ts";
import * as formStyles from "../../ui/form.module.css";
import { Modal } from "../../ui/modal.tsx";
import * as pageStyles from "../../ui/page.module.css";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { parseListUrl, VIEW_PARAMETER } from "../query/list-url.ts";
import { openView } from "../query/list-views.ts";
import { describeView } from "./describe-view.ts";
import type { ViewParts } from "./tabs.ts";

interface ViewConflictProps extends ViewParts {
  mine: View;
  /** Undefined: it is gone, or somebody else's own now. */
  theirs: View | undefined;
  onOverwrite: (theirs: View) => void;
  onClose: () => void;
}

export function ViewConflict({ collection, go, mine, theirs, onOverwrite, onDialog, onClose }: ViewConflictProps) {
  useRestoreFocus();
  const who = theirs?.updatedBy?.name;
  function showTheirs(view: View): void {
    const { search } = openView(collection, view.search);
    onClose();
    go({ ...parseListUrl(collection, { ...search, [VIEW_PARAMETER]: view.id }), cursor: undefined });
  }
  return (
    <Modal labelledBy="view-conflict" className={formStyles.dialog} onClose={onClose}>
      <div className={formStyles.form}>
        <h2 id="view-conflict" dir="auto">
          <NameInSentence name={mine.name} text={theirs ? t("“{name}” was changed meanwhile") : t("“{name}” is gone")} />
        </h2>
        <p>
          {theirs ? (
            who ? (
              <NameInSentence name={who} text={t("{name} has changed this view since you opened it. Nothing of it is overwritten yet.")} />
            ) : (
              t("Somebody has changed this view since you opened it. Nothing of it is overwritten yet.")
            )
          ) : (
            t("The view was deleted, or is somebody’s own now. You can save the list as a new view.")
          )}
        </p>
        {theirs && <p dir="auto">{t("It shows now: {what}", { what: describeView(collection, theirs) })}</p>}
        <div className={pageStyles.tools}>
          {theirs && (
            <button type="button" className={buttonStyles.primary} onClick={() => showTheirs(theirs)}>
              {t("Show their change")}
            </button>
          )}
          {theirs && (
            <button type="button" onClick={() => onOverwrite(theirs)}>
              {t("Replace it with mine")}
            </button>
          )}
          <button
            type="button"
            onClick={() => {
              onClose();
              onDialog("new");
            }}
          >
            {t("Save mine as new")}
          </button>
          <button type="button" className={buttonStyles.quiet} onClick={onClose}>
            {t("Cancel")}
          </button>
        </div>
      </div>
    </Modal>
  );
}
