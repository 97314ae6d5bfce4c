// `layout from`: drafts a layout from a copybook, and a collection of the dictionary where it is new.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { count } from "../../core/text/count.ts";
import { type Draft, draftLayout } from "../../layouts/copybook/draft-layout.ts";
import { detailsOf } from "../../layouts/layouts/select-detail.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, EXIT, type Exit, systemError } from "../console/exit-codes.ts";
import { chooseCollection } from "../files/choose-reader.ts";
import { loadLayoutReader } from "../files/read-layout-file.ts";
import type { Connection } from "../runs/connection.ts";
import { formatCommand } from "../runs/next-commands.ts";
import { readCollections, signIn } from "../runs/service.ts";
import { give, requireFile } from "./layout.ts";

/**
 * `from COPYBOOK [FILE]`. With `--dictionary` the collection is new and no service is asked; otherwise `connect` gives the service
 * whose collection is matched. Throws CommandError.
 */
export async function draftFromCopybook(
  [, path, file]: readonly string[],
  options: Options,
  print: (bytes: Uint8Array) => void,
  connect: () => Promise<Connection>,
): Promise<Exit> {
  if (path === undefined) throw new CommandError(EXIT.nothing, "layout from takes the copybook's file.");
  requireFile(file, options);
  const text = await readCopybook(path);
  const { encoding, record, dictionary } = options;
  const collection = dictionary === undefined ? await collectionOf(options, await connect()) : undefined;
  const draft = draftLayout(text, { encoding, record, collection, name: options.collection });
  if (typeof draft === "string") throw new CommandError(EXIT.nothing, `${basename(path)} gives no layout. ${draft}`);
  const mistakes = await mistakesOf(draft, collection, options);
  if (dictionary !== undefined) await give(jsonOf(draft.dataPackage), dictionary, print);
  const { sentence } = await give(jsonOf(draft.layout), file, print);
  return {
    code: draft.unsure.length > 0 ? EXIT.rejects : EXIT.stored,
    ...describe(draft, { path, file, written: sentence, mistakes }, options),
  };
}

/** Older copybooks are not in UTF-8. Their comments may have any letters, their names have only ASCII. */
async function readCopybook(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error) => {
    const why = systemError(error);
    throw why === undefined ? error : new CommandError(EXIT.nothing, `The copybook ${path} cannot be read: ${why}.`);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}

async function collectionOf({ collection }: Options, connection: Connection): Promise<Collection> {
  const { dictionary } = await signIn(connection, "read");
  return chooseCollection(readCollections(dictionary), collection);
}

/** Lists what is left for a person: fields that are required and not in the copybook, for example. */
async function mistakesOf({ layout, dataPackage }: Draft, collection: Collection | undefined, { mode }: Options): Promise<string[]> {
  const read = collection ? { collections: [collection] } : readDataPackage(dataPackage);
  if ("mistakes" in read) return read.mistakes.map(({ path, message }) => `dictionary ${path}: ${message}`);
  const { readLayout, reportMistakes } = await loadLayoutReader();
  const checked = readLayout(JSON.stringify(layout), read.collections, mode);
  return "mistakes" in checked ? reportMistakes(checked.mistakes) : [];
}

function jsonOf(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

function describe(
  { record, layout, notes, unsure }: Draft,
  { path, file, written, mistakes }: { path: string; file: string | undefined; written: string; mistakes: readonly string[] },
  { dictionary }: Options,
): Pick<Exit, "sentence" | "details"> {
  const { recordLength } = layout;
  const kinds = detailsOf(layout).flatMap((detail) => [detail, ...(detail.children ?? [])]);
  const fields = kinds.reduce((sum, kind) => sum + kind.fields.length, 0);
  const parts = kinds.map(({ collection, fields }) => `${count(fields.length, "field")} of ${collection}`);
  const drafted = `The record ${record} of ${basename(path)} has ${recordLength} bytes; ${parts.join(" and ")} ${fields === 1 ? "is" : "are"} in the layout.`;
  const doubts = unsure.map(
    ({ record, byte, line, why }) => `From byte ${byte} of ${record} on the places are not certain: ${why} (line ${line}).`,
  );
  const all = [...notes.map(({ line, sentence }) => `Line ${line}: ${sentence}`), ...mistakes.map((mistake) => `Still to do: ${mistake}`)];
  const steps = file === undefined ? [] : [`Then look at a file: ${formatCommand(["show", "FILE", "--layout", file])}`];
  const start =
    dictionary === undefined
      ? []
      : [`The dictionary is drafted in ${dictionary}. Read it over, and start the service with DICTIONARY=${dictionary}`];
  const toCheck = all.length > 0 ? ` ${count(all.length, "thing")} to look at:` : "";
  return { sentence: `${[drafted, ...doubts, written].filter(Boolean).join(" ")}${toCheck}`, details: [...all, ...start, ...steps] };
}
