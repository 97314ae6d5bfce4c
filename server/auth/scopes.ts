// Scopes of keys and tokens: read, write, admin, each including the one before.

export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a scope text (RFC 6749 section 3.3: words separated by spaces) includes `needed`. */
export function allows(scope: string, needed: Scope): boolean {
  const least = SCOPES.indexOf(needed);
  return scope.split(" ").some((word) => SCOPES.indexOf(word as Scope) >= least);
}

/**
 * The scope of a token, written out in full: `requested`, or all that its key has (`granted`).
 * Undefined when `requested` is more than the key has, or unknown.
 *
 * @example narrowScope("write", undefined) // "read write"
 */
export function narrowScope(granted: string, requested: string | undefined): string | undefined {
  const words = requested === undefined || requested.trim() === "" ? granted : requested.trim();
  const wanted = words.split(/ +/);
  if (!wanted.every((word) => SCOPES.includes(word as Scope) && allows(granted, word as Scope))) return undefined;
  return SCOPES.filter((scope) => allows(words, scope)).join(" ");
}
