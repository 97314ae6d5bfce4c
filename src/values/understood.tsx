import type { Field } from "../../core/dictionary/fields.ts";
import { t } from "../../core/i18n/translate.ts";
import * as textStyles from "../ui/text.module.css";
import { understood } from "./typed-values.ts";

/** Says what was understood, where the typed text could mean something else to someone else. A screen reader says it in a pause. */
export function Understood({ field, text }: { field: Field; text: string }) {
  const value = understood(field, text);
  return <output className={textStyles.hint}>{value && t("Read as {value}", { value })}</output>;
}
