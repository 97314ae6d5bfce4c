// Asks what becomes of a value whose field is not asked for any more. Nothing is cleared unseen.

import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import { ShownText } from "../../values/references/shown-text.tsx";
import type { Conditions } from "./use-conditions.ts";

interface LeftBehindProps {
  field: Field;
  conditions: Conditions;
}

export function LeftBehind({ field, conditions }: LeftBehindProps) {
  const { title } = field;
  useFocusFallback();
  return (
    <section className={noticeStyles.notice} data-tone="doubt" aria-label={title}>
      <b>{t("{title} is not asked for any more.", { title })}</b> {t("It still has this value:")}{" "}
      <bdi>
        <ShownText field={field} text={conditions.of(field)?.text ?? ""} />
      </bdi>
      <span className={noticeStyles.actions}>
        <button type="button" onClick={() => conditions.keep(field)}>
          {t("Keep the value")}
        </button>
        <button type="button" onClick={() => conditions.clear(field)}>
          {t("Clear the value")}
        </button>
      </span>
    </section>
  );
}
