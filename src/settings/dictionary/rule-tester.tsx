// Tries the rules of a draft on one record, which is typed or stored, and says what each makes of it and why.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { collectionPath, isIdText } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import { compute, orderFormulas } from "../../../core/dictionary/computed.ts";
import type { Scope } from "../../../core/dictionary/expression-values.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import type { PackageResource } from "../../../core/dictionary/packages.ts";
import type { Rule } from "../../../core/dictionary/rule.ts";
import { isProblem, validateValue } from "../../../core/dictionary/validate.ts";
import { dayIn } from "../../../core/forms/time-zones.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { meQuery } from "../../service/me.ts";
import { Announce } from "../../ui/announce.tsx";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { problemMessage, type Texts, textOf, textToValidate } from "../../values/field-text.ts";
import { formatValue } from "../../values/format-value.ts";
import { ValueInput } from "../../values/value-input.tsx";
import * as styles from "./dictionary-editor.module.css";
import { messageOf } from "./rule-edits.ts";
import { type TriedRule, tryRule, type Verdict } from "./try-rule.ts";

interface RuleTesterProps {
  /** `resource` is that of the draft, `before` that of the version from which the draft was made. */
  resource: PackageResource;
  before: PackageResource | undefined;
  rules: readonly Rule[];
  fields: readonly Field[];
  timeZone: string;
}

const NO_SCOPE: Scope = { record: {}, old: null, me: null, today: "" };

export function RuleTester({ resource, before, rules, fields, timeZone }: RuleTesterProps) {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const [texts, setTexts] = useState<Texts>({});
  const [old, setOld] = useState<Scope["old"]>(null);
  const formulas = useMemo(() => formulasIn(fields), [fields]);
  const read = new Set(rules.flatMap((rule) => tryRule(rule, fields, NO_SCOPE).reads));
  for (const { field, reads } of formulas.all) if (read.has(field.name)) for (const name of reads) read.add(name);
  const asked = fields.filter(({ name, computed }) => read.has(name) && computed === undefined);
  const values = Object.fromEntries(asked.map((field) => [field.name, meant(field, texts[field.name] ?? "")]));
  const record = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));
  const today = dayIn(timeZone, Date.now());
  compute(formulas.collection, record, today);
  const person = me && { id: me.principal.id, name: me.principal.name };
  const scope: Scope = { record, old, me: person ?? null, today };
  const tried = rules.map((rule) => ({ rule, ...tryRule(rule, fields, scope) }));
  const broken = tried.filter(({ verdict }) => verdict === "broken").length;
  return (
    <section className={styles.tester} aria-labelledby="rule-tester">
      <h2 id="rule-tester">{t("Try the rules")}</h2>
      <p className={textStyles.note}>{t("Type a record, or take a stored one. Nothing of it is saved.")}</p>
      {before?.id !== undefined && (
        <StoredRecord
          name={before.name}
          onTake={(stored) => {
            const own = inDraft(stored, fields, resource, before);
            setOld(own);
            setTexts(Object.fromEntries(asked.map((field) => [field.name, textOf(field, own[field.name] ?? null)])));
          }}
        />
      )}
      <div className={formStyles.fields}>
        {asked.map((field) => (
          <div key={field.name} className={formStyles.field}>
            <label htmlFor={`try-${field.name}`}>{field.title}</label>
            <ValueInput
              field={field}
              id={`try-${field.name}`}
              text={texts[field.name] ?? ""}
              wrong={values[field.name]?.wrong}
              hasLines
              onText={(text) => setTexts((all) => ({ ...all, [field.name]: text }))}
            />
          </div>
        ))}
      </div>
      <ul className={styles.changes} aria-label={t("What the rules say")}>
        {tried.map(({ rule, ...one }) => (
          <li key={rule.name} data-effect={one.verdict === "broken" && rule.severity === "warning" ? "stands" : EFFECTS[one.verdict]}>
            <span>
              <b>{one.verdict === "broken" && rule.severity === "warning" ? t("Warns:") : verdictWords(one.verdict)}</b> {messageOf(rule)}
            </span>
            <span className={textStyles.note}>{whyOf(one, fields, scope)}</span>
          </li>
        ))}
      </ul>
      <Announce text={tCount(broken, "{n} rule is broken.", "{n} rules are broken.")} />
    </section>
  );
}

/** Returns the formulas of the fields. Those in a circle compute nothing; the review refuses them. */
function formulasIn(all: readonly Field[]) {
  const ordered = orderFormulas(all);
  const fields = "circle" in ordered ? all.filter(({ computed }) => computed === undefined) : all;
  return { all: "circle" in ordered ? [] : ordered.formulas, collection: { name: "", fields } };
}

const EFFECTS: Partial<Record<Verdict, string>> = { broken: "refused", unknown: "stands", wrong: "stands" };

function verdictWords(verdict: Verdict): string {
  return {
    broken: t("Broken:"),
    kept: t("Kept:"),
    unasked: t("Not asked:"),
    unknown: t("Cannot be told, so nothing is broken:"),
    wrong: t("Has a mistake:"),
  }[verdict];
}

/** Names what a rule has read. */
function whyOf({ reads, readsOld, readsMe }: TriedRule, fields: readonly Field[], { record, old, me }: Scope): string {
  const shown = fields.filter(({ name }) => reads.includes(name));
  const textIn = (from: Scope["old"], field: Field) => {
    const value = (from?.[field.name] ?? null) as Value | null;
    return value === null ? t("empty") : formatValue(field, value);
  };
  return [
    ...shown.map((field) => `${field.title}: ${textIn(record, field)}`),
    ...(readsOld ? shown.map((field) => t("{title} before: {value}", { title: field.title, value: textIn(old, field) })) : []),
    ...(readsMe ? [t("You: {name}", { name: me?.name ?? "" })] : []),
  ].join(" · ");
}

/** Returns what a text means; an empty value with what is wrong where it means none. */
function meant(field: Field, text: string): { value: Value | null; wrong?: string } {
  if (text.trim() === "") return { value: null };
  const checked = validateValue({ ...field, readOnly: false }, textToValidate(field, text), "text");
  return isProblem(checked) ? { value: null, wrong: problemMessage(field, checked, text) } : { value: checked };
}

/** Returns a stored record under the names that the draft has for its fields. */
function inDraft(
  stored: WireRecord,
  fields: readonly Field[],
  { schema }: PackageResource,
  before: PackageResource,
): Record<string, Value | null> {
  const storedName = (name: string) => {
    const id = schema.fields.find((field) => field.name === name)?.id;
    return id === undefined ? undefined : before.schema.fields.find((field) => field.id === id)?.name;
  };
  return Object.fromEntries(fields.map(({ name }) => [name, (stored[storedName(name) ?? ""] ?? null) as Value | null]));
}

/** Takes a stored record by its number, with the caller's own rights. `name`: of the collection. */
function StoredRecord({ name, onTake }: { name: string; onTake: (record: WireRecord) => void }) {
  const { client } = useServices();
  const [id, setId] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => (await client.request("GET", `${collectionPath(name)}/${id.trim()}`)).json as WireRecord,
    onSuccess: onTake,
  });
  const isId = isIdText(id.trim());
  return (
    <form
      className={pageStyles.tools}
      onSubmit={(event) => {
        event.preventDefault();
        if (isId && !isPending) mutate();
      }}
    >
      <label className={styles.number}>
        <span>{t("Number of a stored record")}</span>
        <input value={id} inputMode="numeric" autoComplete="off" onChange={({ target }) => setId(target.value)} />
      </label>
      <button type="submit" aria-disabled={!isId || isPending}>
        {t("Take its values")}
      </button>
      {error && <Failure error={error} />}
    </form>
  );
}
