// One field of a draft: its words and rules, and its input as the form will have it.

import { useEffect, useRef, useState } from "react";
import { patternMistake } from "../../../core/dictionary/auto-number.ts";
import { DEFAULT_FILE_SIZE } from "../../../core/dictionary/files.ts";
import { freeName, nameFrom } from "../../../core/dictionary/name-from-title.ts";
import { keyOf, type Package, type PackageField, type PackageResource } from "../../../core/dictionary/packages.ts";
import { isFieldName } from "../../../core/dictionary/reserved-names.ts";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { readTypedNumber } from "../../values/typed-numbers.ts";
import { ChoiceList } from "./choice-list.tsx";
import { ConvertDialog } from "./convert-dialog.tsx";
import * as styles from "./dictionary-editor.module.css";
import { FieldConstraints } from "./field-constraints.tsx";
import { FieldDetails } from "./field-details.tsx";
import { type Constraints, choicesOf, choiceWords, constraintsOf, SORTS, sortOf } from "./field-kinds.ts";
import { FieldPreview } from "./field-preview.tsx";
import { FormerNameList } from "./former-name-list.tsx";
import {
  changeField,
  changeKey,
  changeResource,
  keyBy,
  orNothing,
  referenceName,
  referTo,
  removeField,
  takenNames,
  titleOf,
  withWords,
} from "./package-edits.ts";
import { languageName, otherLanguages } from "./rule-edits.ts";
import { sectionsOf } from "./section-edits.ts";

const FieldConditions = lazyPart(() => import("./field-conditions.tsx"), "FieldConditions");

interface FieldPanelProps {
  all: Package;
  /** The places of the collection and of the field. */
  at: number;
  fieldAt: number;
  change: (edit: (all: Package) => Package) => void;
  onClose: () => void;
}

export function FieldPanel({ all, at, fieldAt, change, onClose }: FieldPanelProps) {
  const resource = all.resources[at];
  const field = resource?.schema.fields[fieldAt];
  const title = useRef<HTMLDivElement>(null);
  const named = useRef(field?.name); // as rules name it
  useEffect(() => title.current?.querySelector("input")?.focus(), []);
  if (!resource || !field) return null;
  const isKey = keyOf(resource) === field.name;
  const isFile = field.format === "file";
  const set = (words: Readonly<Record<string, unknown>>) => change((before) => changeField(before, at, fieldAt, words));
  const foreignKey = keyBy(resource, field);
  const reference = foreignKey?.reference.resource;
  const setKey = (words: Readonly<Record<string, unknown>>) => change((before) => changeKey(before, at, field, words));
  /** Rules and conditions get the new name once it is typed to its end: on the way it may be a word of theirs. */
  const followName = () => {
    const [from, to] = [named.current, field.name];
    if (from === undefined || from === to) return;
    named.current = to;
    void import("../../../core/dictionary/package-rules.ts").then(({ withRenamedRules }) =>
      change((before) => changeResource(before, at, (one) => withRenamedRules(one, [{ name: to, formerNames: [from] }]))),
    );
  };
  const setTitle = (next: string) => {
    const taken = takenNames(resource, field);
    const proposed = (text: string) => freeName(reference === undefined ? nameFrom(text) : referenceName(nameFrom(text)), taken);
    const isProposed = field.id === undefined && field.name === proposed(String(field.title ?? ""));
    set({ title: next, ...(isProposed && { name: proposed(next) }) });
  };
  return (
    <section className={styles.panel} aria-label={t("Field: {title}", { title: titleOf(field) })} onBlur={followName}>
      <div className={formStyles.form} ref={title}>
        <TextField id="field-title" label={t("Title")} dir="auto" value={String(field.title ?? "")} onChange={setTitle} />
        <Translations field={field} onChange={(translations) => set({ translations })} />
        <NameField key={field.id ?? "new"} field={field} taken={takenNames(resource, field)} onChange={(name) => set({ name })} />
        <FormerNameList collection={resource.name} field={field} onChange={(withdrawnNames) => set({ withdrawnNames })} />
        {!isKey && <SortField {...{ all, at, fieldAt, field, reference, change }} />}
        {!isKey && !isFile && <FieldConstraints field={field} onChange={(constraints) => set({ constraints })} />}
        {!isKey && !isFile && <FieldConditions resource={resource} field={field} onChange={set} />}
        <FieldDetails field={field} reference={foreignKey} onChange={set} onKey={setKey} />
        <SectionField resource={resource} field={field} onChange={(section) => set({ section })} />
        <div className={formStyles.field}>
          <label htmlFor="field-help">{t("Help text")}</label>
          <textarea
            id="field-help"
            rows={2}
            dir="auto"
            value={String(field.description ?? "")}
            onChange={({ target }) => set({ description: target.value })}
          />
        </div>
        <FieldPreview all={all} at={at} field={field} />
        <div className={pageStyles.tools}>
          <button type="button" className={buttonStyles.primary} onClick={onClose}>
            {t("Done")}
          </button>
          {!isKey && (
            <button
              type="button"
              className={buttonStyles.danger}
              onClick={() => {
                if (field.id === undefined) change((before) => removeField(before, at, fieldAt));
                else set({ retired: true });
                onClose();
              }}
            >
              {field.id === undefined ? t("Remove") : t("Retire")}
            </button>
          )}
        </div>
        {!isKey && field.id !== undefined && (
          <p className={textStyles.hint}>{t("A retired field is hidden. Its values are kept, and it can be brought back.")}</p>
        )}
      </div>
    </section>
  );
}

/** A name that cannot be one stays in the input and does not go into the draft, where everything that names the field would follow. */
function NameField({ field, taken, onChange }: { field: PackageField; taken: readonly string[]; onChange: (name: string) => void }) {
  const [wrong, setWrong] = useState<string>();
  const value = wrong ?? field.name;
  const problemOf = (name: string) => {
    if (!isFieldName(name)) return t("A name has letters (a to z), digits and _, begins with a letter, and is none that the service uses.");
    if (taken.some((other) => other.toLowerCase() === name.toLowerCase())) return t("Another field has or had this name.");
  };
  const problem = problemOf(value);
  return (
    <TextField
      id="field-name"
      label={t("Name in files and requests")}
      spellCheck={false}
      dir="ltr"
      value={value}
      error={problem}
      {...(field.id !== undefined && { hint: t("Another name breaks nothing: the old one goes on working.") })}
      onChange={(next) => {
        const isWrong = problemOf(next) !== undefined;
        setWrong(isWrong ? next : undefined);
        if (!isWrong) onChange(next);
      }}
    />
  );
}

interface SortFieldProps extends Pick<FieldPanelProps, "all" | "at" | "fieldAt" | "change"> {
  field: PackageField;
  /** The name of the collection to which it refers. */
  reference: string | undefined;
}

/** What was typed as text is nobody's id, and names no content. */
const OF_THEIR_OWN = ["person", "file", "files"];

/** Stored values keep their type: a field that is there already changes only among those of its own. */
function SortField({ all, at, fieldAt, field, reference, change }: SortFieldProps) {
  const sort = sortOf(field, reference !== undefined);
  const isStored = field.id !== undefined;
  const [isConverting, setConverting] = useState(false);
  const mayBe = (name: string) =>
    !isStored ||
    name === sort ||
    (!OF_THEIR_OWN.includes(name) &&
      !OF_THEIR_OWN.includes(sort) &&
      isTextual(SORTS[name]?.words ?? {}) &&
      isTextual(field) &&
      SORTS[name]?.words.type === (field.type ?? "string"));
  const choices = choicesOf(field);
  const set = (words: Readonly<Record<string, unknown>>) => change((before) => changeField(before, at, fieldAt, words));
  const setSort = (next: string) =>
    change((before) => {
      const { enum: _, ...constraints } = constraintsOf(field);
      const kept = SORTS[next]?.words.type === (field.type ?? "string") ? constraints : bothKinds(constraints);
      const categories = next === "choice" || next === "choices" ? [t("First value")] : undefined;
      const words = {
        format: undefined,
        decimals: undefined,
        itemType: undefined,
        autoNumber: undefined,
        accept: undefined,
        maxSize: undefined,
        ...SORTS[next]?.words,
        categories,
        constraints: SORTS[next]?.words.format === "file" ? undefined : orNothing(kept),
      };
      const parents = next === "reference" ? before.resources.filter((one) => !one.retired) : [];
      const parent = parents.find((one) => one !== before.resources[at]) ?? parents[0]; // a tree is rarer
      return referTo(changeField(before, at, fieldAt, words), at, fieldAt, parent);
    });
  return (
    <>
      <div className={formStyles.field}>
        <label htmlFor="field-kind">{t("Kind")}</label>
        <select
          id="field-kind"
          value={sort}
          aria-describedby={isStored ? "field-kind-hint" : undefined}
          onChange={({ target }) => setSort(target.value)}
        >
          {Object.entries(SORTS).map(([name, { title }]) => (
            <option key={name} value={name} disabled={!mayBe(name)}>
              {t(title)}
            </option>
          ))}
        </select>
        {isStored && (
          <span className={textStyles.hint} id="field-kind-hint">
            {t("Stored values keep their type, unless they are converted.")}
          </span>
        )}
        {isStored && reference === undefined && sort !== "files" && (
          <button type="button" onClick={() => setConverting(true)}>
            {t("Change kind…")}
          </button>
        )}
        {isConverting && (
          <ConvertDialog
            collection={all.resources[at]?.name ?? ""}
            field={field}
            name={titleOf(field)}
            onClose={() => setConverting(false)}
          />
        )}
      </div>
      {reference !== undefined && (
        <div className={formStyles.field}>
          <label htmlFor="field-parent">{t("Refers to")}</label>
          <select
            id="field-parent"
            value={reference}
            disabled={isStored}
            onChange={({ target }) =>
              change((before) =>
                referTo(
                  before,
                  at,
                  fieldAt,
                  before.resources.find(({ name }) => name === target.value),
                ),
              )
            }
          >
            {all.resources.map((one) => (
              <option key={one.name} value={one.name}>
                {titleOf(one)}
              </option>
            ))}
          </select>
          {reference === all.resources[at]?.name && (
            <label className={formStyles.choice}>
              <input
                type="checkbox"
                checked={keyBy(all.resources[at], field)?.acyclic === true}
                onChange={({ target }) => change((before) => changeKey(before, at, field, { acyclic: target.checked || undefined }))}
              />
              {t("No record may lie below itself")}
            </label>
          )}
        </div>
      )}
      {sort === "autoNumber" && (
        <TextField
          id="field-number"
          label={t("Pattern of the number")}
          dir="ltr"
          spellCheck={false}
          value={String(field.autoNumber)}
          error={patternMistake(String(field.autoNumber)) && t("{yyyy} is the year, and {00000} the number with at least five digits.")}
          hint={t("{yyyy} is the year, and {00000} the number with at least five digits.")}
          onChange={(autoNumber) => set({ autoNumber })}
        />
      )}
      {sort === "file" && <FileFields field={field} onChange={set} />}
      {(sort === "choice" || sort === "choices" || choices.length > 0) && (
        <ChoiceList choices={choices} isText={isTextual(field)} onChange={(next) => set(choiceWords(field, next))} />
      )}
    </>
  );
}

const MEGABYTE = 1_000_000; // bytes

function FileFields({ field, onChange }: { field: PackageField; onChange: (words: Readonly<Record<string, unknown>>) => void }) {
  const [types, setTypes] = useState((Array.isArray(field.accept) ? field.accept : []).join(", "));
  const [size, setSize] = useState(String(Number(field.maxSize ?? DEFAULT_FILE_SIZE) / MEGABYTE));
  return (
    <>
      <TextField
        id="field-accept"
        label={t("Types of files")}
        dir="ltr"
        spellCheck={false}
        value={types}
        hint={t("Such as image/*, application/pdf. Empty: any.")}
        onChange={(text) => {
          setTypes(text);
          const accept = text
            .toLowerCase()
            .split(/[\s,;]+/)
            .filter(Boolean);
          onChange({ accept: accept.length > 0 ? accept : undefined });
        }}
      />
      <TextField
        id="field-size"
        label={t("Largest file, in MB")}
        dir="ltr"
        inputMode="decimal"
        value={size}
        onChange={(text) => {
          setSize(text);
          const bytes = Math.round(Number(readTypedNumber(text)) * MEGABYTE);
          onChange({ maxSize: bytes > 0 && bytes !== DEFAULT_FILE_SIZE ? bytes : undefined });
        }}
      />
    </>
  );
}

/** Texts, one or several. */
const isTextual = ({ type = "string", itemType = "string" }: Readonly<Record<string, unknown>>) =>
  type === "string" || (type === "list" && itemType === "string");
const bothKinds = ({ required, unique }: Constraints) => ({ ...(required && { required }), ...(unique && { unique }) });

function SectionField({
  resource,
  field,
  onChange,
}: {
  resource: PackageResource;
  field: PackageField;
  onChange: (name: string | undefined) => void;
}) {
  const sections = sectionsOf(resource);
  if (sections.length === 0) return null;
  return (
    <div className={formStyles.field}>
      <label htmlFor="field-section">{t("Section of the form")}</label>
      <select id="field-section" value={String(field.section ?? "")} onChange={({ target }) => onChange(target.value || undefined)}>
        <option value="">{t("None")}</option>
        {sections.map((section) => (
          <option key={section.name} value={section.name}>
            {titleOf(section)}
          </option>
        ))}
      </select>
    </div>
  );
}

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Edits the title in the app's other languages. */
function Translations({ field, onChange }: { field: PackageField; onChange: (translations: Words | undefined) => void }) {
  const words = (field.translations ?? {}) as Words;
  return otherLanguages().map((tag) => (
    <TextField
      key={tag}
      id={`field-title-${tag}`}
      label={t("Title in {language}", { language: languageName(tag) })}
      dir="auto"
      value={words[tag]?.title ?? ""}
      onChange={(title) => {
        const own = withWords(words[tag] ?? {}, { title });
        onChange(orNothing(withWords(words, { [tag]: orNothing(own) })) as Words | undefined);
      }}
    />
  ));
}
