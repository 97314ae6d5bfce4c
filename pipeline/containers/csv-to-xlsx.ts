// Turns CSV that we wrote ourselves, an export or a file of rows not stored, into a workbook while it passes through.

import { unguardFormula } from "../../core/text/csv.ts";
import type { Dialect } from "../model/dialect.ts";
import { parseRows } from "../reading/csv-rows.ts";
import type { TextBlock } from "../reading/text-blocks.ts";
import { writeXlsx } from "./write-xlsx.ts";

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export interface XlsxOptions {
  /** Names the sheet. */
  name: string;
  /** Headings of columns whose plain numbers become numbers. All other cells are text. */
  numbers?: ReadonlySet<string>;
  delimiter?: Dialect["delimiter"];
}

/** Writes one sheet, with the heading of the CSV. Reads and writes while it passes through, so it takes memory for some rows only. */
export function csvToXlsx(csv: ReadableStream<Uint8Array>, options: XlsxOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = convert(csv, options);
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await bytes.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await bytes.return(undefined);
    },
  });
}

/** Turns a file of rows not stored into a workbook: its delimiter stands behind its first heading, which has none. */
export async function errorsFileToXlsx(csv: Blob, name: string): Promise<Blob> {
  const start = await csv.slice(0, 1000).text();
  const delimiter = (/^\uFEFF?[^,;\t|\r\n]*([,;\t|])/.exec(start)?.[1] ?? ",") as Dialect["delimiter"];
  const chunks: BlobPart[] = [];
  for await (const bytes of convert(csv.stream(), { name, delimiter })) chunks.push(bytes as Uint8Array<ArrayBuffer>);
  return new Blob(chunks, { type: XLSX_TYPE });
}

async function* convert(csv: ReadableStream<Uint8Array>, { name, numbers, delimiter = "," }: XlsxOptions): AsyncGenerator<Uint8Array> {
  const blocks = parseRows(textOf(csv), { delimiter, quote: '"', headingLine: 1 })[Symbol.asyncIterator]();
  const first = await blocks.next();
  if (first.done) return;
  const { header } = first.value;
  const columns = new Set([...header.keys()].filter((at) => numbers?.has(header[at] as string)));
  async function* rows() {
    for (let block = first; !block.done; block = await blocks.next()) yield block.value.rows.map((cells) => cells.map(withoutGuard));
  }
  yield* writeXlsx({ name, header: header.map(withoutGuard), numbers: columns }, rows());
}

/** A text cell of a workbook is not run, so it needs no guard. One that would then look guarded keeps it, because it is read without. */
function withoutGuard(cell: string): string {
  const bare = unguardFormula(cell);
  return unguardFormula(bare) === bare ? bare : cell;
}

async function* textOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<TextBlock> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    let bytesRead = 0;
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytesRead += read.value.length;
      yield { text: decoder.decode(read.value, { stream: true }), bytesRead, last: false };
    }
    yield { text: decoder.decode(), bytesRead, last: true };
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
