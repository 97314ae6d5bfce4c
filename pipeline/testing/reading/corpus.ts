// Files as people have them, with what they say: each class of difference, and its opposite that must stay as it is.

import { ENCODED_FILES } from "./encoded-files.ts";
import { QUOTED_FILES } from "./quoted-files.ts";
import { TABLE_FILES } from "./table-files.ts";

export const CLASSES = [
  "space before a quote",
  "surplus empty cells",
  "encodings",
  "quotes as text",
  "multi-line cells",
  "missing separator",
  "rows that are no data",
  "other separators",
  "wrong bytes",
] as const;
export type CorpusClass = (typeof CLASSES)[number];

/** Holds what a file says. A row that is null must be refused: nobody can know which cell is which. */
export interface Truth {
  header: readonly string[];
  rows: readonly (readonly string[] | null)[];
  /** The file as a whole must be refused, or a person must be asked. */
  isRefused?: true;
  /** Says how a person chose to read it, instead of detection. */
  choices?: object;
}

export interface CorpusFile extends Truth {
  name: string;
  of: CorpusClass;
  content: string | Uint8Array<ArrayBuffer>;
}

export const CORPUS: readonly CorpusFile[] = [...QUOTED_FILES, ...ENCODED_FILES, ...TABLE_FILES];
