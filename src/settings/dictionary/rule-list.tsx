// The rules of a collection in a draft, in their order, with what they would find among stored records.

import { useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import type { DictionaryChange } from "../../../core/contract/dictionary.ts";
import { canonical } from "../../../core/dictionary/canonical.ts";
import type { Package, PackageResource } from "../../../core/dictionary/packages.ts";
import type { Rule } from "../../../core/dictionary/rule.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import * as styles from "./dictionary-editor.module.css";
import { useEditorTarget } from "./editor-target.ts";
import { mistakeIn, mistakeSentence } from "./expression-input.tsx";
import { withWords } from "./package-edits.ts";
import { RuleDialog } from "./rule-dialog.tsx";
import { languageName, messageOf, moveRule, otherLanguages, removeRule, rulesOf } from "./rule-edits.ts";
import { fieldsOf } from "./rule-fields.ts";
import { RuleRecords } from "./rule-records.tsx";
import { RuleTester } from "./rule-tester.tsx";
import type { EditedDraft } from "./use-draft.ts";
import { useImpact } from "./use-impact.ts";

interface RuleListProps {
  edited: EditedDraft;
  all: Package;
  at: number;
  /** Is the version from which the draft was made. */
  before: PackageResource | undefined;
}

export function RuleList({ edited, all, at, before }: RuleListProps) {
  const { draft, etag, change } = edited;
  const { impact, error } = useImpact(draft?.id ?? "", etag);
  const target = useEditorTarget();
  const [open, setOpen] = useState<{ rule: Rule | undefined }>();
  const resource = all.resources[at];
  if (!resource) return null;
  const rules = rulesOf(resource);
  const fields = fieldsOf(resource);
  const timeZone = typeof all.timeZone === "string" ? all.timeZone : "UTC";
  const focusRow = (name: string) => setTimeout(() => document.getElementById(`rule-row-${name}`)?.focus());
  const move = (rule: Rule, by: number) => {
    const from = rules.indexOf(rule);
    if (from + by < 0 || from + by >= rules.length) return;
    change((one) => moveRule(one, at, from, from + by));
    focusRow(rule.name);
  };
  return (
    <div className={styles.rules}>
      {rules.length === 0 && (
        <p className={textStyles.note}>
          {t("No rule yet. A rule looks at several fields at once: the end is not before the start, one of e-mail and phone is there.")}
        </p>
      )}
      <ol className={styles.changes} aria-label={t("Rules")}>
        {rules.map((rule) => (
          <li key={rule.name}>
            <div className={styles.rule}>
              <button
                type="button"
                id={`rule-row-${rule.name}`}
                className={buttonStyles.bare}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                onClick={() => setOpen({ rule })}
                onKeyDown={(event) => {
                  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                  if (!event.altKey || by === undefined) return;
                  event.preventDefault();
                  move(rule, by);
                }}
              >
                <b dir="auto">{messageOf(rule)}</b>
              </button>
              <button
                type="button"
                className={buttonStyles.quiet}
                aria-label={t("Remove {label}", { label: messageOf(rule) })}
                onClick={() => {
                  change((one) => removeRule(one, at, rule.name));
                  setTimeout(() => document.getElementById("add-rule")?.focus());
                }}
              >
                {t("Remove")}
              </button>
            </div>
            <code dir="ltr">
              {rule.must}
              {rule.when && <span className={textStyles.dim}> {t("only where")} </span>}
              {rule.when}
            </code>
            <States rule={rule} before={before} />
            <RuleMistake rule={rule} fields={fields} />
            <RuleRecords change={changeOf(rule, resource.name, impact?.changes)} isComplete={impact?.next === undefined} />
          </li>
        ))}
      </ol>
      {error instanceof ApiError && error.status === 422 && (
        <Notice tone="doubt">
          {t("What stands against the rules is counted once the draft has no mistakes.")} <Link {...target("review")}>{t("Review")}</Link>
        </Notice>
      )}
      <div>
        <button type="button" id="add-rule" onClick={() => setOpen({ rule: undefined })}>
          {t("Add rule…")}
        </button>
        {rules.length > 1 && <p className={textStyles.hint}>{t("Alt+↑ and Alt+↓ move a rule.")}</p>}
      </div>
      {rules.length > 0 && <RuleTester key={resource.name} {...{ resource, before, rules, fields, timeZone }} />}
      <TimeZone value={timeZone} onChange={(zone) => change((one) => withWords(one, { timeZone: zone === "UTC" ? undefined : zone }))} />
      {open && <RuleDialog resource={resource} at={at} rule={open.rule} change={change} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function TimeZone({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const zones = [...new Set(["UTC", new Intl.DateTimeFormat().resolvedOptions().timeZone, value, ...Intl.supportedValuesOf("timeZone")])];
  return (
    <div className={formStyles.field}>
      <label htmlFor="rules-time-zone">{t("Time zone of “today” in rules")}</label>
      <select id="rules-time-zone" value={value} onChange={({ target }) => onChange(target.value)}>
        {zones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </select>
      <p className={textStyles.hint}>{t("It counts for all collections.")}</p>
    </div>
  );
}

/** Finds what the service says of a rule that is new, or asks for something else than before. */
function changeOf({ name }: Rule, collection: string, changes: readonly DictionaryChange[] = []): DictionaryChange | undefined {
  return changes.find(
    ({ path, kind, to }) => path === collection && kind === "narrowed" && (to as { rule?: Rule } | undefined)?.rule?.name === name,
  );
}

/** Says what the draft has made of a rule, and in which languages its sentence is missing. */
function States({ rule, before }: { rule: Rule; before: PackageResource | undefined }) {
  const old = before && rulesOf(before).find(({ name }) => name === rule.name);
  const missing = otherLanguages().filter((tag) => !rule.translations?.[tag]?.message);
  const states = [
    ...(rule.severity === "warning" ? [t("warning")] : []),
    ...(old && canonical(old) === canonical(rule) ? [] : [old ? t("changed") : t("new")]),
    ...missing.map((tag) => t("missing in {language}", { language: languageName(tag) })),
  ];
  if (states.length === 0) return null;
  return (
    <span>
      {states.map((state) => (
        <span key={state} className={styles.state}>
          {state}
        </span>
      ))}
    </span>
  );
}

function RuleMistake({ rule, fields }: { rule: Rule; fields: Parameters<typeof mistakeIn>[1] }) {
  const mistake = mistakeIn(rule.must, fields) ?? (rule.when ? mistakeIn(rule.when, fields) : undefined);
  return mistake ? <span className={textStyles.error}>{mistakeSentence(mistake)}</span> : null;
}
