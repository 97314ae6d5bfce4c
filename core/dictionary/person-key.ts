// Says how a text names a person. Forms load this; people.ts comes with fields that name people.

import { fold } from "../text/fold.ts";

const IN_BRACKETS = /<([^<>]+)>$/; // as programs for mail write a person: Ada Nowak <ada@example.org>

/** The text by which a person is looked up. */
export function personKey(text: string): string {
  return fold((IN_BRACKETS.exec(text.trim())?.[1] ?? text).trim());
}
