// The first look at a file: its dialect, its heading and first rows, and which column could be which field. Refuses: a file without rows.

import type { Collection } from "../../dictionary/collections.ts";
import { type Dialect, detectDialect } from "./detect.ts";
import { matchHeader } from "./match.ts";
import { type Delimiter, parseRows } from "./parse.ts";
import { FileRefused, readText } from "./read.ts";

export interface FileLook {
  fileName: string;
  fileSize: number; // bytes
  dialect: Dialect;
  header: string[];
  /** The proposed field name for each column of the file; null: none. */
  columns: (string | null)[];
  /** The first rows, at most five. */
  samples: string[][];
  /** What stands out, in sentences: unmatched and doubled headings, fields without a column. */
  notes: string[];
}

const SAMPLES = 5;
const LOOK_BYTES = 64 * 1024;

/** Reads no further than the first rows. Throws FileRefused. */
export async function lookAt(file: File, collection: Collection, delimiter?: Delimiter): Promise<FileLook> {
  const dialect = await detectDialect(file, delimiter);
  let header: readonly string[] = [];
  const samples: string[][] = [];
  for await (const block of parseRows(readText(file, LOOK_BYTES), dialect.delimiter)) {
    header = block.header;
    samples.push(...block.rows.slice(0, SAMPLES - samples.length));
    if (samples.length === SAMPLES) break;
  }
  if (samples.length === 0) {
    throw new FileRefused(
      "This file has a heading but no rows.",
      "Nothing can be uploaded from it. Add rows below the heading, or choose another file.",
    );
  }
  const { columns, notes } = matchHeader(collection, header);
  return { fileName: file.name, fileSize: file.size, dialect, header: [...header], columns, samples, notes };
}
