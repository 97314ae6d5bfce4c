// Asks what to change in all selected records: one field, to one value or to none.

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { withoutRules } from "../../../core/dictionary/filters.ts";
import { itemsOf, KIND_TRAITS, type Value } from "../../../core/dictionary/kinds.ts";
import { isProblem, validateValue } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { problemMessage, textToValidate } from "../../values/field-text.ts";
import { PersonValue } from "../../values/people/lazy-person-value.tsx";
import { ListValue, ReferenceValue } from "../../values/references/lazy-reference-inputs.tsx";
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

type Change = (has: unknown, given: Value | null) => Value | null;

/** Says what becomes of the values of a record. */
const CHANGES: Record<"set" | "add" | "remove", Change> = {
  set: (_, given) => given,
  add: (has, given) => [...itemsOf(has), ...itemsOf(given).filter((item) => !itemsOf(has).includes(item))],
  remove: (has, given) => {
    const left = itemsOf(has).filter((item) => !itemsOf(given).includes(item));
    return left.length > 0 ? left : null;
  },
};

export function BulkForm({ collection, field: proposed, onSubmit, cancel }: BulkFormProps) {
  const id = useId();
  const fields = collection.form.filter(
    (field) => field !== collection.key && !field.readOnly && !field.isUnseenReference && !field.file && field.autoNumber === undefined,
  );
  const [field, setField] = useState((proposed && fields.includes(proposed) ? proposed : fields[0]) as Field);
  const [isCleared, setCleared] = useState(false);
  const [text, setText] = useState("");
  const [how, setHow] = useState<keyof typeof CHANGES>("set");
  const [wrong, setWrong] = useState<string>();
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);

  function choose(name: string): void {
    const next = collection.byName.get(name);
    if (!next) return;
    setField(next);
    setHow("set");
    setText("");
    setWrong(undefined);
    setCleared(isCleared && !next.required);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    // What is added or taken out need not be as many values as a record needs: the preview asks that of each.
    const asked = how === "set" ? field : { ...withoutRules(field), ...(field.item && { item: field.item }) };
    const validated = isCleared ? null : validateValue({ ...asked, required: true }, textToValidate(field, text), "text");
    if (isProblem(validated)) setWrong(problemMessage(field, validated, text));
    else
      onSubmit({
        verb: "change",
        values: (_, record) => ({ [field.name]: CHANGES[isCleared ? "set" : how](record[field.name], validated) }),
        ...((isCleared || how === "set") && { same: { [field.name]: validated } }),
      });
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
      {field.item && !isCleared && (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-how`}>{t("Change")}</label>
          <select id={`${id}-how`} value={how} onChange={({ target }) => setHow(target.value as typeof how)}>
            <option value="set">{t("Set to these values")}</option>
            <option value="add">{t("Add these values")}</option>
            <option value="remove">{t("Take these values out")}</option>
          </select>
        </div>
      )}
      {!isCleared && (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-value`}>{field.item ? t("Values") : t("New value")}</label>
          {field.item ? (
            <ListValue field={field} id={`${id}-value`} text={text} wrong={wrong} onText={setText} />
          ) : field.reference ? (
            <ReferenceValue field={field} id={`${id}-value`} text={text} wrong={wrong} onText={setText} />
          ) : field.isPerson ? (
            <PersonValue field={field} id={`${id}-value`} text={text} wrong={wrong} onText={setText} />
          ) : (
            <ValueInput field={field} id={`${id}-value`} text={text} wrong={wrong} hasLines onText={setText} />
          )}
        </div>
      )}
      {!field.required && how === "set" && (
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
