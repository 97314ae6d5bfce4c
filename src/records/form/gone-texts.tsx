// Shows what was typed into fields that were taken out of the dictionary meanwhile, so that nothing goes unseen.

import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import { ShownText } from "../../values/references/shown-text.tsx";

export interface GoneText {
  field: Field;
  text: string;
}

export interface GoneTextsProps {
  gone: readonly GoneText[];
  onClose: () => void;
}

export function GoneTexts({ gone, onClose }: GoneTextsProps) {
  useFocusFallback();
  return (
    <section className={noticeStyles.notice} data-tone="doubt" role="status">
      {gone.map(({ field, text }) => (
        <p key={field.name}>
          <b>{t("{title} is no field any more, and is not saved.", { title: field.title })}</b> {t("You had typed:")}{" "}
          <bdi>
            <ShownText field={field} text={text} />
          </bdi>
        </p>
      ))}
      <span className={noticeStyles.actions}>
        <button type="button" onClick={onClose}>
          {t("Close")}
        </button>
      </span>
    </section>
  );
}
