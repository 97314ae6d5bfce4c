// Says what pasted texts mean for the cells of some records: new values, and cells that cannot have theirs.

import type { WireRecord } from "../../../../core/contract/records.ts";
import { labelOf } from "../../../../core/dictionary/categories.ts";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import type { Field } from "../../../../core/dictionary/fields.ts";
import { isSame, KIND_TRAITS, type Value } from "../../../../core/dictionary/kinds.ts";
import { isProblem, validateValue } from "../../../../core/dictionary/validate.ts";
import { t } from "../../../../core/i18n/translate.ts";
import { idOf } from "../../../service/records.ts";
import type { Block } from "../../../values/cell-block.ts";
import { problemMessage, textOf, textToValidate } from "../../../values/field-text.ts";
import { fieldValue } from "../../../values/field-value.ts";
import { formatValue } from "../../../values/format-value.ts";

export interface PastedValues {
  /** Holds, by the keys of the records, only what differs from what is stored. */
  changes: ReadonlyMap<number, Readonly<Record<string, Value | null>>>;
  /** The records of the cells that have a reason for which they stay as they are, one for each cell. */
  refused: ReadonlyMap<string, readonly WireRecord[]>;
  /** Rows and columns of the block for which there were no cells. */
  beyondRows: number;
  beyondColumns: number;
}

/** Returns the text of a cell as it is copied. Pasted again it is the same value; choices are copied by their names. */
export function cellText(record: WireRecord, field: Field): string {
  const value = fieldValue(record, field);
  const text = textOf(field, value);
  if (value === null) return "";
  if (field.labels) return labelOf(field, value);
  if (field.file) return formatValue(field, value);
  const words = KIND_TRAITS[field.kind].choices?.[text];
  return words === undefined ? text : t(words);
}

/** Puts `texts` into the block, again and again where it is larger. */
export function readPasted(
  { collection, columns, records }: { collection: Collection; columns: readonly Field[]; records: readonly WireRecord[] },
  { rows, fields }: Block,
  texts: readonly (readonly string[])[],
): PastedValues {
  const changes = new Map<number, Record<string, Value | null>>();
  const refused = new Map<string, WireRecord[]>();
  for (const [i, record] of records.slice(rows[0], rows[1] + 1).entries()) {
    for (const [j, field] of columns.slice(fields[0], fields[1] + 1).entries()) {
      const line = texts[i % texts.length] ?? [];
      const typed = line[j % Math.max(1, ...texts.map(({ length }) => length))] ?? "";
      if (typed === cellText(record, field)) continue;
      const read = readCell(collection, field, typed);
      if ("wrong" in read) {
        const others = refused.get(read.wrong);
        if (others) others.push(record);
        else refused.set(read.wrong, [record]);
      } else if (!isSame(read.value, fieldValue(record, field)))
        changes.set(idOf(collection, record), { ...changes.get(idOf(collection, record)), [field.name]: read.value });
    }
  }
  return {
    changes,
    refused,
    beyondRows: Math.max(0, rows[1] + 1 - records.length),
    beyondColumns: Math.max(0, fields[1] + 1 - columns.length),
  };
}

function readCell(collection: Collection, field: Field, typed: string): { value: Value | null } | { wrong: string } {
  const isGiven = field === collection.key || field.autoNumber !== undefined;
  if (isGiven || field.readOnly || field.isUnseenReference || field.file || !collection.form.includes(field))
    return { wrong: t("{title} cannot be changed here.", { title: field.title }) };
  const text = textToValidate(field, typed.trim());
  const value = validateValue(field, choiceNamed(field, text) ?? text, "text");
  return isProblem(value) ? { wrong: problemMessage(field, value, typed) } : { value };
}

/** "Ja" is yes in German. */
function choiceNamed({ kind }: Field, text: string): string | undefined {
  const choices = Object.entries(KIND_TRAITS[kind].choices ?? {});
  return choices.find(([, words]) => t(words).toLowerCase() === text.toLowerCase())?.[0];
}
