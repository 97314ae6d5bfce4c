// Refuses a file whose texts would be more plausible in another encoding than the layout says.

import type { Collection } from "../../core/dictionary/collections.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import type { RowBlock } from "../../pipeline/reading/csv-rows.ts";
import { type Codec, createCodec, LAYOUT_ENCODINGS, type LayoutEncoding } from "../layouts/character-sets.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";

/** Signs whose bytes are letters in some EBCDIC code page and that no word has in it. "@", "#", "$", "|" and "/" are not here: addresses and codes have them. */
const SIGN_IN_WORD = /\p{L}[{}[\]\\~^¦¢£¬¨§¥¤!`´°¸]{1,3}\p{L}/u;
const UTF_8 = createCodec("utf-8");
const NOT_ASCII = /[^\0-\x7f]/;

/** So many implausible ones among 1,000 rows with text make the whole file implausible; a few in a long file may be slips of the pen. */
const MOST_IN_1000 = 1;
const MOST_SAMPLES = 200;

/** Watches the texts of a file. It costs a search in each of them. */
export class PlausibleText {
  readonly #encoding: LayoutEncoding;
  readonly #codec: Codec;
  readonly #samples: { line: number; text: string; bytes: Uint8Array }[] = [];
  #rows = 0;
  #implausible = 0;

  constructor(encoding: LayoutEncoding) {
    this.#encoding = encoding;
    this.#codec = createCodec(encoding);
  }

  /** `line`: the number of the record, or the line. */
  addRow(texts: readonly string[], line: number): void {
    this.#rows++;
    const text = texts.find((each) => this.#isImplausible(each));
    if (text === undefined) return;
    this.#implausible++;
    const bytes = this.#samples.length < MOST_SAMPLES ? this.#codec.encode(text) : undefined;
    if (bytes) this.#samples.push({ line, text, bytes });
  }

  /** Call it after the last row. Returns a note about a few such texts. Throws FileError when there are many that another encoding makes words of. */
  close(): string | undefined {
    const [first] = this.#samples;
    const others = first ? this.#betterEncodings() : [];
    if (!first || others.length === 0) return undefined;
    const list = others.map(({ encoding, text }) => `${encoding} (“${text.slice(0, 60)}”)`).join(", ");
    const [some, all] = [this.#implausible, this.#rows].map((n) => n.toLocaleString("en"));
    const found = `${some} of ${all} records ${some === "1" ? "has" : "have"} such a text as “${first.text.slice(0, 60)}” (record ${first.line}). It would be a word in ${list}.`;
    if (this.#implausible * 1000 < this.#rows * MOST_IN_1000) return found;
    throw new FileError(
      `The texts of this file are probably not ${this.#encoding}.`,
      `${found} Correct the layout's encoding; if the texts are right, add "encodingIsSure": true to it.`,
    );
  }

  #isImplausible(text: string): boolean {
    if (isEbcdic(this.#encoding)) return SIGN_IN_WORD.test(text);
    if (this.#encoding === "utf-8" || !NOT_ASCII.test(text)) return false;
    const bytes = this.#codec.encode(text);
    return bytes !== undefined && UTF_8.openRecord(bytes)(0, bytes.length) !== undefined; // hardly ever by chance
  }

  /** Holds the readings in which every sample is plausible, each kind once. */
  #betterEncodings(): { encoding: LayoutEncoding; text: string }[] {
    const found = new Map<string, { encoding: LayoutEncoding; text: string }>();
    for (const encoding of isEbcdic(this.#encoding) ? LAYOUT_ENCODINGS.filter(isEbcdic) : (["utf-8"] as const)) {
      if (encoding === this.#encoding) continue;
      const codec = createCodec(encoding);
      const texts = this.#samples.map(({ bytes }) => codec.openRecord(bytes)(0, bytes.length));
      if (texts.some((text, i) => text === undefined || !isInWords(text, String(this.#samples[i]?.text), encoding))) continue;
      const key = texts.join("\n");
      if (!found.has(key)) found.set(key, { encoding, text: String(texts[0]) });
    }
    return [...found.values()].slice(0, 6);
  }
}

/** Letters where the signs were, all of one script: pages of other scripts make letters of anything. */
function isInWords(text: string, before: string, encoding: LayoutEncoding): boolean {
  if (encoding === "utf-8") return true;
  const found = SIGN_IN_WORD.exec(before);
  if (!found) return false;
  const now = text.slice(found.index, found.index + found[0].length);
  return /^\p{Script=Latin}+$/u.test(now) && !SIGN_IN_WORD.test(text) && /^[\p{Script=Latin}\p{Script=Common}]*$/u.test(text);
}

/**
 * Yields the same blocks; after the last one it throws FileError when the texts are implausible. `columns`: the field of each cell.
 * `addNote`: called with a sentence about a few of them.
 */
export async function* requirePlausible<Block extends RowBlock>(
  blocks: AsyncGenerator<Block>,
  encoding: LayoutEncoding,
  columns: readonly (string | null)[],
  { byName }: Collection,
  addNote: (note: string) => void,
): AsyncGenerator<Block> {
  const at = columns.flatMap((name, i) => {
    const field = byName.get(name ?? "");
    return field && KIND_TRAITS[field.kind].isText ? [i] : [];
  });
  const texts = new PlausibleText(encoding);
  for await (const block of blocks) {
    for (const [i, cells] of block.rows.entries()) {
      if (!block.malformed.has(i))
        texts.addRow(
          at.map((column) => cells[column] ?? ""),
          block.lines[i] ?? block.first + i,
        );
    }
    yield block;
  }
  const note = texts.close();
  if (note !== undefined) addNote(note);
}
