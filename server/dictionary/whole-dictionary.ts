// Holds what is wrong with a dictionary as a whole although each of its fields is right.

import type { Collection, Mistake } from "../../core/dictionary/collections.ts";
import { mostPoints } from "../../core/dictionary/match.ts";
import { bareName } from "../../core/text/similarity.ts";

type Words = Readonly<Record<string, { title?: string } | undefined>>;

/** The parts of a data package without mistakes in which two fields can have one heading. */
interface Package {
  resources: {
    schema: { fields: { name: string; title?: string; aliases?: string[]; translations?: Words; retired?: boolean }[] };
  }[];
}

/**
 * Headings that two fields of a collection share, in the package's own language or in one that it is translated into: nobody could
 * tell their inputs apart, nor say which one a file means. They are compared as the headings of files are.
 */
export function sharedHeadings(dataPackage: unknown): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const [r, { schema }] of (dataPackage as Package).resources.entries()) {
    const owners = new Map<string, string>(); // language and heading → field
    for (const [f, field] of schema.fields.entries()) {
      if (field.retired) continue;
      const translated = Object.entries(field.translations ?? {}).map(([language, words]) => [language, words?.title] as const);
      const own = [field.name, field.title, ...(field.aliases ?? [])].map((heading) => ["", heading] as const);
      for (const [language, heading] of [...own, ...translated]) {
        if (heading === undefined || bareName(heading) === "") continue;
        const key = `${language} ${bareName(heading)}`;
        const owner = owners.get(key) ?? field.name;
        owners.set(key, owner);
        if (owner === field.name) continue;
        const message = `"${heading}" is a name, title or alias of "${owner}" already: files and people could not tell them apart`;
        mistakes.push({ path: `/resources/${r}/schema/fields/${f}`, message });
      }
    }
  }
  return mistakes.filter(({ path, message }, i) => mistakes.findIndex((one) => one.path === path && one.message === message) === i);
}

/** Circles of required references: each record would need another one before it, so none could ever be made. One mistake a circle. */
export function requiredCircles(collections: readonly Collection[]): Mistake[] {
  const done = new Set<Collection>();
  const mistakes: Mistake[] = [];
  const walk = (collection: Collection, way: readonly { from: Collection; field: string }[]): void => {
    for (const field of collection.references.filter(({ required }) => required)) {
      const parent = collections.find(({ name }) => name === field.reference.collection);
      if (!parent || done.has(parent)) continue;
      const on = [...way, { from: collection, field: field.name }];
      const begin = on.findIndex(({ from }) => from === parent);
      if (begin < 0) walk(parent, on);
      else {
        const circle = on.slice(begin).map((step) => `${step.from.name}.${step.field}`);
        const path = `/resources/${collections.indexOf(collection)}/schema/fields/${collection.fields.indexOf(field)}`;
        const message = `the required references ${circle.join(", ")} lead in a circle: no record of these collections could ever be made. Let one of them be empty`;
        mistakes.push({ path, message });
      }
    }
    done.add(collection);
  };
  for (const collection of collections) if (!done.has(collection)) walk(collection, []);
  return mistakes;
}

/** Two records that are the same in all that is compared must be found. */
export function unreachedPoints(collections: readonly Collection[]): Mistake[] {
  return collections.flatMap(({ match }, i) => {
    const most = match ? mostPoints(match) : 0;
    if (!match || match.same <= most) return [];
    return [{ path: `/resources/${i}/match/same`, message: `must not be above ${most}, which is what all weights are together` }];
  });
}
