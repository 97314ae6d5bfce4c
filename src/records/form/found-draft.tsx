// Offers a draft that was found, above the fields of a form.

import { useEffect, useRef } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { Announce } from "../../ui/announce.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { goToInput, useFieldId } from "../../values/field-id.ts";
import { formatRelativeTime } from "../../values/format.ts";
import * as styles from "./form-notices.module.css";
import type { RecordDraft } from "./use-draft.ts";

export interface FoundDraftProps {
  draft: RecordDraft;
  offered: NonNullable<RecordDraft["offered"]>;
  noun: string;
}

/** After "Restore", moves the focus to the first restored field, because the button is gone. */
export function FoundDraft({ draft, offered, noun }: FoundDraftProps) {
  const idOf = useFieldId();
  const offer = useRef<HTMLElement>(null);
  // After a reload the page stands where it was scrolled to.
  useEffect(() => {
    offer.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const [first] = Object.keys(offered.texts);
  const then = (act: () => void, focusOn: string | undefined) => () => {
    act();
    if (focusOn) goToInput(document.querySelector(focusOn));
  };
  const found = t("You have unsaved text from {when}.", { when: formatRelativeTime(new Date(offered.typedAt).toISOString()) });
  return (
    <section className={`${noticeStyles.notice} ${styles.offer}`} ref={offer} aria-label={t("Draft")}>
      <Announce text={found} />
      <span>
        <b>{found}</b>{" "}
        {offered.base ? t("Continue with your changes to this {noun}?", { noun }) : t("Continue with the {noun} you started?", { noun })}
      </span>
      <span className={noticeStyles.actions}>
        <button type="button" onClick={then(draft.restore, first && `#${CSS.escape(idOf(first))}`)}>
          {t("Restore")}
        </button>
        <button type="button" className={buttonStyles.quiet} onClick={then(draft.discard, "h1")}>
          {t("Discard")}
        </button>
      </span>
    </section>
  );
}
