import { useId } from "react";
import { OPERATIONS, SOURCE_TYPES } from "../../core/contract/history.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { t } from "../../core/i18n/translate.ts";
import { compareNames } from "../../core/text/compare-names.ts";
import { useDictionary } from "../app/services/services.ts";
import * as buttonStyles from "../ui/button.module.css";
import * as formStyles from "../ui/form.module.css";
import { nameOfPrincipal, OPERATION_WORDS, SOURCE_NAMES } from "../values/change-words.ts";
import { DayInput } from "../values/date-input.tsx";
import * as styles from "./activity-page.module.css";
import { type ActivityState, isFiltered } from "./activity-url.ts";

interface ActivityFiltersProps {
  state: ActivityState;
  go: (change: ActivityState) => void;
  /** Names who stands in the list that is shown. */
  seen: readonly Principal[];
}

export function ActivityFilters({ state, go, seen }: ActivityFiltersProps) {
  const { collections } = useDictionary();
  const people = new Map(seen.map((who) => [who.id, nameOfPrincipal(who)]));
  if (state.by && !people.has(state.by)) people.set(state.by, state.by);
  const byName = [...people].sort(([, a], [, b]) => compareNames(a, b));
  const fields = [
    { name: "by", label: t("Who"), all: t("Everybody"), options: byName },
    { name: "operation", label: t("What"), all: t("Every change"), options: OPERATIONS.map((one) => [one, t(OPERATION_WORDS[one])]) },
    { name: "source", label: t("How"), all: t("Every way"), options: SOURCE_TYPES.map((one) => [one, t(SOURCE_NAMES[one])]) },
    { name: "collection", label: t("Where"), all: t("Everywhere"), options: collections.map(({ name, title }) => [name, title]) },
  ] as const;
  const isLeftOut = (name: string, most: number) => (name === "collection" ? most < 2 : state.show && name !== "by");
  return (
    <search className={styles.filters} aria-label={t("Filter")}>
      {fields.map(({ name, label, all, options }) =>
        isLeftOut(name, options.length) ? null : (
          <Choice key={name} label={label} all={all} options={options} value={state[name]} onChange={(value) => go({ [name]: value })} />
        ),
      )}
      <Day label={t("From")} value={state.from} onChange={(from) => go({ from })} />
      <Day label={t("To")} value={state.to} onChange={(to) => go({ to })} />
      {isFiltered(state) && (
        <button type="button" className={buttonStyles.quiet} onClick={() => go(NO_FILTERS)}>
          {t("Clear filters")}
        </button>
      )}
    </search>
  );
}

const NO_FILTERS: ActivityState = {
  by: undefined,
  source: undefined,
  operation: undefined,
  collection: undefined,
  from: undefined,
  to: undefined,
  run: undefined,
  write: undefined,
};

interface ChoiceProps {
  label: string;
  all: string;
  options: readonly (readonly string[])[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, all, options, value = "", onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value || undefined)}>
        <option value="">{all}</option>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Day({ label, value = "", onChange }: { label: string; value: string | undefined; onChange: (day: string | undefined) => void }) {
  const id = useId();
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>{label}</label>
      <DayInput id={id} day={value} onDay={(day) => onChange(day || undefined)} />
    </div>
  );
}
