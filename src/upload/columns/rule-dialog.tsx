// One rule for a column: what it does, and what it would change in this file.

import { useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import type { ColumnProfile, RulePreview } from "../../../pipeline/inspection/column-profile.ts";
import { areColumnRules, type ColumnRule, compileFind, type SpellingRule, type SplitAt } from "../../../pipeline/model/column-rules.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import * as formStyles from "../../ui/form.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { useDebounced } from "../../ui/use-debounced.ts";
import { count } from "../../values/format.ts";
import * as styles from "./columns.module.css";
import { RULE_CHOICES, type RuleChoice } from "./rule-labels.ts";
import { changingSpellings, proposedSpellings, SpellingGroups } from "./spelling-groups.tsx";
import { useColumnWork } from "./use-column-work.ts";

interface RuleDialogProps {
  plan: Plan;
  header: readonly string[];
  /** Says what is chosen at first. */
  first: Changing;
  /** Holds what stands in each column; undefined while the file is read. */
  profiles: readonly ColumnProfile[] | undefined;
  nameOf: (column: number) => string;
  onApply: (rule: ColumnRule) => void;
  onClose: () => void;
}

/** Says what the dialog is opened for. */
export interface Changing {
  column: number;
  choice?: RuleChoice | undefined;
  /** The new columns for the parts of a name. */
  into?: string | undefined;
}

interface Draft {
  choice: RuleChoice;
  column: number;
  other: number;
  find: string;
  to: string;
  isPattern: boolean;
  ignoresCase: boolean;
  separator: string;
  at: SplitAt;
  into: string;
  /** Undefined: as they are proposed. */
  spellings?: readonly SpellingRule[] | undefined;
}

const TYPING = 250; // ms without a key before the file is read for the preview

export function RuleDialog({
  plan,
  header,
  first: { column, choice = "replace", into = "" },
  profiles,
  nameOf,
  onApply,
  onClose,
}: RuleDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    ...{ choice, column, other: column === 0 ? 1 : 0, find: "", to: "" },
    ...{ isPattern: false, ignoresCase: false, separator: into === "" ? " " : ",", at: "first", into },
  });
  const [wrong, setWrong] = useState<string>();
  const change = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next });
    setWrong(undefined);
  };
  const groups = profiles?.[draft.column]?.spellings;
  const spellings = draft.spellings ?? proposedSpellings(groups);
  const rule = ruleOf({ ...draft, spellings }, header.length);
  const now = rule ? JSON.stringify(rule) : "";
  const asked = useDebounced(now, TYPING);
  const work = useColumnWork(plan, asked === "" ? undefined : (JSON.parse(asked) as ColumnRule), asked !== "");
  function submit(): void {
    if (rule && !(work.isSlow && asked === now)) onApply(rule);
    else setWrong(rule ? tooSlow() : whyNot(draft));
  }
  return (
    <FormDialog title={t("Change columns")} submitLabel={t("Apply")} isBusy={false} error={null} onSubmit={submit} onClose={onClose}>
      <Choice label={t("What to do")} value={draft.choice} onChange={(choice) => change({ choice: choice as RuleChoice })}>
        {Object.entries(RULE_CHOICES).map(([choice, label]) => (
          <option key={choice} value={choice}>
            {t(label)}
          </option>
        ))}
      </Choice>
      {draft.choice !== "constant" && (
        <Choice label={t("Column")} value={draft.column} onChange={(at) => change({ column: Number(at), spellings: undefined })}>
          <ColumnOptions header={header} nameOf={nameOf} />
        </Choice>
      )}
      {draft.choice === "unite" ? (
        <SpellingGroups groups={groups} chosen={spellings} onChange={(spellings) => change({ spellings })} />
      ) : (
        <DraftFields draft={draft} header={header} nameOf={nameOf} change={change} />
      )}
      {wrong && (
        <p className={textStyles.error} role="alert">
          {wrong}
        </p>
      )}
      <Preview {...work} />
    </FormDialog>
  );
}

interface DraftFieldsProps extends Pick<RuleDialogProps, "header" | "nameOf"> {
  draft: Draft;
  change: (next: Partial<Draft>) => void;
}

function DraftFields({ draft, header, nameOf, change }: DraftFieldsProps) {
  const into = (hint?: string) => (
    <TextField
      id="rule-into"
      label={hint ? t("New columns") : t("New column")}
      value={draft.into}
      onChange={(into) => change({ into })}
      {...(hint && { hint })}
    />
  );
  const separator = (
    <TextField id="rule-separator" label={t("Separator")} value={draft.separator} onChange={(separator) => change({ separator })} />
  );
  const other = (label: string) => (
    <Choice label={label} value={draft.other} onChange={(at) => change({ other: Number(at) })}>
      <ColumnOptions header={header} nameOf={nameOf} />
    </Choice>
  );
  switch (draft.choice) {
    case "replace":
      return (
        <>
          <TextField id="rule-find" label={t("Find")} value={draft.find} onChange={(find) => change({ find })} />
          <TextField id="rule-to" label={t("Replace with")} value={draft.to} onChange={(to) => change({ to })} />
          <Flag label={t("Ignore upper and lower case")} isOn={draft.ignoresCase} onChange={(ignoresCase) => change({ ignoresCase })} />
          <Flag label={t("A pattern (regular expression)")} isOn={draft.isPattern} onChange={(isPattern) => change({ isPattern })} />
        </>
      );
    case "split":
      return (
        <>
          {separator}
          <Choice label={t("Split at")} value={draft.at} onChange={(at) => change({ at: at as SplitAt })}>
            <option value="first">{t("the first separator")}</option>
            <option value="last">{t("the last separator")}</option>
            <option value="every">{t("every separator")}</option>
          </Choice>
          {into(t("Names with commas between. A column with the name of a field is matched with it."))}
        </>
      );
    case "join":
      return (
        <>
          {other(t("And column"))}
          {separator}
          {into()}
        </>
      );
    case "constant":
      return (
        <>
          {into()}
          <TextField id="rule-to" label={t("Value")} value={draft.to} onChange={(to) => change({ to })} />
        </>
      );
    case "fill":
      return other(t("From column"));
    case "unite":
    case "trim":
    case "digits":
    case "upper":
    case "lower":
    case "title":
      return null;
  }
}

/** Returns undefined while something lacks. */
function ruleOf(
  { choice, column, other, find, to, isPattern, ignoresCase, separator, at, into, spellings = [] }: Draft,
  width: number,
): ColumnRule | undefined {
  const names = into
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const rules: Record<RuleChoice, () => ColumnRule> = {
    replace: () => ({ do: "replace", column, find, to, isPattern, ignoresCase }),
    split: () => ({ do: "split", column, separator, at, into: names }),
    join: () => ({ do: "join", columns: [column, other], separator, into: into.trim() }),
    constant: () => ({ do: "constant", value: to, into: into.trim() }),
    fill: () => ({ do: "fill", column, from: other }),
    unite: () => ({ do: "unite", column, spellings: changingSpellings(spellings) }),
    trim: () => ({ do: "trim", column }),
    digits: () => ({ do: "digits", column }),
    upper: () => ({ do: "case", column, to: "upper" }),
    lower: () => ({ do: "case", column, to: "lower" }),
    title: () => ({ do: "case", column, to: "title" }),
  };
  const rule = rules[choice]();
  if (rule.do === "split" && rule.at !== "every" && names.length !== 2) return undefined;
  return areColumnRules([rule], width) ? rule : undefined;
}

function whyNot({ choice, find, to, isPattern, ignoresCase, separator, into }: Draft): string {
  if (choice === "replace") {
    if (find === "") return t("Type what to find.");
    const isWrong = !compileFind({ do: "replace", column: 0, find, to, isPattern, ignoresCase });
    if (isWrong) return t("This is not a pattern: a bracket or a sign before * or + is missing.");
  }
  if (choice === "unite") return t("Choose values that are one, and what they become.");
  if (choice === "split" && separator === "") return t("Type the separator.");
  if (choice === "split" && into.split(",").length < 2) return t("Name two new columns or more, with commas between.");
  if (choice === "split") return t("At the first or the last separator a column is split into two. Name two new columns.");
  if (into.trim() === "") return t("Name the new column.");
  return t("A text is too long.");
}

function tooSlow(): string {
  return t("This takes too long on a cell of this file. Write a simpler pattern.");
}

function Preview({ found, isSlow }: ReturnType<typeof useColumnWork>) {
  return (
    <section className={styles.preview} aria-label={t("Preview")} aria-live="polite">
      {isSlow ? <p className={textStyles.error}>{tooSlow()}</p> : found?.is === "preview" && <PreviewRows preview={found.preview} />}
    </section>
  );
}

function PreviewRows({ preview: { hits, isDone, rowsRead, examples } }: { preview: RulePreview }) {
  return (
    <>
      {isDone
        ? count(hits, "{n} row changes.", "{n} rows change.")
        : count(rowsRead, "Reading: {n} row so far …", "Reading: {n} rows so far …")}
      <ul>
        {examples.map(({ before, after }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two examples may be equal
          <li key={i}>
            <bdi className={textStyles.dim}>{before}</bdi> → <bdi>{after.join(" | ") || t("empty")}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string | number;
  onChange: (value: string) => void;
  children: React.ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = `rule-${label}`;
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </div>
  );
}

function ColumnOptions({ header, nameOf }: Pick<RuleDialogProps, "header" | "nameOf">) {
  return header.map((_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
    <option key={i} value={i}>
      {nameOf(i)}
    </option>
  ));
}

function Flag({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className={formStyles.choice}>
      <input type="checkbox" checked={isOn} onChange={() => onChange(!isOn)} />
      <span>{label}</span>
    </label>
  );
}
