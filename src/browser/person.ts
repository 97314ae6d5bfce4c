// Says whose what this browser keeps is: whoever signs in next at it is shown none of it.

/**
 * Returns the beginning of the keys under which drafts, uploads, files that wait, remembered columns and settings of lists are kept. `owner`: the
 * id of the person or API key. `service`: its address, because one host may serve this app twice.
 */
export function personKey(service: string, owner: string): string {
  return `${service} ${owner}`;
}

/** Begins the owner of what is kept while an administrator looks at the app as somebody: the id of that person follows. */
export const VIEW_OF = "view ";

/** Says whether a key, or an id that begins as one, is this person's. */
export function isOf(person: string, key: string): boolean {
  return key.startsWith(`${person} `);
}
