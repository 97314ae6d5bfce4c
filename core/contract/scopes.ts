// Decides what a person or an API key may do. A scope is a list of words separated by spaces (RFC 6749 section 3.3).

export const RIGHTS = ["read", "create", "update", "delete"] as const;
export type Right = (typeof RIGHTS)[number];

/** The words that stand for more than one right, each including the one before: `read` is `*:read`, `write` all four of `*`. */
export const SHORTHANDS = ["read", "write", "admin"] as const;

/** The right to shape the data dictionary. Only administrators have it besides. */
export const SHAPE = "dictionary";

/** The right to enter people and to give roles that do not administer, by SCIM: for the organisation's directory. */
export const PROVISION = "provision";

/** Rights that are about no records. Only administrators have them besides. */
const DUTIES: readonly string[] = [SHAPE, PROVISION];

/** Says what a request needs. `signed-in`: any scope. `admin`: people, keys, roles, backup. Otherwise one right for one collection. */
export type Needed = "signed-in" | "admin" | typeof SHAPE | typeof PROVISION | `${string}:${Right}`;

const WORD = /^(?:read|write|admin|dictionary|provision|(?:\*|[a-z][A-Za-z0-9_]*):(?:read|create|update|delete))$/;

/** Says whether `word` is one of a scope. That its collection exists is not checked: a key may be older than a dictionary. */
export function isScopeWord(word: string): boolean {
  return WORD.test(word);
}

let lastScope = "";
let lastWords: readonly string[] = [];

/** Returns the words of a scope. The last ones are kept, because one caller's scope is asked about again and again. */
function wordsOf(scope: string): readonly string[] {
  if (scope !== lastScope) [lastScope, lastWords] = [scope, scope.split(" ")];
  return lastWords;
}

/** Says whether a scope includes `needed`. Words that mean nothing allow nothing. */
export function allows(scope: string, needed: Needed): boolean {
  const words = wordsOf(scope);
  if (words.includes("admin")) return true;
  if (needed === "admin" || DUTIES.includes(needed)) return words.includes(needed);
  if (needed === "signed-in") return words.some(isScopeWord);
  if (words.includes("write") || words.includes(needed)) return true;
  const right = needed.slice(needed.lastIndexOf(":") + 1);
  return words.includes(`*:${right}`) || (right === "read" && words.includes("read"));
}

/** Says whether a scope has some right for a collection: then its caller must know what a record of it is. */
export function allowsSome(scope: string, collection: string): boolean {
  return RIGHTS.some((right) => allows(scope, `${collection}:${right}`));
}

/** Says whether a scope includes all that `word`, one word of another scope, stands for. */
export function includesWord(scope: string, word: string): boolean {
  if (!isScopeWord(word)) return false;
  if (word === "read") return allows(scope, "*:read");
  if (word === "write") return RIGHTS.every((right) => allows(scope, `*:${right}`));
  return allows(scope, word as Needed);
}

/** Returns what both scopes allow. */
export function commonScope(one: string, other: string): string {
  const words = [one, other].flatMap((scope) => scope.split(" ")).flatMap(spelledOut);
  const shared = words.filter((word) => includesWord(one, word) && includesWord(other, word));
  return [...new Set(shared)].join(" ");
}

function spelledOut(word: string): string[] {
  return word === "read" || word === "write" || word === "admin" ? [word, ...RIGHTS.map((right) => `*:${right}`)] : [word];
}

/**
 * Returns the scope of a token, written out in full: `requested`, or all that its key has (`granted`).
 * Undefined when `requested` is more than the key has, or unknown.
 *
 * @example narrowScope("write", undefined) // "read write"
 * @example narrowScope("customers:read *:create", "customers:create") // "customers:create"
 */
export function narrowScope(granted: string, requested: string | undefined): string | undefined {
  const words = requested === undefined || requested.trim() === "" ? granted : requested.trim();
  const wanted = words.split(/ +/);
  if (!wanted.every((word) => includesWord(granted, word))) return undefined;
  const shorthands = SHORTHANDS.filter((word) => includesWord(words, word));
  const others = wanted.filter((word) => word.includes(":") && !shorthands.some((short) => includesWord(short, word)));
  const duties = shorthands.includes("admin") ? [] : DUTIES.filter((word) => wanted.includes(word));
  return [...shorthands, ...duties, ...new Set(others)].join(" ");
}
