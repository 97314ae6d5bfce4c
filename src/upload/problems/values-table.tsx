// The distinct wrong values of a field, and what each is to become. Nothing changes before the user applies it.

import { useEffect, useId, useRef, useState } from "react";
import { labelOf } from "../../../core/dictionary/categories.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { isProblem, validateValue } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { ProblemGroup, Proposal, WrongValue } from "../../../pipeline/checking/problem-groups.ts";
import { groupKey } from "../../../pipeline/checking/validate-row.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import * as styles from "./problems.module.css";
import type { OnPending } from "./use-pending-values.tsx";

interface ValuesTableProps {
  field: Field;
  group: ProblemGroup;
  /** Changes whenever the values may have changed. */
  revision: number;
  onPending: OnPending;
}

/** undefined: as it is. */
type Becomes = string | null | undefined;

const FIRST = 50;

export function ValuesTable({ field, group, revision, onPending }: ValuesTableProps) {
  const { uploadManager } = useServices();
  const [shown, setShown] = useState(FIRST);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Becomes>>(new Map());
  const key = groupKey(group);
  const { values, total, of } = useWrongValues(key, shown, revision);
  const [applied, setApplied] = useState<number>(); // a revision, whose values are about to change
  const becomes = ({ text, proposal }: WrongValue): Becomes => (chosen.has(text) ? chosen.get(text) : proposal?.to);
  const ready = values.filter((value) => becomes(value) !== undefined && isAccepted(field, becomes(value)));
  const picked = ready.filter(({ text }) => chosen.has(text));
  function apply(all: readonly WrongValue[]): void {
    if (all.length === 0) return;
    uploadManager.act({ do: "values", field: field.name, values: all.map((value) => ({ from: value.text, to: becomes(value) })) });
    setChosen(new Map());
    setApplied(revision);
  }
  const latest = useRef(() => apply(picked));
  latest.current = () => apply(picked); // what is proposed and nobody has chosen is left as it is
  const pending = of === revision && applied !== revision ? rowsOf(picked) : 0;
  useEffect(() => {
    if (pending === 0) return;
    onPending(key, { rows: pending, apply: () => latest.current() });
    return () => onPending(key, undefined);
  }, [key, pending, onPending]);
  const title = t("Values of {title}", { title: group.title });
  if (values.length === 0) return null;
  return (
    <section className={styles.values} aria-label={title}>
      <h3>
        {title} <small className={textStyles.note}>{count(total, "{n} wrong value", "{n} different wrong values")}</small>
      </h3>
      <ScrollArea label={title}>
        <table aria-label={title}>
          <thead>
            <tr>
              <th>{t("In the file")}</th>
              <th className={tableStyles.number}>{t("Rows")}</th>
              <th>{t("Becomes")}</th>
            </tr>
          </thead>
          <tbody>
            {values.map((value) => (
              <tr key={value.text}>
                <td className={tableStyles.wrap}>
                  {value.text === "" ? <span className={textStyles.dim}>{t("empty")}</span> : <bdi>{value.text.slice(0, 200)}</bdi>}
                </td>
                <td className={tableStyles.number}>{formatNumber(value.rows)}</td>
                <td>
                  <BecomesChoice
                    field={field}
                    value={value}
                    becomes={becomes(value)}
                    onChange={(to) => setChosen((before) => new Map(before).set(value.text, to))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <div className={styles.apply}>
        <button type="button" className={buttonStyles.primary} aria-disabled={ready.length === 0} onClick={() => apply(ready)}>
          {count(ready.length, "Apply {n} value", "Apply {n} values")} <span>{count(rowsOf(ready), "in {n} row", "in {n} rows")}</span>
        </button>
        {total > values.length && (
          <button type="button" onClick={() => setShown(shown * 4)}>
            {t("Show more values")}
          </button>
        )}
        {(group.values?.unlisted ?? 0) > 0 && (
          <span className={textStyles.note}>
            {count(
              group.values?.unlisted ?? 0,
              "{n} more row has values that are too many or too long to list.",
              "{n} more rows have values that are too many or too long to list.",
            )}
          </span>
        )}
      </div>
    </section>
  );
}

function rowsOf(values: readonly WrongValue[]): number {
  return values.reduce((sum, { rows }) => sum + rows, 0);
}

function isAccepted(field: Field, to: Becomes): boolean {
  if (to === null || to === undefined) return true;
  const validated = validateValue(field, to, "text");
  return !isProblem(validated);
}

interface FoundValues {
  values: readonly WrongValue[];
  total: number;
  /** The revision whose values they are. */
  of?: number;
}

function useWrongValues(group: string, shown: number, revision: number): FoundValues {
  const { uploadManager } = useServices();
  const [found, setFound] = useState<FoundValues>({ values: [], total: 0 });
  useEffect(() => {
    let isWanted = true;
    const query = { for: "values", group, from: 0, to: shown } as const;
    uploadManager.query(query).then((answer) => isWanted && setFound({ ...answer, of: revision }));
    return () => {
      isWanted = false;
    };
  }, [uploadManager, group, shown, revision]);
  return found;
}

interface BecomesChoiceProps {
  field: Field;
  value: WrongValue;
  becomes: Becomes;
  onChange: (to: Becomes) => void;
}

const [AS_IT_IS, EMPTY, OUT, OTHER] = ["as it is", "empty", "out", "other"];

function BecomesChoice({ field, value, becomes, onChange }: BecomesChoiceProps) {
  const id = useId();
  const listed = [
    ...new Set([...(field.enum?.map(String) ?? []), ...Object.keys(KIND_TRAITS[field.kind].choices ?? {}), ...textsOf(value.proposal)]),
  ];
  const isOther = typeof becomes === "string" && becomes !== "" && !listed.includes(becomes);
  const [isTyping, setTyping] = useState(isOther);
  const at = typeof becomes === "string" ? listed.indexOf(becomes) : -1;
  const picked = isTyping ? OTHER : becomes === undefined ? AS_IT_IS : becomes === null ? OUT : becomes === "" ? EMPTY : String(at);
  function pick(next: string): void {
    setTyping(next === OTHER);
    if (next === OTHER) onChange(value.text);
    else onChange(next === AS_IT_IS ? undefined : next === OUT ? null : next === EMPTY ? "" : listed[Number(next)]);
  }
  const label = t("What “{value}” becomes", { value: value.text });
  return (
    <span className={styles.becomes}>
      <select
        aria-label={label}
        value={picked}
        data-proposed={becomes !== undefined || undefined}
        onChange={(event) => pick(event.target.value)}
      >
        <option value={AS_IT_IS}>{t("stays as it is")}</option>
        {listed.map((each, i) => (
          <option key={each} value={i}>
            {labelOf(field, each)}
          </option>
        ))}
        {!field.required && <option value={EMPTY}>{t("no value")}</option>}
        <option value={OUT}>{t("leave its rows out")}</option>
        {!field.enum && !KIND_TRAITS[field.kind].choices && <option value={OTHER}>{t("another value …")}</option>}
      </select>
      {isTyping && (
        <input
          type="text"
          aria-label={t("Another value for “{value}”", { value: value.text })}
          aria-invalid={!isAccepted(field, becomes)}
          aria-describedby={id}
          value={becomes ?? ""}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <span className={textStyles.note} id={id}>
        {value.proposal && becomes === value.proposal.to && wordsFor(value.proposal)}
      </span>
    </span>
  );
}

function textsOf(proposal: Proposal | undefined): string[] {
  return proposal?.to ? [proposal.to] : [];
}

function wordsFor({ why }: Proposal): string {
  switch (why) {
    case "remembered":
      return t("as last time");
    case "similar":
      return t("similar");
    case "fix":
      return "";
  }
}
