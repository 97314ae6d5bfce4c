// A file that is uploaded below a record: each row refers to it, as a column with one value says.

import { useEffect } from "react";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import type { Field } from "../../../../core/dictionary/fields.ts";
import { t } from "../../../../core/i18n/translate.ts";
import type { FileInspection } from "../../../../pipeline/inspection/inspect-file.ts";
import type { Plan } from "../../../../pipeline/model/plan.ts";
import * as noticeStyles from "../../../components/notice.module.css";
import { Notice } from "../../../components/primitives.tsx";
import { useCollection, useServices } from "../../../context/services.ts";
import type { Texts } from "../../../fields/field-text.ts";
import { nounsOf } from "../../../fields/record-name.ts";
import { RecordNameText } from "../../../fields/record-name-text.tsx";
import { useParent } from "../../../references/use-parent.ts";
import { Link } from "../../../router/link.tsx";
import { changeRules } from "./rule-history.ts";

export interface PresetParentsProps {
  collection: Collection;
  /** The keys of the parents by the names of the fields that refer to them. */
  given: Texts;
}

/** What has its rules once keeps them as the user leaves them. */
const preset = new WeakSet<FileInspection>();

export function PresetParents({ collection, given }: PresetParentsProps) {
  const { uploadManager } = useServices();
  const { upload, plan } = uploadManager.state();
  const inspection = upload?.step === "columns" ? upload.inspection : undefined;
  useEffect(() => {
    if (!inspection || !plan || preset.has(inspection)) return;
    preset.add(inspection);
    const next = withParents(collection, plan, given);
    if (next.columns.length > plan.columns.length) changeRules(uploadManager, plan, next);
  }, [inspection, plan, collection, given, uploadManager]);
  return Object.entries(given).map(([name, key]) => {
    const field = collection.byName.get(name);
    const isFromFile = inspection !== undefined && plan !== undefined && isFilledByFile(plan, name);
    return field && <Preset key={name} collection={collection} field={field} text={key} isFromFile={isFromFile} />;
  });
}

/** A column of the file for the same field stays: it says more. */
export function withParents(collection: Collection, plan: Plan, given: Texts): Pick<Plan, "rules" | "columns"> {
  const missing = Object.entries(given).filter(([name]) => !plan.columns.includes(name));
  const rules = missing.map(([name, value]) => ({ do: "constant", value, into: collection.byName.get(name)?.title ?? name }) as const);
  return { rules: [...(plan.rules ?? []), ...rules], columns: [...plan.columns, ...missing.map(([name]) => name)] };
}

function isFilledByFile({ columns, rules = [] }: Plan, name: string): boolean {
  const at = columns.indexOf(name);
  return at !== -1 && at < columns.length - rules.filter((rule) => rule.do === "constant").length;
}

interface PresetProps {
  collection: Collection;
  field: Field;
  text: string;
  isFromFile: boolean;
}

function Preset({ field, ...props }: PresetProps) {
  const parent = useCollection(field.reference?.collection);
  return parent ? <PresetNotice parent={parent} field={field} {...props} /> : null;
}

function PresetNotice({ collection, parent, field, text, isFromFile }: PresetProps & { parent: Collection }) {
  const { name, isMissing } = useParent(parent, text);
  const shown = name ?? text;
  const nouns = nounsOf(collection);
  return (
    <Notice tone={isMissing || isFromFile ? "doubt" : "plain"}>
      {isMissing ? (
        t("There is no {noun} {id}", { noun: parent.noun, id: text })
      ) : isFromFile ? (
        <RecordNameText
          name={shown}
          text={t("The file has a column “{field}” of its own. It is used, and not {name} for every row.", { field: field.title })}
        />
      ) : (
        <RecordNameText name={shown} text={t("All {nouns} of the file get {name} as “{field}”.", { ...nouns, field: field.title })} />
      )}
      <div className={noticeStyles.actions}>
        <Link className="button" to="/$collection/upload" params={{ collection: collection.name }}>
          {t("Upload without this")}
        </Link>
      </div>
    </Notice>
  );
}
