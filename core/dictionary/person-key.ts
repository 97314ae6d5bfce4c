// Says how a text names a person, and that it names nobody. Forms load this; people.ts comes with fields that name people.

import type { Problem } from "../contract/problems.ts";
import { message, t } from "../i18n/translate.ts";
import { fold } from "../text/fold.ts";
import type { Field } from "./fields.ts";

const IN_BRACKETS = /<([^<>]+)>$/; // as programs for mail write a person: Ada Nowak <ada@example.org>

/** The text by which a person is looked up. */
export function personKey(text: string): string {
  return fold((IN_BRACKETS.exec(text.trim())?.[1] ?? text).trim());
}

/** Says that nobody is meant, or several. */
export function nobody({ name, title }: Pick<Field, "name" | "title">, text: string, shared: ReadonlySet<string>): Problem {
  const sentence = shared.has(personKey(text))
    ? message("{title}: several people have the name “{text}”. Give the e-mail address instead.")
    : message("{title}: nobody has the name or the e-mail address “{text}”.");
  return { field: name, code: "REFERENCE_NOT_FOUND", message: t(sentence, { title, text: text.slice(0, MOST_QUOTED) }) };
}

const MOST_QUOTED = 100; // characters
