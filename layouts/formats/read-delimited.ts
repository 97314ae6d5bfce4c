// Reads a delimited file in any of the encodings of layouts.

import type { Collection } from "../../core/dictionary/collections.ts";
import { matchHeader } from "../../pipeline/mapping/match-columns.ts";
import type { Dialect } from "../../pipeline/model/dialect.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import { parseRows, type RowBlock } from "../../pipeline/reading/csv-rows.ts";
import { readSlices, readText, type TextBlock } from "../../pipeline/reading/text-blocks.ts";
import { readActions } from "../layouts/actions.ts";
import { type Codec, createCodec, type LayoutEncoding } from "../layouts/character-sets.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import type { Action, DelimitedLayout } from "../layouts/layout.ts";
import { detailsOnly, firstHeader } from "./delimited-controls.ts";
import type { HeaderFacts } from "./header-trailer.ts";

export interface DelimitedBlock extends RowBlock {
  /** The action of each row; undefined when the layout has no action. */
  actions: (Action | undefined)[];
}

export interface DelimitedFile {
  dialect: Dialect;
  header: readonly string[];
  /** The columns of the plan. */
  columns: (string | null)[];
  openRows(): AsyncGenerator<DelimitedBlock>;
  /** Returns undefined when the layout has no header. Throws FileError when the first record is no header. */
  readHeader(): Promise<HeaderFacts | undefined>;
}

/** Reads the heading. Throws FileError. */
export async function openDelimited(file: Blob, layout: DelimitedLayout, collection: Collection): Promise<DelimitedFile> {
  const { encoding = "utf-8", delimiter = ",", quote = '"', headingLine = 1, action } = layout;
  // This encoding is for an errors file; the file itself is read in the encoding of its layout.
  const dialect: Dialect = { encoding: encoding === "windows-1252" ? encoding : "UTF-8", bom: false, delimiter, quote, headingLine };
  const open = () =>
    parseRows(encoding === "utf-8" ? readText(file, { encoding: "UTF-8", ifRight: IF_RIGHT }) : decode(file, encoding), dialect);
  const heading = await firstHeading(open());
  // Records of other types have other cells than the details.
  const header = layout.detail ? (layout.columns ?? heading).map((_, i) => `Column ${i + 1}`) : heading;
  const at = action ? actionColumn(action.column, header) : -1;
  const columns = layout.columns ? [...layout.columns] : matchHeader(collection, header);
  if (columns.length !== header.length) {
    throw new FileError(
      `The layout has ${columns.length} columns; this file has ${header.length}.`,
      "Correct the layout, or ask for the right file.",
    );
  }
  if (at >= 0) columns[at] = null;
  const addActions = createActionReader(layout, at);
  return {
    dialect,
    header,
    columns,
    async *openRows() {
      for await (const block of detailsOnly(open(), layout, collection)) yield addActions({ ...block, header });
    },
    readHeader: () => firstHeader(open(), layout),
  };
}

async function firstHeading(blocks: AsyncGenerator<RowBlock>): Promise<readonly string[]> {
  for await (const { header } of blocks) return header;
  throw new FileError("This file is empty.", "There is neither a heading nor a row in it. Ask the sender for the file.");
}

function actionColumn(column: string | number, header: readonly string[]): number {
  const at = typeof column === "number" ? column - 1 : header.findIndex((heading) => heading.trim() === column);
  if (at >= 0 && at < header.length) return at;
  throw new FileError(
    `This file has no column “${column}” for the action.`,
    `It has ${header.map((heading) => heading.trim()).join(", ")}. Correct the layout, or ask for the right file.`,
  );
}

function createActionReader({ action }: DelimitedLayout, at: number): (block: RowBlock) => DelimitedBlock {
  if (!action) return (block) => ({ ...block, actions: block.rows.map(() => undefined) });
  const actionOf = readActions(action);
  return (block) => {
    const malformed = new Map(block.malformed);
    const actions = block.rows.map((cells, i) => {
      const { action, unknown } = actionOf((cells[at] ?? "").trim());
      if (unknown !== undefined && !malformed.has(i)) malformed.set(i, `Line ${block.lines[i]}: ${unknown}`);
      return action;
    });
    return { ...block, malformed, actions };
  };
}

/** Says what to do about bytes of another encoding: the layout says the encoding, so that the app's advice would lead nowhere. */
const IF_RIGHT = "If that is right, correct the layout's encoding; if not, ask for the right file.";
const BLOCK_BYTES = 32 * 1024;

async function* decode(file: Blob, encoding: Exclude<LayoutEncoding, "utf-8">): AsyncGenerator<TextBlock> {
  const codec = createCodec(encoding);
  for await (const { from, bytes } of readSlices(file, BLOCK_BYTES)) {
    const text = codec.openRecord(bytes)(0, bytes.length) ?? rejectByte(bytes, from, codec, encoding);
    const bytesRead = from + bytes.length;
    // NL ends lines in EBCDIC. The parser of rows does not know its character, U+0085.
    yield { text: isEbcdic(encoding) ? text.replaceAll("\u0085", "\n") : text, bytesRead, last: bytesRead === file.size };
  }
}

function rejectByte(bytes: Uint8Array, from: number, codec: Codec, encoding: LayoutEncoding): never {
  const cut = codec.openRecord(bytes);
  const at = bytes.findIndex((_, i) => cut(i, i + 1) === undefined);
  throw new FileError(
    `This file is not all ${encoding}.`,
    `The byte ${bytes[at]?.toString(16)} at byte offset ${from + at} is not a character of it. Correct the layout's encoding, or ask for the right file.`,
  );
}
