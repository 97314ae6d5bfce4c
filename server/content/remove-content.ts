// Removes content that nothing names, while other processes may put the same content in its place.

/** Says which of these hashes a record or a version names. */
export type AskNamed = (hashes: ReadonlySet<string>) => Promise<ReadonlySet<string>>;

/** Content that was taken out of its place and stands elsewhere, at `at`. */
export interface Taken {
  hash: string;
  at: string;
}

/** Does for a removal what a folder and a bucket do differently. */
export interface Removal {
  /** Removes what a process that was ended has left of content that came, and its marks. */
  dropStale(): Promise<void>;
  /** Lists what a process that was ended has taken out and neither removed nor put back. */
  listLeft(): Promise<Taken[]>;
  /** Returns undefined where the content is not in its place. */
  takeOut(hash: string): Promise<Taken | undefined>;
  /** Lists the hashes that a write is about to name. */
  listMarks(): Promise<ReadonlySet<string>>;
  /** Does nothing where another process has put it back or discarded it. */
  putBack(taken: Taken): Promise<void>;
  discard(taken: Taken): Promise<void>;
  /** Makes what was discarded last, also through a power failure. */
  flush(): Promise<void>;
}

export const STALE = 86_400_000; // ms after which what a process has left behind is nobody's: no write takes as long

/** Does as `Content.remove`. */
export async function removeContent(place: Removal, hashes: readonly string[], named: AskNamed): Promise<number> {
  await place.dropStale();
  const taken = await place.listLeft();
  for (const hash of hashes) {
    const one = await place.takeOut(hash);
    if (one) taken.push(one);
  }
  if (taken.length === 0) return 0;
  const marks = await place.listMarks();
  // Without the answer all of it goes back.
  const isNamed = await named(new Set(taken.map(({ hash }) => hash))).catch(async (error) => {
    for (const one of taken) await place.putBack(one);
    throw error;
  });
  let removed = 0;
  for (const one of taken)
    if (marks.has(one.hash) || isNamed.has(one.hash)) await place.putBack(one);
    else {
      await place.discard(one);
      removed += 1;
    }
  if (removed > 0) await place.flush();
  return removed;
}
