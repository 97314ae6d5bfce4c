// Edits what other fields make of a field of a draft: asked for, needed, one of some values, and its first value.

import { useState } from "react";
import { typeOfField } from "../../../core/dictionary/expression-values.ts";
import { compileExpression, TYPE_NAMES, type WrongExpression } from "../../../core/dictionary/expressions.ts";
import { type Field, isObject } from "../../../core/dictionary/fields.ts";
import type { PackageField, PackageResource } from "../../../core/dictionary/packages.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as textStyles from "../../ui/text.module.css";
import * as styles from "./dictionary-editor.module.css";
import { ExpressionInput } from "./expression-input.tsx";
import { choicesOf } from "./field-kinds.ts";
import { fieldsOf } from "./rule-fields.ts";

interface FieldConditionsProps {
  resource: PackageResource;
  field: PackageField;
  onChange: (words: Readonly<Record<string, unknown>>) => void;
}

const WORDS = ["visibleIf", "requiredIf", "default", "sticky", "choicesIf", "computed"];

export function FieldConditions({ resource, field, onChange }: FieldConditionsProps) {
  const fields = fieldsOf(resource);
  const own = fields.find(({ name }) => name === field.name);
  const others = fields.filter(({ name }) => name !== field.name);
  const input = (name: "visibleIf" | "requiredIf" | "default" | "computed") => ({
    id: `field-${name}`,
    value: String(field[name] ?? ""),
    fields: others,
    onChange: (value: string) => onChange({ [name]: value }),
  });
  const ofValue = (source: string) => own && mistakeInValue(source, others, own);
  const isReference = resource.schema.foreignKeys?.some((key) => [key.fields].flat()[0] === field.name);
  /** What is computed is neither asked for nor begun with; what the draft has of that all the same can be taken out. */
  const has = (word: string) => field.computed === undefined || field[word] !== undefined;
  return (
    <details className={styles.conditions} open={WORDS.some((word) => field[word] !== undefined) || undefined}>
      <summary>{t("Depends on other fields")}</summary>
      <ExpressionInput
        {...input("visibleIf")}
        label={field.computed === undefined ? t("Asked for only where") : t("Shown only where")}
        hint={t('An expression such as contract == "temp". Where it is not true, the field is not needed, and a value that it has stays.')}
      />
      {has("requiredIf") && <ExpressionInput {...input("requiredIf")} label={t("Needed where")} />}
      {has("default") && !isReference && (
        <ExpressionInput
          {...input("default")}
          label={t("A new record begins with")}
          mistakeIn={ofValue}
          hint={t("A value or an expression: a text in quotes, a number, today.")}
        />
      )}
      {has("sticky") && (
        <label className={formStyles.choice}>
          <input
            type="checkbox"
            checked={field.sticky === true}
            onChange={({ target }) => onChange({ sticky: target.checked ? true : undefined })}
          />
          <span>{t("The form begins with what the same person stored last")}</span>
        </label>
      )}
      {has("choicesIf") && !isReference && field.type !== "list" && field.type !== "boolean" && (
        <ChoicesIf field={field} fields={others} onChange={(choicesIf) => onChange({ choicesIf })} />
      )}
      {!isReference && (
        <ExpressionInput
          {...input("computed")}
          label={t("Computed")}
          mistakeIn={ofValue}
          hint={t("An expression such as net + tax. Its result is stored, and nobody types it.")}
        />
      )}
    </details>
  );
}

/** Returns what keeps an expression from being a value of the field. A date may be written as a text. */
export function mistakeInValue(source: string, fields: readonly Field[], field: Field): WrongExpression | undefined {
  const compiled = compileExpression(source, fields);
  if (compiled.status === "wrong") return compiled;
  const wanted = typeOfField(field);
  if (compiled.type === wanted || compiled.type === "null" || (compiled.type === "text" && source.trim().startsWith('"'))) return undefined;
  const text = message("must give {one}, and this is {other}");
  return { status: "wrong", text, values: { one: TYPE_NAMES[wanted], other: TYPE_NAMES[compiled.type] }, message: text, at: 1 };
}

interface Choices {
  when: string;
  values: readonly unknown[];
}

/** What was written by hand may have another shape: then a condition is empty, and a list has no values. */
export function choicesIfOf({ choicesIf }: PackageField): Choices[] {
  return (Array.isArray(choicesIf) ? choicesIf.filter(isObject) : []).map(({ when, values, ...more }) => ({
    ...more,
    when: typeof when === "string" ? when : "",
    values: Array.isArray(values) ? values : [],
  }));
}

interface ChoicesIfProps {
  field: PackageField;
  fields: readonly Field[];
  onChange: (choicesIf: readonly Choices[] | undefined) => void;
}

/** Which values of the list are offered depends on others: one part for each condition. */
function ChoicesIf({ field, fields, onChange }: ChoicesIfProps) {
  const parts = choicesIfOf(field);
  const all = choicesOf(field);
  const set = (next: readonly Choices[]) => onChange(next.length > 0 ? next : undefined);
  const setPart = (at: number, words: Partial<Choices>) => set(parts.map((one, i) => (i === at ? { ...one, ...words } : one)));
  return (
    <fieldset className={styles.choices}>
      <legend>{t("Only some values where")}</legend>
      {parts.map(({ when, values }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place while it is typed
        <div key={at} className={styles.part}>
          <ExpressionInput
            id={`choices-${at}`}
            label={t("Where ({n})", { n: at + 1 })}
            value={when}
            fields={fields}
            onChange={(next) => setPart(at, { when: next })}
          />
          {all.length === 0 && <OpenValues n={at + 1} field={field} values={values} onChange={(next) => setPart(at, { values: next })} />}
          {all.map(({ value, label }) => (
            <label key={String(value)} className={formStyles.choice}>
              <input
                type="checkbox"
                checked={values.includes(value)}
                onChange={({ target }) =>
                  setPart(at, { values: target.checked ? [...values, value] : values.filter((one) => one !== value) })
                }
              />
              <span>{label}</span>
            </label>
          ))}
          {values.length === 0 && (
            <span className={textStyles.error}>{all.length > 0 ? t("Tick at least one value.") : t("Type at least one value.")}</span>
          )}
          <button type="button" className={buttonStyles.quiet} onClick={() => set(parts.filter((_, i) => i !== at))}>
            {t("Remove this list")}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => set([...parts, { when: "", values: [] }])}>
        {t("Add a list")}
      </button>
    </fieldset>
  );
}

interface OpenValuesProps {
  n: number;
  field: PackageField;
  values: readonly unknown[];
  onChange: (values: readonly unknown[]) => void;
}

/**
 * Edits the values of a field that has no list of its own, one a line. Text that is no number is refused by the check of the draft, with
 * its place.
 */
function OpenValues({ n, field, values, onChange }: OpenValuesProps) {
  const [text, setText] = useState(() => values.join("\n")); // with the line that has just begun
  const isNumber = ["integer", "number", "year"].includes(String(field.type));
  const read = (line: string) => (isNumber && !Number.isNaN(Number(line)) ? Number(line) : line);
  const valuesIn = (typed: string) => [...new Set(typed.split("\n").flatMap((line) => (line.trim() === "" ? [] : read(line.trim()))))];
  return (
    <div className={formStyles.field}>
      <label htmlFor={`choices-${n}-values`}>{t("Values, one a line ({n})", { n })}</label>
      <textarea
        id={`choices-${n}-values`}
        rows={3}
        dir="auto"
        value={JSON.stringify(valuesIn(text)) === JSON.stringify(values) ? text : values.join("\n")}
        onChange={({ target }) => {
          setText(target.value);
          onChange(valuesIn(target.value));
        }}
      />
    </div>
  );
}
