// Strict JSON: valid UTF-8, no key twice in one object, limited depth.

import { isUtf8 } from "node:buffer";
import { httpErrors } from "./errors.ts";

const MAX_DEPTH = 8;

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const OPENS = new Set([91, 123]); // [ {
const CLOSES = new Set([93, 125]); // ] }

/** The parsed body. Throws MALFORMED_JSON. */
export function parseJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw httpErrors.malformedJson("A JSON body is needed.");
  if (!isUtf8(body)) throw httpErrors.malformedJson("The body is not valid UTF-8.");
  const text = body.toString("utf8");
  // Checked before parsing: megabytes of brackets would block the parser, and every other request, for a second.
  const colons = countColons(text);
  if (colons === undefined) throw httpErrors.malformedJson(`The JSON is nested deeper than ${MAX_DEPTH} levels.`);
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

/** The number of colons outside strings, correct for valid JSON. Undefined as soon as the nesting is too deep. */
function countColons(text: string): number | undefined {
  let level = 0;
  let colons = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === COLON) colons++;
    else if (OPENS.has(code)) {
      if (++level > MAX_DEPTH) return undefined;
    } else if (CLOSES.has(code)) level--;
  }
  return colons;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
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
