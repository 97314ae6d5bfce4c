// Pages of people by their names: of all of them, or of those whom a search finds.

import { foldWords } from "../../core/text/fold.ts";
import type { Cursors } from "../http/cursor.ts";
import { builtInNames } from "./roles.ts";
import type { People } from "./store/people.ts";
import type { StoredUser } from "./store/users.ts";

const COLLATOR = new Intl.Collator("en", { numeric: true }); // one for all comparisons: to make it takes longer than to use it

export interface UserQuery {
  /** Each of its words begins some word of the name, the address or the roles, which have their names in every language. Empty: everybody. */
  q: string;
  limit: number;
  cursor: string | undefined;
}

/**
 * `total` counts the people of all pages; `next` is the cursor of the next one. All are read each time: there are some thousands at most,
 * and no database sorts names as people do. Throws BAD_CURSOR.
 */
export async function findUsers(
  people: People,
  cursors: Cursors,
  { q, limit, cursor }: UserQuery,
): Promise<{ users: StoredUser[]; total: number; next?: string }> {
  const list = JSON.stringify(["users", q]);
  const after = cursor === undefined ? undefined : (cursors.open(list, cursor) as { after: [string, string] }).after;
  const found = (q.trim() === "" ? await people.listUsers() : await search(people, foldWords(q))).sort((one, other) =>
    inOrder([one.name, one.id], [other.name, other.id]),
  );
  const rest = after ? found.filter(({ name, id }) => inOrder([name, id], after) > 0) : found;
  const users = rest.slice(0, limit);
  const last = rest.length > limit ? users.at(-1) : undefined;
  return { users, total: found.length, ...(last && { next: cursors.seal(list, { after: [last.name, last.id] }) }) };
}

type Place = readonly [name: string, id: string];

function inOrder([name, id]: Place, [otherName, otherId]: Place): number {
  return COLLATOR.compare(name, otherName) || (id < otherId ? -1 : Number(id > otherId));
}

/** Signs alone find nobody, as in every list. */
async function search(people: People, words: readonly string[]): Promise<StoredUser[]> {
  if (words.length === 0) return [];
  const names = new Map((await people.listRoles()).map(({ id, name }) => [id, name]));
  for (const role of await builtInNames()) names.set(role.id, role.names.join(" "));
  return (await people.listUsers()).filter(({ name, email, roles }) => {
    const own = foldWords([name, email, ...roles.map((id) => names.get(id) ?? id)].join(" "));
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
}
