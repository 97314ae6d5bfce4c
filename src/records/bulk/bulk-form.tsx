// Asks what to change in all selected records: one field, to one value or to none.

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { validateValue } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { problemMessage, textToValidate } from "../../values/field-text.ts";
import { ReferenceValue } from "../../values/references/lazy-reference-inputs.tsx";
import { ValueInput } from "../../values/value-input.tsx";
import * as styles from "./bulk-dialog.module.css";
import type { Job } from "./bulk-requests.ts";

interface BulkFormProps {
  collection: Collection;
  /** The field to begin with; undefined for the first. */
  field?: Field | undefined;
  onSubmit: (job: Job) => void;
  cancel: ReactNode;
}

export function BulkForm({ collection, field: proposed, onSubmit, cancel }: BulkFormProps) {
  const id = useId();
  const fields = collection.form.filter((field) => field !== collection.key && !field.readOnly && field.autoNumber === undefined);
  const [field, setField] = useState((proposed && fields.includes(proposed) ? proposed : fields[0]) as Field);
  const [isCleared, setCleared] = useState(false);
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string>();
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);

  function choose(name: string): void {
    const next = collection.byName.get(name);
    if (!next) return;
    setField(next);
    setText("");
    setWrong(undefined);
    setCleared(isCleared && !next.required);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const validated = isCleared ? null : validateValue({ ...field, required: true }, textToValidate(field, text), "text");
    if (typeof validated === "object" && validated !== null) setWrong(problemMessage(field, validated, text));
    else onSubmit({ verb: "change", values: () => ({ [field.name]: validated }) });
  }

  return (
    <form onSubmit={submit} noValidate>
      <div className={formStyles.field}>
        <label htmlFor={`${id}-field`}>{t("Field")}</label>
        <select id={`${id}-field`} ref={first} value={field.name} onChange={({ target }) => choose(target.value)}>
          {fields.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </div>
      {!isCleared && (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-value`}>{t("New value")}</label>
          {field.reference ? (
            <ReferenceValue field={field} id={`${id}-value`} text={text} wrong={wrong} onText={setText} />
          ) : (
            <ValueInput field={field} id={`${id}-value`} text={text} wrong={wrong} hasLines onText={setText} />
          )}
        </div>
      )}
      {!field.required && (
        <label className={formStyles.choice}>
          <input type="checkbox" checked={isCleared} onChange={({ target }) => setCleared(target.checked)} />
          {KIND_TRAITS[field.kind].choices ? t("Set it to unknown instead") : t("Clear the field instead")}
        </label>
      )}
      <div className={`${pageStyles.tools} ${styles.buttons}`}>
        <button type="submit" className={buttonStyles.primary}>
          {t("Show what would change")}
        </button>
        {cancel}
      </div>
    </form>
  );
}
