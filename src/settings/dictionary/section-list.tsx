// The sections of the form of a collection in a draft: made, named, moved, and filled with fields.

import { type KeyboardEvent, useRef } from "react";
import { keyOf, type Package, type PackageResource } from "../../../core/dictionary/packages.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import * as styles from "./dictionary-editor.module.css";
import { titleOf, withWords } from "./package-edits.ts";
import { languageName, otherLanguages } from "./rule-edits.ts";
import { addSection, changeSection, moveSection, type PackageSection, putInto, removeSection, sectionsOf } from "./section-edits.ts";

interface SectionListProps {
  resource: PackageResource;
  at: number;
  change: (edit: (all: Package) => Package) => void;
}

export function SectionList({ resource, at, change }: SectionListProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const sections = sectionsOf(resource);
  const focus = (place: number) => setTimeout(() => list.current?.querySelectorAll<HTMLInputElement>("[data-title] input")[place]?.focus());
  const move = (from: number, to: number) => {
    change((all) => moveSection(all, at, from, to));
    focus(Math.min(Math.max(to, 0), sections.length - 1));
  };
  return (
    <fieldset ref={list} className={styles.sections}>
      <legend>{t("Sections of the form")}</legend>
      <ol>
        {sections.map((section, place) => (
          <li key={section.name}>
            <OneSection
              {...{ resource, section, at, change }}
              onMove={(by) => move(place, place + by)}
              onRemove={() => {
                change((all) => removeSection(all, at, section.name));
                setTimeout(() => list.current?.querySelector<HTMLButtonElement>("[data-add]")?.focus());
              }}
            />
          </li>
        ))}
      </ol>
      <button
        type="button"
        data-add=""
        onClick={() => {
          change((all) => addSection(all, at));
          focus(sections.length);
        }}
      >
        {t("Add section")}
      </button>
      <span className={textStyles.hint}>
        {sections.length > 1
          ? t("Alt+↑ and Alt+↓ move a section.")
          : t("A form of many fields is easier to read in sections, each with a heading.")}
      </span>
    </fieldset>
  );
}

interface OneSectionProps extends SectionListProps {
  section: PackageSection;
  onMove: (by: number) => void;
  onRemove: () => void;
}

function OneSection({ resource, section, at, change, onMove, onRemove }: OneSectionProps) {
  const { name, translations = {} } = section;
  const set = (words: Readonly<Record<string, unknown>>) => change((all) => changeSection(all, at, name, words));
  const setIn = (tag: string, words: Readonly<Record<string, string>>) => {
    const own = withWords(translations[tag] ?? {}, words);
    const all = withWords(translations, { [tag]: Object.keys(own).length > 0 ? own : undefined });
    set({ translations: Object.keys(all).length > 0 ? all : undefined });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(by);
  };
  const id = `section-${name}`;
  return (
    <div className={formStyles.form}>
      <div data-title="">
        <TextField
          id={`${id}-title`}
          label={t("Title of the section")}
          dir="auto"
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onKeyDown={onKeyDown}
          value={section.title ?? ""}
          onChange={(title) => set({ title })}
        />
      </div>
      <TextField
        id={`${id}-help`}
        label={t("Help text")}
        dir="auto"
        value={section.description ?? ""}
        onChange={(description) => set({ description })}
      />
      {otherLanguages().map((tag) => {
        const language = languageName(tag);
        const words = translations[tag] ?? {};
        return (
          <div key={tag} className={styles.pair}>
            <TextField
              id={`${id}-title-${tag}`}
              label={t("Title in {language}", { language })}
              dir="auto"
              value={words.title ?? ""}
              onChange={(title) => setIn(tag, { title })}
            />
            <TextField
              id={`${id}-help-${tag}`}
              label={t("Help text in {language}", { language })}
              dir="auto"
              value={words.description ?? ""}
              onChange={(description) => setIn(tag, { description })}
            />
          </div>
        );
      })}
      <label className={formStyles.choice}>
        <input
          type="checkbox"
          checked={section.collapsed === true}
          onChange={({ target }) => set({ collapsed: target.checked || undefined })}
        />
        <span>{t("Closed at first")}</span>
      </label>
      <FieldsOf {...{ resource, section, at, change }} />
      <div>
        <button type="button" className={buttonStyles.quiet} onClick={onRemove}>
          {t("Remove the section")}
        </button>
      </div>
    </div>
  );
}

/** Fields to tick. One that is ticked leaves the section where it was. */
function FieldsOf({ resource, section: { name }, at, change }: SectionListProps & { section: PackageSection }) {
  const fields = resource.schema.fields.filter((field) => !field.retired && field.name !== keyOf(resource));
  const own = fields.filter(({ section }) => section === name);
  const titles = new Map(sectionsOf(resource).map((section) => [section.name, titleOf(section)]));
  return (
    <details>
      <summary>{tCount(own.length, "{n} field", "{n} fields")}</summary>
      {fields.map((field) => (
        <label key={field.name} className={formStyles.choice}>
          <input
            type="checkbox"
            checked={field.section === name}
            onChange={({ target }) => change((all) => putInto(all, at, [field.name], target.checked ? name : undefined))}
          />
          <span>
            <span dir="auto">{titleOf(field)}</span>{" "}
            {field.section !== name && titles.has(String(field.section)) && (
              <span className={textStyles.dim}>({titles.get(String(field.section))})</span>
            )}
          </span>
        </label>
      ))}
    </details>
  );
}
