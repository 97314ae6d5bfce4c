// Says what a cell of the grid shows, and what is typed into it.

import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS, textOfValue } from "../../../core/dictionary/kinds.ts";
import type { GridRow } from "../../../pipeline/correction/correction-state.ts";
import { withoutHidden } from "../../values/field-text.ts";
import { formatValue } from "../../values/format-value.ts";
import { isTyped, readTyped } from "../../values/typed-values.ts";

/** Returns the text of a cell: what a rule makes of it, else as edited, else as in the file. */
export function shownText({ cells, becomes }: GridRow, field: Field, i: number): string {
  const value = becomes[i];
  return value === undefined ? (cells[i] ?? "") : formatValue(field, value);
}

/** Returns what the file has, where the grid shows something else; otherwise undefined. */
export function textInFile({ cells, inFile, becomes }: GridRow, i: number): string | undefined {
  return inFile[i] ?? (becomes[i] === undefined ? undefined : cells[i]);
}

/** Returns what a form makes of a typed number, date or time, as files have it: "1234.5" of "1.234,5" in German. Undefined for any other text. */
export function meantText(field: Field, typed: string): string | undefined {
  const text = withoutHidden(field, typed).trim();
  if (text === "" || !isTyped(field)) return undefined;
  const read = readTyped(field, text);
  const value = field.format && read === text ? undefined : KIND_TRAITS[field.kind].fromText(read);
  return value === undefined ? undefined : textOfValue(field, value);
}
