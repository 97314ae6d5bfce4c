// Reads JSON Lines (https://jsonlines.org): each line is an object, and its members are the cells of a row.

import { t, tNumber } from "../../core/i18n/translate.ts";
import type { Dialect, RowDialect } from "../model/dialect.ts";
import type { Malformed } from "../model/plan.ts";
import { MAX_ROW_CHARS, parseRows, type RowBlock, wrongBytes } from "./csv-rows.ts";
import { countLineEnds, WRONG_BYTES } from "./encoding.ts";
import { endlessRow } from "./stray-quotes.ts";
import type { TextBlock } from "./text-blocks.ts";
import { damaged, NULS } from "./wrong-files.ts";

/** Yields the rows of a text of any form. */
export function parseTable(blocks: AsyncIterable<TextBlock>, dialect: RowDialect & Pick<Dialect, "keys">): AsyncGenerator<RowBlock> {
  return dialect.keys ? parseJsonLines(blocks, dialect.keys) : parseRows(blocks, dialect);
}

/** Says whether the first line that is not blank is an object. */
export function isJsonLines(text: string): boolean {
  const first = /^\s*(\{[^\n]*)/.exec(text)?.[1];
  return first !== undefined && readMembers(first) !== undefined;
}

const SCANNED = 16 * 1024 * 1024; // bytes in which keys are looked for
const MOST_KEYS = 1000;

/** Reads the keys of the first records, in the order in which they come. */
export async function findKeys(blocks: AsyncIterable<TextBlock>): Promise<string[]> {
  const keys = new Set<string>();
  for await (const { lines, bytesRead } of readLines(blocks)) {
    for (const text of lines) {
      const members = readMembers(text);
      if (Array.isArray(members)) for (const [key] of members) if (keys.size < MOST_KEYS) keys.add(key);
    }
    if (bytesRead >= SCANNED) break;
  }
  return [...keys];
}

async function* parseJsonLines(blocks: AsyncIterable<TextBlock>, keys: readonly string[]): AsyncGenerator<RowBlock> {
  const places = new Map(keys.map((key, i) => [key, i]));
  let row = 1;
  for await (const { lines, first, bytesRead } of readLines(blocks)) {
    const block = { header: keys, rows: [] as string[][], first: row, lines: [] as number[], strayQuotes: undefined, bytesRead };
    const malformed = new Map<number, Malformed>();
    for (const [i, text] of lines.entries()) {
      if (text.trim() === "") continue;
      const { cells, wrong } = readRow(text, places, first + i);
      if (wrong !== undefined) malformed.set(block.rows.length, { code: "RECORD", message: wrong });
      else if (text.includes(WRONG_BYTES)) malformed.set(block.rows.length, wrongBytes());
      block.rows.push(cells);
      block.lines.push(first + i);
    }
    row += block.rows.length;
    yield { ...block, malformed };
  }
}

/** Yields whole lines, without their ends. `first`: the number of the first of them, from 1. Throws FileError. */
async function* readLines(blocks: AsyncIterable<TextBlock>): AsyncGenerator<{ lines: string[]; first: number; bytesRead: number }> {
  let [rest, first] = ["", 1];
  for await (const { text, bytesRead, last } of blocks) {
    if (text.includes(NULS)) throw damaged(first + countLineEnds(text.slice(0, text.indexOf(NULS))));
    const lines = (rest + text).split("\n"); // a carriage return before it is white space
    rest = last ? "" : (lines.pop() ?? "");
    if (rest.length > MAX_ROW_CHARS) throw endlessRow(first + lines.length, MAX_ROW_CHARS);
    yield { lines, first, bytesRead };
    first += lines.length;
  }
}

function readRow(text: string, places: ReadonlyMap<string, number>, at: number): { cells: string[]; wrong?: string } {
  const cells = Array.from(places, () => "");
  const members = readMembers(text);
  const line = tNumber(at);
  if (!members)
    return { cells, wrong: t("Line {line} is not a JSON object. Each line is one, such as {sample}.", { line, sample: '{"id":1}' }) };
  if (members === "DOUBLED") return { cells, wrong: t("Line {line} has a key twice.", { line }) };
  for (const [key, value] of members) {
    const place = places.get(key);
    if (place === undefined)
      return {
        cells,
        wrong: t("Line {line} has the key “{key}”, which no record before it has. Add it to the first line, with null.", { line, key }),
      };
    if (typeof value === "object" && value !== null)
      return { cells, wrong: t("Line {line}: “{key}” is a list or an object, and a field has one value.", { line, key }) };
    cells[place] = value === null ? "" : String(value);
  }
  return { cells };
}

/**
 * RFC 8259. Numbers stand behind the strings, so that no digit within one is found. A string that does not end is one token, too: else each
 * quotation mark in it would be looked at to the end of the line. A number in the place of a key stays what it is: wrong.
 */
const TOKENS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|:|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?!\s*:)/g;

/**
 * Returns the members of an object, those whose keys are whole numbers first; undefined for other text. Numbers are read as text, because
 * JSON.parse would round those with many digits.
 */
function readMembers(text: string): [key: string, value: unknown][] | "DOUBLED" | undefined {
  let colons = 0;
  const quoted = text.replace(TOKENS, (token) => {
    if (token === ":") colons++;
    return token === ":" || token.startsWith('"') ? token : `"${token}"`;
  });
  try {
    const parsed: unknown = JSON.parse(quoted);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
    const members = Object.entries(parsed);
    const isFlat = members.every(([, value]) => typeof value !== "object" || value === null);
    return isFlat && colons > members.length ? "DOUBLED" : members;
  } catch {
    return undefined; // a sentence names the line
  }
}
