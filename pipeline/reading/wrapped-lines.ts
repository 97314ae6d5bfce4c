// Takes the marks off lines that stand in quotation marks as a whole, and are CSV in themselves. Older exports are so.

import { MAX_ROW_CHARS } from "./csv-rows.ts";
import type { TextBlock } from "./text-blocks.ts";

const LINE = /"([^"]*(?:""[^"]*)*)"[ \t]*(?=[\r\n]|$)/y;
const BREAK = /[\r\n]/g;
const OPEN = /"[^"]*(?:""[^"]*)*$/y;

/** A line without outer marks stays as it is: it is read like the lines in them. So is one whose mark is not closed soon enough. */
export async function* unwrapLines(blocks: AsyncIterable<TextBlock>): AsyncGenerator<TextBlock> {
  let rest = "";
  for await (const { text, bytesRead, last } of blocks) {
    const { lines, open } = unwrap(rest + text, last || rest.length > MAX_ROW_CHARS);
    rest = open;
    yield { text: lines, bytesRead, last };
  }
}

/** `open`: the end of the text, when its line goes on. `plain`: lines without outer marks. */
export function unwrap(text: string, isWhole: boolean): { lines: string; open: string; plain: number } {
  let [lines, plain, at] = ["", 0, 0];
  while (at < text.length) {
    LINE.lastIndex = at;
    OPEN.lastIndex = at;
    const found = LINE.exec(text);
    const end = found ? at + found[0].length : endOfLine(text, at);
    if (!isWhole && (end === text.length || (!found && OPEN.test(text)))) return { lines, open: text.slice(at), plain };
    const line = text.slice(at, end);
    if (!found && line.trim() !== "") plain++;
    lines += found ? (found[1] as string).replaceAll('""', '"') : line;
    for (at = end; text[at] === "\r" || text[at] === "\n"; at++) lines += text[at];
  }
  return { lines, open: "", plain };
}

function endOfLine(text: string, from: number): number {
  BREAK.lastIndex = from;
  return BREAK.exec(text)?.index ?? text.length;
}
