// Strict JSON: valid UTF-8, no key twice in one object, limited depth.

import { isUtf8 } from "node:buffer";
import { httpErrors } from "./errors.ts";

const MAX_DEPTH = 8;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;

/**
 * The parsed body. Throws MALFORMED_JSON, and 413 for more than `mostValues` values.
 *
 * Depth and values are counted before parsing: megabytes of brackets, or of names that all differ, would block the parser,
 * and with it every other request, for seconds.
 */
export function parseJson(body: unknown, mostValues = Number.POSITIVE_INFINITY): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw httpErrors.malformedJson("A JSON body is needed.");
  if (!isUtf8(body)) throw httpErrors.malformedJson("The body is not valid UTF-8.");
  const colons = countColons(body, mostValues);
  const text = body.toString("utf8");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw httpErrors.malformedJson("The body is not valid JSON."); // the parser's message would repeat a piece of the body
  }
  // JSON.parse silently keeps the last of two equal keys; then there are fewer keys than colons.
  if (colons !== countKeys(parsed)) throw httpErrors.malformedJson("A key stands twice in one object.");
  return parsed;
}

/** The number of colons outside strings, correct for valid JSON. Throws as soon as there are too many levels or values. */
function countColons(body: Buffer, mostValues: number): number {
  let level = 0;
  let colons = 0;
  let values = 0;
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
        break;
      case 91: // [
      case 123: // {
        values++;
        if (++level > MAX_DEPTH) throw httpErrors.malformedJson(`The JSON is nested deeper than ${MAX_DEPTH} levels.`);
        break;
      case 93: // ]
      case 125: // }
        level--;
    }
    if (values > mostValues)
      throw httpErrors.tooLarge(`The body may have at most ${mostValues} values here. Send fewer records at a time.`);
  }
  return colons;
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
