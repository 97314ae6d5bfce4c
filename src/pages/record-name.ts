// What to call a record in a heading or a link: the values of its label fields.

import type { Collection } from "../../dictionary/collections.ts";
import type { WireRecord } from "../../dictionary/wire.ts";

/** "Märta Ångström"; a record whose label fields are empty goes by its key. */
export function nameOf(collection: Collection, record: WireRecord): string {
  const words = collection.label.map((field) => record[field.name]).filter((value) => value !== null && value !== undefined);
  return words.length > 0 ? words.join(" ") : `${collection.key.title} ${record[collection.key.name]}`;
}

/** The first of the list's fields that is no part of the name tells two of one name apart. */
export function besideName(collection: Collection, record: WireRecord): string {
  const field = collection.list.find((one) => !collection.label.includes(one) && (record[one.name] ?? null) !== null);
  return field ? String(record[field.name]) : "";
}

/** A collection's noun with a capital: "Customer". */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
