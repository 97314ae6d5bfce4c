// Turns the four forms of a body (one or many records, wrapped or not) into records with their JSON pointers.

import type { Collection } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import type { SentForm } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";

/** `pointer` is a JSON pointer (RFC 6901), "" for a bare record or a bare array. */
export interface Sent extends SentForm {
  items: readonly unknown[];
}

/** Writes the JSON pointer of one record. */
export function pointerOf({ pointer, isMany, member }: SentForm, index: number): string {
  const item = isMany ? `${pointer}/${index}` : pointer;
  return member === undefined ? item : `${item}/${member}`;
}

/** Throws VALIDATION when the body has none of the forms or an empty array, and 413 for more than `most` records. */
export function unwrap(collection: Collection, body: unknown, most = Number.POSITIVE_INFINITY): Sent {
  if (Array.isArray(body)) return many(body, "", most);
  if (!isObject(body)) throw invalidForm("", `Send a ${collection.noun} as a JSON object, or several in an array.`);
  const names = Object.keys(body);
  const [name] = names;
  if (names.length > 1 && names.includes(collection.name) && names.includes(collection.singular)) {
    throw invalidForm("", `Send either "${collection.singular}" or "${collection.name}", not both.`);
  }
  if (names.length === 1 && (name === collection.name || name === collection.singular)) {
    const inner = body[name];
    // A field may have the name of the wrapper; then its value is no object.
    const isWrapper = isObject(inner) || Array.isArray(inner);
    if (isWrapper || !collection.byName.has(name)) return unwrapNamed(collection, name, inner, most);
  }
  return one(body, "");
}

function unwrapNamed(collection: Collection, name: string, inner: unknown, most: number): Sent {
  const pointer = `/${name}`;
  if (name === collection.name) {
    if (Array.isArray(inner)) return many(inner, pointer, most);
    throw invalidForm(pointer, `"${name}" holds an array of records.`);
  }
  if (isObject(inner)) return one(inner, pointer);
  throw invalidForm(pointer, `"${name}" holds one record.`);
}

/** Serves PUT and PATCH: exactly one record, in any of the forms. */
export function unwrapOne(collection: Collection, body: unknown): { item: Record<string, unknown>; pointer: string } {
  const sent = unwrap(collection, body);
  const [item] = sent.items;
  if (sent.items.length !== 1) throw invalidForm("", `Send exactly one ${collection.noun}; these are ${sent.items.length}.`);
  if (!isObject(item)) throw notRecord(collection, pointerOf(sent, 0));
  return { item, pointer: pointerOf(sent, 0) };
}

export function notRecord(collection: Collection, pointer: string) {
  return invalidForm(pointer, `A ${collection.noun} is a JSON object.`);
}

function one(item: unknown, pointer: string): Sent {
  return { items: [item], isMany: false, pointer };
}

export function many(items: readonly unknown[], pointer: string, most: number): Sent {
  if (items.length === 0) throw invalidForm(pointer, "The array is empty.");
  if (items.length > most) throw httpErrors.tooLarge(`A request may have at most ${most} records; this has ${items.length}.`);
  return { items, isMany: true, pointer };
}

export function invalidForm(pointer: string, detail: string) {
  return httpErrors.validation([{ pointer, code: "FORM", detail }]);
}
