// Looks at a file that no collection is for yet, and proposes one.

import type { Collection } from "../../core/dictionary/collections.ts";
import { type FileInspection, inspectFile } from "../inspection/inspect-file.ts";
import type { Clock } from "../model/clock.ts";
import type { Choices } from "../model/dialect.ts";
import { proposeTable, type TableProposal } from "./propose-table.ts";
import { bareField } from "./value-readers.ts";

export interface FileProposal {
  inspection: FileInspection;
  table: TableProposal;
}

const KEY = bareField("integer");
/** A collection without fields, so that a file is read by its own words alone. */
const NONE: Collection = {
  ...{ name: "", singular: "", title: "", noun: "", description: "" },
  ...{
    fields: [],
    key: KEY,
    label: [],
    list: [],
    form: [],
    byName: new Map(),
    uniqueKeys: [],
    references: [],
    lookups: new Map(),
    converting: [],
  },
};

/** Yields what is known so far, at the end all of it. Throws FileError, also for a file without rows. */
export async function* proposeFile(file: File, choices: Choices, clock: Pick<Clock, "now">, zone?: string): AsyncGenerator<FileProposal> {
  const inspection = await inspectFile(file, NONE, choices);
  for await (const table of proposeTable({ file, plan: inspection }, clock, zone)) yield { inspection, table };
}
