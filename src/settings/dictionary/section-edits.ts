// The sections of a form in a draft: read, and changed.

import { isObject } from "../../../core/dictionary/fields.ts";
import { freeName } from "../../../core/dictionary/name-from-title.ts";
import type { Package, PackageResource } from "../../../core/dictionary/packages.ts";
import { changeResource, moved, withWords } from "./package-edits.ts";

/** A section as the data package has it. */
export interface PackageSection {
  name: string;
  title?: string;
  description?: string;
  collapsed?: boolean;
  translations?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Leaves out what was written by hand in another shape. */
export function sectionsOf({ sections }: PackageResource): readonly PackageSection[] {
  const isSection = (one: unknown): one is PackageSection => isObject(one) && typeof one.name === "string";
  return Array.isArray(sections) ? sections.filter(isSection) : [];
}

function withSections(all: Package, at: number, change: (sections: readonly PackageSection[]) => readonly PackageSection[]): Package {
  return changeResource(all, at, (resource) => {
    const sections = change(sectionsOf(resource));
    return withWords(resource, { sections: sections.length > 0 ? sections : undefined });
  });
}

/** Adds a section at the end. Fields know it by a name that never changes. */
export function addSection(all: Package, at: number): Package {
  return withSections(all, at, (sections) => {
    const names = sections.map(({ name }) => name);
    return [...sections, { name: freeName("section", names), title: "" }];
  });
}

export function changeSection(all: Package, at: number, name: string, words: Readonly<Record<string, unknown>>): Package {
  return withSections(all, at, (sections) => sections.map((one) => (one.name === name ? withWords(one, words) : one)));
}

export function moveSection(all: Package, at: number, from: number, to: number): Package {
  return withSections(all, at, (sections) => (to < 0 || to >= sections.length ? sections : moved(sections, from, to)));
}

/** Its fields stand in no section after that, also those that are retired. */
export function removeSection(all: Package, at: number, name: string): Package {
  const without = withSections(all, at, (sections) => sections.filter((one) => one.name !== name));
  const own = all.resources[at]?.schema.fields.flatMap(({ section, name: field }) => (section === name ? [field] : [])) ?? [];
  return putInto(without, at, own, undefined);
}

/** Puts fields into a section, or into none. */
export function putInto(all: Package, at: number, fields: readonly string[], section: string | undefined): Package {
  return changeResource(all, at, (resource) => ({
    ...resource,
    schema: {
      ...resource.schema,
      fields: resource.schema.fields.map((one) => (fields.includes(one.name) ? withWords(one, { section }) : one)),
    },
  }));
}
