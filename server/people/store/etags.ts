// ETags of what administrators change: people, roles and webhooks. Each stands for the values that a request can change.

import { createHash } from "node:crypto";

/** The strong ETags that If-Match names, with their quotes; `any`: whatever there is. */
export type AllowedTags = readonly string[] | "any";

/** Must not be given what the service notes by itself, such as the last sign-in: it would make a tag stale while nobody changed anything. */
export function etagOfValues(...values: readonly (string | readonly string[] | boolean)[]): string {
  return `"${createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, 22)}"`;
}

export function allowsTag(allowed: AllowedTags | undefined, tag: string): boolean {
  return allowed === undefined || allowed === "any" || allowed.includes(tag);
}
