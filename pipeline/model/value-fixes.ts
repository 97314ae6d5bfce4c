// Automatic fixes for one sort of mistake in a whole column. Each is exact, never a guess.

import type { Field } from "../../core/dictionary/fields.ts";
import type { Kind, Value } from "../../core/dictionary/kinds.ts";
import { isProblem, isValue, validateValue } from "../../core/dictionary/validate.ts";
import type { FormName } from "../../core/forms/readings.ts";
import { readYesNo } from "../../core/forms/yes-no.ts";
import { readItems, writeItems } from "../../core/text/items.ts";

/** The forms of dates and numbers have names of their own. */
export type AutoFixName = FormName | PlainFixName;

export type PlainFixName = "hidden" | "empty" | "trailingZero" | "yesNo" | "enumCase" | "bareAddress" | "webAddress" | "otherSeparator";

interface AutoFix {
  name: PlainFixName;
  /** Gets the text trimmed. Undefined: the text has no mistake of this sort. */
  apply(text: string, field: Field): string | undefined;
}

/** Lists what is offered for fields of the kind. */
export function plainFixesFor(kind: Kind): readonly PlainFixName[] {
  return [...FOR_ALL, ...(FOR_KINDS[kind] ?? [])];
}

const FOR_ALL: readonly PlainFixName[] = ["hidden", "empty"];
const FOR_KINDS: Partial<Record<Kind, readonly PlainFixName[]>> = {
  string: ["enumCase", "bareAddress", "webAddress"],
  integer: ["trailingZero"],
  boolean: ["yesNo"],
  year: ["trailingZero"],
  list: ["otherSeparator"],
};

// Line breaks and tabs separate words, so they become spaces. Other invisible characters are removed.
const OTHER_BREAKS = /[\v\f\u0085\u2028\u2029]/g; // text of several lines keeps its own
const BREAKS = /[\t\r\n\v\f\u0085\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const HIDDEN = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const PLAIN = /^[\x20-\x7e]*$/; // has no hidden character
const EMPTY = /^(?:[-–—]{1,3}|#?n\/a|na|#?null!?|\(null\)|nil|none|nan|k\.a\.|keine angabe)$/i;
/** They stand in the order in which they are offered. */
const AUTO_FIXES: readonly AutoFix[] = [
  {
    name: "hidden",
    apply: (text, { format }) => {
      if (PLAIN.test(text)) return undefined;
      return text.replace(format === "multiline" ? OTHER_BREAKS : BREAKS, format === "multiline" ? "\n" : " ").replace(HIDDEN, "");
    },
  },
  { name: "empty", apply: (text) => (EMPTY.test(text) ? "" : undefined) },
  { name: "trailingZero", apply: (text) => /^(-?\d+)\.0+$/.exec(text)?.[1] },
  { name: "yesNo", apply: readYesNo },
  { name: "enumCase", apply: (text, field) => sameInList(text, field) },
  { name: "bareAddress", apply: (text, { format }) => (format && format !== "multiline" ? bareAddress(text) : undefined) },
  { name: "webAddress", apply: (text, { format }) => (format === "uri" && HOST_FIRST.test(text) ? `https://${text}` : undefined) },
  { name: "otherSeparator", apply: otherSeparator },
];

const SEPARATORS = [",", ";", "|", "/", "\n"];

/** Finds, for several values that have another sign between them than the field says, the first sign by which all are values of the field. */
function otherSeparator(text: string, field: Field): string | undefined {
  const written = SEPARATORS.filter((sign) => text.includes(sign)).map((sign) => writeItems(readItems(text, sign), field.delimiter));
  return written.find((meant) => isValue(validateValue(field, meant, "text")));
}

const byName = new Map(AUTO_FIXES.map((autoFix) => [autoFix.name, autoFix]));
export const PLAIN_FIX_NAMES: readonly PlainFixName[] = [...byName.keys()];

/** The value of a text by a form of dates or numbers. Passed in, because few files need the code. */
export type ReadForm = (name: FormName, field: Field, text: string) => Value | undefined;

/** Returns the value of a failing cell after the fix, null for no value. Undefined: the fix does not help. */
export function fixCell(name: AutoFixName, field: Field, cell: string, readForm?: ReadForm): Value | null | undefined {
  const text = cell.trim();
  if (isForm(name)) return readForm?.(name, field, text);
  const corrected = byName.get(name)?.apply(text, field);
  if (corrected === undefined || corrected === text) return undefined;
  const validated = validateValue(field, corrected, "text");
  return isProblem(validated) ? undefined : validated;
}

const THREE_DIGITS = /^[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * Says whether the fix would take for a sign of thousands what is a decimal sign in the rest of the column: 1,005 beside 0,50. A form with
 * a question mark was chosen for such cells. `signs`: those of the column, such as ",".
 */
export function contradicts(name: AutoFixName, cell: string, signs: string): boolean {
  const read = decimalSignOf(name);
  if (read === "" || signs === "" || name.includes("?")) return false;
  const [, sign] = THREE_DIGITS.exec(cell.replace(/[^\d.,]/g, "")) ?? [];
  return sign !== undefined && sign !== read && signs.includes(sign);
}

/** Returns the decimal sign that the fix reads, if it is for numbers. */
export function decimalSignOf(name: AutoFixName): "." | "," | "" {
  return name.startsWith("number:,") ? "," : name.startsWith("number:.") ? "." : "";
}

export function isForm(name: AutoFixName): name is FormName {
  return name.includes(":");
}

const HOST_FIRST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[:/?#]|$)/u;

/** Drops what stands around an address that was copied from a link or a mail program. */
function bareAddress(text: string): string {
  const inBrackets = /^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return inBrackets.replace(/^(?:mailto|tel|callto|url):\s*/i, "").trim();
}

function sameInList(text: string, field: Field): string | undefined {
  const similar = field.enum?.filter((value) => String(value).toLowerCase() === text.normalize("NFC").toLowerCase());
  return similar?.length === 1 ? String(similar[0]) : undefined;
}
