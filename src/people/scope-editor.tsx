// A scope as check marks: a row for each collection, a column for each right, and shorthands for everything.

import { useState } from "react";
import { allows, includesWord, PROVISION, RIGHTS, type Right, SHAPE } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { scopesAlongDeletion } from "../../core/dictionary/deletion-rights.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { useDictionary } from "../app/services/services.ts";
import * as formStyles from "../ui/form.module.css";
import * as styles from "../ui/keys.module.css";
import * as textStyles from "../ui/text.module.css";
import { findLike } from "../values/find-like.ts";
import { count } from "../values/format.ts";
import { FindInput, MANY } from "./find-input.tsx";
import * as peopleStyles from "./people-page.module.css";
import { scopeOf, wordsOf } from "./scope-text.ts";

const RIGHT_HEADS: Record<Right, string> = {
  read: message("Read"),
  create: message("Create"),
  update: message("Change"),
  delete: message("Delete"),
};

interface ScopeEditorProps {
  scope: string;
  onChange: (scope: string) => void;
  /** Says what the caller has: nobody gives more than that. */
  most: string;
  error?: string | undefined;
}

/** A right that another check mark includes is shown as checked and cannot be taken away by itself. */
export function ScopeEditor({ scope, onChange, most, error }: ScopeEditorProps) {
  const { collections } = useDictionary();
  const words = wordsOf(scope);
  function toggle(word: string): void {
    const next = new Set(words);
    if (!next.delete(word)) next.add(word);
    onChange(scopeOf(next));
  }
  const hasOwn = ({ name }: Collection) => RIGHTS.some((right) => words.has(`${name}:${right}`));
  const [first] = useState(() => collections.filter(hasOwn));
  const all = { name: "*", title: t("All records") };
  const table = { scope, words, most, onToggle: toggle };
  const incomplete = collections.flatMap((collection) => {
    const along = allows(scope, `${collection.name}:delete`) ? scopesAlongDeletion(collection, collections) : [];
    const missing = along.filter((one) => !allows(scope, one));
    return missing.length > 0 ? [{ ...collection, missing }] : [];
  });
  const duties = [
    { word: SHAPE, title: t("Data dictionary"), hint: t("Change collections, their fields and rules.") },
    { word: PROVISION, title: t("Directory"), hint: t("Enter people and give them roles by SCIM, but none that administers.") },
  ] as const;
  return (
    <fieldset className={formStyles.field} aria-describedby={error && "scope-error"}>
      <legend>{t("Rights")}</legend>
      {collections.length > MANY ? (
        <>
          <RightsTable rows={[all]} {...table} />
          <ManyCollections first={first} {...table} />
        </>
      ) : (
        <RightsTable rows={[all, ...collections]} {...table} />
      )}
      {incomplete.map(({ name, title, missing }) => (
        <p key={name} className={textStyles.hint}>
          {t("Deleting takes other records along. To delete in {collection}, this also needs: {rights}.", {
            collection: title,
            rights: missing.map((one) => wordTitle(one, collections)).join(", "),
          })}
        </p>
      ))}
      {duties.map(
        ({ word, title, hint }) =>
          allows(most, word) && (
            <div key={word}>
              <label className={formStyles.choice}>
                <input type="checkbox" checked={allows(scope, word)} disabled={allows(scope, "admin")} onChange={() => toggle(word)} />
                <span>
                  {title} <span className={textStyles.hint}>{hint}</span>
                </span>
              </label>
            </div>
          ),
      )}
      {allows(most, "admin") && (
        <div>
          <label className={formStyles.choice}>
            <input type="checkbox" checked={words.has("admin")} onChange={() => toggle("admin")} />
            <span>
              {t("Everything")} <span className={textStyles.hint}>{t("Also people, roles, API keys and backup.")}</span>
            </span>
          </label>
        </div>
      )}
      {error && (
        <span className={textStyles.error} id="scope-error" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}

interface RightsProps {
  scope: string;
  /** Holds the scope's words. */
  words: ReadonlySet<string>;
  most: string;
  onToggle: (word: string) => void;
}

/** Few need more than the rights for all records, so that these are folded. `first`: those with rights of their own. */
function ManyCollections({ first, ...table }: RightsProps & { first: readonly Collection[] }) {
  const { collections } = useDictionary();
  const [sought, setSought] = useState("");
  const inOrder = [...first, ...collections.filter((one) => !first.includes(one))];
  const found = findLike(sought.trim(), inOrder, ({ title }) => title);
  return (
    <details open={first.length > 0}>
      <summary>{t("Rights for single collections")}</summary>
      <div className={peopleStyles.box}>
        <FindInput
          label={t("Find collections")}
          sought={sought}
          onSought={setSought}
          found={sought === "" ? "" : count(found.length, "{n} collection", "{n} collections")}
        />
        <div className={peopleStyles.many}>
          <RightsTable rows={found} {...table} />
        </div>
      </div>
    </details>
  );
}

function RightsTable({ rows, scope, words, most, onToggle }: RightsProps & { rows: readonly { name: string; title: string }[] }) {
  return (
    <table className={styles.rights} aria-label={t("Rights")}>
      <thead>
        <tr>
          <th>
            <span className={textStyles.hidden}>{t("Records")}</span>
          </th>
          {RIGHTS.map((right) => (
            <th key={right}>{t(RIGHT_HEADS[right])}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, title }) => (
          <tr key={name}>
            <th scope="row">{title}</th>
            {RIGHTS.map((right) => {
              const word = `${name}:${right}`;
              const isIncluded = allows(scope, "admin") || (name !== "*" && includesWord(scope, `*:${right}`));
              return (
                <td key={right}>
                  <input
                    type="checkbox"
                    aria-label={`${title}: ${t(RIGHT_HEADS[right])}`}
                    checked={isIncluded || words.has(word)}
                    disabled={isIncluded || !includesWord(most, word)}
                    onChange={() => onToggle(word)}
                  />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Writes a right of one collection in the words of the table, such as "Contacts: Delete". */
function wordTitle(word: string, collections: readonly { name: string; title: string }[]): string {
  const [name, right] = word.split(":") as [string, Right];
  return `${collections.find((one) => one.name === name)?.title ?? name}: ${t(RIGHT_HEADS[right])}`;
}
