// The bytes of an elementary item: how many, and how a layout reads them.

import type { Usage } from "../layouts/cobol-numbers.ts";
import { isEditedNumber } from "../layouts/edited-numbers.ts";
import type { LayoutField } from "../layouts/layout.ts";
import type { CobolUsage, DataEntry } from "./data-entries.ts";
import { type Picture, readPicture } from "./picture.ts";

export interface Storage {
  length: number;
  picture: Picture | undefined;
  /** Holds what a layout says of its bytes. */
  keys: Pick<LayoutField, "usage" | "sign" | "picture" | "justify" | "encoding">;
  /** Says why no layout can read it; continues a sentence such as “AMOUNT is …”. */
  unreadable?: string;
  /** Says in a sentence what should be looked at. */
  doubt?: string;
  /** Is true where nobody knows how many bytes it has. */
  isUnsure?: boolean;
  /** SYNCHRONIZED puts it at a multiple of so many bytes. */
  alignment?: number;
}

/** `isMainframe`: COMP-5 has the byte order of the computer. */
export function storageOf(entry: DataEntry, isMainframe: boolean): Storage {
  const { usage = "display" } = entry;
  const picture = entry.picture === undefined ? undefined : readPicture(entry.picture);
  const fixed = fixedSize(entry, isMainframe);
  if (fixed) return { picture: undefined, alignment: fixed.length, ...fixed };
  if (!picture) return { length: 0, picture, keys: {}, unreadable: unknownPicture(entry.picture), isUnsure: true };
  if (/national|dbcs/.test(`${picture.kind} ${usage}`)) return { ...doubleBytes(entry, picture), picture };
  const stored = usage === "display" ? display(entry, picture, isMainframe) : numeral(usage, picture, isMainframe);
  return { ...stored, picture };
}

/** Counts as Enterprise COBOL does (“Storage of national data”, “DBCS data items”): two bytes a character, a separate sign included. */
function doubleBytes({ usage, sign, isJustified }: DataEntry, { kind, characters }: Picture): Omit<Storage, "picture"> {
  const length = 2 * (characters + (kind === "numeric" && sign?.isSeparate ? 1 : 0));
  if (usage === "dbcs" || (kind === "dbcs" && usage !== "national")) return { length, keys: {}, unreadable: DBCS };
  if (kind === "numeric" || kind === "edited")
    return { length, keys: {}, unreadable: "a number in national characters, which is not read here" };
  const keys: Storage["keys"] = { encoding: "utf-16be", ...(isJustified && { justify: "right" }) };
  return { length, keys, ...(usage === undefined && { doubt: NSYMBOL }) };
}

const DBCS =
  "of DBCS characters (PIC G, DISPLAY-1), whose code pages are not known here. Have the program move it to a PIC N item of USAGE NATIONAL (NATIONAL-OF), or ask for the file in UTF-8";
const NSYMBOL = "It is taken to be national (UTF-16), as the compiler's NSYMBOL(NATIONAL) has it: look at its first values.";

function unknownPicture(text: string | undefined): string {
  const what = text === undefined ? "an item without a PICTURE" : `of a PICTURE that is not known here, ${text}`;
  return `${what}. If it has bytes, the places behind it are wrong`;
}

function display({ sign, isJustified, picture: text = "" }: DataEntry, picture: Picture, isMainframe: boolean): Omit<Storage, "picture"> {
  const { characters: length, isSigned, kind } = picture;
  if (kind === "text") return { length, keys: isJustified ? { justify: "right" } : {} };
  if (kind === "edited") return isEditedNumber(text) ? { length, keys: { picture: text } } : { length, keys: {}, doubt: EDITED };
  if (!isSigned) return { length, keys: {} };
  if (sign?.isSeparate) return { length: length + 1, keys: { sign: sign.isLeading ? "leading" : "trailing" } };
  if (isMainframe) return { length, keys: { sign: sign?.isLeading ? "overpunch-leading" : "overpunch" } };
  return { length, keys: { sign: sign?.isLeading ? "overpunch-ascii-leading" : "overpunch-ascii" } };
}

const EDITED = "It is edited for printing and read as text: ask the sender for a plain number.";

const LENGTHS: Partial<Record<CobolUsage, number>> = { char: 1, short: 2, long: 4, "double-long": 8 };

/** Sizes of items without a PICTURE. */
function fixedSize({ usage, isUnsigned }: DataEntry, isMainframe: boolean): Omit<Storage, "picture"> | undefined {
  if (usage === "float" || usage === "double") {
    return { length: usage === "float" ? 4 : 8, keys: { usage: isMainframe ? "float-hexadecimal" : "float-little-endian" } };
  }
  if (usage === "pointer") return { length: 4, keys: {}, unreadable: "an index or an address, which is no data", isUnsure: true };
  const length = usage && LENGTHS[usage];
  return length ? { length, keys: { usage: byteOrder(!isUnsigned, isMainframe) } } : undefined;
}

function byteOrder(isSigned: boolean, isBigEndian: boolean): Usage {
  if (isBigEndian) return isSigned ? "binary" : "binary-unsigned";
  return isSigned ? "little-endian" : "little-endian-unsigned";
}

function numeral(usage: CobolUsage, picture: Picture, isMainframe: boolean): Omit<Storage, "picture"> {
  const { digits, isSigned, characters } = picture;
  if (usage === "packed") return { length: Math.floor(digits / 2) + 1, keys: { usage: "packed" } };
  if (usage === "packed-unsigned") return { length: Math.ceil(digits / 2), keys: { usage: "packed-unsigned" } };
  if (usage === "exact-binary") {
    const length = picture.kind === "text" ? characters : Math.ceil((digits * Math.log2(10) + (isSigned ? 1 : 0)) / 8);
    return { length, keys: { usage: byteOrder(isSigned, true) } };
  }
  const length = digits <= 4 ? 2 : digits <= 9 ? 4 : 8;
  const keys = { usage: byteOrder(isSigned, usage !== "native" || isMainframe) };
  if (digits > 18) return { length: 16, keys: {}, unreadable: "a binary number of more than 18 digits", isUnsure: true };
  const one = digits <= 2 && { doubt: "It is taken to have 2 bytes, as on a mainframe; GnuCOBOL may store it in 1." };
  const order = usage === "native" && {
    doubt: `Its bytes are read as on a ${isMainframe ? "mainframe (big-endian)" : "PC (little-endian)"}: look at its first values.`,
  };
  return { length, keys, alignment: length, ...one, ...order };
}
