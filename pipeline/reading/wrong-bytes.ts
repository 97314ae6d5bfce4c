// Bytes that are not of the encoding: reads on behind a few of them, or says where the first stands.

import { t, tNumber } from "../../core/i18n/translate.ts";
import type { Encoding } from "../model/dialect.ts";
import { FileError } from "../model/file-error.ts";
import { countLineEnds, createDecoder, type Decoder, findWrongByte, joined, unfinishedOf, WRONG_BYTES } from "./encoding.ts";
import type { Slice } from "./text-blocks.ts";

/** Reads a block with wrong bytes. Returns its text, and the decoder for what comes after it. */
export function readDamaged(
  unfinished: Uint8Array,
  bytes: Uint8Array,
  last: boolean,
): { text: string; decoder: Decoder; right: number; wrong: number } {
  const rest = last ? new Uint8Array() : unfinishedOf(unfinished, bytes);
  const decoder = createDecoder("UTF-8", { ignoreBOM: true });
  try {
    decoder.decode(rest, { stream: true });
  } catch {
    return { ...decodeDamaged(joined(unfinished, bytes)), decoder: createDecoder("UTF-8", { ignoreBOM: true }) };
  }
  const all = joined(unfinished, bytes);
  return { ...decodeDamaged(all.subarray(0, all.length - rest.length)), decoder };
}

/** Decodes a text of UTF-8 with wrong bytes, each of them as WRONG_BYTES. `right`: its characters on several bytes. */
function decodeDamaged(bytes: Uint8Array): { text: string; right: number; wrong: number } {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parts: string[] = [];
  let right = 0;
  let wrong = 0;
  for (let from = 0; from < bytes.length; ) {
    const found = findWrongByte(bytes.subarray(from), true);
    const end = found ? from + found.at : bytes.length;
    const text = decoder.decode(bytes.subarray(from, end));
    right += end - from - text.length;
    parts.push(text);
    if (!found) break;
    parts.push(WRONG_BYTES);
    wrong++;
    from = end + 1;
    while (((bytes[from] ?? 0) & 0xc0) === 0x80) from++; // what belongs to the wrong one
  }
  return { text: parts.join(""), right, wrong };
}

/** Describes a block that could not be decoded. Reads the file from its start, so only for an error. */
export async function describeWrongBytes(
  slices: AsyncIterable<Slice>,
  encoding: Encoding,
  end: number,
  block: Uint8Array,
  ifRight?: string,
): Promise<FileError> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true }); // IBM code pages have no wrong bytes
  let before = 1; // the line on which the block begins
  let half = ""; // a CR at the end of a piece, perhaps of CRLF
  for await (const { from, bytes } of slices) {
    if (from >= end) break;
    const text = half + decoder.decode(bytes.subarray(0, end - from), { stream: true });
    half = text.endsWith("\r") ? "\r" : "";
    before += countLineEnds(half ? text.slice(0, -1) : text);
  }
  const text = half + decoder.decode(block);
  const line = before + countLineEnds(text.slice(0, Math.max(0, text.indexOf("\uFFFD"))));
  return notOf(encoding, line, encoding === "UTF-8" ? readsAs(block) : "", ifRight);
}

function notOf(encoding: Encoding, line: number, reads: string, ifRight?: string): FileError {
  const title = t("This file is not all {encoding}.", { encoding });
  const where = t("Line {line} has bytes in another encoding.", { line: tNumber(line) });
  if (encoding !== "UTF-8") return new FileError(title, `${where} ${t("Choose the encoding in which it was saved.")}`);
  const sample = reads ? ` ${t("As Windows-1252 it reads “{text}”.", { text: reads })}` : "";
  if (ifRight) return new FileError(title, `${where}${sample} ${ifRight}`);
  return new FileError(
    title,
    `${where}${sample} ${t("If that is right, read the whole file that way; if not, save it again as UTF-8 (in Excel: “CSV UTF-8”).")}`,
    { label: t("Read as Windows-1252"), choices: { encoding: "windows-1252" } },
  );
}

const CONTEXT_CHARS = 24; // bytes on either side of a wrong one

/** Returns the text around the first wrong byte of a block, as windows-1252. */
function readsAs(block: Uint8Array): string {
  let start = 0; // the rest of a character that began in the block before is not wrong
  while (start < 3 && ((block[start] ?? 0) & 0xc0) === 0x80) start++;
  const rest = block.subarray(start);
  const wrong = findWrongByte(rest, true);
  if (!wrong) return "";
  const decoder = new TextDecoder("windows-1252");
  const before = decoder.decode(rest.subarray(Math.max(0, wrong.at - CONTEXT_CHARS), wrong.at), { stream: true });
  const after = decoder.decode(rest.subarray(wrong.at, wrong.at + CONTEXT_CHARS), { stream: true });
  return `${before.split(/[\r\n]/).at(-1)}${after.split(/[\r\n]/)[0]}`.trim();
}
