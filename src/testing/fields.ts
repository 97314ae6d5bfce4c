import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";

type Resource = Record<string, unknown>;

/** A collection made of these fields of a data package (Table Schema), beside its key `id`. */
export function collectionOf(fields: Resource[]): Collection {
  const key = { name: "id", title: "ID", type: "integer", constraints: { unique: true } };
  const resource = {
    name: "things",
    title: "Things",
    path: "things.csv",
    singular: "thing",
    schema: { fields: [key, ...fields], primaryKey: "id" },
  };
  const read = readDataPackage({ name: "test", title: "Test", resources: [resource] });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections[0] as Collection;
}

/** Returns what a dictionary says of a field of the kind. */
export function typeOf(kind: Kind): Resource {
  const { type, isFile } = KIND_TRAITS[kind];
  if (isFile) return { type, format: "file" };
  return type ? { type, decimals: 2 } : { type: kind };
}

/** One field of the kind, called "Thing". `constraints` as in Table Schema. */
export function fieldOfKind(kind: Kind, constraints: Resource = {}): Field {
  const name = collectionOf([{ name: "thing", title: "Thing", ...typeOf(kind), constraints }]).byName.get("thing");
  if (!name) throw new Error(`There is no field of the kind ${kind}.`);
  return name;
}
