import type { Collection } from "./collections.ts";

/** Sorts names of collections so that those that others refer to come first; otherwise they stay as they are. Reversed, what refers to others goes first. */
export function parentsFirst(names: readonly string[], collections: readonly Collection[]): string[] {
  const sorted: string[] = [];
  const add = (name: string, above: readonly string[]) => {
    if (sorted.includes(name) || above.includes(name)) return; // references may lead round in a circle
    const own = collections.find((collection) => collection.name === name);
    for (const { reference } of own?.references ?? [])
      if (names.includes(reference.collection)) add(reference.collection, [...above, name]);
    sorted.push(name);
  };
  for (const name of names) add(name, []);
  return sorted;
}
