// Writes the rejected records, ready to be loaded again, and the list of reasons. Reads the file once more.

import type { FileHandle } from "node:fs/promises";
import type { Collection } from "../../core/dictionary/collections.ts";
import { BOM, csvLine, guardFormula, plainCell } from "../../core/text/csv.ts";
import { DelimitedTotals } from "../../layouts/formats/delimited-controls.ts";
import type { FixedBlock } from "../../layouts/formats/read-fixed.ts";
import { LineStarts, linesIn } from "../../layouts/formats/row-bytes.ts";
import { createCodec } from "../../layouts/layouts/character-sets.ts";
import { isEbcdic } from "../../layouts/layouts/ebcdic.ts";
import type { DelimitedLayout } from "../../layouts/layouts/layout.ts";
import { createRowValidator, loadForms } from "../../pipeline/checking/validate-row.ts";
import { isContained, rowsOf } from "../../pipeline/containers/row-source.ts";
import type { OutcomeLog } from "../../pipeline/model/outcomes.ts";
import type { RowBlock } from "../../pipeline/reading/csv-rows.ts";
import { readSlice } from "../../pipeline/reading/text-blocks.ts";
import { GROUP_OF } from "../console/outcome-groups.ts";
import { fileWords } from "../console/problem-words.ts";
import type { Reading } from "../files/choose-reader.ts";
import type { ErrorCodes } from "./error-codes.ts";
import { type RecordPlace, writeRejects as writeFixedRejects } from "./fixed-rejects.ts";
import type { OutputFile } from "./output-names.ts";

export interface RejectsJob {
  file: File;
  collection: Collection;
  reading: Reading;
  /** The outcomes of sent records; undefined when none were sent. */
  outcomeLog: OutcomeLog | undefined;
  errorCodes: ErrorCodes;
}

/** Says why a record was refused or is in doubt. */
interface RejectReason {
  field: string;
  code: string;
  message: string;
}

const HEADING = ["record", "line", "byte", "field", "code", "message"];

/** Writes both files. A record in doubt is in the list only: it might be stored twice if it were loaded again. */
export async function writeRejects(job: RejectsJob, files: { bytes: OutputFile; list: OutputFile }): Promise<void> {
  const [bytes, list] = [new BufferedFile(files.bytes.handle), new BufferedFile(files.list.handle)];
  await list.add(csvLine(HEADING));
  for await (const piece of piecesOf(job, rejected(job, list))) await bytes.add(piece);
  await bytes.flush();
  await list.flush();
}

/** A rejected record: its cells, and where it is in the file. A record in a container has no place in its bytes. */
interface Rejected {
  cells: readonly string[];
  place: RecordPlace | undefined;
}

/** Yields each refused record, and writes the reasons to the list. */
async function* rejected(job: RejectsJob, list: BufferedFile): AsyncGenerator<Rejected> {
  const { collection, reading, outcomeLog, errorCodes } = job;
  const validateRow = createRowValidator(collection, reading.plan, { readForm: await loadForms(reading.plan, collection) });
  const placeOf = places(job);
  for await (const { block, original } of withOriginals(job)) {
    for (let i = 0; i < block.rows.length; i++) {
      const row = block.first + i;
      const problems = validateRow(row, block.rows[i] as string[], block.malformed.get(i), undefined, block.modes?.[i]); // for every row: the validator remembers the keys
      if (problems?.[0]?.code === "LEFT_OUT") continue; // as the recipe says, so nobody has to correct it
      const found =
        problems?.map((one) => ({ ...one, message: fileWords(one, collection) })) ?? serviceReasons(row, outcomeLog, errorCodes);
      if (!found) continue;
      const cells = original[i] as string[];
      const place = await placeOf(block, i, cells);
      const position = [String(row), String(block.lines[i]), place ? String(place.offset) : ""];
      for (const { field, code, message } of found) await list.add(csvLine([...position, ...[field, code, message].map(guardFormula)]));
      if (problems || (outcomeLog && GROUP_OF[outcomeLog.outcomeOf(row)] === "refused")) yield { cells, place };
    }
  }
}

/** Yields the rows as the rules for columns change them, and as they are in the file: those are written, for the rules change them again. */
async function* withOriginals(job: RejectsJob): AsyncGenerator<{ block: RowBlock; original: readonly string[][] }> {
  let original: readonly string[][] = [];
  async function* openRows(): AsyncGenerator<RowBlock> {
    for await (const block of rowsInFile(job)) {
      original = job.reading.plan.rules ? block.rows.map((cells) => [...cells]) : block.rows;
      yield block;
    }
  }
  for await (const block of rowsOf({ file: job.file, plan: job.reading.plan, openRows })) yield { block, original };
}

function rowsInFile({ file, reading: { plan, openRows } }: RejectsJob): AsyncIterable<RowBlock> {
  return rowsOf({ file, plan: { dialect: plan.dialect }, openRows });
}

function serviceReasons(row: number, outcomeLog: OutcomeLog | undefined, errorCodes: ErrorCodes): RejectReason[] | undefined {
  const group = outcomeLog && GROUP_OF[outcomeLog.outcomeOf(row)];
  if (group !== "refused" && group !== "inDoubt") return undefined;
  const message = outcomeLog?.reasonOf(row) ?? "";
  if (group === "inDoubt") return [{ field: "", code: "IN_DOUBT", message }];
  return [{ ...errorCodes.of(message), message }];
}

/** The place of row `i` of a block, with its cells as in the file. Must be called in the order of the file. */
type PlaceOf = (block: RowBlock, i: number, cells: readonly string[]) => RecordPlace | undefined | Promise<RecordPlace>;

function places({ file, reading }: RejectsJob): PlaceOf {
  const { layout, plan } = reading;
  if (isContained(plan.dialect)) return () => undefined;
  if (layout?.of.fixed)
    return (block, i) => {
      const { offsets, ends, items } = block as FixedBlock;
      return { offset: offsets[i] as number, end: ends[i] as number, item: reading.items ? undefined : items[i] }; // items that replace the stored ones come with all the others of their record
    };
  const starts = new LineStarts(file, plan.dialect.encoding, layout?.of.lineFeeds);
  return async ({ lines }, i, cells) => {
    const line = lines[i] as number;
    return { offset: await starts.of(line), end: await starts.of(line + (plan.dialect.keys ? 1 : linesIn(cells))) };
  };
}

/** Yields the file of rejects in pieces: the records, with the header and trailer or heading that make it loadable. */
function piecesOf(job: RejectsJob, records: AsyncIterable<Rejected>): AsyncIterable<string | Uint8Array> {
  const { file, collection, reading } = job;
  if (isContained(reading.plan.dialect)) return asCsv(job, records);
  const rejects = placesOf(records);
  const { is: layout } = reading.layout ?? {};
  if (layout?.kind === "fixed") return writeFixedRejects(file, layout, collection, rejects);
  if (layout?.detail) return withControls(job, layout, records);
  return copyPieces(file, withHeading(job, rejects));
}

/** Yields the records between the header of the file and a trailer with their count and totals. */
async function* withControls(
  { file, reading, collection }: RejectsJob,
  layout: DelimitedLayout,
  records: AsyncIterable<Rejected>,
): AsyncGenerator<string | Uint8Array> {
  const { encoding = "utf-8", delimiter = "," } = layout;
  const totals = new DelimitedTotals(layout, collection);
  const codec = createCodec(encoding);
  const lineEnd = codec.encode(isEbcdic(encoding) ? "\u0085" : "\n") as Uint8Array;
  const header = await reading.layout?.of.readHeader();
  const ended = (bytes: Uint8Array) => (reading.layout?.of.lineFeeds.includes(bytes.at(-1) ?? 0) ? bytes : Buffer.concat([bytes, lineEnd]));
  if (header) {
    const starts = new LineStarts(file, reading.plan.dialect.encoding, reading.layout?.of.lineFeeds);
    yield ended(await readSlice(file, 0, await starts.of(header.end)));
  }
  for await (const { cells, place } of records) {
    if (!place) continue;
    totals.addDetail(cells);
    yield ended(await readSlice(file, place.offset, place.end - place.offset));
  }
  const trailer = totals.trailer();
  if (trailer) yield ended(codec.encode(trailer.join(delimiter)) as Uint8Array);
}

async function* placesOf(records: AsyncIterable<Rejected>): AsyncGenerator<RecordPlace> {
  for await (const { place } of records) if (place) yield place;
}

/** Records of a workbook or an archive, as a CSV file of their own. */
async function* asCsv(job: RejectsJob, records: AsyncIterable<Rejected>): AsyncGenerator<string> {
  const { headingLine, isExact = false } = job.reading.plan.dialect;
  for await (const { header } of rowsInFile(job)) {
    yield BOM + (headingLine > 0 ? csvLine(header.map(guardFormula)) : "");
    break;
  }
  for await (const { cells } of records) yield csvLine(cells.map((cell) => guardFormula(plainCell(cell, isExact)))); // one guard, as in the file
}

async function* withHeading(job: RejectsJob, rejects: AsyncIterable<RecordPlace>): AsyncGenerator<RecordPlace> {
  const { file, reading } = job;
  const { layout, plan } = reading;
  const { headingLine, encoding, keys } = plan.dialect;
  if (headingLine > 0 && !keys) {
    for await (const { header } of rowsInFile(job)) {
      yield { offset: 0, end: await new LineStarts(file, encoding, layout?.of.lineFeeds).of(headingLine + linesIn(header)) };
      break;
    }
  }
  yield* rejects;
}

const PIECE = 1024 * 1024; // bytes for one read or write

/** Reads adjacent records together. */
async function* copyPieces(file: Blob, places: AsyncIterable<RecordPlace>): AsyncGenerator<Uint8Array> {
  let [from, to] = [0, 0];
  for await (const { offset, end } of places) {
    if (offset !== to || to - from >= PIECE) {
      yield* readPieces(file, from, to);
      from = offset;
    }
    to = end;
  }
  yield* readPieces(file, from, to);
}

async function* readPieces(file: Blob, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += PIECE) yield await readSlice(file, at, Math.min(PIECE, to - at));
}

/** A new file that is written in large pieces. Must be flushed at the end. */
class BufferedFile {
  readonly #file: FileHandle;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(piece: string | Uint8Array): Promise<void> {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    if (this.#length > PIECE) await this.flush();
  }

  async flush(): Promise<void> {
    await this.#file.appendFile(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#length = 0;
  }
}
