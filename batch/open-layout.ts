// A file and its layout, whatever its kind, as what an upload's run takes: columns, and a way to read rows. Refuses what the kinds refuse.

import type { Collection } from "../dictionary/collections.ts";
import type { Dialect } from "../src/upload/dialect.ts";
import { type DelimitedBlock, openDelimited } from "./delimited.ts";
import { type FixedFile, openFixed } from "./fixed.ts";
import type { Layout } from "./layout.ts";

export interface LaidOut {
  /** Of the plan. */
  dialect: Dialect;
  columns: readonly (string | null)[];
  header: readonly string[];
  openRows(): AsyncGenerator<DelimitedBlock>;
  /** With more of a fixed-width file: its header, and where each row's record stands in it. */
  fixed: FixedFile | undefined;
}

/** Throws FileRefused when a delimited file does not begin as the layout says. */
export async function openLayout(file: Blob, layout: Layout, collection: Collection): Promise<LaidOut> {
  if (layout.kind === "delimited") return { ...(await openDelimited(file, layout, collection)), fixed: undefined };
  const fixed = openFixed(file, layout, collection);
  const { header } = fixed;
  return { dialect: ERRORS_FILE, columns: header, header, openRows: () => fixed.openRows(), fixed };
}

/** Rows of a fixed-width file that are written as CSV. */
const ERRORS_FILE: Dialect = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 };
