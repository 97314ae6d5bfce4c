// Makes or changes a rule: by one of the shapes that staff know, or as an expression.

import { useEffect, useState } from "react";
import { compileExpression } from "../../../core/dictionary/expressions.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { freeName, nameFrom } from "../../../core/dictionary/name-from-title.ts";
import type { Package, PackageResource } from "../../../core/dictionary/packages.ts";
import type { Rule } from "../../../core/dictionary/rule.ts";
import { isLanguage, openCatalogue } from "../../../core/i18n/languages.ts";
import { type Catalogue, inCatalogue, SOURCE_LANGUAGE, t } from "../../../core/i18n/translate.ts";
import * as formStyles from "../../ui/form.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { textToValidate } from "../../values/field-text.ts";
import { ValueInput } from "../../values/value-input.tsx";
import * as styles from "./dictionary-editor.module.css";
import { ExpressionInput, mistakeIn } from "./expression-input.tsx";
import { writtenValue } from "./expression-words.ts";
import { languageName, otherLanguages, putRule, rulesOf } from "./rule-edits.ts";
import { fieldsOf } from "./rule-fields.ts";
import { nameOfRule, SHAPES, type Shape, type ShapeParts, secondsFor, sentenceOfRule, writeRule } from "./rule-shapes.ts";

interface RuleDialogProps {
  resource: PackageResource;
  at: number;
  /** Undefined: a new one. */
  rule: Rule | undefined;
  change: (edit: (all: Package) => Package) => void;
  onClose: () => void;
}

const MOST_CHARACTERS = 500; // of a message
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
const NEW: Rule = { name: "", must: "", message: "" };
const NOTHING: Partial<Rule> = { when: "", fields: [] }; // of another shape

export function RuleDialog({ resource, at, rule, change, onClose }: RuleDialogProps) {
  const fields = fieldsOf(resource);
  const catalogues = useCatalogues();
  const [shapeName, setShape] = useState("");
  const [parts, setParts] = useState<ShapeParts>({});
  const [typed, setTyped] = useState<Partial<Rule>>({});
  const [isTried, setTried] = useState(false);
  const shape = SHAPES[shapeName];
  const given = asWritten(parts, fields);
  const written = shape && writeRule(shape, given, fields);
  const proposed = shape && written && { ...NOTHING, ...written, ...wordsOf(shape, given, resource, catalogues) };
  const taken = rulesOf(resource).flatMap(({ name }) => (name === rule?.name ? [] : [name]));
  const now: Rule = { ...NEW, ...rule, ...proposed, ...typed };
  const name = typed.name ?? rule?.name ?? freeName(shape && written ? nameOfRule(shape, given) : nameFrom(now.message || "rule"), taken);
  const set = (words: Partial<Rule>) => setTyped((before) => ({ ...before, ...words }));
  const problems = isTried ? problemsOf({ ...now, name }, fields, taken) : {};
  const setShapeTo = (next: string) => {
    setShape(next);
    setParts({});
    // A shape writes the rest anew.
    if (next !== "") setTyped(({ name: own, severity }) => ({ ...(own !== undefined && { name: own }), ...(severity && { severity }) }));
  };
  function submit(): void {
    setTried(true);
    const [wrong] = Object.keys(problemsOf({ ...now, name }, fields, taken));
    if (wrong) return void document.getElementById(`rule-${wrong}`)?.focus();
    change((all) => putRule(all, at, rule?.name, withoutEmpty({ ...now, name })));
    onClose();
  }
  const other = otherLanguages();
  return (
    <FormDialog
      title={rule ? t("Change the rule") : t("New rule")}
      submitLabel={rule ? t("Take over") : t("Add rule")}
      isBusy={false}
      error={null}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={formStyles.field}>
        <label htmlFor="rule-shape">{t("Shape")}</label>
        {/* biome-ignore lint/a11y/noAutofocus: it is what the dialog asks for first */}
        <select id="rule-shape" autoFocus value={shapeName} onChange={({ target }) => setShapeTo(target.value)}>
          <option value="">{t("An expression of its own")}</option>
          {Object.entries(SHAPES).map(([key, { title }]) => (
            <option key={key} value={key}>
              {t(title)}
            </option>
          ))}
        </select>
      </div>
      {shape && <ShapeInputs key={shapeName} shape={shape} parts={parts} fields={fields} onChange={setParts} isTried={isTried} />}
      <ExpressionInput
        id="rule-must"
        label={t("Must be true")}
        value={now.must}
        fields={fields}
        onChange={(must) => set({ must })}
        missing={problems.must && (shape ? t("Choose the fields above.") : problems.must)}
        hint={
          shape
            ? t("Written by the choice above. It can be changed.")
            : t("A record breaks the rule where this is false. ↓ offers fields and functions.")
        }
      />
      <ExpressionInput
        id="rule-when"
        label={t("Only where (may be empty)")}
        value={now.when ?? ""}
        fields={fields}
        onChange={(when) => set({ when })}
        hint={t("The rule is asked only where this is true.")}
      />
      <div className={formStyles.field}>
        <label htmlFor="rule-severity">{t("A record that breaks it")}</label>
        <select
          id="rule-severity"
          value={now.severity ?? "error"}
          onChange={({ target }) => set({ severity: target.value === "warning" ? "warning" : "error" })}
        >
          <option value="error">{t("is refused")}</option>
          <option value="warning">{t("is stored once somebody has confirmed it")}</option>
        </select>
      </div>
      <TextField
        id="rule-message"
        label={t("Sentence for whoever breaks it, in {language}", { language: languageName(SOURCE_LANGUAGE) })}
        dir="auto"
        maxLength={MOST_CHARACTERS}
        value={now.message}
        error={problems.message}
        onChange={(message) => set({ message })}
      />
      {other.map((tag) => (
        <TextField
          key={tag}
          id={`rule-message-${tag}`}
          label={t("Sentence in {language}", { language: languageName(tag) })}
          dir="auto"
          maxLength={MOST_CHARACTERS}
          value={now.translations?.[tag]?.message ?? ""}
          onChange={(message) => set({ translations: { ...now.translations, [tag]: { ...now.translations?.[tag], message } } })}
          {...(!now.translations?.[tag]?.message && { hint: t("Without it the sentence above stands there.") })}
        />
      ))}
      <Places rule={now} fields={fields} onChange={(names) => set({ fields: names })} />
      <TextField
        id="rule-name"
        label={t("Name in requests")}
        dir="ltr"
        spellCheck={false}
        value={name}
        error={problems.name}
        onChange={(next) => set({ name: next })}
      />
    </FormDialog>
  );
}

/** Values as the dictionary writes them, and not as the reader does. */
function asWritten(parts: ShapeParts, fields: readonly Field[]): ShapeParts {
  const read = (name: string | undefined, text = "") => {
    const field = fields.find((one) => one.name === name);
    return field ? textToValidate(field, text) : text;
  };
  return { ...parts, amount: read(parts.first, parts.amount), value: read(parts.onlyIf, parts.value) };
}

/** Returns problems by the end of the id of the input. */
function problemsOf(
  rule: Rule,
  fields: readonly Field[],
  taken: readonly string[],
): { must?: string; when?: string; message?: string; name?: string } {
  const isWrong = (text: string) => mistakeIn(text, fields) !== undefined;
  return {
    ...(isWrong(rule.must) && { must: t("Write what must be true.") }),
    ...(rule.when && isWrong(rule.when) && { when: "" }),
    ...(rule.message.trim() === "" && { message: t("Write a sentence for whoever breaks the rule.") }),
    ...(!NAME.test(rule.name) && { name: t("A name has letters (a to z), digits and _, and begins with a letter.") }),
    ...(taken.includes(rule.name) && { name: t("Another rule has this name.") }),
  };
}

/** What is empty is left out of the dictionary. */
function withoutEmpty({ when, severity, fields, translations, ...rule }: Rule): Rule {
  const words = Object.entries(translations ?? {}).filter(([, { message }]) => message);
  return {
    ...rule,
    ...(when?.trim() && { when }),
    ...(severity === "warning" && { severity }),
    ...(fields && fields.length > 0 && { fields }),
    ...(words.length > 0 && { translations: Object.fromEntries(words) }),
  };
}

/** Returns the sentence of a shape in each language that is loaded. */
function wordsOf(
  shape: Shape,
  parts: ShapeParts,
  resource: PackageResource,
  catalogues: readonly Catalogue[],
): Pick<Rule, "message" | "translations"> {
  const sentence = (language: string) => sentenceOfRule(shape, parts, fieldsOf(resource, language));
  const translated = catalogues.map((one) => [one.language, { message: inCatalogue(one, () => sentence(one.language)) }] as const);
  return {
    message: inCatalogue(undefined, () => sentence(SOURCE_LANGUAGE)),
    ...(translated.length > 0 && { translations: Object.fromEntries(translated) }),
  };
}

/** Loads the catalogues of the other languages, in which sentences are proposed. */
function useCatalogues(): readonly Catalogue[] {
  const [loaded, setLoaded] = useState<readonly Catalogue[]>([]);
  useEffect(() => {
    let isThere = true;
    const tags = otherLanguages().filter(isLanguage);
    void Promise.all(tags.map(openCatalogue)).then((all) => isThere && setLoaded(all.flatMap((one) => one ?? [])));
    return () => {
      isThere = false;
    };
  }, []);
  return loaded;
}

interface ShapeInputsProps {
  shape: Shape;
  parts: ShapeParts;
  fields: readonly Field[];
  isTried: boolean;
  onChange: (parts: ShapeParts) => void;
}

function ShapeInputs({ shape, parts, fields, isTried, onChange }: ShapeInputsProps) {
  const own = fields.filter(shape.fits);
  const asked = fields.find(({ name }) => name === parts.onlyIf);
  const set = (more: ShapeParts) => onChange({ ...parts, ...more });
  const first = fields.find(({ name }) => name === parts.first);
  const given = asWritten(parts, fields);
  const isNumber = first && writtenValue(first, given.amount ?? "") !== undefined;
  const isValue = !asked || !given.value || writtenValue(asked, given.value) !== undefined;
  const wrong = isTried && asked && !isValue ? t("Enter a value for {title}.", { title: asked.title }) : undefined;
  return (
    <div className={styles.shape}>
      {own.length === 0 && <p className={textStyles.note}>{t("The collection has no field for that.")}</p>}
      <FieldSelect id="rule-first" label={t(shape.first)} fields={own} value={parts.first} onChange={(name) => set({ first: name })} />
      {shape.second && (
        <FieldSelect
          id="rule-second"
          label={t(shape.second)}
          fields={secondsFor(shape, fields, parts.first)}
          value={parts.second}
          onChange={(name) => set({ second: name })}
        />
      )}
      {shape.amount && (
        <TextField
          id="rule-amount"
          label={t(shape.amount)}
          inputMode="decimal"
          dir="ltr"
          value={parts.amount ?? ""}
          error={isTried && !isNumber ? t("Enter a number.") : undefined}
          onChange={(amount) => set({ amount })}
        />
      )}
      <FieldSelect
        id="rule-if"
        label={shape.onlyIf ? t(shape.onlyIf) : t("Only if this field (may be empty)")}
        fields={fields.filter(({ name }) => name !== parts.first)}
        value={parts.onlyIf}
        onChange={(name) => onChange({ ...parts, onlyIf: name, value: "" })}
      />
      {asked && (
        <div className={formStyles.field}>
          <label htmlFor="rule-value">{t("has this value (empty: any)")}</label>
          <ValueInput field={asked} id="rule-value" text={parts.value ?? ""} wrong={wrong} onText={(value) => set({ value })} isPart />
        </div>
      )}
    </div>
  );
}

interface FieldSelectProps {
  id: string;
  label: string;
  fields: readonly Field[];
  value: string | undefined;
  onChange: (name: string) => void;
}

function FieldSelect({ id, label, fields, value = "", onChange }: FieldSelectProps) {
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="" />
        {fields.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

interface PlacesProps {
  rule: Rule;
  fields: readonly Field[];
  onChange: (names: readonly string[]) => void;
}

/** Edits the fields at which the sentence stands. Those are offered that the rule reads; of a rule that reads none, all. */
function Places({ rule, fields, onChange }: PlacesProps) {
  const compiled = [rule.must, rule.when ?? ""].map((source) => compileExpression(source, fields));
  const read = new Set(compiled.flatMap((one) => (one.status === "compiled" ? [...one.reads] : [])));
  const chosen = rule.fields ?? [];
  const offered = fields.filter(({ name }) => read.size === 0 || read.has(name) || chosen.includes(name));
  return (
    <details className={styles.places}>
      <summary>{t("Where the sentence stands")}</summary>
      <fieldset>
        <legend className={textStyles.hint}>{t("None is ticked: at all fields that must be true of.")}</legend>
        {offered.map(({ name, title }) => (
          <label key={name} className={formStyles.choice}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ target }) => onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))}
            />
            <span>{title}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
