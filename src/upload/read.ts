// A file to blocks of text, through one streaming decoder; never the whole file at once. Refuses: bytes that are not UTF-8, a file that cannot be read.

const BLOCK_BYTES = 64 * 1024; // of text at a time: rows of such a block die young, which measures twice as fast as 1 MiB
const BLOCKS_A_SLICE = 16; // read from disk at a time: each read costs a trip to another process

export interface TextBlock {
  text: string;
  /** Bytes of the file up to the end of this block. */
  bytesRead: number;
  last: boolean;
}

/** The file as a whole cannot be used. Both texts are sentences for the screen: what is wrong, and what to do. */
export class FileRefused extends Error {
  override name = "FileRefused";
  readonly title: string;
  readonly detail: string;

  constructor(title: string, detail: string) {
    super(`${title} ${detail}`);
    this.title = title;
    this.detail = detail;
  }
}

/**
 * Yields at least one block, and `last` exactly once. A byte order mark is taken off. The next slice is read from
 * disk while this one is worked on, and no further: whoever is slow to take a block slows the reading.
 */
export async function* readText(file: Blob, blockBytes = BLOCK_BYTES): AsyncGenerator<TextBlock> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const slice of readSlices(file, blockBytes * BLOCKS_A_SLICE)) {
    for (let from = 0; from === 0 || from < slice.bytes.length; from += blockBytes) {
      const bytes = slice.bytes.subarray(from, from + blockBytes);
      const bytesRead = slice.from + from + bytes.length;
      const last = bytesRead === file.size;
      let text: string;
      try {
        text = decoder.decode(bytes, { stream: !last });
      } catch {
        throw notUtf8(await findLine(file, slice.from + from, bytes));
      }
      yield { text, bytesRead, last };
    }
  }
}

async function* readSlices(file: Blob, length: number): AsyncGenerator<{ from: number; bytes: Uint8Array }> {
  let next = readSlice(file, 0, length);
  for (let from = 0; from === 0 || from < file.size; from += length) {
    const bytes = await next;
    if (from + length < file.size) {
      next = readSlice(file, from + length, length);
      next.catch(() => undefined); // told when it is awaited; nobody may come to await it
    }
    yield { from, bytes };
  }
}

async function readSlice(file: Blob, from: number, length: number): Promise<Uint8Array> {
  const slice = file.slice(from, from + length);
  const bytes = await slice.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => undefined,
  );
  if (bytes?.length === slice.size) return bytes;
  throw new FileRefused(
    "This file can no longer be read.",
    "It was changed, moved or deleted after it was chosen. Choose it again to go on with what it holds now.",
  );
}

function notUtf8(line: number): FileRefused {
  return new FileRefused(
    "This file is not saved as UTF-8.",
    `Line ${line.toLocaleString("en")} or one near it has characters in another encoding. ` +
      "Save the file again as UTF-8; in Excel choose “CSV UTF-8 (Comma delimited)”.",
  );
}

/** The physical line of the first wrong byte of a block. Reads the file from its start, so only for a refusal. */
async function findLine(file: Blob, from: number, block: Uint8Array): Promise<number> {
  let line = 1;
  for await (const slice of readSlices(file.slice(0, from), BLOCK_BYTES)) line += countLines(slice.bytes);
  let start = 0; // the rest of a character that began in the block before is no mistake of this one
  while (start < 3 && ((block[start] ?? 0) & 0xc0) === 0x80) start++;
  const text = new TextDecoder().decode(block.subarray(start));
  const before = text.slice(0, Math.max(0, text.indexOf("\uFFFD")));
  return line + (before.match(/\r\n?|\n/g)?.length ?? 0);
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (const [i, byte] of bytes.entries()) {
    if (byte === 0x0a || (byte === 0x0d && bytes[i + 1] !== 0x0a)) lines++;
  }
  return lines;
}
