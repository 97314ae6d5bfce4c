// Converts a field of a record to the text that a cell of an upload would have, and back.

import type { Collection } from "../../core/dictionary/collections.ts";
import { KINDS, type Kind } from "../../core/dictionary/kinds.ts";
import type { CutText } from "./character-sets.ts";
import type { Usage } from "./cobol-numbers.ts";
import { type DateFormat, readFormat } from "./dates.ts";
import { KIND_TRAITS, type KindTraits, SKIPPED_TRAITS } from "./kind-traits.ts";
import { codesOf, type Filling, type LayoutField, type Place } from "./layout.ts";
import { type NumeralReading, readNumerals } from "./numeral-field.ts";

export interface Cell {
  name: string;
  title: string;
  /** Counted from 0, the end not included; undefined when the value is always `constant`. */
  place: { from: number; to: number } | undefined;
  constant: string;
  isSkipped: boolean;
  filling: Required<Filling>;
  usage: Usage | undefined;
  /** The text of the field with its padding, or the digits of its number; undefined where the bytes cannot be read. */
  cut(cut: CutText): string | undefined;
  /** `text`: the result of `cut`. */
  read(text: string): string;
  /** The text for a field of `width` characters, without padding; undefined when the value cannot be written. */
  write(value: string, width: number): string | undefined;
  /** The number, for totals: 0 for a blank field, undefined for other text. */
  digits(text: string): bigint | undefined;
}

export function placeOf({ start, length }: Place): { from: number; to: number } {
  return { from: start - 1, to: start - 1 + length };
}

export function openCell(placed: LayoutField, { byName }: Collection): Cell {
  const field = byName.get(placed.name);
  const kind = field?.kind;
  const { start, length, usage } = placed;
  const traits = kind ? KIND_TRAITS[kind] : SKIPPED_TRAITS;
  const isNumber = traits.isNumeric;
  const place = start === undefined || length === undefined ? undefined : placeOf({ start, length });
  const filling = fillingOf(placed, isNumber);
  const reading = usage && place ? readNumerals({ ...placed, usage }, place) : readCharacters(placed, place, filling, isNumber);
  const fieldFormat = createFieldFormat(placed, traits, usage ? reading.bare : String);
  const cell: Cell = {
    name: placed.name,
    title: field?.title ?? placed.name,
    place,
    constant: placed.constant ?? "",
    isSkipped: placed.skip ?? false,
    filling,
    usage,
    cut: reading.cut,
    read: (text) => (reading.isNone(text) ? "" : fieldFormat.read(reading.bare(text))),
    write(value, width) {
      const written = value === "" ? reading.none : fieldFormat.write(value, width);
      return written !== undefined && isSame(kind, cell.read(reading.padded(written, width)), value) ? written : undefined;
    },
    digits(text) {
      const plain = reading.bare(text);
      return plain === "" ? 0n : /^-?[0-9]+$/.test(plain) ? BigInt(plain) : undefined;
    },
  };
  return cell;
}

function readCharacters(placed: LayoutField, place: Cell["place"], filling: Required<Filling>, isNumber: boolean): NumeralReading {
  const strip = createStrip(filling);
  const nulls = new Set(codesOf(placed.null));
  return {
    cut: (cut) => (place ? cut(place.from, place.to) : ""),
    bare: (text) => (isNumber ? plainNumber(placed.sign ? readOverpunch(text.trim()) : text.trim(), filling.pad) : strip(text)),
    isNone: (text) => nulls.has(text) || nulls.has(text.trim()) || nulls.has(strip(text)),
    padded: (written, width) => padText(written, width, filling),
    none: codesOf(placed.null)[0] ?? " ",
  };
}

export function fillingOf({ pad, justify }: Filling, isNumber: boolean): Required<Filling> {
  return { pad: pad ?? (isNumber ? "0" : " "), justify: justify ?? (isNumber ? "right" : "left") };
}

/** Removes the padding on its side. A field of blanks is empty, whatever the padding is. */
export function createStrip({ pad, justify }: Required<Filling>): (text: string) => string {
  return (text) => {
    if (text.trim() === "") return "";
    let [from, to] = [0, text.length];
    if (justify === "right") while (from < to && text[from] === pad) from++;
    else while (to > from && text[to - 1] === pad) to--;
    return text.slice(from, to).trim();
  };
}

export function padText(text: string, width: number, { pad, justify }: Required<Filling>): string {
  if (text.trim() === "") return " ".repeat(width);
  return justify === "right" ? text.padStart(width, pad) : text.padEnd(width, pad);
}

/** Without a plus sign or leading zeros, the minus sign in front. Other text is unchanged, so that the dictionary reports it. */
function plainNumber(text: string, pad: string): string {
  const given = pad === " " || pad === "0" ? text : createStrip({ pad, justify: "right" })(text);
  const parts = /^([+-]?)0*([0-9][0-9.]*)([+-]?)$/.exec(given);
  if (!parts || (parts[1] && parts[3])) return given;
  const sign = `${parts[1]}${parts[3]}` === "-" ? "-" : "";
  return `${sign}${parts[2]}`;
}

// Signed zoned decimals of COBOL as text: one character for the last digit and the sign.
const PLUS = "{ABCDEFGHI";
const MINUS = "}JKLMNOPQR";

function readOverpunch(text: string): string {
  const last = text.at(-1) ?? "";
  const digit = Math.max(PLUS.indexOf(last), MINUS.indexOf(last));
  if (last === "" || digit === -1) return text;
  return `${MINUS.includes(last) ? "-" : ""}${text.slice(0, -1)}${digit}`;
}

interface FieldFormat {
  read(bare: string): string;
  write(value: string, width: number): string | undefined;
}

/** `codeOf`: normalizes a code of the layout like the text of the field. */
function createFieldFormat(placed: LayoutField, traits: KindTraits, codeOf: (code: string) => string): FieldFormat {
  const { values, format, zone, decimals = 0, sign } = placed;
  const meanings = new Map(Object.entries(values ?? {}).map(([code, meaning]) => [codeOf(code), meaning]));
  const plain = traits.isNumeric
    ? numberFieldFormat(decimals, sign !== undefined)
    : format === undefined
      ? TEXT
      : dateFieldFormat(readFormat(format), traits.format === "datetime" ? zone : undefined);
  return {
    read: (bare) => meanings.get(bare) ?? plain.read(bare),
    write: (value, width) => [...meanings].find(([, meaning]) => meaning === value)?.[0] ?? plain.write(value, width),
  };
}

const TEXT: FieldFormat = { read: (bare) => bare, write: (value) => value };

function dateFieldFormat(format: DateFormat | { wrong: string }, zone: string | undefined): FieldFormat {
  if ("wrong" in format) throw new Error(`A date format that was not checked ${format.wrong}.`);
  return { read: (bare) => format.toIso(bare, zone) ?? bare, write: (value) => format.fromIso(value, zone) };
}

/** Implied decimals apply to digits only. A text with a decimal point is unchanged, as in SAS. */
function numberFieldFormat(decimals: number, isOverpunched: boolean): FieldFormat {
  return {
    read(bare) {
      if (decimals === 0 || !/^-?[0-9]+$/.test(bare)) return bare;
      const sign = bare.startsWith("-") ? "-" : "";
      const digits = bare.slice(sign.length).padStart(decimals + 1, "0");
      return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
    },
    write(value, width) {
      const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(value);
      if (!parts) return undefined;
      const [, sign = "", whole = "", part = ""] = parts;
      if (part.length > decimals && decimals > 0) return undefined;
      const digits = decimals > 0 ? `${whole}${part.padEnd(decimals, "0")}` : part ? `${whole}.${part}` : whole;
      if (isOverpunched) return `${digits.slice(0, -1)}${(sign ? MINUS : PLUS)[Number(digits.at(-1))]}`;
      return sign ? sign + digits.padStart(width - 1, "0") : digits;
    },
  };
}

function isSame(kind: Kind | undefined, read: string, value: string): boolean {
  if (kind === undefined || value === "") return read === value;
  const validated = KINDS[kind].fromText(read);
  return validated !== undefined && validated === KINDS[kind].fromText(value);
}
