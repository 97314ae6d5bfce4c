// A field whose value is computed, as text that follows what is typed in the others.

import { useEffect, useMemo, useState } from "react";
import { type Control, useWatch } from "react-hook-form";
import { loadRules, setComputed } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { type Fields, validateRecord } from "../../../core/dictionary/validate.ts";
import { dayIn } from "../../../core/forms/time-zones.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as formStyles from "../../ui/form.module.css";
import * as textStyles from "../../ui/text.module.css";
import { useFieldId } from "../../values/field-id.ts";
import { displayText, type Texts, textOf, textToValidate } from "../../values/field-text.ts";
import { fieldValue, type RecordValues } from "../../values/field-value.ts";
import { typedTexts } from "./diff.ts";

type FormControl = Control<Texts, unknown, Fields>;

/** Returns the record with what is computed of the typed texts; as it is stored, until the language of formulas is loaded. */
export function useComputed(collection: Collection, base: RecordValues | undefined, control: FormControl): RecordValues {
  const hasFormulas = collection.fields.some(({ computed }) => computed !== undefined);
  const texts = useWatch({ control, disabled: !hasFormulas }) as Texts;
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    let isMounted = true;
    if (hasFormulas)
      void loadRules(collection).then(
        () => isMounted && setIsLoaded(true),
        () => undefined, // the stored values stay, and saving says what is wrong
      );
    return () => {
      isMounted = false;
    };
  }, [collection, hasFormulas]);
  return useMemo(
    () => (hasFormulas && isLoaded ? computedOf(collection, base, texts) : (base ?? {})),
    [hasFormulas, isLoaded, collection, base, texts],
  );
}

/** A text that is wrong counts as no value. */
function computedOf(collection: Collection, base: RecordValues | undefined, texts: Texts): RecordValues {
  const typed = base ? typedTexts(collection, base, texts) : texts;
  const fields = collection.fields.filter(({ name, computed }) => computed === undefined && typed[name] !== undefined);
  const input = Object.fromEntries(fields.map((field) => [field.name, textToValidate(field, typed[field.name] ?? "")]));
  const { record: valid, ...refused } = validateRecord(collection, input, { from: "text", partial: true });
  const none = Object.fromEntries(fields.map(({ name }) => [name, null]));
  const record = { ...base, ...none, ...(valid ?? ("valid" in refused ? refused.valid : {})) };
  setComputed(collection, record, dayIn(collection.timeZone ?? "UTC", Date.now()));
  return record;
}

interface ComputedFieldProps {
  field: Field;
  record: RecordValues;
  problem: string | undefined;
  wide: boolean;
}

export function ComputedField({ field, record, problem, wide }: ComputedFieldProps) {
  const id = useFieldId()(field.name);
  const text = textOf(field, fieldValue(record, field));
  return (
    <div className={wide ? `${formStyles.field} ${formStyles.wide}` : formStyles.field} data-field={field.name}>
      <div className={formStyles.head}>
        <label htmlFor={id}>{field.title}</label>
      </div>
      {/* It changes with each key, which nobody wants to hear. */}
      <output id={id} className={formStyles.computed} tabIndex={-1} dir="auto" aria-live="off" aria-describedby={`${id}-hint`}>
        {displayText(field, text)}
      </output>
      <span className={formStyles.hints} id={`${id}-hint`}>
        {problem && <span className={textStyles.error}>{problem}</span>}
        <span className={textStyles.hint}>{[t("Is computed."), field.description].filter(Boolean).join(" ")}</span>
      </span>
    </div>
  );
}
