// Opens a file with its layout, of either kind, as columns and rows for the pipeline.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Dialect } from "../../pipeline/model/dialect.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import { readSlice } from "../../pipeline/reading/text-blocks.ts";
import type { LayoutEncoding } from "../layouts/character-sets.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import type { Layout } from "../layouts/layout.ts";
import type { HeaderFacts } from "./header-trailer.ts";
import { countCtrlZ, requireFamily } from "./odd-bytes.ts";
import { requirePlausible } from "./plausible-text.ts";
import { type DelimitedBlock, openDelimited } from "./read-delimited.ts";
import { type FixedFile, openFixed } from "./read-fixed.ts";

export interface OpenedLayout {
  plan: Omit<Plan, "mode" | "fixes">;
  header: readonly string[];
  openRows(): AsyncGenerator<DelimitedBlock>;
  /** The bytes that end a line of a delimited file, besides CR (0D), which ends a line alone or before one of them. */
  lineFeeds: readonly number[];
  /** Returns undefined when the layout has no header. Throws FileError when the first record is no header. */
  readHeader(): Promise<HeaderFacts | undefined>;
  /** Holds, for a fixed-width file, its header, and rows with the place of their records. */
  fixed: FixedFile | undefined;
}

/** `addNote`: called with what the report should say, at the end of each pass over the rows, too. Throws FileError when the encoding or the heading of the file is not that of the layout. */
export async function openLayout(
  file: Blob,
  layout: Layout,
  collection: Collection,
  addNote: (note: string) => void = () => undefined,
): Promise<OpenedLayout> {
  const { encoding = "utf-8", encodingIsSure = encoding === "utf-8" } = layout;
  await requireFamily(file, layout);
  const isDosText = !isEbcdic(encoding) && (layout.kind === "delimited" || !layout.recordFormat);
  if (isDosText && countCtrlZ(await readSlice(file, file.size - 1, 1)) > 0) addNote("Its last byte is 1A (Ctrl-Z), DOS's end of a text.");
  if (layout.kind === "delimited") {
    const { dialect, columns, header, openRows, readHeader } = await openDelimited(file, layout, collection);
    return {
      plan: { dialect, columns, malformed: "RECORD" },
      header,
      openRows: () => (encodingIsSure ? openRows() : requirePlausible(openRows(), encoding, columns, collection, addNote)),
      lineFeeds: lineFeeds(encoding),
      readHeader,
      fixed: undefined,
    };
  }
  const fixed = openFixed(file, layout, collection);
  const { header } = fixed;
  const inEncoding = header.map((name) => (layout.detail.fields.some((field) => field.name === name && field.encoding) ? null : name));
  return {
    plan: { dialect: ERRORS_FILE, columns: header, malformed: "RECORD" },
    header,
    openRows: () => (encodingIsSure ? fixed.openRows() : requirePlausible(fixed.openRows(), encoding, inEncoding, collection, addNote)),
    lineFeeds: [],
    readHeader: fixed.readHeader,
    fixed,
  };
}

function lineFeeds(encoding: LayoutEncoding = "utf-8"): number[] {
  return isEbcdic(encoding) ? [0x25, 0x15] : [0x0a];
}

/** Serves an errors file: rows of a fixed-width file are written as CSV. */
const ERRORS_FILE: Dialect = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1, isExact: true };
