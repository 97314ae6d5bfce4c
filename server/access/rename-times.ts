// Says since when a name is a former one, for the header field Deprecation (RFC 9745).

import type { Package } from "../../core/dictionary/packages.ts";
import type { Store } from "../engine/store.ts";
import type { UsedName } from "./former-names.ts";

const MOST_VERSIONS = 1_000;

/** Returns in ms since 1970 when the first of these names became a former one; undefined where no versions are kept. */
export type RenamedSince = (used: readonly UsedName[]) => Promise<number | undefined>;

/** `newest`: the version of the dictionary that is served, which never changes, so that each name is looked up once. */
export function createRenamedSince({ versions }: Pick<Store, "versions">, newest: number): RenamedSince {
  const known = new Map<string, Promise<number | undefined>>();
  function sinceOf(used: UsedName): Promise<number | undefined> {
    const name = `${used.collection} ${used.former}`;
    const since = known.get(name) ?? findSince(versions, newest, used);
    known.set(name, since);
    since.catch(() => known.delete(name)); // the next one asks again
    return since;
  }
  return async (used) => {
    // What was written is written: no header field is worth its answer.
    const all = await Promise.all(used.map((one) => sinceOf(one).catch(() => undefined)));
    const times = all.filter((at) => at !== undefined);
    return times.length > 0 ? Math.min(...times) : undefined;
  };
}

/** The versions from the one that renamed it have it as a former name, so that few of them are read. */
async function findSince(versions: Store["versions"], newest: number, used: UsedName): Promise<number | undefined> {
  const listed = (await versions.listVersions(newest + 1, MOST_VERSIONS)).reverse();
  let [from, to] = [0, listed.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    const kept = await versions.readVersion(listed[middle]?.version ?? newest);
    if (kept && isFormer(JSON.parse(kept.text) as Package, used)) to = middle;
    else from = middle + 1;
  }
  return listed[to]?.at;
}

/** A name of a parent's field, such as `team.title`, is one of that field's. */
function isFormer({ resources }: Package, { collection, former }: UsedName): boolean {
  const [name = "", isOfParent] = [former.split(".").at(-1), former.includes(".")];
  const own = resources.filter((resource) => isOfParent || resource.name === collection);
  return own.some(({ schema }) => schema.fields.some(({ formerNames = [] }) => (formerNames as readonly string[]).includes(name)));
}
