// Shows the values of a column that are most likely one in several spellings, and what each becomes.

import { t } from "../../../core/i18n/translate.ts";
import { MOST_SPELLINGS, type Spellings } from "../../../pipeline/inspection/spellings.ts";
import type { SpellingRule } from "../../../pipeline/model/column-rules.ts";
import * as formStyles from "../../ui/form.module.css";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { count } from "../../values/format.ts";
import * as styles from "./columns.module.css";

interface SpellingGroupsProps {
  /** Is undefined while the file is read. */
  groups: readonly Spellings[] | undefined;
  /** One for each group. */
  chosen: readonly SpellingRule[];
  onChange: (chosen: readonly SpellingRule[]) => void;
}

export function SpellingGroups({ groups, chosen, onChange }: SpellingGroupsProps) {
  if (!groups) return <p role="status">{t("The file is still being read.")}</p>;
  if (groups.length === 0) return <p role="status">{t("No two values of this column look like one.")}</p>;
  const change = (at: number, next: Partial<SpellingRule>) => onChange(chosen.map((one, i) => (i === at ? { ...one, ...next } : one)));
  return (
    <div className={styles.spellings}>
      {groups.map(({ texts }, i) => {
        const { from = [], to = "" } = chosen[i] ?? {};
        return (
          <fieldset key={texts[0]?.text}>
            <legend>
              <bdi>{texts[0]?.text}</bdi>
            </legend>
            {texts.map(({ text, rows, isSure }) => (
              <label key={text} className={formStyles.choice}>
                <input
                  type="checkbox"
                  checked={from.includes(text)}
                  onChange={({ target }) => change(i, { from: target.checked ? [...from, text] : from.filter((one) => one !== text) })}
                />
                <span>
                  <bdi>{text}</bdi>{" "}
                  <span className={textStyles.dim}>
                    {count(rows, "{n} row", "{n} rows")}
                    {!isSure && ` · ${t("perhaps")}`}
                  </span>
                </span>
              </label>
            ))}
            <TextField id={`spelling-${i}`} label={t("Becomes")} value={to} onChange={(to) => change(i, { to })} />
          </fieldset>
        );
      })}
      {groups.length === MOST_SPELLINGS && <p>{t("There are more. They are shown once these are united.")}</p>}
    </div>
  );
}

/** Proposes that what differs in case, accents, spaces or punctuation alone becomes the commonest spelling. */
export function proposedSpellings(groups: readonly Spellings[] = []): SpellingRule[] {
  return groups.map(({ texts }) => ({
    from: texts.flatMap(({ text, isSure }) => (isSure ? text : [])),
    to: texts[0]?.text ?? "",
  }));
}

/** Returns the spellings that change something. */
export function changingSpellings(chosen: readonly SpellingRule[]): SpellingRule[] {
  return chosen.flatMap(({ from, to }) => {
    const meant = to.trim();
    const others = from.filter((text) => text !== meant);
    return others.length > 0 ? { from: others, to: meant } : [];
  });
}
