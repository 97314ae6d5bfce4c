// Reads the XML files in an office document.

import { t, tNumber } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import { unpackEntry } from "./unpack.ts";
import { type Vocabulary, type XmlHandler, XmlScanner } from "./xml-scanner.ts";
import { damagedFile, type ZipEntry } from "./zip-directory.ts";

const PIECE = 64 * 1024; // UTF-16 units that are read together, so that few rows wait for the next step
const LARGEST_PART = 64_000_000; // UTF-16 units of a part that is not the rows

/** Puts a whole part of a document through a handler. Throws FileError. */
export async function scanPart(file: Blob, entry: ZipEntry, vocabulary: Vocabulary, handler: XmlHandler): Promise<void> {
  const scanner = new XmlScanner(handler, vocabulary);
  let size = 0;
  for await (const { text } of readXml(file, entry)) {
    size += text.length;
    if (size > LARGEST_PART) throw workbookTooLarge(LARGEST_PART);
    scanner.push(text);
  }
  scanner.end();
}

/**
 * Yields the text of an XML file, in UTF-8 or, with a mark, in UTF-16. `packedRead`: bytes of the entry; `unpacked`: what they became.
 * Throws FileError for bytes of another encoding.
 */
export async function* readXml(file: Blob, entry: ZipEntry): AsyncGenerator<{ text: string; packedRead: number; unpacked: number }> {
  let unpacked = 0;
  let decoder: TextDecoder | undefined;
  for await (const { bytes, packedRead } of unpackEntry(file, entry)) {
    decoder ??= new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8", { fatal: true });
    let text: string;
    unpacked += bytes.length;
    try {
      text = decoder.decode(bytes, { stream: true });
    } catch {
      throw damagedFile();
    }
    for (let from = 0; from < text.length; from += PIECE) yield { text: text.slice(from, from + PIECE), packedRead, unpacked };
  }
}

export function tooManyParts(): FileError {
  return new FileError(
    t("This workbook is too large to be opened here."),
    t(
      "Its sheets or cell styles are more or longer than a program writes. Copy the sheet with the rows into a new workbook, then choose that one.",
    ),
  );
}

export function workbookTooLarge(most: number): FileError {
  return new FileError(
    t("This workbook is too large to be opened here."),
    t("Its texts or styles have more than {n} million characters. Save the sheet as CSV, which has no limit, then choose that file.", {
      n: tNumber(Math.round(most / 1_000_000)),
    }),
  );
}
