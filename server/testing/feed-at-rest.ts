// Waits for the feed, which transactions of other tests on the same server may hold up.

import { vi } from "vitest";
import type { TestService } from "./service.ts";

/** Makes one more record in `collection`, and returns the cursor behind it once the feed has told of everything up to it. */
export async function untilFeedRests({ call }: TestService, collection: string, record: object): Promise<string> {
  const { next } = (await call("GET", "/v1/changes?after=now")).json;
  const made = await call("POST", `/v1/${collection}`, record);
  if (made.status !== 201) throw new Error(`no record was made: ${made.text}`);
  return vi.waitFor(async () => {
    const { json } = await call("GET", `/v1/changes?after=${next}&limit=1000`);
    const isThere = json.changes.some(
      (one: { collection: string; objectId: number }) => one.collection === collection && Object.values(made.json).includes(one.objectId),
    );
    if (!isThere) throw new Error("the feed is held up");
    return json.next as string;
  }, 20_000);
}
