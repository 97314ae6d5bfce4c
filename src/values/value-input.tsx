// One value of a field outside a form: for a filter or a bulk change.

import type { Principal } from "../../core/contract/principals.ts";
import { labelOf } from "../../core/dictionary/categories.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { SERVICE_PRINCIPALS } from "../../core/dictionary/filters.ts";
import { KIND_TRAITS, textOfValue } from "../../core/dictionary/kinds.ts";
import { t } from "../../core/i18n/translate.ts";
import * as textStyles from "../ui/text.module.css";
import { DateInput } from "./date-input.tsx";
import { KEYBOARDS } from "./input-attributes.ts";
import { PrincipalInput } from "./principal-input.tsx";
import { pickerOf } from "./typed-values.ts";
import { Understood } from "./understood.tsx";

interface ValueInputProps {
  field: Field;
  /** Lists, for who created or changed a record, those whose names are known. */
  seen?: readonly Principal[];
  id: string;
  text: string;
  wrong?: string | undefined;
  /** Several values with commas between them: a text input, whatever the kind. */
  isList?: boolean;
  /** A part of a value, such as its beginning, is taken as it is typed. */
  isPart?: boolean;
  /** A whole value of a field of several lines, as in a change of many. A filter needs one line. */
  hasLines?: boolean;
  onText: (text: string) => void;
}

export function ValueInput({
  field,
  seen = [],
  id,
  text,
  wrong,
  isList = false,
  isPart = false,
  hasLines = false,
  onText,
}: ValueInputProps) {
  const choices = choicesOf(field);
  const described = { "aria-invalid": wrong !== undefined, "aria-describedby": wrong ? `${id}-wrong` : undefined };
  return (
    <>
      {SERVICE_PRINCIPALS.includes(field) && !isList ? (
        <PrincipalInput id={id} text={text} seen={seen} onText={onText} {...described} />
      ) : choices && !isList ? (
        <select id={id} value={text} onChange={({ target }) => onText(target.value)} {...described}>
          <option value="">{t("Choose…")}</option>
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      ) : hasLines && field.format === "multiline" ? (
        <textarea id={id} rows={4} dir="auto" value={text} onChange={({ target }) => onText(target.value)} {...described} />
      ) : pickerOf(field) && !isList ? (
        <DateInput field={field} id={id} value={text} onChange={({ target }) => onText(target.value)} {...described} />
      ) : (
        <input
          id={id}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => onText(target.value)}
          {...KIND_TRAITS[isList ? "string" : field.kind].input}
          {...(field.format && { inputMode: KEYBOARDS[field.format] })}
          {...described}
        />
      )}
      {!isList && !isPart && <Understood field={field} text={text} id={id} />}
      {wrong && (
        <span className={textStyles.error} id={`${id}-wrong`} role="alert">
          {wrong}
        </span>
      )}
    </>
  );
}

function choicesOf(field: Field): [value: string, words: string][] | undefined {
  if (field.enum) return field.enum.map((value) => [textOfValue(field, value), labelOf(field, value)]);
  const { choices } = KIND_TRAITS[field.kind];
  return choices && Object.entries(choices).map(([value, words]) => [value, t(words)]);
}
