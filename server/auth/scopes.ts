// What a key or token may do: read, write, admin, each including the one before. Knows no key and no token.

export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a scope text (RFC 6749 section 3.3: words with spaces between) allows what `wanted` names. */
export function mayDo(scope: string, wanted: Scope): boolean {
  const least = SCOPES.indexOf(wanted);
  return scope.split(" ").some((word) => SCOPES.indexOf(word as Scope) >= least);
}

/**
 * The scope of a token: everything its key may do, or as much of it as was asked for, written out in full.
 * Undefined when more or something unknown was asked for.
 */
export function narrowScope(held: string, asked: string | undefined): string | undefined {
  const words = asked === undefined || asked.trim() === "" ? held : asked.trim();
  const wanted = words.split(/ +/);
  if (!wanted.every((word) => SCOPES.includes(word as Scope) && mayDo(held, word as Scope))) return undefined;
  return SCOPES.filter((scope) => mayDo(words, scope)).join(" ");
}
