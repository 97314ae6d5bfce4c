// Decides how the records of a file are read: by its layout, or by detection as an upload does.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Collection } from "../../core/dictionary/collections.ts";
import { inspectFile } from "../../pipeline/inspection/inspect-file.ts";
import { noteColumns } from "../../pipeline/mapping/column-notes.ts";
import { missingFields } from "../../pipeline/mapping/match-columns.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import type { Plan, RowMode, UploadMode } from "../../pipeline/model/plan.ts";
import type { RowBlock } from "../../pipeline/reading/csv-rows.ts";
import type { OpenRows } from "../../pipeline/reading/row-source.ts";
import { CommandError, count, EXIT, InvalidFile, systemError } from "../console/exit-codes.ts";
import type { Action, Layout } from "../layouts/layout.ts";
import type { HeaderFacts } from "./header-trailer.ts";
import { type OpenedLayout, openLayout } from "./open-layout.ts";
import type { Source } from "./source-file.ts";

/** How the records of a file are read. `notes` are sentences for the report. */
export interface Reading {
  plan: Plan;
  openRows?: OpenRows;
  /** The text of the layout, the layout, and the file opened with it; undefined when the form of the file was detected. */
  layout?: { text: string; is: Layout; of: OpenedLayout };
  notes: string[];
}

export interface ReadingOptions {
  mode: UploadMode;
  collection: string | undefined;
  /** The path of the layout. */
  layout: string | undefined;
}

/** Throws CommandError. */
export async function planReading(
  source: Source,
  collections: readonly Collection[],
  options: ReadingOptions,
): Promise<{ collection: Collection; reading: Reading }> {
  if (options.layout === undefined) {
    const collection = chooseCollection(collections, options.collection);
    return { collection, reading: await detectReading(source, collection, options.mode) };
  }
  const { text, layout, collection } = await readLayoutFile(options.layout, collections, options.mode);
  if (options.collection !== undefined && options.collection !== collection.name) {
    throw new CommandError(
      EXIT.nothing,
      `The layout is for ${collection.name} and --collection says ${options.collection}. Leave one of them out.`,
    );
  }
  return { collection, reading: await openWithLayout(source, { text, layout, collection, mode: options.mode }) };
}

/** What a run stores about the reading of its file. */
interface StoredReading extends Pick<Reading, "plan" | "notes"> {
  id: string;
  collection: string;
  /** The text of the layout. */
  layout?: string;
}

/** Reads a file as the run did before, so that its batches are the same. Throws CommandError. */
export async function planAgain(
  source: Source,
  collections: readonly Collection[],
  run: StoredReading,
): Promise<{ collection: Collection; reading: Reading }> {
  const collection = chooseCollection(collections, run.collection);
  const { plan, notes, layout: text } = run;
  if (text === undefined) return { collection, reading: { plan, notes } };
  const { readLayout } = await loadLayoutReader();
  const read = readLayout(text, collections, plan.mode);
  if ("mistakes" in read)
    throw new CommandError(EXIT.nothing, `The layout of run ${run.id} cannot be read any more. Use the program that began it.`);
  const { openRows, layout } = await openWithLayout(source, { text, ...read, mode: plan.mode });
  return { collection, reading: { plan, notes, ...(openRows && { openRows }), ...(layout && { layout }) } };
}

/** Throws CommandError with all mistakes of the layout. */
export async function readLayoutFile(
  path: string,
  collections: readonly Collection[],
  mode: UploadMode,
): Promise<{ text: string; layout: Layout; collection: Collection }> {
  const text = await readFile(path, "utf8").catch((error) => {
    const why = systemError(error);
    throw why === undefined ? error : new CommandError(EXIT.nothing, `The layout ${path} cannot be read: ${why}.`);
  });
  const { readLayout, reportMistakes } = await loadLayoutReader();
  const read = readLayout(text, collections, mode);
  if (!("mistakes" in read)) return { text, ...read };
  throw new CommandError(
    EXIT.nothing,
    `The layout ${basename(path)} has ${count(read.mistakes.length, "mistake")}:`,
    reportMistakes(read.mistakes),
  );
}

/** Loaded late, because Ajv takes a tenth of a second and a file without a layout does not need it. */
function loadLayoutReader() {
  return import("../layouts/validate/parse-layout.ts");
}

async function openWithLayout(
  { file, name }: Source,
  { text, layout, collection, mode }: { text: string; layout: Layout; collection: Collection; mode: UploadMode },
): Promise<Reading> {
  try {
    const of = await openLayout(file, layout, collection);
    const header = await of.fixed?.readHeader();
    const openRows = layout.action ? () => withModes(of.openRows()) : () => of.openRows();
    return { plan: { ...of.plan, mode }, openRows, layout: { text, is: layout, of }, notes: notesOn(layout, header) };
  } catch (error) {
    throw error instanceof FileError ? new InvalidFile(`Nothing of ${name} was stored. ${error.message}`) : error;
  }
}

const MODES: Record<Action, RowMode> = { add: "create", change: "update", delete: "delete" };

async function* withModes(blocks: ReturnType<OpenedLayout["openRows"]>): AsyncGenerator<RowBlock> {
  for await (const block of blocks) yield { ...block, modes: block.actions.map((action) => action && MODES[action]) };
}

function notesOn({ title, kind, encoding = "utf-8" }: Layout, header: HeaderFacts | undefined): string[] {
  const notes = [`Read by the layout ${title ? `“${title}”` : "that was given"}: ${kind}, ${encoding}.`];
  const { sender, fileId, sequence } = header ?? {};
  if (header) notes.push(`Its header says: sender ${sender || "–"}, file ${fileId || "–"}, sequence ${sequence || "–"}.`);
  return notes;
}

/** Detects the form of a delimited file and matches its headings, as an upload does. Throws CommandError. */
async function detectReading({ file, name }: Source, collection: Collection, mode: UploadMode): Promise<Reading> {
  const inspection = await inspectFile(file, collection).catch((error) => {
    throw error instanceof FileError ? new InvalidFile(`Nothing of ${name} was stored. ${error.message}`) : error;
  });
  const { dialect, columns, header, why } = inspection;
  const missing = missingFields(collection, columns, mode);
  if (missing.length > 0) {
    const fields = missing.map(({ title, name }) => `${title} (${name})`).join(", ");
    const found = header.slice(0, 20).join(", ").slice(0, 200);
    throw new InvalidFile(
      `Nothing of ${name} was stored: no column is matched with ${fields}. Its heading is read as: ${found}. Name the columns so, or describe the file with --layout.`,
    );
  }
  const notes = [`Read as ${dialect.encoding}, because ${why}.`, ...noteColumns(collection, header, columns, mode)];
  return { plan: { dialect, columns, mode }, notes };
}

/** Throws CommandError. */
export function chooseCollection(collections: readonly Collection[], name: string | undefined): Collection {
  const [only] = collections;
  const names = collections.map((collection) => collection.name).join(", ");
  if (name === undefined) {
    if (only && collections.length === 1) return only;
    throw new CommandError(EXIT.nothing, `The service has several collections: say with --collection which is meant: ${names}.`);
  }
  const found = collections.find((collection) => collection.name === name);
  if (!found) throw new CommandError(EXIT.nothing, `The service has no collection ${name}. It has ${names}.`);
  return found;
}
