// The words and the look of a collection in a draft, and the columns of its list.

import { useState } from "react";
import { COLLECTION_COLORS } from "../../../core/dictionary/collection-colors.ts";
import type { Package, PackageResource } from "../../../core/dictionary/packages.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { COLLECTION_ICONS } from "../../ui/collection-icons.ts";
import * as formStyles from "../../ui/form.module.css";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { changeResource, moved, titleOf, withWords } from "./package-edits.ts";
import { SectionList } from "./section-list.tsx";

interface CollectionSettingsProps {
  resource: PackageResource;
  at: number;
  change: (edit: (all: Package) => Package) => void;
}

export const COLOR_WORDS = {
  blue: message("Blue"),
  teal: message("Teal"),
  amber: message("Amber"),
  violet: message("Violet"),
  green: message("Green"),
  rose: message("Rose"),
};

export function CollectionSettings({ resource, at, change }: CollectionSettingsProps) {
  const set = (words: Readonly<Record<string, unknown>>) => change((all) => changeResource(all, at, (one) => withWords(one, words)));
  const text = (name: "title" | "noun" | "group", label: string, hint?: string) => (
    <TextField
      id={`collection-${name}`}
      label={label}
      dir="auto"
      value={String(resource[name] ?? "")}
      onChange={(value) => set({ [name]: value })}
      {...(hint && { hint })}
    />
  );
  return (
    <div className={formStyles.form}>
      {text("title", t("Title"))}
      {text("noun", t("One of them"), t("In a sentence, such as “customer” in “New customer”."))}
      {text("group", t("Group"), t("The heading under which the sidebar has it."))}
      <IconAndColor icon={String(resource.icon ?? "")} color={String(resource.color ?? "")} onChange={set} />
      <Columns order="label" legend={t("What names a record")} resource={resource} onChange={(label) => set({ label })} />
      <SectionList resource={resource} at={at} change={change} />
      <Columns order="list" legend={t("Columns of the list")} resource={resource} onChange={(list) => set({ list })} />
      <UniqueTogether
        resource={resource}
        onChange={(uniqueKeys) =>
          change((all) => changeResource(all, at, (one) => ({ ...one, schema: withWords(one.schema, { uniqueKeys }) })))
        }
      />
      <div>
        <button
          type="button"
          className={resource.retired ? undefined : buttonStyles.danger}
          onClick={() => set({ retired: resource.retired ? undefined : true })}
        >
          {resource.retired ? t("Bring the collection back") : t("Retire the collection")}
        </button>
        <p className={textStyles.hint}>{t("A retired collection is hidden. Its records are kept, and it can be brought back.")}</p>
      </div>
    </div>
  );
}

interface IconAndColorProps {
  icon: string;
  color: string;
  onChange: (words: { icon?: string; color?: string }) => void;
}

export function IconAndColor({ icon, color, onChange }: IconAndColorProps) {
  return (
    <div className={formStyles.fields}>
      <div className={formStyles.field}>
        <label htmlFor="collection-icon">{t("Icon")}</label>
        <select id="collection-icon" value={icon} onChange={({ target }) => onChange({ icon: target.value })}>
          <option value="">{t("First letter of the title")}</option>
          {Object.keys(COLLECTION_ICONS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div className={formStyles.field}>
        <label htmlFor="collection-color">{t("Colour")}</label>
        <select id="collection-color" value={color} onChange={({ target }) => onChange({ color: target.value })}>
          <option value="">{t("By itself")}</option>
          {COLLECTION_COLORS.map((name) => (
            <option key={name} value={name}>
              {t(COLOR_WORDS[name])}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

interface UniqueTogetherProps {
  resource: PackageResource;
  onChange: (keys: readonly (readonly string[])[] | undefined) => void;
}

/** Each line is fields of which no two records have the same values together; the last line is for the next one. */
function UniqueTogether({ resource, onChange }: UniqueTogetherProps) {
  const { fields, primaryKey, uniqueKeys = [] } = resource.schema;
  const [next, setNext] = useState<readonly string[]>([]);
  const choices = fields.filter(
    ({ name, retired, computed, default: begins }) =>
      !retired && ![primaryKey].flat().includes(name) && computed === undefined && begins === undefined,
  );
  const set = (keys: readonly (readonly string[])[]) => onChange(keys.length > 0 ? keys : undefined);
  const titleIn = (name: string) => titleOf(fields.find((one) => one.name === name) ?? { name });
  return (
    <fieldset>
      <legend>{t("Unique together")}</legend>
      <span className={textStyles.hint}>{t("No two records have the same values in all of these fields.")}</span>
      {uniqueKeys.map((key, i) => (
        <div key={key.join()} className={formStyles.choice}>
          <span>{key.map(titleIn).join(" + ")}</span>
          <button
            type="button"
            className={buttonStyles.link}
            aria-label={t("Remove {what}", { what: key.map(titleIn).join(" + ") })}
            onClick={() => set(uniqueKeys.filter((_, k) => k !== i))}
          >
            {t("Remove")}
          </button>
        </div>
      ))}
      <div>
        {choices.map((field) => (
          <label key={field.name} className={formStyles.choice}>
            <input
              type="checkbox"
              checked={next.includes(field.name)}
              onChange={({ target }) => setNext(target.checked ? [...next, field.name] : next.filter((one) => one !== field.name))}
            />
            <span>{titleOf(field)}</span>
          </label>
        ))}
      </div>
      <button
        type="button"
        aria-disabled={next.length < 2}
        onClick={() => {
          if (next.length < 2) return;
          set([...uniqueKeys, choices.flatMap(({ name }) => (next.includes(name) ? name : []))]);
          setNext([]);
        }}
      >
        {t("Make these unique together")}
      </button>
    </fieldset>
  );
}

interface ColumnsProps {
  order: "label" | "list";
  legend: string;
  resource: PackageResource;
  onChange: (names: readonly string[] | undefined) => void;
}

/** Fields to tick, the ticked ones first and in their order. */
function Columns({ order, legend, resource, onChange }: ColumnsProps) {
  const fields = resource.schema.fields.filter(({ retired }) => !retired);
  const isDefault = resource[order] === undefined;
  const chosen = resource[order] ?? (order === "list" ? fields.map(({ name }) => name) : []);
  const rank = (name: string) => (chosen.includes(name) ? chosen.indexOf(name) : chosen.length);
  const toggle = (name: string, isOn: boolean) => {
    const next = isOn ? [...chosen, name] : chosen.filter((one) => one !== name);
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <fieldset>
      <legend>{legend}</legend>
      {isDefault && <span className={textStyles.hint}>{t("By itself")}</span>}
      {[...fields]
        .sort((a, b) => rank(a.name) - rank(b.name))
        .map((field) => (
          <label
            key={field.name}
            className={formStyles.choice}
            onKeyDown={(event) => {
              const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
              const from = chosen.indexOf(field.name);
              if (!event.altKey || by === undefined || from < 0) return;
              event.preventDefault();
              const to = from + by;
              if (to >= 0 && to < chosen.length) onChange(moved(chosen, from, to));
            }}
          >
            <input
              type="checkbox"
              aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
              checked={chosen.includes(field.name)}
              onChange={({ target }) => toggle(field.name, target.checked)}
            />
            <span>{titleOf(field)}</span>
          </label>
        ))}
      <span className={textStyles.hint}>{t("Alt+↑ and Alt+↓ move what is ticked.")}</span>
    </fieldset>
  );
}
