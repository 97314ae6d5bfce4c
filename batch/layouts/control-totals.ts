// What a file's trailer must say: how many records there are, and the sums of fields over the detail records. Exact at any size. Refuses: nothing.

import type { CutText } from "./character-sets.ts";
import { NUMERALS } from "./cobol-numbers.ts";
import { type Cell, placeOf } from "./field-codec.ts";
import type { NumberPlace, Trailer } from "./layout.ts";

type Total = NonNullable<Trailer["totals"]>[number];

export class Tally {
  details = 0;
  all = 0;
  readonly #sums: { total: Total; cell: Cell; sum: bigint }[];

  constructor(trailer: Trailer | undefined, cells: readonly Cell[]) {
    this.#sums = (trailer?.totals ?? []).map((total) => ({ total, cell: cells.find(({ name }) => name === total.of) as Cell, sum: 0n }));
  }

  /** One detail record. Gives the cells that have no digits to add. */
  addDetail(cut: CutText): { cell: Cell; text: string | undefined }[] {
    this.details++;
    this.all++;
    const wrong: { cell: Cell; text: string | undefined }[] = [];
    for (const each of this.#sums) {
      const text = each.cell.cut(cut);
      const digits = text === undefined ? undefined : each.cell.digits(text);
      if (digits === undefined) wrong.push({ cell: each.cell, text });
      else each.sum += digits;
    }
    return wrong;
  }

  /** Header, trailer, and what is passed over. */
  addOther(): void {
    this.all++;
  }

  /** The sums as the trailer writes them: of a sum that is longer than its place, the last digits, as banks do. */
  totals(): { total: Total; text: string }[] {
    return this.#sums.map(({ total, sum }) => ({ total, text: lastDigits(sum, total) }));
  }
}

function lastDigits(sum: bigint, { length, usage }: NumberPlace): string {
  if (usage && NUMERALS[usage].write(String(sum), length)) return String(sum);
  const [sign, digits] = sum < 0n ? ["-", -sum] : ["", sum];
  const width = usage ? NUMERALS[usage].room(length) : length - sign.length;
  return sign + String(digits % 10n ** BigInt(width)).padStart(width, "0");
}

/** Whether what a trailer says is this sum. */
export function isTotal(said: string, text: string): boolean {
  return /^-?[0-9]+$/.test(said) && BigInt(said) === BigInt(text);
}

export function cutControl(cut: CutText, place: NumberPlace): string | undefined {
  const { from, to } = placeOf(place);
  return cut(from, to, place.usage);
}
