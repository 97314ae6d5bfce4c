// `export`: writes the records of a layout, or their changes, as an older system reads them; without one JSON Lines.

import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { access, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Client } from "../../client/http-client.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { type Kind as FieldKind, KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { parentsFirst } from "../../core/dictionary/parents-first.ts";
import { count } from "../../core/text/count.ts";
import { FixedWriter, NoRoom } from "../../layouts/formats/write-fixed.ts";
import { codesOf, type FixedLayout, type ItemRecords, type Layout, type LayoutField } from "../../layouts/layouts/layout.ts";
import { collectionsOf, detailsOf, selectDetail } from "../../layouts/layouts/select-detail.ts";
import { dayIn } from "../../layouts/layouts/time-zones.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, EXIT, type Exit, writeError } from "../console/exit-codes.ts";
import { chooseCollection } from "../files/choose-reader.ts";
import { readLayoutFile } from "../files/read-layout-file.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import {
  countWithoutRecord,
  type ExportedRecord,
  type ExportPart,
  type ExportSource,
  type ExportTable,
  openExport,
  WrongCursor,
} from "../runs/exported-records.ts";
import { formatCommand } from "../runs/next-commands.ts";
import { openClient, patient, readCollections, signIn, toCommandError } from "../runs/service.ts";

/** `export [COLLECTION] FILE`: all records that the layout describes, or those of one collection. The file appears whole or not at all. Throws CommandError. */
export async function exportRecords(
  targets: readonly string[],
  options: Options,
  { connection, progress, signal, now }: CommandContext,
): Promise<Exit> {
  const [file = "", name] = [...targets].reverse();
  const { layout: path, changesSince: since, sequence } = options;
  if (path === undefined && !JSON_LINES.test(file))
    throw new CommandError(
      EXIT.nothing,
      "export takes --layout, which says how the file is written. Without it a file is JSON Lines, and its name ends with .jsonl.",
    );
  if (path === undefined && (since ?? sequence) !== undefined)
    throw new CommandError(EXIT.nothing, "--changes-since and --sequence take --layout. GET /v1/changes has changes as JSON.");
  const { token, dictionary } = await signIn(connection, "read");
  const collections = readCollections(dictionary);
  if (name !== undefined) chooseCollection(collections, name);
  else if (collections.some((collection) => collection.name === file))
    throw new CommandError(EXIT.nothing, `${file} is a collection. Name the file behind it, such as ${file}.dat.`);
  const known = path === undefined ? undefined : await readLayoutFile(path, collections, options.mode);
  const layout = known && requireFixed(known.layout);
  if (known?.renamed !== undefined) progress.line(known.renamed, { step: "reading", sentence: known.renamed });
  const kinds: Kind[] = layout ? kindsOf(layout, name, collections) : [{ part: wholeOf(chooseCollection(collections, name)) }];
  if (since !== undefined) requireDeletes(kinds);
  const blank = layout ? checkSequence(layout, sequence) : [];
  await requireFree(file);
  const client = patient(openClient(connection, token), signal);
  const parts = kinds.map(({ part }) => part);
  const source = openExport(client, parts, collections, { since, signal });
  try {
    const left = [...(await countLeft(kinds, client, signal)), ...blank];
    const { businessDate } = layout?.header ?? {};
    const values = { ...(sequence !== undefined && { sequence }), ...(businessDate && { businessDate: dayIn(businessDate.zone, now()) }) };
    const content = layout ? pieces(new FixedWriter(layout, known.collection), kinds, source, values) : jsonLines(source);
    const counts = await writeWhole(file, content);
    return exitOf({ file, name, path, since, counts, left, cursor: source.cursor() }, kinds, progress);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (signal.aborted) throw new CommandError(EXIT.nothing, `Stopped: nothing was written to ${file}.`);
    if (error instanceof NoRoom) throw new CommandError(EXIT.nothing, `Nothing was written: ${error.message} Correct the layout.`); // of header or trailer
    throw error instanceof WrongCursor ? unknownCursor(since, error) : toCommandError(error, connection.url);
  }
}

/** A kind of detail record: the layout as it is for it, and what is read for it. JSON Lines have no layout. */
interface Kind {
  layout?: FixedLayout;
  part: ExportPart;
}

export const JSON_LINES = /\.(jsonl|ndjson)$/i;

/** Asks for all fields of all records of a collection. */
export function wholeOf(collection: Collection): ExportPart {
  return { collection, names: collection.fields.map(({ name }) => name), tables: [] };
}

/** Says whether the text of a value is JSON as it is. A year may begin with a zero. */
function isBare(kind: FieldKind): boolean {
  const { schema, toText } = KIND_TRAITS[kind];
  return schema.type !== "string" && !toText;
}

/** Each record has every field, so that the keys of the first line are all that there are. */
export async function* jsonLines(source: Pick<ExportSource, "records">): AsyncGenerator<Piece> {
  for await (const record of source.records) {
    const members = record.part.collection.fields.map(({ name, kind }) => {
      const text = record.texts[name] ?? "";
      return `${JSON.stringify(name)}:${text === "" ? "null" : isBare(kind) ? text : JSON.stringify(text)}`;
    });
    yield { bytes: Buffer.from(`{${members.join(",")}}\n`), of: record };
  }
}

function requireFixed(layout: Layout): FixedLayout {
  if (layout.kind === "fixed") return layout;
  throw new CommandError(
    EXIT.nothing,
    "export writes fixed-width files, and JSON Lines without a layout. The service itself gives a collection as CSV.",
  );
}

/** `name`: the only collection that is written. Parents come first, as when the file is loaded. Throws CommandError. */
function kindsOf(layout: FixedLayout, name: string | undefined, collections: readonly Collection[]): Kind[] {
  const details = detailsOf(layout);
  const names = details.map(({ collection }) => collection);
  if (name !== undefined && !names.includes(name)) throw new CommandError(EXIT.nothing, whyNotIn(layout, name));
  return parentsFirst(name === undefined ? names : [name], collections).map((one) => {
    const chosen = selectDetail(layout, one) ?? layout;
    const collection = chooseCollection(collections, one);
    const { fields, children = [] } = chosen.detail;
    const tables = children.map((table) => tableOf(table, collection, chooseCollection(collections, table.collection)));
    return { layout: chosen, part: { collection, names: fields.map((field) => field.name), tables } };
  });
}

function whyNotIn(layout: FixedLayout, name: string): string {
  const parent = detailsOf(layout).find(({ children = [] }) => children.some(({ collection }) => collection === name))?.collection;
  if (parent !== undefined)
    return `The layout has ${name} within the records of ${parent}: name ${parent}, or no collection for all of the layout.`;
  const all = collectionsOf(layout);
  const rest = all.length > 1 ? " for all of them" : "";
  return `The layout is for ${all.join(" and ")}, not for ${name}. Name ${all.join(" or ")}, or no collection${rest}.`;
}

/** Items belong to the record to which they refer by the field, or the value of the parent, that the layout has for them. */
function tableOf(table: ItemRecords, { name, title }: Collection, collection: Collection): ExportTable {
  const named = (field: string) => table.fields.some((one) => (collection.lookups.get(one.name)?.fills ?? one.name) === field);
  const all = collection.references.filter(({ reference }) => reference.collection === name);
  const [reference] = [...all.filter((field) => named(field.name)), ...all];
  if (reference) return { table, collection, reference };
  throw new CommandError(
    EXIT.nothing,
    `${collection.title} do not refer to ${title}, so it is not known which of them belong in which record. Take them out of the layout.`,
  );
}

/** Returns a sentence where the header will have no sequence. Throws CommandError for one that the header cannot have. */
function checkSequence({ header }: FixedLayout, sequence: string | undefined): string[] {
  const place = header?.sequence;
  if (sequence === undefined) return place && place.constant === undefined ? ["The header has no sequence: --sequence gives it one."] : [];
  if (!place) throw new CommandError(EXIT.nothing, "The layout has no header with a sequence: leave --sequence out.");
  if (place.constant !== undefined)
    throw new CommandError(EXIT.nothing, `The layout says that the sequence is always “${place.constant}”: leave --sequence out.`);
  return [];
}

function requireDeletes(kinds: readonly Kind[]): void {
  if (kinds.some(({ part }) => part.tables.length > 0))
    throw new CommandError(
      EXIT.nothing,
      "Records with items have no changes of their own: leave --changes-since out, and everything is written.",
    );
  const without = kinds.filter(({ layout }) => !canDelete(layout)).map(({ part }) => part.collection.name);
  if (without.length === 0) return;
  const which = kinds.length === 1 ? "" : ` of ${without.join(" and ")}`;
  throw new CommandError(
    EXIT.nothing,
    `The layout has no action for deletes${which}, and changes may be deletes: add one, or leave --changes-since out.`,
  );
}

function canDelete(layout: FixedLayout | undefined): boolean {
  return codesOf(layout?.action?.delete).length > 0;
}

/** Throws CommandError where a file of the name is there. */
export async function requireFree(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandError(EXIT.nothing, `${path} is not written: it is there already.`);
}

function unknownCursor(since: string | undefined, { message }: Error): CommandError {
  const sentence = `Nothing was written. The changes since ${since} cannot be read: ${message} Export everything instead, without --changes-since.`;
  return new CommandError(EXIT.nothing, sentence);
}

/** Counts how many records of each collection were written, items included. */
type Counts = Map<string, number>;

interface Written {
  file: string;
  name: string | undefined;
  /** The path of the layout; undefined for JSON Lines. */
  path: string | undefined;
  since: string | undefined;
  counts: Counts;
  /** Sentences about what is not in the file. */
  left: readonly string[];
  cursor: string;
}

function exitOf(
  { file, name, path, since, counts, left, cursor }: Written,
  kinds: readonly Kind[],
  progress: CommandContext["progress"],
): Exit {
  const records = kinds.reduce((sum, { part }) => sum + (counts.get(part.collection.name) ?? 0), 0);
  const names = kinds.flatMap(({ part }) => [part.collection.name, ...part.tables.map(({ collection }) => collection.name)]);
  const collections = Object.fromEntries(names.map((each) => [each, counts.get(each) ?? 0]));
  progress.line(`The next export of changes begins at ${cursor}`, { step: "exported", records, collections, file, cursor });
  const [first = "", ...others] = names.map((each, i) => {
    const n = counts.get(each) ?? 0;
    return i > 0 ? `${n.toLocaleString("en")} of ${each}` : `${count(n, since === undefined ? "record" : "changed record")} of ${each}`;
  });
  const sentence = [`${[first, ...others].join(" and ")} written to ${file}.`, ...left].join(" ");
  if (path === undefined || !kinds.every(({ layout }) => canDelete(layout))) return { code: EXIT.stored, sentence };
  const words = ["export", ...(name === undefined ? [] : [name]), "FILE", "--layout", path, "--changes-since", cursor];
  return { code: EXIT.stored, sentence, next: `What changes from now on: ${formatCommand(words)}` };
}

async function countLeft(kinds: readonly Kind[], client: Client, signal: AbortSignal): Promise<string[]> {
  const left: string[] = [];
  for (const { part } of kinds) {
    for (const table of part.tables) {
      const n = await countWithoutRecord(client, table, signal);
      const refer = n === 1 ? "refers" : "refer";
      if (n > 0)
        left.push(
          `${count(n, "record")} of ${table.collection.name} ${refer} to no record of ${part.collection.name} and ${n === 1 ? "is" : "are"} not in the file.`,
        );
    }
  }
  return left;
}

/** `of`: undefined for header and trailer. */
interface Piece {
  bytes: Uint8Array;
  of?: ExportedRecord;
}

async function* pieces(
  writer: FixedWriter,
  kinds: readonly Kind[],
  source: ExportSource,
  header: Parameters<FixedWriter["header"]>[0],
): AsyncGenerator<Piece> {
  const writers = new Map(
    kinds.flatMap(({ part, layout }) => (layout ? [[part, { layout, writer: writer.forDetail(layout, part.collection) }]] : [])),
  );
  yield { bytes: writer.header(header) };
  for await (const record of source.records) {
    const kind = writers.get(record.part);
    if (kind) yield { bytes: detailOf(kind.writer, kind.layout, record), of: record };
  }
  yield { bytes: writer.trailer() };
}

function detailOf(writer: FixedWriter, layout: FixedLayout, { part, id, texts, action, items }: ExportedRecord): Uint8Array {
  const { noun } = part.collection;
  if (action !== "delete") requireConstants(layout.detail.fields, texts, `of ${noun} ${id}`);
  for (const { table, collection, rows } of items)
    for (const row of rows) requireConstants(table.fields, row.texts, `of ${collection.noun} ${row.id}`);
  try {
    return writer.detail(texts, layout.action && action, items);
  } catch (error) {
    throw error instanceof NoRoom ? unwritable(`of ${noun} ${id}`, error.message) : error;
  }
}

function requireConstants(fields: readonly LayoutField[], texts: Readonly<Record<string, string>>, whose: string): void {
  for (const { name, constant } of fields) {
    if (constant === undefined || texts[name] === constant) continue;
    throw unwritable(whose, `${name} is “${texts[name]}”, and the layout says that it is always “${constant}”.`);
  }
}

function unwritable(whose: string, why: string): CommandError {
  return new CommandError(EXIT.nothing, `Nothing was written: ${whose}, ${why} Correct the record or the layout.`);
}

const DRAFT = /\.[0-9a-f]{8}\.intake\.part$/;
const DRAFT_AGE = 86_400_000; // ms since an export last wrote to its draft, after which it was killed

/** Deletes what killed exports left behind in a folder, whatever they wrote: the next one may have another name. */
function removeOldDrafts(folder: string, now: number): void {
  try {
    for (const name of readdirSync(folder).filter((one) => DRAFT.test(one)))
      if (now - lstatSync(join(folder, name)).mtimeMs > DRAFT_AGE) rmSync(join(folder, name), { force: true });
  } catch {
    // Somebody who may write a file here may perhaps not list the folder, or delete what is another user's.
  }
}

/** Writes it under a name that watchers ignore, until it is whole. The name is its own, so that what a kill leaves behind is in nobody's way. */
export async function writeWhole(target: string, parts: AsyncIterable<Piece>): Promise<Counts> {
  const draft = `${target}.${randomBytes(4).toString("hex")}.intake.part`;
  const counts: Counts = new Map();
  const add = (name: string, n: number) => counts.set(name, (counts.get(name) ?? 0) + n);
  removeOldDrafts(dirname(target), Date.now());
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      let [waiting, length]: [Uint8Array[], number] = [[], 0];
      const flush = async () => {
        await handle.appendFile(Buffer.concat(waiting));
        [waiting, length] = [[], 0];
      };
      for await (const { bytes, of } of parts) {
        waiting.push(bytes);
        length += bytes.length;
        if (of) add(of.part.collection.name, 1);
        for (const { collection, rows } of of?.items ?? []) add(collection.name, rows.length);
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
    return counts;
  } catch (error) {
    const why = writeError(error, target);
    throw why === undefined ? error : new CommandError(EXIT.nothing, `${target} cannot be written: ${why}.`);
  }
}

const PIECE = 1024 * 1024; // bytes
