// `export`: writes the records of a collection, or their changes, as the file that an older system reads.

import { access, open, rename, rm } from "node:fs/promises";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, count, EXIT, type Exit, systemError } from "../console/exit-codes.ts";
import { chooseCollection } from "../formats/choose-reader.ts";
import { readLayoutFile } from "../formats/read-layout-file.ts";
import { FixedWriter, NoRoom } from "../formats/write-fixed.ts";
import { codesOf, type FixedLayout, type Layout } from "../layouts/layout.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { type ExportedRecord, type ExportSource, openExport } from "../runs/exported-records.ts";
import { formatCommand } from "../runs/next-commands.ts";
import { readCollections, signIn } from "../runs/service.ts";

/** `export COLLECTION FILE`. The file appears whole or not at all. Throws CommandError. */
export async function exportRecords(
  [name, file]: readonly string[],
  options: Options,
  { connection, progress, signal }: CommandContext,
): Promise<Exit> {
  const [target, described] = [String(file), options.layout];
  if (described === undefined) throw new CommandError(EXIT.nothing, "export takes --layout, which says how the file is written.");
  const { token, dictionary } = await signIn(connection, "read");
  const collections = readCollections(dictionary);
  const collection = chooseCollection(collections, name);
  const known = await readLayoutFile(described, [collection], options.mode);
  const layout = requireWritable(known.layout, options.changesSince);
  await requireFree(target);
  const source = openExport(connection, token, collection, options.changesSince, signal);
  const records = await write(target, pieces(layout, collection, source, options.sequence));
  const cursor = source.cursor();
  progress.line(`The next export of changes begins at ${cursor}`, { step: "exported", records, file: target, cursor });
  const next = formatCommand(["export", collection.name, "FILE", "--layout", described, "--changes-since", cursor]);
  const what = options.changesSince === undefined ? count(records, "record") : `${count(records, "changed record")}`;
  return { code: EXIT.stored, sentence: `${what} of ${collection.name} written to ${target}.`, next: `What changes from now on: ${next}` };
}

function requireWritable(layout: Layout, since: string | undefined): FixedLayout {
  if (layout.kind !== "fixed")
    throw new CommandError(EXIT.nothing, "export writes fixed-width files. The service itself gives a collection as CSV.");
  if (layout.otherDetails || layout.detail.children) {
    const sentence =
      "export writes the records of one collection: take otherDetails and children out of the layout, or use one that has none.";
    throw new CommandError(EXIT.nothing, sentence);
  }
  if (since !== undefined && codesOf(layout.action?.delete).length === 0)
    throw new CommandError(
      EXIT.nothing,
      "The layout has no action for deletes, and changes may be deletes: add one, or leave --changes-since out.",
    );
  return layout;
}

async function requireFree(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandError(EXIT.nothing, `${path} is not written: it is there already.`);
}

async function* pieces(
  layout: FixedLayout,
  collection: Collection,
  source: ExportSource,
  sequence: string | undefined,
): AsyncGenerator<{ bytes: Uint8Array; isRecord: boolean }> {
  const writer = new FixedWriter(layout, collection);
  yield { bytes: writer.header(sequence === undefined ? {} : { sequence }), isRecord: false };
  for await (const record of source.records) yield { bytes: detailOf(writer, layout, collection, record), isRecord: true };
  yield { bytes: writer.trailer(), isRecord: false };
}

function detailOf(writer: FixedWriter, layout: FixedLayout, collection: Collection, { id, texts, action }: ExportedRecord): Uint8Array {
  for (const { name, constant } of layout.detail.fields) {
    if (constant === undefined || action === "delete" || texts[name] === constant) continue;
    throw unwritable(collection, id, `${name} is “${texts[name]}”, and the layout says that it is always “${constant}”.`);
  }
  try {
    return writer.detail(texts, layout.action && action);
  } catch (error) {
    throw error instanceof NoRoom ? unwritable(collection, id, error.message) : error;
  }
}

function unwritable({ noun }: Collection, id: number, why: string): CommandError {
  return new CommandError(EXIT.nothing, `Nothing was written: of ${noun} ${id}, ${why} Correct the record or the layout.`);
}

/** Under a name that watchers ignore, until it is whole. Returns the number of records. */
async function write(target: string, parts: AsyncIterable<{ bytes: Uint8Array; isRecord: boolean }>): Promise<number> {
  const draft = `${target}.part`;
  let records = 0;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      let [waiting, length]: [Uint8Array[], number] = [[], 0];
      const flush = async () => {
        await handle.appendFile(Buffer.concat(waiting));
        [waiting, length] = [[], 0];
      };
      for await (const { bytes, isRecord } of parts) {
        waiting.push(bytes);
        length += bytes.length;
        if (isRecord) records++;
        if (length > PIECE) await flush();
      }
      await flush();
      await handle.sync();
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    await rename(draft, target);
    return records;
  } catch (error) {
    const why = systemError(error);
    throw why === undefined ? error : new CommandError(EXIT.nothing, `${target} cannot be written: ${why}.`);
  }
}

const PIECE = 1024 * 1024; // bytes
