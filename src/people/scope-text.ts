// Scopes in words and as check marks. The words themselves stand in core/contract/scopes.ts.

import { allows, includesWord, PROVISION, RIGHTS, type Right, SHAPE } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { message, t } from "../../core/i18n/translate.ts";

export const RIGHT_WORDS: Record<Right, string> = {
  read: message("read"),
  create: message("create"),
  update: message("change"),
  delete: message("delete"),
};

/**
 * Writes one line for each thing that a scope is about.
 *
 * @example describeScope("read customers:create", collections) // ["All records: read", "Customers: create"]
 */
export function describeScope(scope: string, collections: readonly Pick<Collection, "name" | "title">[]): string[] {
  if (allows(scope, "admin")) return [t("Everything, also people, roles and API keys")];
  const everywhere = RIGHTS.filter((right) => includesWord(scope, `*:${right}`));
  const names = new Set(scope.split(" ").flatMap((word) => (/^[^*].*:/.test(word) ? [word.slice(0, word.lastIndexOf(":"))] : [])));
  const line = (what: string, rights: readonly Right[]) => ({ what, rights: rights.map((right) => t(RIGHT_WORDS[right])).join(", ") });
  const lines = [
    line(t("All records"), everywhere),
    ...[...names].map((name) => {
      const own = RIGHTS.filter((right) => !everywhere.includes(right) && allows(scope, `${name}:${right}`));
      return line(collections.find((one) => one.name === name)?.title ?? name, own);
    }),
  ];
  if (allows(scope, SHAPE)) lines.push({ what: t("Data dictionary"), rights: t(RIGHT_WORDS.update) });
  if (allows(scope, PROVISION)) lines.push({ what: t("People by SCIM"), rights: t(RIGHT_WORDS.update) });
  return lines.filter(({ rights }) => rights !== "").map(({ what, rights }) => `${what}: ${rights}`);
}

const MOST_LINES = 3; // collections that are named

/** Says the same in one line, which says of many collections how many there are. */
export function briefScope(scope: string, collections: readonly Pick<Collection, "name" | "title">[]): string {
  const lines = describeScope(scope, collections);
  const list = lines.slice(0, MOST_LINES).join(" · ");
  return lines.length > MOST_LINES ? t("{list} and {n} more", { list, n: lines.length - MOST_LINES }) : list;
}

/**
 * Returns the shortest scope with the same meaning, in a fixed order. `words`: some of `admin`, `dictionary`, `provision` and `<collection
 * or *>:<right>`.
 */
export function scopeOf(words: ReadonlySet<string>): string {
  const scope = [...words].join(" ");
  if (words.has("admin")) return "admin";
  if (includesWord(scope, "write")) return ["write", ...[SHAPE, PROVISION].filter((word) => words.has(word))].join(" ");
  const everywhere = RIGHTS.filter((right) => words.has(`*:${right}`)).map((right) => (right === "read" ? right : `*:${right}`));
  const short = everywhere.join(" ");
  return [...everywhere, ...[...words].filter((word) => !word.startsWith("*:") && !includesWord(short, word)).sort()].join(" ");
}

/** Returns a scope as the words that `scopeOf` takes. */
export function wordsOf(scope: string): Set<string> {
  const words = scope.split(" ").filter(Boolean);
  return new Set(words.flatMap((word) => (word === "read" ? ["*:read"] : word === "write" ? RIGHTS.map((right) => `*:${right}`) : [word])));
}
