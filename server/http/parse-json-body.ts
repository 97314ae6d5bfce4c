// Strict JSON: valid UTF-8, no key twice in one object, no digit lost, limited depth. Many records are parsed in pieces.

import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isNumber, keepsDigits, LongNumber } from "../../core/dictionary/decimals.ts";
import { findJsonFault } from "../../core/text/json-fault.ts";
import { type HttpError, httpErrors } from "./errors.ts";

const MAX_DEPTH = 12; // a data package in a draft has ten
const NO_LEVEL = MAX_DEPTH + 1;
const PIECE = 6_000; // values; if all their names differ, parsing them takes some 25 ms
const PIECE_BYTES = 1024 * 1024;
const MOST_IN_RECORD = 4_000; // values; twice as many as an engine allows columns in a table
const PLACE = randomUUID(); // nobody can send it
const LONG = randomUUID();
const LONGEST_POINTER = 200; // characters
const STEPS_AT_ONCE = 1_000; // values of arrays
const SHORT = 15; // digits that every number keeps (keepsDigits)
const LONGEST_KEPT = 400; // characters; no double needs so many
const NO_VALUE = Number.MAX_SAFE_INTEGER;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const SPACE = 32;
const PLUS = 43;
const NINE = 57;
const SMALL_E = 101;
const LOWER_CASE = 32; // the bit that makes E an e

/** Holds what is found before parsing. It is right for valid JSON only. */
interface Scanned {
  /** Counts those outside of strings. */
  colons: number;
  /** Says where the array of records begins, where it may be cut, and where it ends: offsets of `[`, commas and `]`. Empty without one. */
  cuts: number[];
  /** Numbers with more digits than JSON.parse keeps: [from, to] of each. */
  long: [number, number][];
  /** Says how many values the largest record has, or all that stands around the array. */
  largest: number;
}

/**
 * Returns the parsed body. Throws MALFORMED_JSON, and 413 for more than `mostValues` values.
 *
 * Depth and values are counted before parsing: megabytes of brackets, or of names that all differ, would block the parser,
 * and with it every other request, for seconds.
 */
export function parseJson(body: unknown, mostValues = Number.POSITIVE_INFINITY): unknown {
  const text = requireText(body);
  try {
    return parseWhole(text, scan(text, mostValues));
  } catch (error) {
    throw error instanceof NotJson ? atOnce(invalidJson(text)) : error;
  }
}

/**
 * Parses as parseJson does, for many records in an array, bare or in an object. Other requests have a turn after each piece of it, because
 * names that all differ take the parser twenty times as long as those of ordinary records. Throws 413 also for one record with
 * more than MOST_IN_RECORD values.
 */
export async function parseJsonRecords(body: unknown, mostValues: number): Promise<unknown> {
  const text = requireText(body);
  try {
    return await parsePieces(text, scan(text, mostValues));
  } catch (error) {
    throw error instanceof NotJson ? await inTurns(invalidJson(text)) : error;
  }
}

async function parsePieces(text: Buffer, scanned: Scanned): Promise<unknown> {
  if (scanned.largest > MOST_IN_RECORD) throw httpErrors.tooLarge(`One record may have at most ${MOST_IN_RECORD} values.`);
  const { long } = scanned;
  const [begin = 0, ...ends] = scanned.cuts;
  const end = ends.at(-1) ?? 0;
  if (ends.length < 2) return parseWhole(text, scanned);
  const wrapper = parse(`${cut(text, 0, begin, long)}"${PLACE}"${cut(text, end + 1, text.length, long)}`, long);
  let keys = countKeys(wrapper);
  const records: unknown[] = [];
  let from = begin + 1;
  for (const to of ends) {
    await nextTurn();
    const piece = parse(`[${cut(text, from, to, long)}]`, long) as unknown[];
    if (piece.length === 0) throw new NotJson(); // nothing stands after the last comma
    records.push(...piece);
    keys += countKeys(piece);
    from = to + 1;
  }
  if (keys !== scanned.colons) throw doubledKey();
  return wrapper === PLACE ? records : withRecords(wrapper as Record<string, unknown>, records);
}

function requireText(body: unknown): Buffer {
  if (!Buffer.isBuffer(body) || body.length === 0) throw httpErrors.malformedJson("A JSON body is needed.");
  if (!isUtf8(body)) throw notUtf8(body);
  return body;
}

function parseWhole(text: Buffer, { colons, long }: Scanned): unknown {
  const parsed = parse(cut(text, 0, text.length, long), long);
  if (colons !== countKeys(parsed)) throw doubledKey();
  return parsed;
}

/** Returns the text from `from` to `to`, with `LONG` and its digits for each long number. */
function cut(text: Buffer, from: number, to: number, long: Scanned["long"]): string {
  let [written, at] = ["", from];
  for (let i = firstFrom(long, from); i < long.length; i++) {
    const [begin, end] = long[i] as [number, number];
    if (end > to) break;
    written += `${text.toString("utf8", at, begin)}"${LONG}${text.toString("latin1", begin, end)}"`;
    at = end;
  }
  return written + text.toString("utf8", at, to);
}

/** Says where in `long`, which is in order, the numbers from this offset on begin. */
function firstFrom(long: Scanned["long"], offset: number): number {
  let [low, high] = [0, long.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((long[middle] as [number, number])[0] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The body, or a piece of it, is no JSON. Its place is looked for in the whole body. */
class NotJson extends Error {}

function parse(text: string, long: Scanned["long"]): unknown {
  try {
    const plain = withoutMark(text);
    return long.length > 0 && plain.includes(LONG) ? JSON.parse(plain, reviveLong) : JSON.parse(plain);
  } catch {
    throw new NotJson(); // the parser's message would repeat a piece of the body
  }
}

function reviveLong(_: string, value: unknown): unknown {
  return typeof value === "string" && value.startsWith(LONG) ? new LongNumber(value.slice(LONG.length)) : value;
}

/** Cuts the byte order mark off. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Only here is a body read a second time. It yields as findJsonFault does. */
function* invalidJson(body: Buffer): Generator<void, HttpError> {
  const text = withoutMark(body.toString());
  const fault = yield* findJsonFault(text);
  if (!fault) return httpErrors.malformedJson("The body is not valid JSON.");
  const what = fault.at === text.length ? "it ends too early, at" : "the first wrong character is at";
  const pointer = fault.pointer.length > LONGEST_POINTER ? "" : fault.pointer;
  return httpErrors.malformedJson(
    `The body is not valid JSON: ${what} ${placeAfter(text.slice(0, fault.at))}${pointer && `, in ${pointer}`}.`,
  );
}

function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Other requests have a turn between the steps. */
async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (let taken = 1; ; taken++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (taken % STEPS_AT_ONCE === 0) await nextTurn();
  }
}

/** Returns the place of what comes after this beginning of a body. */
function placeAfter(text: string): string {
  const plain = withoutMark(text);
  let [line, begin] = [1, 0];
  for (let end = plain.indexOf("\n"); end >= 0; end = plain.indexOf("\n", begin)) {
    line += 1;
    begin = end + 1;
  }
  let column = 1;
  // A pair of surrogates is one character.
  for (let i = begin; i < plain.length; i++) if ((plain.charCodeAt(i) & 0xfc00) !== 0xdc00) column += 1;
  return `line ${line}, column ${column}`;
}

/** A wrong byte is decoded as U+FFFD, which may also stand in a body. */
function notUtf8(body: Buffer): HttpError {
  const text = body.toString();
  let [at, bytes] = [-1, 0];
  do {
    const next = text.indexOf("\ufffd", at + 1);
    bytes += Buffer.byteLength(text.slice(at < 0 ? 0 : at, next));
    at = next;
  } while (body.toString("latin1", bytes, bytes + 3) === "\xef\xbf\xbd");
  return httpErrors.malformedJson(`The body is not valid UTF-8: the first wrong byte is at ${placeAfter(text.slice(0, at))}.`);
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
  const found = new Scan(body);
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
        found.valueFrom = NO_VALUE;
        break;
      case COLON:
        found.colons++;
        found.valueFrom = i + 1;
        break;
      case COMMA:
        found.separate(i);
        break;
      case OPEN_ARRAY:
      case 123: // {
        found.open(code, i);
        break;
      case CLOSE_ARRAY:
      case 125: // }
        found.close(code, i);
    }
    if (found.values > mostValues)
      throw httpErrors.tooLarge(`The body may have at most ${mostValues} values here. Send fewer records at a time.`);
  }
  return found.end();
}

/** Says what was found so far. Its methods are called for what stands outside of strings. */
class Scan {
  readonly #body: Buffer;
  readonly #cuts: number[] = [];
  readonly #long: [number, number][] = [];
  #arrayLevel = NO_LEVEL; // of the records, while they are read
  #isClosed = false;
  #valuesAtCut = 0;
  #valuesAtRecord = 0;
  #inside = 0;
  #largest = 0;
  #level = 0;
  colons = 0;
  values = 0;
  /** Stands behind a colon, a comma or a bracket, as long as no string begins. */
  valueFrom = NO_VALUE;

  constructor(body: Buffer) {
    this.#body = body;
  }

  separate(i: number): void {
    this.values++;
    this.#endValue(i);
    this.valueFrom = i + 1;
    if (this.#level !== this.#arrayLevel) return;
    this.#endRecord();
    if (this.values - this.#valuesAtCut < PIECE && i - (this.#cuts.at(-1) ?? 0) < PIECE_BYTES) return;
    this.#cuts.push(i);
    this.#valuesAtCut = this.values;
  }

  open(code: number, i: number): void {
    this.values++;
    this.valueFrom = i + 1;
    if (++this.#level > MAX_DEPTH) {
      const place = placeAfter(this.#body.toString("utf8", 0, i));
      throw httpErrors.malformedJson(`The JSON is nested deeper than ${MAX_DEPTH} levels, at ${place}.`);
    }
    if (code !== OPEN_ARRAY || this.#level > 2 || this.#cuts.length > 0) return;
    this.#cuts.push(i);
    this.#arrayLevel = this.#level;
    this.#valuesAtCut = this.#valuesAtRecord = this.values;
    this.#inside = -this.values;
  }

  close(code: number, i: number): void {
    this.#endValue(i);
    this.valueFrom = NO_VALUE;
    if (this.#level-- !== this.#arrayLevel) return;
    this.#cuts.push(i);
    this.#isClosed = code === CLOSE_ARRAY;
    this.#arrayLevel = NO_LEVEL;
    this.#endRecord();
    this.#inside += this.values;
  }

  end(): Scanned {
    const { colons, values } = this;
    const [cuts, long] = [this.#cuts, this.#long];
    if (cuts.length === 0) return { colons, cuts, long, largest: values };
    if (!this.#isClosed) throw new NotJson();
    return { colons, cuts, long, largest: Math.max(this.#largest, values - this.#inside) };
  }

  #endRecord(): void {
    this.#largest = Math.max(this.#largest, this.values - this.#valuesAtRecord);
    this.#valuesAtRecord = this.values;
  }

  #endValue(to: number): void {
    if (to - this.valueFrom <= SHORT && !this.#endsWithExponent(to)) return;
    const text = this.#body.toString("latin1", this.valueFrom, to);
    const number = text.trim();
    if (!isNumber(number) || (number.length < LONGEST_KEPT && keepsDigits(number))) return;
    const at = this.valueFrom + text.indexOf(number);
    this.#long.push([at, at + number.length]);
  }

  /**
   * Says whether the value is a number with an exponent: also a short one such as 1e-400 may be too small for a double, and be read as 0.
   */
  #endsWithExponent(to: number): boolean {
    let at = to - 1;
    while (at > this.valueFrom && (this.#body[at] as number) <= SPACE) at--;
    while (at > this.valueFrom && (this.#body[at] as number) >= PLUS && (this.#body[at] as number) <= NINE) at--; // digits and signs
    return ((this.#body[at] as number) | LOWER_CASE) === SMALL_E;
  }
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
