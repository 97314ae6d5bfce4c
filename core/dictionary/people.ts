// Reads whom a field of a person means, by e-mail address or name.

import type { PersonName } from "../contract/people.ts";
import type { Problem } from "../contract/problems.ts";
import { message, t } from "../i18n/translate.ts";
import { fold } from "../text/fold.ts";
import type { Collection } from "./collections.ts";
import type { Field } from "./fields.ts";

/** Holds whom a client knows, where a field names people. */
export interface KnownPeople {
  /** Ids of those who are still with the organisation, in the order of their names. */
  offered: readonly string[];
  /** Folded texts that mean several people. */
  shared: ReadonlySet<string>;
  /** The English sentences that say that nobody is meant, and that several people are. */
  sentences: readonly [nobody: string, several: string];
  /** Id → e-mail address, for those who may enter people. */
  addresses: ReadonlyMap<string, string>;
}

/** Finds people by text. */
export interface PeopleIndex {
  /** Folded id, address, or name that nobody else has → id. */
  byText: ReadonlyMap<string, string>;
  shared: ReadonlySet<string>;
}

const IN_BRACKETS = /<([^<>]+)>$/; // as programs for mail write a person: Ada Nowak <ada@example.org>

/** Returns the text by which a person is looked up. */
export function personKey(text: string): string {
  return fold((IN_BRACKETS.exec(text.trim())?.[1] ?? text).trim());
}

/** An address goes before a name. A name that two people have means neither of them. */
export function indexPeople(people: readonly Pick<PersonName, "id" | "name" | "email">[]): PeopleIndex {
  const byText = new Map<string, string>();
  const shared = new Set<string>();
  const add = (texts: readonly (readonly [text: string | undefined, id: string])[]) => {
    const own = new Map<string, string>();
    for (const [text, id] of texts) {
      const key = text === undefined ? "" : personKey(text);
      if (key === "" || byText.has(key)) continue;
      if (own.has(key) && own.get(key) !== id) shared.add(key);
      own.set(key, id);
    }
    for (const [key, id] of own) if (!shared.has(key)) byText.set(key, id);
  };
  add(people.map(({ id }) => [id, id]));
  add(people.map(({ id, email }) => [email, id]));
  add(people.map(({ id, name }) => [name, id]));
  return { byText, shared };
}

/** Names each person as files and lists name them: by the name, and where another one has it by what tells them apart as well. */
export function personTexts(people: readonly Pick<PersonName, "id" | "name" | "email">[]): Map<string, string> {
  const { byText } = indexPeople(people);
  return new Map(people.map(({ id, name, email }) => [id, byText.get(personKey(name)) === id ? name : `${name} <${email ?? id}>`]));
}

const SENTENCES = [
  message("{title}: nobody has the name or the e-mail address “{text}”."),
  message("{title}: several people have the name “{text}”. Give the e-mail address instead."),
] as const;

/** Says that nobody is meant, or several. */
export function nobody({ name, title }: Pick<Field, "name" | "title">, text: string, shared: ReadonlySet<string>): Problem {
  const [none, several] = SENTENCES;
  const sentence = shared.has(personKey(text)) ? several : none;
  return { field: name, code: "REFERENCE_NOT_FOUND", message: t(sentence, { title, text: text.slice(0, MOST_QUOTED) }) };
}

const MOST_QUOTED = 100; // characters

/** Gives the collections names for ids where fields name people, as a closed list has labels. */
export function withPeople<Whole extends Pick<Collection, "fields" | "byName">>(
  collections: readonly Whole[],
  people: readonly PersonName[],
): void {
  const texts = personTexts(people);
  const { byText, shared } = indexPeople(people);
  // Forms and checks of files look a text up as it stands, so that pages without people load no more than they need.
  const written = people.flatMap(({ id, name, email }) => [id, email ?? id].map((way) => [fold(`${name} <${way}>`), id] as const));
  const offered = people.flatMap(({ id, isActive }) => (isActive ? id : []));
  const known = {
    labels: texts,
    byLabel: new Map([...byText, ...written]),
    allLabels: new Map([...texts].map(([id, text]) => [id, [text]])),
    people: {
      offered,
      shared,
      sentences: SENTENCES,
      addresses: new Map(people.flatMap(({ id, email }) => (email === undefined ? [] : [[id, email] as const]))),
    },
  };
  for (const { fields } of collections) for (const field of fields) if (field.isPerson) Object.assign(field, known);
}
