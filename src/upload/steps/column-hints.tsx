// Hints about one column of a file: what it may be, what it lacks, and where its cells would be lost.

import { Fragment } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import type { Lookup } from "../../../core/dictionary/references.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as styles from "./columns-step.module.css";

/** Says that a column tells of a parent, and none which parent that is: its cells would be lost. */
export function Parentless({ collection, field, heading }: { collection: Collection; field: Lookup; heading: string | undefined }) {
  const { title } = collection.byName.get(field.fills) ?? field;
  const ways = [...collection.lookups.values()].filter(({ fills }) => fills === field.fills);
  return (
    <p>
      <b>
        {t("“{heading}” cannot be stored: no column says which record {parent} means.", { heading: heading ?? field.title, parent: title })}
      </b>{" "}
      {t("{title} alone does not say it, because several may have the same. Choose for a column one of: {ways}. Or leave this one out.", {
        title: field.title,
        ways: [title, ...ways.map((way) => way.title)].join(", "),
      })}
    </p>
  );
}

/** Says that what stands in the column fits one field. The user decides, and only then it is remembered. */
export function ByContent({ field, column, onUse }: { field: Field | undefined; column: string; onUse: (name: string) => void }) {
  if (!field) return null;
  return (
    <span className={styles.byContent}>
      {t("By its content this may be {title}.", { title: field.title })} <UseField field={field} column={column} onUse={onUse} />
    </span>
  );
}

interface NeedsKeysProps {
  collection: Collection;
  field: Field | undefined;
  /** The first ones that have text. */
  cells: readonly string[];
  column: string;
  onUse: (name: string) => void;
}

/** Old systems name parents by numbers of their own or by names. No cell is a key, so each row would be refused. */
export function NeedsKeys({ collection, field, cells, column, onUse }: NeedsKeysProps) {
  if (!field?.reference || cells.length === 0 || cells.some((cell) => KIND_TRAITS[field.kind].fromText(cell) !== undefined)) return null;
  const { name, title, example } = field;
  const others = [...collection.lookups.values()].filter(({ fills }) => fills === name);
  return (
    <span className={styles.byContent}>
      {example === ""
        ? t("{title} needs the number of the record.", { title })
        : t("{title} needs the number of the record, such as {example}.", { title, example })}
      {others.map((other) => (
        <Fragment key={other.name}>
          {" "}
          {t("If these are values of {title}:", { title: other.title })} <UseField field={other} column={column} onUse={onUse} />
        </Fragment>
      ))}
    </span>
  );
}

function UseField({ field: { name, title }, column, onUse }: { field: Field; column: string; onUse: (name: string) => void }) {
  return (
    <button
      type="button"
      className={buttonStyles.link}
      aria-label={t("Use {title} for {column}", { title, column })}
      onClick={({ currentTarget }) => {
        currentTarget.closest("td")?.querySelector("select")?.focus(); // this button goes
        onUse(name);
      }}
    >
      {t("Use")}
    </button>
  );
}
