// Counts records and adds up fields, for the trailer. Sums are exact at any size.

import type { CutText } from "./character-sets.ts";
import { NUMERALS } from "./cobol-numbers.ts";
import { type Cell, openCell, placeOf } from "./field-codec.ts";
import type { FixedLayout, LayoutField, NumberPlace, Trailer } from "./layout.ts";
import { fieldOfTotal } from "./select-detail.ts";

type Total = NonNullable<Trailer["totals"]>[number];

const NO_FIELDS = { byName: new Map() };

/** Holds what a total needs of a cell. */
export type SummedCell = Pick<Cell, "name" | "title" | "place" | "cut" | "digits">;

export class ControlTotals {
  details = 0;
  all = 0;
  readonly #sums: { total: Total; type: string | undefined; cell: SummedCell; sum: bigint }[];

  /** `cells`: those of the layout's `detail`. */
  constructor(layout: FixedLayout, cells: readonly SummedCell[]) {
    this.#sums = (layout.trailer?.totals ?? []).map((total) => {
      const type = total.type ?? layout.detail.type;
      const field = fieldOfTotal(layout, total) as LayoutField;
      // Digits are added up alike, whatever kind of field another collection has for them.
      const isOwn = type === layout.detail.type && !layout.detail.table;
      const cell = isOwn ? cells.find(({ name }) => name === total.of) : openCell(field, NO_FIELDS, layout.encoding);
      return { total, type, cell: cell as SummedCell, sum: 0n };
    });
  }

  /** Adds a detail record of a type. Returns the fields that are no number. */
  addDetail(cut: CutText, type: string | undefined): { cell: SummedCell; text: string | undefined }[] {
    this.details++;
    this.all++;
    const wrong: { cell: SummedCell; text: string | undefined }[] = [];
    for (const each of this.#sums) {
      if (each.type !== type) continue;
      const text = each.cell.cut(cut);
      const digits = text === undefined ? undefined : each.cell.digits(text);
      if (digits === undefined) wrong.push({ cell: each.cell, text });
      else each.sum += digits;
    }
    return wrong;
  }

  /** Counts a header, a trailer or an ignored record. */
  addOther(): void {
    this.all++;
  }

  /** Returns the sums as the trailer writes them. A sum that is too long keeps its last digits, as in NACHA's entry hash. */
  totals(): { total: Total; text: string }[] {
    return this.#sums.map(({ total, sum }) => ({ total, text: lastDigits(sum, total) }));
  }
}

/** A place without a length is the column of a delimited file, whose numbers are as long as they are and have decimals. */
function lastDigits(sum: bigint, { length, usage }: NumberPlace): string {
  if (length === 0) return decimalText(sum);
  if (usage && NUMERALS[usage].write(String(sum), length)) return String(sum);
  const [sign, digits] = sum < 0n ? ["-", -sum] : ["", sum];
  const width = usage ? NUMERALS[usage].room(length) : length - sign.length;
  return sign + String(digits % 10n ** BigInt(width)).padStart(width, "0");
}

/** Says whether the trailer states this sum. */
export function isTotal(stated: string, text: string): boolean {
  const number = readDecimal(stated);
  return number !== undefined && number === readDecimal(text);
}

const DECIMALS = 31; // as many as a layout may name

/** Returns a number with a decimal point as a whole one: times ten to the power of 31. Undefined for other text, and for more decimals. */
export function readDecimal(text: string): bigint | undefined {
  const [, minus, whole, part = ""] = /^([+-]?)([0-9]+)(?:\.([0-9]{1,31}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(DECIMALS, "0")) * (minus === "-" ? -1n : 1n);
}

function decimalText(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(DECIMALS + 1, "0");
  const part = digits.slice(-DECIMALS).replace(/0+$/, "");
  return `${sum < 0n ? "-" : ""}${digits.slice(0, -DECIMALS)}${part === "" ? "" : `.${part}`}`;
}

export function readControl(cut: CutText, place: NumberPlace): string | undefined {
  const { from, to } = placeOf(place);
  return cut(from, to, place.usage);
}
