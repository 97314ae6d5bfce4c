// A scope as check marks: a row for each collection, a column for each right, and shorthands for everything.

import { allows, includesWord, RIGHTS, type Right } from "../../core/contract/scopes.ts";
import { scopesAlongDeletion } from "../../core/dictionary/deletion-rights.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { useDictionary } from "../app/services/services.ts";
import * as formStyles from "../ui/form.module.css";
import * as styles from "../ui/keys.module.css";
import * as textStyles from "../ui/text.module.css";
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
  const rows = [{ name: "*", title: t("All records") }, ...collections];
  const incomplete = collections.flatMap((collection) => {
    const along = allows(scope, `${collection.name}:delete`) ? scopesAlongDeletion(collection, collections) : [];
    const missing = along.filter((one) => !allows(scope, one));
    return missing.length > 0 ? [{ ...collection, missing }] : [];
  });
  return (
    <fieldset className={formStyles.field} aria-describedby={error && "scope-error"}>
      <legend>{t("Rights")}</legend>
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
                      onChange={() => toggle(word)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {incomplete.map(({ name, title, missing }) => (
        <p key={name} className={textStyles.hint}>
          {t("Deleting takes other records along. To delete in {collection}, this also needs: {rights}.", {
            collection: title,
            rights: missing.map((one) => wordTitle(one, collections)).join(", "),
          })}
        </p>
      ))}
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

/** A right of one collection in the words of the table, such as "Contacts: Delete". */
function wordTitle(word: string, collections: readonly { name: string; title: string }[]): string {
  const [name, right] = word.split(":") as [string, Right];
  return `${collections.find((one) => one.name === name)?.title ?? name}: ${t(RIGHT_HEADS[right])}`;
}
