// Reads the file of a dictionary and names every mistake in it with its place: collection, field and line.

import { readFileSync } from "node:fs";
import type { Collection, Mistake } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { hasPatterns, slowPatterns } from "../../core/dictionary/slow-patterns.ts";
import { findJsonFault, jsonPlaces } from "../../core/text/json-fault.ts";
import { readWithRetired } from "../access/retired.ts";
import { DictionaryRefused } from "../engine/migrate-dictionary.ts";
import { mistakesIn } from "./mistakes.ts";

/** A dictionary without mistakes. */
export interface DictionaryFile {
  dataPackage: unknown;
  collections: Collection[];
  /** Throws the error again, a refusal of the store with the lines of its places: "customers.phone" becomes "customers.phone, line 41". */
  refuse(error: unknown): never;
  /** Returns the place of a JSON pointer, in words. */
  placeOf(pointer: string): string;
}

/** Throws DictionaryRefused with every mistake, also for a file that cannot be read. */
export function readDictionary(path: string): DictionaryFile {
  const text = readText(path);
  const fault = faultIn(text);
  if (fault) throw refused(path, [fault]);
  const dataPackage: unknown = JSON.parse(text);
  const at = jsonPlaces(text);
  const read = readWithRetired(dataPackage);
  const twice = [...at].filter(([, places]) => places.length > 1).map(([path]) => ({ path, message: "stands twice in one object" }));
  const mistakes = [...mistakesIn(dataPackage), ...twice];
  const linesOf = (pointer: string) => (at.get(pointer) ?? [0]).map((index) => positionOf(text, index).line);
  const placed = (pointer: string) => placeOf(dataPackage, pointer, linesOf(nearest(at, pointer)));
  if (mistakes.length > 0 || "mistakes" in read)
    throw refused(
      path,
      mistakes.map((mistake) => `${placed(mistake.path)}: ${mistake.message}`),
    );
  const pointers = pointersOf(read.collections);
  return {
    dataPackage,
    collections: read.collections,
    placeOf: placed,
    refuse(error) {
      if (!(error instanceof DictionaryRefused)) throw error;
      const reasons = error.reasons.map((reason) => {
        const [place = ""] = reason.split(":", 1);
        const pointer = pointers.get(place);
        return pointer === undefined ? reason : placed(pointer) + reason.slice(place.length);
      });
      throw new DictionaryRefused(error.sentence, reasons);
    },
  };
}

/** Finds patterns that one text could keep busy for seconds: every record that is sent would be checked by them. */
export async function slowPatternsIn(collections: readonly Collection[]): Promise<Mistake[]> {
  if (!hasPatterns(collections)) return [];
  const { checkSync } = await import("recheck/lib/browser.js"); // 3 MB, loaded only where it is needed
  return slowPatterns(collections, checkSync);
}

/** Throws DictionaryRefused for the file's slow patterns. */
export async function refuseSlowPatterns({ collections, placeOf: placed }: DictionaryFile, path: string): Promise<void> {
  const slow = (await slowPatternsIn(collections)).map((mistake) => `${placed(mistake.path)}: ${mistake.message}`);
  if (slow.length > 0) throw refused(path, slow);
}

function refused(path: string, mistakes: readonly string[]): DictionaryRefused {
  return new DictionaryRefused(`the dictionary ${path} has mistakes`, mistakes);
}

/** Reads UTF-8, with or without a byte order mark: editors on Windows write one. */
function readText(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const why = error instanceof TypeError ? "it is not UTF-8" : (error as Error).message;
    throw new DictionaryRefused(`the dictionary ${path} cannot be read: ${why}`);
  }
}

function faultIn(text: string): string | undefined {
  const steps = findJsonFault(text);
  for (;;) {
    const step = steps.next();
    if (!step.done) continue;
    if (!step.value) return undefined;
    const { line, column } = positionOf(text, step.value.at);
    const found = step.value.at < text.length ? `${JSON.stringify(text[step.value.at])} is no JSON here` : "the text ends too early";
    return `line ${line}, column ${column}: ${found}`;
  }
}

/** Both count from 1. */
function positionOf(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Returns the place of a value; of one that is missing, that of the object which lacks it. */
function nearest(at: ReadonlyMap<string, unknown>, pointer: string): string {
  return pointer === "" || at.has(pointer) ? pointer : nearest(at, pointer.slice(0, pointer.lastIndexOf("/")));
}

/** @example placeOf(…, "/resources/0/schema/fields/3/constraints/minLength", [41]) === "customers.phone, line 41, constraints.minLength" */
function placeOf(dataPackage: unknown, pointer: string, lines: readonly number[]): string {
  const [, resource, , field, rest] = /^\/resources\/(\d+)(\/schema\/(?:fields|foreignKeys)\/(\d+))?(.*)$/s.exec(pointer) ?? [];
  const line = lines.map((one) => `line ${one}`).join(" and ");
  if (resource === undefined) return [line, pointer.slice(1).replaceAll("/", ".")].filter(Boolean).join(", ");
  const read = (...names: (string | undefined)[]) =>
    names.reduce<unknown>(
      (value, name) => (isObject(value) || Array.isArray(value) ? Reflect.get(value, name ?? "") : undefined),
      dataPackage,
    );
  const name = read("resources", resource, "name") ?? `resource ${Number(resource) + 1}`;
  const list = pointer.includes("/schema/foreignKeys/") ? "foreignKeys" : "fields";
  const one = ["resources", resource, "schema", list, field] as const;
  const ofField = list === "fields" ? read(...one, "name") : [read(...one, "fields")].flat()[0];
  const owner = field === undefined ? name : `${name}.${ofField ?? `${list}[${field}]`}`;
  const words = (rest ?? "").slice(1).replaceAll("/", ".");
  return [owner, line, words].filter(Boolean).join(", ");
}

/** Maps a collection, and a collection and a field with a dot between, as the store names them, to a JSON pointer. */
function pointersOf(collections: readonly Collection[]): Map<string, string> {
  return new Map(
    collections.flatMap(({ name, fields }, c) => [
      [name, `/resources/${c}`] as const,
      ...fields.map((field, f) => [`${name}.${field.name}`, `/resources/${c}/schema/fields/${f}`] as const),
    ]),
  );
}
