// Counts and sums the list in groups: as bars that are a table at the same time. A press on a group shows its records.

import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useId, useState } from "react";
import { PERIODS, type Period } from "../../../core/contract/summaries.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Value } from "../../../core/dictionary/kinds.ts";
import { liesOnDays } from "../../../core/dictionary/relative-times.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { useCollection, useServices } from "../../app/services/services.ts";
import { summaryQuery } from "../../service/summaries.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as panelStyles from "../../ui/panel.module.css";
import { Notice } from "../../ui/primitives.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatDecimal, formatNumber } from "../../values/format.ts";
import { formatValue, isKey } from "../../values/format-value.ts";
import { useParents } from "../../values/references/use-parent.ts";
import { type ListParts, matchQuery, sortFields } from "../query/list-url.ts";
import { filtersOfGroup, titleOfPeriod } from "../query/summary-groups.ts";
import * as styles from "./summary-panel.module.css";

const PERIOD_WORDS: Record<Period, string> = {
  day: message("{title}, by day"),
  week: message("{title}, by week"),
  month: message("{title}, by month"),
  quarter: message("{title}, by quarter"),
  year: message("{title}, by year"),
};
const OF_AMOUNTS = { sum: message("Sum of {title}"), avg: message("Average of {title}") };

interface SummaryPanelProps extends ListParts {
  onDone: () => void;
}

export function SummaryPanel({ collection, state, go, onDone }: SummaryPanelProps) {
  const { client } = useServices();
  const id = useId();
  const fields = sortFields(collection).filter((field) => field !== collection.key && !field.masked && !field.item);
  const amounts = fields.filter((field) => KIND_TRAITS[field.kind].isAmount && !isKey(field));
  const [chosen, setChosen] = useState(() => firstGroup(fields));
  const [measure, setMeasure] = useState("count");
  const [name = "", period] = chosen.split(":") as [string?, Period?];
  const field = fields.find((one) => one.name === name);
  const parent = useCollection(field?.reference?.collection);
  const measured = amounts.find((one) => measure.endsWith(`:${one.name}`));
  const asked = { group: chosen, measure, sort: period ? chosen.replace(/:.*/, "") : `-${measure}` };
  const { data, error, isPlaceholderData } = useQuery(summaryQuery(client, collection, matchQuery(collection, state), asked, parent));
  // What was asked before is shown until the answer has come, but under its own heads.
  const groups = data?.groups.filter((group) => name in group && measure in group) ?? [];
  const parents = useParents(
    field?.reference,
    groups.map((group) => String(group[name] ?? "")),
  );
  if (!field) return <p className={textStyles.note}>{t("The collection has no field by which it could be grouped.")}</p>;
  const most = Math.max(0, ...groups.map((group) => Math.abs(Number(group[measure] ?? 0))));
  const show = (value: Value | null) => {
    go({ filters: filtersOfGroup(field, value, period, state.filters) });
    onDone();
  };
  return (
    <div className={panelStyles.content}>
      <div className={styles.choices}>
        <div className={formStyles.field}>
          <label htmlFor={`${id}-group`}>{t("In groups by")}</label>
          <select id={`${id}-group`} value={chosen} onChange={({ target }) => setChosen(target.value)}>
            {fields
              .flatMap((one) => choicesOf(one))
              .map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
          </select>
        </div>
        <div className={formStyles.field}>
          <label htmlFor={`${id}-measure`}>{t("Shown")}</label>
          <select id={`${id}-measure`} value={measure} onChange={({ target }) => setMeasure(target.value)}>
            <option value="count">{t("How many")}</option>
            {amounts.flatMap((one) =>
              Object.entries(OF_AMOUNTS).map(([of, words]) => (
                <option key={of + one.name} value={`${of}:${one.name}`}>
                  {t(words, { title: one.title })}
                </option>
              )),
            )}
          </select>
        </div>
      </div>
      {error && <Notice tone="wrong">{error.message}</Notice>}
      {data && !isPlaceholderData && groups.length === 0 && <p className={textStyles.note}>{t("There are no records.")}</p>}
      {groups.length > 0 && (
        <table className={styles.groups} aria-label={t("Summary")} aria-busy={isPlaceholderData}>
          <thead className={textStyles.hidden}>
            <tr>
              <th>{field.title}</th>
              <th>{t("Shown")}</th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => {
              const value = group[name] ?? null;
              const amount = group[measure] ?? null;
              const share = most === 0 ? 0 : Math.abs(Number(amount ?? 0)) / most;
              return (
                <tr key={JSON.stringify(value)} style={{ "--share": share } as CSSProperties}>
                  <th scope="row">
                    <button type="button" className={buttonStyles.link} dir="auto" onClick={() => show(value)}>
                      {nameOfGroup(field, value, period, parents)}
                    </button>
                  </th>
                  <td className={tableStyles.number}>{written(amount, measure, measured)}</td>
                </tr>
              );
            })}
          </tbody>
          {data && !measure.startsWith("avg") && (
            <tfoot>
              <tr>
                <th scope="row">{t("All together")}</th>
                <td className={tableStyles.number}>{written(data.total[measure] ?? null, measure, measured)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      )}
      {data?.next && (
        <p className={textStyles.note}>{t("There are more groups; these are the first {n}.", { n: formatNumber(groups.length) })}</p>
      )}
    </div>
  );
}

function nameOfGroup(field: Field, value: Value | null, period: Period | undefined, parents: ReadonlyMap<string, string>): string {
  if (value === null) return t("No value");
  if (period) return titleOfPeriod(String(value), period);
  return parents.get(String(value)) ?? formatValue(field, value);
}

/** A sum is written with all its digits, and an average with two more than its field has. */
function written(amount: Value | null, measure: string, field: Field | undefined): string {
  if (amount === null) return "–";
  if (!field) return formatNumber(Number(amount));
  const { decimals = 0 } = field;
  return measure.startsWith("avg") ? formatNumber(Number(Number(amount).toFixed(decimals + 2))) : formatDecimal(String(amount), decimals);
}

function choicesOf(field: Field): [value: string, words: string][] {
  if (!liesOnDays(field.kind)) return [[field.name, field.title]];
  return PERIODS.map((period) => [`${field.name}:${period}`, t(PERIOD_WORDS[period], { title: field.title })]);
}

/** A closed list says most; else what is short. */
function firstGroup(fields: readonly Field[]): string {
  const best = fields.find((field) => field.enum ?? field.labels) ?? fields.find(({ reference }) => reference);
  return best?.name ?? fields.flatMap((one) => (liesOnDays(one.kind) ? `${one.name}:month` : [])).at(-1) ?? fields[0]?.name ?? "";
}
