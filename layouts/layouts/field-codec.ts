// Converts a field of a record to the text that a cell of an upload would have, and back.

import type { Collection } from "../../core/dictionary/collections.ts";
import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";
import { type CutText, cutNational, type LayoutEncoding } from "./character-sets.ts";
import { isFloat, type Usage } from "./cobol-numbers.ts";
import { type DateFormat, readFormat } from "./dates.ts";
import { isEbcdic } from "./ebcdic.ts";
import { readEdited, writeEdited } from "./edited-numbers.ts";
import { withoutExponent } from "./floating-point.ts";
import { KINDS_IN_LAYOUTS, type KindInLayouts, SKIPPED_KIND } from "./kinds-in-layouts.ts";
import { codesOf, type Filling, figurativeByte, type LayoutField, type Place } from "./layout.ts";
import { isWhole, type NumeralReading, readNumerals } from "./numeral-field.ts";
import { openSign, type Sign, type SignForm, whyUnsigned } from "./signs.ts";
import { openZone, type Zone } from "./time-zones.ts";

export interface Cell {
  name: string;
  title: string;
  /** Is counted from 0, the end not included; undefined when the value is always `constant`. */
  place: { from: number; to: number } | undefined;
  constant: string;
  isSkipped: boolean;
  filling: Required<Filling>;
  usage: Usage | undefined;
  /** Is true if it has national characters, two bytes each, whatever the encoding of its record is. */
  isNational: boolean;
  /** Counts the bytes that a value has at least, for a record that may end early. Blanks at the end of a text are no part of it. */
  leastBytes: number;
  /** The byte that fills the field when there is no value, if the layout says LOW-VALUES or HIGH-VALUES. */
  noneByte: number | undefined;
  /** Returns the text of the field with its padding, or the digits of its number; undefined where the bytes cannot be read. */
  cut(cut: CutText): string | undefined;
  /** `text`: the result of `cut`. */
  read(text: string): string;
  /** Says why the result of `cut` is no value of this field; continues a sentence such as “Salary is …”. */
  whyWrong(text: string): string | undefined;
  /** Returns the text for a field of `width` characters, without padding; undefined when the value cannot be written. */
  write(value: string, width: number): string | undefined;
  /** Returns the number, for totals: 0 for a blank field, undefined for other text. */
  digits(text: string): bigint | undefined;
}

export function placeOf({ start, length }: Place): { from: number; to: number } {
  return { from: start - 1, to: start - 1 + length };
}

export function openCell(placed: LayoutField, { byName }: Pick<Collection, "byName">, encoding: LayoutEncoding = "utf-8"): Cell {
  const field = byName.get(placed.name);
  const kind = field?.kind;
  const { start, length, usage } = placed;
  const traits = kind ? KINDS_IN_LAYOUTS[kind] : SKIPPED_KIND;
  const place = start === undefined || length === undefined ? undefined : placeOf({ start, length });
  const filling = fillingOf(placed, traits.isNumeric);
  const sign = placed.sign && openSign(placed.sign, encoding);
  const reading =
    usage && place
      ? readNumerals({ ...placed, usage }, place)
      : placed.picture && traits.isNumeric
        ? readPrinted(placed, place)
        : readCharacters(placed, place, { filling, sign, isNumber: traits.isNumeric });
  const fieldFormat = createFieldFormat(placed, traits, { codeOf: usage || traits.isNumeric ? reading.bare : String, sign });
  const [none] = codesOf(placed.null);
  const isNational = placed.encoding !== undefined;
  const blank = isEbcdic(encoding) ? "@" : " "; // its byte, as a character of the same code
  const cutValue = isNational ? (cut: CutText) => reading.cut(cutNational(cut, blank)) : reading.cut;
  const cell: Cell = {
    name: placed.name,
    title: field?.title ?? placed.name,
    place,
    constant: placed.constant ?? "",
    isSkipped: placed.skip ?? false,
    filling,
    usage,
    isNational,
    leastBytes: usage || isNational || filling.justify === "right" ? (length ?? 0) : (placed.format?.length ?? 0),
    noneByte: figurativeByte(none ?? placed.pad),
    cut: place ? cutOrFigurative(placed, place, cutValue) : cutValue,
    read: (text) => (reading.isNone(text) ? "" : fieldFormat.read(reading.bare(text))),
    whyWrong(text) {
      if ((!reading.whyWrong && !fieldFormat.whyWrong) || reading.isNone(text)) return undefined;
      return reading.whyWrong?.(text) ?? fieldFormat.whyWrong?.(reading.bare(text));
    },
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

/** Bytes that are a figurative constant of `null` are no value, whatever they are in the encoding or as a number. */
function cutOrFigurative(placed: LayoutField, { from, to }: { from: number; to: number }, cutValue: Cell["cut"]): Cell["cut"] {
  const fills = codesOf(placed.null).flatMap((code) => {
    const byte = figurativeByte(code);
    return byte === undefined ? [] : [String.fromCharCode(byte).repeat(to - from)];
  });
  if (fills.length === 0) return cutValue;
  return (cut) => (fills.includes(cut(from, to, "bytes") ?? "") ? "" : cutValue(cut));
}

interface Characters {
  filling: Required<Filling>;
  sign: SignForm | undefined;
  isNumber: boolean;
}

function readCharacters(placed: LayoutField, place: Cell["place"], { filling, sign, isNumber }: Characters): NumeralReading {
  const strip = createStrip(filling);
  const nulls = new Set(codesOf(placed.null));
  const bare = (text: string) => (isNumber ? plainNumber(sign?.read(text.trim()) ?? text.trim(), filling.pad) : strip(text));
  const numbers = new Set(isNumber ? [...nulls].filter(isWhole).map(bare) : []);
  return {
    cut: (cut) => (place ? cutPadded(cut, place, filling) : ""),
    bare,
    isNone: (text) => nulls.has(text) || nulls.has(text.trim()) || nulls.has(strip(text)) || numbers.has(bare(text)),
    padded: (written, width) => padText(written, width, filling),
    none: codesOf(placed.null).find((code) => figurativeByte(code) === undefined) ?? " ",
    ...(sign &&
      placed.sign && {
        whyWrong: (text: string) => (sign.read(text.trim()) === undefined ? whyUnsigned(placed.sign as Sign, text) : undefined),
      }),
  };
}

/** Reads a number that is edited for printing. */
function readPrinted(placed: LayoutField, place: Cell["place"]): NumeralReading {
  const nulls = codesOf(placed.null);
  return {
    cut: (cut) => (place ? cut(place.from, place.to) : ""),
    bare: readEdited,
    isNone: (text) => text.trim() === "" || nulls.includes(text) || nulls.includes(text.trim()),
    padded: (written, width) => written.padEnd(width),
    none: nulls.find((code) => figurativeByte(code) === undefined) ?? " ",
  };
}

/** A figurative constant is taken off as bytes, because it may be no character of the encoding. */
export function cutPadded(
  cut: CutText,
  { from, to }: { from: number; to: number },
  { pad, justify }: Required<Filling>,
): string | undefined {
  const byte = figurativeByte(pad);
  if (byte === undefined) return cut(from, to);
  const bytes = cut(from, to, "bytes") ?? "";
  let [first, last] = [0, bytes.length];
  if (justify === "right") while (first < last && bytes.charCodeAt(first) === byte) first++;
  else while (last > first && bytes.charCodeAt(last - 1) === byte) last--;
  return cut(from + first, from + last);
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
  if (figurativeByte(pad) !== undefined) return text; // as it is read: without its padding
  return justify === "right" ? text.padStart(width, pad) : text.padEnd(width, pad);
}

/** Drops a plus sign and leading zeros, and puts the minus sign in front. Other text is unchanged, so that the dictionary reports it. */
function plainNumber(text: string, pad: string): string {
  const given = pad === " " || pad === "0" ? text : createStrip({ pad, justify: "right" })(text);
  const parts = /^([+-]?)0*([0-9][0-9.]*)([+-]?)$/.exec(given);
  if (!parts || (parts[1] && parts[3])) return given;
  const sign = `${parts[1]}${parts[3]}` === "-" ? "-" : "";
  return `${sign}${parts[2]}`;
}

interface FieldFormat {
  read(bare: string): string;
  /** Says why a text that is in its form is no value; continues a sentence such as “Hired is …”. */
  whyWrong?(bare: string): string | undefined;
  write(value: string, width: number): string | undefined;
}

/** `codeOf`: normalizes a code of the layout like the text of the field. */
function createFieldFormat(
  placed: LayoutField,
  traits: KindInLayouts,
  { codeOf, sign }: { codeOf: (code: string) => string; sign: SignForm | undefined },
): FieldFormat {
  const { values, format, zone, decimals, usage, picture } = placed;
  const meanings = new Map(Object.entries(values ?? {}).map(([code, meaning]) => [codeOf(code), meaning]));
  const plain: FieldFormat = isFloat(usage)
    ? floatFieldFormat(decimals)
    : traits.isNumeric
      ? picture
        ? { read: (bare: string) => bare, write: (value: string) => writeEdited(picture, value) }
        : numberFieldFormat(decimals ?? 0, sign)
      : format === undefined
        ? TEXT
        : dateFieldFormat(readFormat(format, placed.pivot), zone === undefined ? undefined : openZone(zone, placed.disambiguation));
  const { whyWrong } = plain;
  return {
    ...(whyWrong && { whyWrong: (bare: string) => (meanings.has(bare) ? undefined : whyWrong(bare)) }),
    read: (bare) => meanings.get(bare) ?? plain.read(bare),
    write: (value, width) => [...meanings].find(([, meaning]) => meaning === value)?.[0] ?? plain.write(value, width),
  };
}

const TEXT: FieldFormat = { read: (bare) => bare, write: (value) => value };

function dateFieldFormat(format: DateFormat | { wrong: string }, zone: Zone | undefined): FieldFormat {
  if ("wrong" in format) throw new Error(`A date format that was not checked ${format.wrong}.`);
  return {
    read(bare) {
      const read = format.toIso(bare, zone);
      return read && "iso" in read ? read.iso : bare;
    },
    whyWrong(bare) {
      const read = format.toIso(bare, zone);
      return read && "wrong" in read ? `“${bare}”, ${read.wrong}` : undefined;
    },
    write: (value) => format.fromIso(value, zone),
  };
}

/** Implied decimals apply to digits only. A text with a decimal point is unchanged, as in SAS. Below 0, zeros follow the digits. */
function numberFieldFormat(decimals: number, sign: SignForm | undefined): FieldFormat {
  return {
    read(bare) {
      if (decimals === 0 || !/^-?[0-9]+$/.test(bare)) return bare;
      if (decimals < 0) return /[1-9]/.test(bare) ? bare + "0".repeat(-decimals) : bare;
      const minus = bare.startsWith("-") ? "-" : "";
      const digits = bare.slice(minus.length).padStart(decimals + 1, "0");
      return `${minus}${digits.slice(0, -decimals).replace(/^0+(?=.)/, "")}.${digits.slice(-decimals)}`;
    },
    write(value, width) {
      const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(value);
      if (!parts) return undefined;
      const [, minus = "", whole = "", part = ""] = parts;
      const digits = digitsOf(whole, part, decimals);
      if (digits === undefined) return undefined;
      if (sign) return sign.write(digits, minus !== "", width);
      return minus ? minus + digits.padStart(width - 1, "0") : digits;
    },
  };
}

/** Without an implied point the point is written. Undefined when digits would be lost. */
function digitsOf(whole: string, part: string, decimals: number): string | undefined {
  if (decimals === 0) return part ? `${whole}.${part}` : whole;
  if (decimals > 0) return part.length > decimals ? undefined : `${whole}${part.padEnd(decimals, "0")}`.replace(/^0+(?=.)/, "");
  if (/[1-9]/.test(part)) return undefined;
  const zeros = "0".repeat(-decimals);
  if (!/[1-9]/.test(whole)) return "0";
  return whole.endsWith(zeros) ? whole.slice(0, decimals) || "0" : undefined;
}

/** `decimals`: to how many digits behind the point it is rounded, half away from zero. */
function floatFieldFormat(decimals: number | undefined): FieldFormat {
  return {
    read(bare) {
      const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(bare);
      if (!parts || decimals === undefined || (parts[3] ?? "").length <= decimals) return bare;
      const [, minus = "", whole = "", part = ""] = parts;
      const kept = BigInt(whole + part.slice(0, decimals)) + (Number(part[decimals]) > 4 ? 1n : 0n);
      return numberFieldFormat(decimals, undefined).read(kept === 0n ? "0" : `${minus}${kept}`);
    },
    write: (value) => (/^-?[0-9.]+(e[+-]?[0-9]+)?$/i.test(value) ? withoutExponent(value) : undefined),
  };
}

function isSame(kind: Kind | undefined, read: string, value: string): boolean {
  if (kind === undefined || value === "") return read === value;
  const validated = KIND_TRAITS[kind].fromText(read);
  return validated !== undefined && String(validated) === String(KIND_TRAITS[kind].fromText(value));
}
