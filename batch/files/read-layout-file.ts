// Reads a layout from its file, or from a recipe that holds it.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Collection } from "../../core/dictionary/collections.ts";
import { count } from "../../core/text/count.ts";
import type { Layout } from "../../layouts/layouts/layout.ts";
import type { UploadMode } from "../../pipeline/model/plan.ts";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";

/** A layout that is right for its collection. `text`: its JSON. */
export interface KnownLayout {
  text: string;
  layout: Layout;
  collection: Collection;
  /** Says in a sentence which fields it calls as they were called before. */
  renamed?: string;
}

/** Loads it late, because Ajv takes a tenth of a second and a file without a layout does not need it. */
export function loadLayoutReader() {
  return import("../../layouts/layouts/validate/parse-layout.ts");
}

/** Throws CommandError with all mistakes of the layout. */
export async function readLayoutFile(path: string, collections: readonly Collection[], mode: UploadMode): Promise<KnownLayout> {
  const text = await readFile(path, "utf8").catch((error) => {
    const why = systemError(error);
    throw why === undefined ? error : new CommandError(EXIT.nothing, `The layout ${path} cannot be read: ${why}.`);
  });
  return checkLayout(text, `The layout ${basename(path)}`, collections, mode);
}

/** `name` begins the sentence. Throws CommandError with all mistakes of the layout. */
export async function checkLayout(text: string, name: string, collections: readonly Collection[], mode: UploadMode): Promise<KnownLayout> {
  const { readLayout, reportMistakes } = await loadLayoutReader();
  const read = readLayout(text, collections, mode);
  if (!("mistakes" in read)) return { text, ...read };
  throw new CommandError(EXIT.nothing, `${name} has ${count(read.mistakes.length, "mistake")}:`, reportMistakes(read.mistakes));
}
