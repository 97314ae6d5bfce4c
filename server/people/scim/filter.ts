// Filters of SCIM (RFC 7644 section 3.4.2.2), as directories ask before they write: is there one with this name?

import { httpErrors } from "../../http/errors.ts";

/** Values by the path that a filter may name, in lower case. */
export type Filtered = Readonly<Record<string, string | boolean | readonly string[]>>;

const TERM = /\s*([A-Za-z][\w.:$-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*(and\s+|$)/iy;
const KIND_OF_ADDRESS = /^emails\[type eq "\w+"\](?:\.value)?/i;

/** Says of each resource whether a filter finds it. Conditions are `eq`, joined by `and`; texts are compared without regard to case. Throws 400. */
export function readFilter(filter: string | undefined, paths: readonly string[]): (resource: Filtered) => boolean {
  if (filter === undefined || filter.trim() === "") return () => true;
  const text = filter.trim().replace(KIND_OF_ADDRESS, "emails");
  const terms: [path: string, value: string][] = [];
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const [, name = "", value = ""] = TERM.exec(text) ?? [];
    const path = name
      .toLowerCase()
      .replace(/^urn:.*:/, "")
      .replace(/^(emails|members)\.value$/, "$1");
    if (!paths.includes(path)) throw notUnderstood(paths);
    terms.push([path, (value.startsWith('"') ? readText(value) : value).toLowerCase()]);
  }
  return (resource) =>
    terms.every(([path, value]) => {
      const own = resource[path];
      return Array.isArray(own) ? own.includes(value) : String(own ?? "").toLowerCase() === value;
    });
}

function readText(value: string): string {
  try {
    return JSON.parse(value) as string;
  } catch {
    throw httpErrors.scim("invalidFilter", "The text of the filter is not written as JSON writes it.");
  }
}

function notUnderstood(paths: readonly string[]) {
  return httpErrors.scim(
    "invalidFilter",
    `A filter has conditions such as ${paths[0]} eq "…", joined by "and". It may name: ${paths.join(", ")}.`,
  );
}
