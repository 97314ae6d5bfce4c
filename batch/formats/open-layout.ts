// A file and its layout, whatever its kind, as what an upload's run takes: columns, and a way to read rows. Refuses what the kinds refuse.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Dialect } from "../../pipeline/model/dialect.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import type { LayoutEncoding } from "../layouts/character-sets.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import type { Layout } from "../layouts/layout.ts";
import { type DelimitedBlock, openDelimited } from "./read-delimited.ts";
import { type FixedFile, openFixed } from "./read-fixed.ts";

export interface LaidOut {
  plan: Omit<Plan, "mode" | "fixes">;
  header: readonly string[];
  openRows(): AsyncGenerator<DelimitedBlock>;
  /** The bytes that end a line of a delimited file, beside CR (0d), which ends one alone or together with one of them. */
  lineFeeds: readonly number[];
  /** With more of a fixed-width file: its header, and where each row's record stands in it. */
  fixed: FixedFile | undefined;
}

/** Throws FileRefused when a delimited file does not begin as the layout says. */
export async function openLayout(file: Blob, layout: Layout, collection: Collection): Promise<LaidOut> {
  if (layout.kind === "delimited") {
    const { dialect, columns, header, openRows } = await openDelimited(file, layout, collection);
    return { plan: { dialect, columns, malformed: "RECORD" }, header, openRows, lineFeeds: lineFeeds(layout.encoding), fixed: undefined };
  }
  const fixed = openFixed(file, layout, collection);
  const { header } = fixed;
  return {
    plan: { dialect: ERRORS_FILE, columns: header, malformed: "RECORD" },
    header,
    openRows: () => fixed.openRows(),
    lineFeeds: [],
    fixed,
  };
}

function lineFeeds(encoding: LayoutEncoding = "utf-8"): number[] {
  return isEbcdic(encoding) ? [0x25, 0x15] : [0x0a];
}

/** Rows of a fixed-width file that are written as CSV. */
const ERRORS_FILE: Dialect = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 };
