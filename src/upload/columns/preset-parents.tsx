// A file that is uploaded below a record: each row refers to it, as a column with one value says.

import { useEffect } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import { fieldsThatFill } from "../../../pipeline/mapping/match-columns.ts";
import { constantColumns } from "../../../pipeline/model/column-rules.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { Link } from "../../app/router/link.tsx";
import { useCollection, useServices } from "../../app/services/services.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import type { Texts } from "../../values/field-text.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nounsOf } from "../../values/record-name.ts";
import { useParent } from "../../values/references/use-parent.ts";
import { changeRules } from "./rule-history.ts";

export interface PresetParentsProps {
  collection: Collection;
  /** The keys of the parents by the names of the fields that refer to them. */
  given: Texts;
}

/** What has its rules once keeps them as the user leaves them, until a recipe brings other rules: by the name of the recipe. */
const preset = new WeakMap<FileInspection, string | undefined>();

const isPreset = (inspection: FileInspection, { recipe }: Plan) => preset.has(inspection) && preset.get(inspection) === recipe;

export function PresetParents({ collection, given }: PresetParentsProps) {
  const { uploadManager } = useServices();
  const { upload, plan } = uploadManager.state();
  const recipe = plan?.recipe;
  const inspection = upload?.step === "columns" ? upload.inspection : undefined;
  useEffect(() => {
    const { plan: now } = uploadManager.state(); // another effect may have changed it
    if (!inspection || !now || now.recipe !== recipe || isPreset(inspection, now)) return;
    preset.set(inspection, recipe);
    const next = withParents(collection, now, given);
    if (next.columns.length > now.columns.length) changeRules(uploadManager, now, next);
  }, [inspection, recipe, collection, given, uploadManager]);
  return Object.entries(given).map(([name, key]) => {
    const field = collection.byName.get(name);
    const own = inspection && plan && ownColumn(collection, plan, name);
    const isLeftOut = inspection && preset.has(inspection) && !own && !plan?.columns.includes(name);
    return field && !isLeftOut && <Preset key={name} collection={collection} field={field} text={key} own={own} />;
  });
}

/** A column of the file for the same field stays: it says more. So does one that names the parent by another value. */
export function withParents(collection: Collection, plan: Plan, given: Texts): Pick<Plan, "rules" | "columns"> {
  const missing = Object.entries(given).filter(([name]) => !fieldsThatFill(collection, name).some((one) => plan.columns.includes(one)));
  const rules = missing.map(([name, value]) => ({ do: "constant", value, into: collection.byName.get(name)?.title ?? name }) as const);
  return { rules: [...(plan.rules ?? []), ...rules], columns: [...plan.columns, ...missing.map(([name]) => name)] };
}

/** Returns the field of the file's own column that says which parent is meant. */
function ownColumn(collection: Collection, { columns, rules = [] }: Plan, name: string): Field | undefined {
  const constants = constantColumns(columns.length, rules);
  const ofFile = columns.filter((_, i) => !constants.includes(i));
  const own = fieldsThatFill(collection, name).find((one) => ofFile.includes(one));
  return own === undefined ? undefined : collection.byName.get(own);
}

interface PresetProps {
  collection: Collection;
  field: Field;
  text: string;
  /** The file's own column for the parent. */
  own: Field | undefined;
}

function Preset({ field, ...props }: PresetProps) {
  const parent = useCollection(field.reference?.collection);
  return parent ? <PresetNotice parent={parent} field={field} {...props} /> : null;
}

function PresetNotice({ collection, parent, field, text, own }: PresetProps & { parent: Collection }) {
  const { name, isMissing } = useParent(parent, text);
  const shown = name ?? text;
  const nouns = nounsOf(collection);
  return (
    <Notice tone={isMissing || own ? "doubt" : "plain"}>
      {isMissing ? (
        t("There is no {noun} {id}", { noun: parent.noun, id: text })
      ) : own ? (
        <NameInSentence
          name={shown}
          text={t("The file has a column “{field}” of its own. It is used, and not {name} for every row.", { field: own.title })}
        />
      ) : (
        <NameInSentence name={shown} text={t("All {nouns} of the file get {name} as “{field}”.", { ...nouns, field: field.title })} />
      )}
      <div className={noticeStyles.actions}>
        <Link className="button" to="/$collection/upload" params={{ collection: collection.name }}>
          {t("Upload without this")}
        </Link>
      </div>
    </Notice>
  );
}
