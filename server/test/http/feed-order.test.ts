// The order of the change feed, and that whoever follows it live and whoever reads it anew hear the same.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Change, ChangePage } from "../../../core/contract/history.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const RECORDS = [1, 2, 3, 4];
const VERSIONS = 12;

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** Reads on after a cursor until it has seen as many changes. Transactions of other tests may hold the feed up. */
async function follow(from: string, count: number, limit: number): Promise<Change[]> {
  const seen: Change[] = [];
  for (let after = from; seen.length < count; ) {
    const { json } = await service.call("GET", `/v1/changes?after=${after}&limit=${limit}&wait=5`);
    const { changes, next } = json as ChangePage;
    seen.push(...changes);
    after = next;
  }
  return seen;
}

const versionsOf = (changes: readonly Change[], id: number) =>
  changes.filter(({ objectId }) => objectId === id).map(({ version }) => version);

test("live and anew: the versions of each record in order, and each change after all that was answered before it was sent", async () => {
  const from = (await service.call("GET", "/v1/changes?after=now")).json.next as string;
  const answered: string[] = [];
  /** Counts for each change how many had been answered before it was sent. */
  const sentAfter = new Map<string, number>();
  const write = async (id: number, version: number) => {
    const name = `${id}-${version}`;
    sentAfter.set(name, answered.length);
    const { status } = await service.call("PUT", `/v1/customers/${id}`, { lastName: `${version}`, accountID: `${id}` });
    expect(status).toBe(version === 1 ? 201 : 200);
    answered.push(name);
  };
  const count = RECORDS.length * VERSIONS;
  const live = follow(from, count, 3);
  // At once for different records.
  await Promise.all(
    RECORDS.map(async (id) => {
      for (let version = 1; version <= VERSIONS; version++) await write(id, version);
    }),
  );
  const versions = Array.from({ length: VERSIONS }, (_, i) => i + 1);
  for (const seen of [await live, await follow(from, count, 1_000), await follow(from, count, 7)]) {
    expect(seen).toHaveLength(count);
    for (const id of RECORDS) expect(versionsOf(seen, id)).toEqual(versions);
    const places = new Map(seen.map(({ objectId, version }, place) => [`${objectId}-${version}`, place]));
    for (const [name, before] of sentAfter)
      for (const earlier of answered.slice(0, before)) expect(places.get(earlier)).toBeLessThan(places.get(name) as number);
  }
});
