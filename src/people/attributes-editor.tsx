// Edits the attributes of a person, with which conditions of roles compare fields.

import { useState } from "react";
import { ATTRIBUTE_NAME, type Attributes, type Role, type User } from "../../core/contract/people.ts";
import { t } from "../../core/i18n/translate.ts";
import * as formStyles from "../ui/form.module.css";
import * as textStyles from "../ui/text.module.css";
import { TextField } from "../ui/text-field.tsx";

/** Holds the values of each attribute, one a line. */
type Texts = Record<string, string>;

interface AttributesEditorProps {
  /** Holds the texts of `textsOf`. */
  texts: string;
  onChange: (texts: string) => void;
  user: User;
  /** Names of attributes that the person's roles ask for. */
  asked: readonly string[];
  error?: string | undefined;
}

export function AttributesEditor({ texts, onChange, user, asked, error }: AttributesEditorProps) {
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState<string>();
  const all = JSON.parse(texts) as Texts;
  const names = [...new Set([...Object.keys(all), ...asked, ...user.claimed])].sort();
  function add(): void {
    const isName = ATTRIBUTE_NAME.test(name.trim());
    setWrong(isName ? undefined : t("A name is a letter, then letters, digits and _."));
    if (!isName) return;
    onChange(JSON.stringify({ ...all, [name.trim()]: all[name.trim()] ?? "" }));
    setName("");
  }
  return (
    <fieldset className={formStyles.field} aria-describedby="attributes-hint">
      <legend>{t("Attributes")}</legend>
      <span className={textStyles.hint} id="attributes-hint">
        {t("Conditions of roles compare fields with them, such as the regions that a person looks after. Each line is a value.")}
      </span>
      {names.map((one) => {
        const isClaimed = user.claimed.includes(one);
        return (
          <div key={one} className={formStyles.field}>
            <label htmlFor={`attribute-${one}`}>{one}</label>
            <textarea
              id={`attribute-${one}`}
              rows={Math.min(4, (all[one] ?? "").split("\n").length)}
              readOnly={isClaimed}
              aria-describedby={isClaimed ? `attribute-${one}-hint` : undefined}
              value={all[one] ?? ""}
              onChange={({ target }) => onChange(JSON.stringify({ ...all, [one]: target.value }))}
            />
            {isClaimed && (
              <span className={textStyles.hint} id={`attribute-${one}-hint`}>
                {t("The organisation's own sign-in says this at each sign-in, so it is changed there.")}
              </span>
            )}
          </div>
        );
      })}
      <TextField
        id="new-attribute"
        label={t("New attribute")}
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={setName}
        error={wrong}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault(); // the form is not saved by it
          add();
        }}
      />
      <div>
        <button type="button" onClick={add}>
          {t("Add the attribute")}
        </button>
      </div>
      {error && (
        <span className={textStyles.error} role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}

/** Returns the attributes as they are typed. The same ones are the same text. */
export function textsOf(attributes: Attributes): string {
  return JSON.stringify(Object.fromEntries(Object.entries(attributes).map(([name, values]) => [name, values.join("\n")])));
}

/** Returns what the service is told of typed texts: the attributes that differ, and one that is gone without values. */
export function changedAttributes(texts: string, stored: Attributes): Attributes | undefined {
  const changed = Object.entries(JSON.parse(texts) as Texts).flatMap(([name, text]) => {
    const values = [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean);
    return values.join("\n") === (stored[name] ?? []).join("\n") ? [] : [[name, values] as const];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

/** Names of the attributes with which these roles compare fields. */
export function attributesOfRoles(roles: readonly Role[], ids: readonly string[]): string[] {
  const conditions = roles.filter(({ id }) => ids.includes(id)).map((role) => JSON.stringify(role.conditions ?? {}));
  return [...new Set([...conditions.join(" ").matchAll(/\{me\.([A-Za-z]\w*)\}/g)].map(([, name = ""]) => name))];
}
