// Reads and writes what a field of kind "file" stores: name, media type, size and SHA-256 of content in a folder.

import type { Value } from "./kinds.ts";

/** Holds what a stored value says of content. */
export interface FileValue {
  /** Is the name that people see, without a path. */
  name: string;
  /** The media type, which the service found in the content. */
  type: string;
  /** Bytes. */
  size: number;
  /** SHA-256 of the content, as 64 hexadecimal digits. */
  hash: string;
}

/** Says which files a field takes. */
export interface FileRules {
  /** Media types, such as "application/pdf" or "image/*". Empty: any. */
  accept: readonly string[];
  /** Bytes. */
  maxSize: number;
}

/** Says whether the columns of tables pass the field over: it is computed, or its content comes by itself. */
export function isPassedOver(field: { computed?: string; file?: FileRules } | undefined): boolean {
  return field?.computed !== undefined || field?.file !== undefined;
}

export const DEFAULT_FILE_SIZE = 25_000_000; // bytes, where the dictionary says nothing
export const MOST_FILE_SIZE = 2_000_000_000; // bytes
export const MOST_FILE_NAME = 150; // characters
export const MOST_FILES = 100; // of one field of a record, where the dictionary says nothing

const VALUE = /^(.*) \(([\w.+-]+\/[\w.+-]+), (\d{1,10}) bytes, sha256 ([0-9a-f]{64})\)$/s;

/** Reads a stored value, or one of several; undefined for any other text. */
export function readFileValue(value: Value | null | undefined): FileValue | undefined {
  const [, name, type, size, hash] = typeof value === "string" ? (VALUE.exec(value) ?? []) : [];
  return name !== undefined && type !== undefined && hash !== undefined ? { name, type, size: Number(size), hash } : undefined;
}

/** Reads a stored value of either kind: the one file, or each of several in their order. */
export function readFileValues(value: unknown): FileValue[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => readFileValue(one) ?? []);
}

/** Writes the name first, so that lists sort and search by it: `pump.jpg (image/jpeg, 48211 bytes, sha256 9f86…)`. */
export function writeFileValue({ name, type, size, hash }: FileValue): string {
  return `${name} (${type}, ${size} bytes, sha256 ${hash})`;
}

/** Says whether content of this type may be a file of the field. A drawing that can hold scripts (SVG) is taken only where it is named. */
export function isAcceptedType({ accept }: Pick<FileRules, "accept">, type: string): boolean {
  if (accept.length === 0 || accept.includes(type)) return true;
  return type !== "image/svg+xml" && accept.includes(`${type.slice(0, type.indexOf("/"))}/*`);
}
