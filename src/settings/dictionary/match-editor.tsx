// Edits how a draft's records are compared to find those that are stored twice.

import { useId, useState } from "react";
import type { Comparer } from "../../../core/contract/duplicates.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { comparersFor } from "../../../core/dictionary/match.ts";
import type { Package, PackageResource } from "../../../core/dictionary/packages.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { formatNumber } from "../../values/format.ts";
import { readTypedNumber } from "../../values/typed-numbers.ts";
import * as styles from "./dictionary-editor.module.css";
import {
  type ComparisonWords,
  comparedFields,
  type DraftedComparison,
  type DraftedMatch,
  enoughTogether,
  matchOf,
  proposeMatch,
  setMatch,
  withComparison,
} from "./match-edits.ts";
import { titleOf, withWords } from "./package-edits.ts";

interface MatchEditorProps {
  resource: PackageResource;
  at: number;
  change: (edit: (all: Package) => Package) => void;
}

const WAYS: Record<Comparer, string> = {
  exact: message("exactly as stored"),
  name: message("as a name"),
  phone: message("as a phone number"),
  email: message("as an e-mail address"),
  letters: message("but for a letter or two"),
  date: message("as a date"),
};

export function MatchEditor({ resource, at, change }: MatchEditorProps) {
  const match = matchOf(resource);
  const fields = comparedFields(resource);
  const set = (next: DraftedMatch | undefined) => change((all) => setMatch(all, at, next));
  const proposed = match ? undefined : proposeMatch(resource);
  const add = () => {
    const [first] = fields.filter(({ name }) => !match?.comparisons.some((one) => one.fields.includes(name)));
    const field = first ?? fields[0];
    if (!field) return;
    const comparison = { fields: [field.name], as: usualWay(field), weight: 5 };
    set(match ? { ...match, comparisons: [...match.comparisons, comparison] } : { comparisons: [comparison], same: 5, maybe: 5 });
    focusOn(`[data-comparison="${match?.comparisons.length ?? 0}"] :is(select, input)`);
  };
  const remove = (place: number) => {
    const left = match?.comparisons.filter((_, i) => i !== place) ?? [];
    set(match && left.length > 0 ? { ...match, comparisons: left } : undefined);
    focusOn("#add-comparison");
  };
  return (
    <div className={styles.rules}>
      <p className={textStyles.note}>
        {match
          ? t("Values that are alike give points. Once the draft is applied, duplicates are looked for anew.")
          : t("Duplicates of this collection are not looked for. They are found by comparing fields.")}
      </p>
      {match && (
        <ol className={styles.matches} aria-label={t("Comparisons")}>
          {match.comparisons.map((one, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a comparison has no name, and nothing of its row is kept
            <li key={place} data-comparison={place}>
              <ComparisonRow
                comparison={one}
                resource={resource}
                fields={fields}
                onChange={(words) => set(withComparison(match, place, words))}
                onRemove={() => remove(place)}
              />
            </li>
          ))}
        </ol>
      )}
      <div className={formStyles.choice}>
        {proposed && (
          <button type="button" className={buttonStyles.primary} onClick={() => set(proposed)}>
            {t("Propose comparisons")}
          </button>
        )}
        <button type="button" id="add-comparison" disabled={fields.length === 0} onClick={add}>
          {t("Add comparison")}
        </button>
      </div>
      {match && <Thresholds match={match} resource={resource} onChange={set} />}
    </div>
  );
}

function focusOn(selector: string): void {
  setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus());
}

/** Returns the way that the kind of the field suggests. */
function usualWay(field: Field): Comparer {
  const ways = comparersFor(field);
  const { format = "" } = field;
  return ways.find((way) => way === format) ?? ways.find((way) => way === "date") ?? "exact";
}

interface ComparisonRowProps {
  comparison: DraftedComparison;
  resource: PackageResource;
  fields: readonly Field[];
  onChange: (words: ComparisonWords) => void;
  onRemove: () => void;
}

function ComparisonRow({ comparison, resource, fields, onChange, onRemove }: ComparisonRowProps) {
  const id = useId();
  const [name = ""] = comparison.fields;
  const field = fields.find((one) => one.name === name);
  const isName = comparison.as === "name";
  const title = titlesOf(comparison, resource);
  return (
    <fieldset>
      <legend className={textStyles.hidden}>{title}</legend>
      {isName ? (
        <NameFields {...{ comparison, resource, onChange }} />
      ) : (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-field`}>{t("Field")}</label>
          <select id={`${id}-field`} value={name} onChange={({ target }) => onChange(chosen(fields, target.value, comparison.as))}>
            {!field && <option value={name}>{name}</option>}
            {fields.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        </div>
      )}
      <div className={formStyles.field}>
        <label htmlFor={`${id}-as`}>{t("Compared")}</label>
        <select id={`${id}-as`} value={comparison.as} onChange={({ target }) => onChange({ as: target.value as Comparer })}>
          {(field ? comparersFor(field) : [comparison.as]).map((way) => (
            <option key={way} value={way}>
              {t(WAYS[way])}
            </option>
          ))}
        </select>
      </div>
      <NumberInput label={t("Points if alike")} value={comparison.weight} onChange={(weight) => onChange({ weight })} />
      <NumberInput label={t("Points off if different")} value={comparison.unlike} onChange={(unlike) => onChange({ unlike })} />
      {comparison.as === "letters" && (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-letters`}>{t("Wrong letters at most")}</label>
          <select
            id={`${id}-letters`}
            value={comparison.letters ?? 1}
            onChange={({ target }) => onChange({ letters: target.value === "2" ? 2 : undefined })}
          >
            <option>1</option>
            <option>2</option>
          </select>
        </div>
      )}
      {comparison.as === "date" && (
        <NumberInput label={t("Days apart at most")} value={comparison.days} onChange={(days) => onChange({ days })} />
      )}
      <button type="button" className={buttonStyles.quiet} aria-label={t("Remove {what}", { what: title })} onClick={onRemove}>
        {t("Remove")}
      </button>
    </fieldset>
  );
}

/** Another field keeps the way, where it can be compared so. */
function chosen(fields: readonly Field[], name: string, as: Comparer): ComparisonWords {
  const field = fields.find((one) => one.name === name);
  return { fields: [name], ...(field && !comparersFor(field).includes(as) && { as: usualWay(field) }) };
}

/** Edits the fields that make a name together, to be ticked in their order. */
function NameFields({ comparison, resource, onChange }: Pick<ComparisonRowProps, "comparison" | "resource" | "onChange">) {
  const { fields } = comparison;
  return (
    <div className={formStyles.field}>
      <b>{t("Fields")}</b>
      <details className={styles.names}>
        <summary>{titlesOf(comparison, resource)}</summary>
        {comparedFields(resource, "name").map(({ name, title }) => (
          <label key={name} className={formStyles.choice}>
            <input
              type="checkbox"
              checked={fields.includes(name)}
              disabled={fields.length === 1 && fields.includes(name)}
              onChange={({ target }) => onChange({ fields: target.checked ? [...fields, name] : fields.filter((one) => one !== name) })}
            />
            <span>{title}</span>
          </label>
        ))}
      </details>
    </div>
  );
}

function titlesOf({ fields }: DraftedComparison, { schema }: PackageResource): string {
  return fields.map((name) => titleOf(schema.fields.find((one) => one.name === name) ?? { name })).join(" + ");
}

interface NumberInputProps {
  label: string;
  value: number | string | undefined;
  hint?: string;
  onChange: (value: number | string | undefined) => void;
}

/** Edits a number as the reader writes it. What is none goes into the draft as it is typed, and the review refuses it. */
function NumberInput({ label, value, hint, onChange }: NumberInputProps) {
  const [typed, setTyped] = useState<string>();
  const shown = typeof value === "number" ? formatNumber(value) : (value ?? "");
  return (
    <TextField
      id={useId()}
      label={label}
      dir="ltr"
      inputMode="decimal"
      value={typed ?? shown}
      onBlur={() => setTyped(undefined)}
      onChange={(text) => {
        setTyped(text);
        const number = readTypedNumber(text);
        onChange(text.trim() === "" ? undefined : number === undefined ? text : Number(number));
      }}
      {...(hint !== undefined && { hint })}
    />
  );
}

const MOST_LISTED = 6;

function Thresholds({
  match,
  resource,
  onChange,
}: {
  match: DraftedMatch;
  resource: PackageResource;
  onChange: (next: DraftedMatch) => void;
}) {
  const together = (points: number | string | undefined) => {
    const sets = enoughTogether(match, points);
    const words = sets
      .slice(0, MOST_LISTED)
      .map((places) => places.map((i) => titlesOf(match.comparisons[i] as DraftedComparison, resource)).join(" & "));
    const list = [...words, ...(sets.length > MOST_LISTED ? ["…"] : [])].join("; ");
    return list === "" ? t("No values are enough for that.") : t("This is enough: {list}", { list });
  };
  return (
    <div className={styles.pair}>
      <NumberInput
        label={t("The same from so many points")}
        value={match.same}
        hint={together(match.same)}
        onChange={(same) => onChange(withWords(match, { same }))}
      />
      <NumberInput
        label={t("Perhaps the same from so many points")}
        value={match.maybe}
        hint={together(match.maybe)}
        onChange={(maybe) => onChange(withWords(match, { maybe }))}
      />
    </div>
  );
}
