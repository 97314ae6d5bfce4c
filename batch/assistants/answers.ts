// Makes what a tool answers: JSON of a bounded length, or one sentence about what went wrong.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { ApiError, NoReply } from "../../client/errors.ts";

/** An answer has no more characters than this: assistants have little room, and pass over what is longer. */
export const MOST_CHARACTERS = 60_000;
const LONG_TEXTS = [20_000, 5_000, 500]; // characters of one text, each where the answer is too long otherwise

/** The tool cannot do what it was asked to. The message is a whole sentence for the assistant. */
export class ToolError extends Error {
  override name = "ToolError";
}

export function answered(value: object): CallToolResult {
  let text = JSON.stringify(value);
  for (const most of LONG_TEXTS) if (text.length > MOST_CHARACTERS) text = JSON.stringify(shortened(value, most));
  if (text.length <= MOST_CHARACTERS) return { content: [{ type: "text", text }] };
  return refused(
    `The answer would have ${text.length} characters, and at most ${MOST_CHARACTERS} are given. Ask for less: fewer records, fields or groups.`,
  );
}

function refused(sentences: string): CallToolResult {
  const text = sentences.length > MOST_CHARACTERS ? `${sentences.slice(0, MOST_CHARACTERS - 1)}…` : sentences;
  return { content: [{ type: "text", text }], isError: true };
}

/** Longer texts are cut, and end with how long they are. */
function shortened(value: unknown, most: number): unknown {
  if (typeof value === "string")
    return value.length > most ? `${value.slice(0, most)}… (cut here: it has ${value.length} characters)` : value;
  if (Array.isArray(value)) return value.map((one) => shortened(one, most));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one, most)]));
}

/** Says in whole sentences what the service has refused, or that it does not answer. Throws what is a bug. */
export function failed(error: unknown): CallToolResult {
  if (error instanceof ToolError) return refused(error.message);
  if (error instanceof NoReply) return refused("The service cannot be reached. Try again later.");
  if (!(error instanceof ApiError)) throw error;
  const { message, code, errors, retryAfter } = error;
  const details = errors
    .slice(0, 20)
    .map(({ pointer, parameter, detail, code: of }) => `${pointer ?? parameter ?? "It"}: ${detail} (${of})`);
  const wait = retryAfter === null ? [] : [`Try again in ${retryAfter} seconds.`];
  return refused([`${message} (${code})`, ...details, ...wait].join("\n"));
}

/**
 * Reads as many as fit: fewer are asked for where the answer would be too long, so that the place to go on from is right.
 *
 * @param read Reads so many, and gives what the answer has.
 */
export async function readFitting<T extends object>(most: number, read: (limit: number) => Promise<T>): Promise<T> {
  for (let limit = most; ; ) {
    const found = await read(limit);
    const { length } = JSON.stringify(found);
    if (length <= MOST_CHARACTERS || limit === 1) return found;
    limit = Math.max(1, Math.min(limit - 1, Math.floor((limit * MOST_CHARACTERS * 0.9) / length)));
  }
}
