// Strict JSON: valid UTF-8, no key twice in one object, limited depth. Many records are parsed in pieces.

import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type HttpError, httpErrors } from "./errors.ts";

const MAX_DEPTH = 8;
const NO_LEVEL = MAX_DEPTH + 1;
const PIECE = 6_000; // values; if all their names differ, parsing them takes some 25 ms
const PIECE_BYTES = 1024 * 1024;
const MOST_IN_RECORD = 4_000; // values; twice as many as an engine allows columns in a table
const PLACE = randomUUID(); // nobody can send it

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;

/** What is found before parsing. Right for valid JSON only. */
interface Scanned {
  /** Outside of strings. */
  colons: number;
  /** Where the array of records begins, where it may be cut, and where it ends: offsets of `[`, commas and `]`. Empty without one. */
  cuts: number[];
  /** How many values the largest record has, or all that stands around the array. */
  largest: number;
}

/**
 * The parsed body. Throws MALFORMED_JSON, and 413 for more than `mostValues` values.
 *
 * Depth and values are counted before parsing: megabytes of brackets, or of names that all differ, would block the parser,
 * and with it every other request, for seconds.
 */
export function parseJson(body: unknown, mostValues = Number.POSITIVE_INFINITY): unknown {
  const text = requireText(body);
  return parseWhole(text, scan(text, mostValues));
}

/**
 * As parseJson, for many records in an array, bare or in an object. Other requests have a turn after each piece of it, because
 * names that all differ take the parser twenty times as long as those of ordinary records. Throws 413 also for one record with
 * more than MOST_IN_RECORD values.
 */
export async function parseJsonRecords(body: unknown, mostValues: number): Promise<unknown> {
  const text = requireText(body);
  const scanned = scan(text, mostValues);
  if (scanned.largest > MOST_IN_RECORD) throw httpErrors.tooLarge(`One record may have at most ${MOST_IN_RECORD} values.`);
  const [begin = 0, ...ends] = scanned.cuts;
  const end = ends.at(-1) ?? 0;
  if (ends.length < 2) return parseWhole(text, scanned);
  const wrapper = parse(`${text.toString("utf8", 0, begin)}"${PLACE}"${text.toString("utf8", end + 1)}`);
  let keys = countKeys(wrapper);
  const records: unknown[] = [];
  let from = begin + 1;
  for (const to of ends) {
    await nextTurn();
    const piece = parse(`[${text.toString("utf8", from, to)}]`) as unknown[];
    if (piece.length === 0) throw invalidJson(); // nothing stands after the last comma
    records.push(...piece);
    keys += countKeys(piece);
    from = to + 1;
  }
  if (keys !== scanned.colons) throw doubledKey();
  return wrapper === PLACE ? records : withRecords(wrapper as Record<string, unknown>, records);
}

function requireText(body: unknown): Buffer {
  if (!Buffer.isBuffer(body) || body.length === 0) throw httpErrors.malformedJson("A JSON body is needed.");
  if (!isUtf8(body)) throw httpErrors.malformedJson("The body is not valid UTF-8.");
  return body;
}

function parseWhole(text: Buffer, { colons }: Scanned): unknown {
  const parsed = parse(text.toString("utf8"));
  if (colons !== countKeys(parsed)) throw doubledKey();
  return parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw invalidJson(); // the parser's message would repeat a piece of the body
  }
}

function invalidJson(): HttpError {
  return httpErrors.malformedJson("The body is not valid JSON.");
}

/** JSON.parse silently keeps the last of two equal keys; then there are fewer keys than colons. */
function doubledKey(): HttpError {
  return httpErrors.malformedJson("A key stands twice in one object.");
}

function withRecords(wrapper: Record<string, unknown>, records: unknown[]): unknown {
  for (const [name, value] of Object.entries(wrapper)) if (value === PLACE) wrapper[name] = records;
  return wrapper;
}

/** Throws as soon as there are too many levels or values, and when the array of records has no end. */
function scan(body: Buffer, mostValues: number): Scanned {
  const cuts: number[] = [];
  let arrayLevel = NO_LEVEL; // of the records, while they are read
  let isClosed = false;
  let [valuesAtCut, valuesAtRecord, inside, largest] = [0, 0, 0, 0];
  let [level, colons, values] = [0, 0, 0];
  let inString = false;
  for (let i = 0; i < body.length; i++) {
    const code = body[i];
    if (inString) {
      if (code === QUOTE) inString = false;
      else if (code === BACKSLASH) i++;
      continue;
    }
    switch (code) {
      case QUOTE:
        inString = true;
        break;
      case COLON:
        colons++;
        break;
      case COMMA:
        values++;
        if (level === arrayLevel) {
          largest = Math.max(largest, values - valuesAtRecord);
          valuesAtRecord = values;
          if (values - valuesAtCut >= PIECE || i - (cuts.at(-1) ?? 0) >= PIECE_BYTES) {
            cuts.push(i);
            valuesAtCut = values;
          }
        }
        break;
      case 91: // [
      case 123: // {
        values++;
        if (++level > MAX_DEPTH) throw httpErrors.malformedJson(`The JSON is nested deeper than ${MAX_DEPTH} levels.`);
        if (code === 91 && level <= 2 && cuts.length === 0) {
          cuts.push(i);
          arrayLevel = level;
          valuesAtCut = valuesAtRecord = values;
          inside = -values;
        }
        break;
      case 93: // ]
      case 125: // }
        if (level === arrayLevel) {
          cuts.push(i);
          isClosed = code === 93;
          arrayLevel = NO_LEVEL;
          largest = Math.max(largest, values - valuesAtRecord);
          inside += values;
        }
        level--;
    }
    if (values > mostValues)
      throw httpErrors.tooLarge(`The body may have at most ${mostValues} values here. Send fewer records at a time.`);
  }
  if (cuts.length === 0) return { colons, cuts, largest: values };
  if (!isClosed) throw invalidJson();
  return { colons, cuts, largest: Math.max(largest, values - inside) };
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  for (const key in value) {
    count += 1;
    const child = (value as Record<string, unknown>)[key];
    if (typeof child === "object") count += countKeys(child);
  }
  return count;
}
