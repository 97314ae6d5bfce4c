// Edits what the values of one field must be: required, unique, and within bounds.

import { KIND_TRAITS, type Kind } from "../../../core/dictionary/kinds.ts";
import type { PackageField } from "../../../core/dictionary/packages.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as formStyles from "../../ui/form.module.css";
import { TextField } from "../../ui/text-field.tsx";
import * as styles from "./dictionary-editor.module.css";
import { type Constraints, choicesOf, constraintsOf } from "./field-kinds.ts";
import { orNothing, withWords } from "./package-edits.ts";

export function FieldConstraints({ field, onChange }: { field: PackageField; onChange: (constraints: Constraints | undefined) => void }) {
  const constraints = constraintsOf(field);
  const kind = (field.type ?? "string") as Kind;
  const { isText, isList, order } = KIND_TRAITS[kind];
  const set = (name: keyof Constraints, value: unknown) =>
    onChange(
      orNothing(
        withWords(constraints, {
          [name]: value || value === 0 ? value : undefined,
          ...(name === "unique" && !value && { caseless: undefined }),
        }),
      ) as Constraints,
    );
  const bound = (name: "minLength" | "maxLength" | "minimum" | "maximum", label: string) => (
    <TextField
      id={`field-${name}`}
      label={label}
      dir="ltr"
      inputMode={KIND_TRAITS[kind].isTime ? "text" : "numeric"}
      placeholder={KIND_TRAITS[kind].isTime ? KIND_TRAITS[kind].example : undefined}
      value={String(constraints[name] ?? "")}
      onChange={(text) => set(name, isNumber(name, text) && !KIND_TRAITS[kind].isTime ? Number(text) : text)}
    />
  );
  const hasList = choicesOf(field).length > 0;
  return (
    <>
      <div>
        {(isList ? (["required"] as const) : (["required", "unique"] as const)).map((name) => (
          <label key={name} className={formStyles.choice}>
            <input type="checkbox" checked={constraints[name] ?? false} onChange={({ target }) => set(name, target.checked)} />
            <span>{name === "required" ? t("Required") : t("Unique: no two records have the same value")}</span>
          </label>
        ))}
        {constraints.unique && isText && (
          <label className={formStyles.choice}>
            <input type="checkbox" checked={constraints.caseless ?? false} onChange={({ target }) => set("caseless", target.checked)} />
            <span>{t("Whatever the case: Ben@x.org and ben@x.org are the same")}</span>
          </label>
        )}
      </div>
      {isList && (
        <div className={styles.pair}>
          {bound("minLength", t("Fewest values"))}
          {bound("maxLength", t("Most values"))}
        </div>
      )}
      {!hasList && (isText || order) && (
        <div className={styles.pair}>
          {isText ? bound("minLength", t("Fewest characters")) : bound("minimum", t("Least value"))}
          {isText ? bound("maxLength", t("Most characters")) : bound("maximum", t("Greatest value"))}
        </div>
      )}
    </>
  );
}

/** Says whether a text goes into the draft as a number. It stays a text, as a dictionary may have it, where its number is written otherwise: 0.0 on the way to 0.05, and more digits than a number keeps. */
function isNumber(name: keyof Constraints, text: string): boolean {
  if (name === "minLength" || name === "maxLength") return /^\d+$/.test(text);
  return Number.isFinite(Number(text)) && String(Number(text)) === text;
}
