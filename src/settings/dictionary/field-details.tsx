// Edits what few fields need: other headings, an example, digits behind the point, a pattern, the end of a parent.

import { useState } from "react";
import { MOST_DECIMALS } from "../../../core/dictionary/decimals.ts";
import type { PackageField, PackageKey } from "../../../core/dictionary/packages.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import * as formStyles from "../../ui/form.module.css";
import { TextField } from "../../ui/text-field.tsx";
import * as styles from "./dictionary-editor.module.css";
import { choicesOf, constraintsOf, sortOf } from "./field-kinds.ts";
import { orNothing, type Words, withWords } from "./package-edits.ts";

interface FieldDetailsProps {
  field: PackageField;
  /** The foreign key by which the field refers. */
  reference: PackageKey | undefined;
  onChange: (words: Words) => void;
  onKey: (words: Words) => void;
}

const ON_DELETE: Readonly<Record<string, string>> = {
  restrict: message("It cannot be deleted"),
  cascade: message("This record is deleted with it"),
  clear: message("This field loses its value"),
};

export function FieldDetails({ field, reference, onChange, onKey }: FieldDetailsProps) {
  const sort = sortOf(field, reference !== undefined);
  const constraints = constraintsOf(field);
  const isText = sort === "text" || sort === "multiline";
  const setPattern = (pattern: string) => onChange({ constraints: orNothing(withWords(constraints, { pattern })) });
  return (
    <details className={styles.conditions}>
      <summary>{t("More")}</summary>
      <Headings field={field} onChange={(aliases) => onChange({ aliases })} />
      {sort !== "file" && sort !== "files" && sort !== "person" && (
        <TextField
          id="field-example"
          label={t("Example")}
          dir="auto"
          value={String(field.example ?? "")}
          hint={t("Stands in templates, and in what says how a value is written.")}
          onChange={(example) => onChange({ example })}
        />
      )}
      {sort === "decimal" && <Decimals field={field} onChange={(decimals) => onChange({ decimals })} />}
      {isText && choicesOf(field).length === 0 && (
        <TextField
          id="field-pattern"
          label={t("Pattern of the value")}
          dir="ltr"
          spellCheck={false}
          value={constraints.pattern ?? ""}
          error={isPattern(constraints.pattern) ? undefined : t("This is no regular expression.")}
          hint={t("A regular expression for all of it, such as [A-Z]{2}[0-9]+.")}
          onChange={setPattern}
        />
      )}
      {reference && (
        <div className={formStyles.field}>
          <label htmlFor="field-on-delete">{t("When the record that it refers to is deleted")}</label>
          <select
            id="field-on-delete"
            value={String(reference.onDelete ?? "restrict")}
            onChange={({ target }) => onKey({ onDelete: target.value === "restrict" ? undefined : target.value })}
          >
            {Object.entries(ON_DELETE).map(([name, words]) => (
              <option key={name} value={name} disabled={name === "clear" && constraints.required === true}>
                {t(words)}
              </option>
            ))}
          </select>
        </div>
      )}
    </details>
  );
}

function isPattern(pattern = ""): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

/** A heading may hold every sign but a line break, so each has a line. */
function Headings({ field, onChange }: { field: PackageField; onChange: (aliases: readonly string[] | undefined) => void }) {
  const [text, setText] = useState((Array.isArray(field.aliases) ? field.aliases : []).join("\n"));
  return (
    <div className={formStyles.field}>
      <label htmlFor="field-aliases">{t("Other headings in files, one a line")}</label>
      <textarea
        id="field-aliases"
        rows={2}
        dir="auto"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          const aliases = new Set(target.value.split("\n").map((line) => line.trim()));
          aliases.delete("");
          onChange(aliases.size > 0 ? [...aliases] : undefined);
        }}
      />
    </div>
  );
}

/** A text that is no number of digits stays in the input and does not go into the draft. */
function Decimals({ field, onChange }: { field: PackageField; onChange: (decimals: number) => void }) {
  const [text, setText] = useState(String(field.decimals));
  const isCount = (typed: string) => /^\d{1,2}$/.test(typed) && Number(typed) <= MOST_DECIMALS;
  return (
    <TextField
      id="field-decimals"
      label={t("Digits behind the point")}
      dir="ltr"
      inputMode="numeric"
      value={text}
      error={isCount(text) ? undefined : t("Type a number from 0 to {most}.", { most: MOST_DECIMALS })}
      onChange={(typed) => {
        setText(typed);
        if (isCount(typed)) onChange(Number(typed));
      }}
    />
  );
}
