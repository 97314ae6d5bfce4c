// Takes content of a bucket out of its place, by a copy, and puts it back or deletes it.

import { randomUUID } from "node:crypto";
import { HASH } from "../content.ts";
import { type Removal, STALE, type Taken } from "../remove-content.ts";
import { type S3Client, S3Error } from "./s3-client.ts";
import { INCOMING, keyOf, LEAVING, type Listed, listKeys } from "./s3-keys.ts";

const COPY_SILENCE = 300_000; // ms: some servers answer only when the copy is done

/**
 * S3 has no rename, so that content leaves by a copy under `leaving/` and a deletion of its own place. A deletion whose answer did not come may
 * still be done after a write has put the content back. So it is asked once, and after it the copy stays: reads find it there, and a removal
 * a day later puts it back where something names it. By then no server takes the request any more, because its signature is too old.
 */
export function s3Removal(client: S3Client): Removal {
  const { place } = client;
  const source = (key: string) => ({ "x-amz-copy-source": `/${place.bucket}/${place.prefix}${key}` });
  const isOld = ({ modified }: Listed) => Date.now() - modified > STALE;

  async function takeOut(hash: string): Promise<Taken | undefined> {
    const at = `${LEAVING}${hash}.${randomUUID()}`;
    if (!(await copy(keyOf(hash), at))) return undefined;
    await removeKey(client, keyOf(hash), { isOnce: true });
    return { hash, at };
  }

  /** Asks once: the copy would come back after it was discarded. Returns false where there is nothing at `from`. */
  async function copy(from: string, to: string): Promise<boolean> {
    const asked = { method: "PUT", key: to, headers: source(from), isOnce: true, silence: COPY_SILENCE } as const;
    return (await client.read(asked)) !== undefined;
  }

  /** Two processes may do so at once: what each decides after it was taken out is right for both. */
  async function listLeft(): Promise<Taken[]> {
    const taken: Taken[] = [];
    for await (const one of listKeys(client, LEAVING)) {
      const hash = hashIn(one.key, LEAVING);
      if (HASH.test(hash) && isOld(one)) taken.push({ hash, at: one.key });
    }
    return taken;
  }

  async function dropStale(): Promise<void> {
    for await (const one of listKeys(client, INCOMING)) if (isOld(one)) await removeKey(client, one.key);
  }

  async function listMarks(): Promise<ReadonlySet<string>> {
    const marks = new Set<string>();
    for await (const { key } of listKeys(client, INCOMING)) marks.add(hashIn(key, INCOMING));
    return marks;
  }

  return {
    dropStale,
    listLeft,
    takeOut,
    listMarks,
    async putBack({ hash, at }) {
      if (await copy(at, keyOf(hash))) await removeKey(client, at);
    },
    discard: ({ at }) => removeKey(client, at),
    flush: async () => undefined, // what S3 answers is done
  };
}

const hashIn = (key: string, folder: string) => key.slice(folder.length).split(".", 1)[0] ?? "";

/** Throws S3Error where the bucket has begun to keep versions, and with them the bytes. */
export async function removeKey(client: S3Client, key: string, how: { isOnce?: boolean; silence?: number } = {}): Promise<void> {
  const answer = await client.read({ method: "DELETE", key, ...how });
  const { "x-amz-delete-marker": isMarker, "x-amz-version-id": version = "null" } = answer?.headers ?? {};
  if (isMarker === "true" || version !== "null")
    throw new S3Error("The bucket of FILES keeps versions, so that nothing is removed from it", { status: 204, code: "Versioned" });
}
