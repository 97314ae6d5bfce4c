import { afterEach, beforeEach, expect, test } from "vitest";
import type { ReadOptions } from "../engine/store.ts";
import { openTestService, type TestService } from "../testing/service.ts";
import { searchHints } from "./search-hints.ts";

let service: TestService;
beforeEach(async () => {
  service = await openTestService();
});
afterEach(() => service.close());

/** A read that never ends by itself. */
const endless = (options: ReadOptions = {}) =>
  new Promise<never>((_, reject) => options.signal?.addEventListener("abort", () => reject(options.signal?.reason)));

test("a search is answered without hints that are not there in time, and ends with its client", async () => {
  const [collection] = service.collections;
  if (!collection) throw new Error("no collection");
  const searched = { q: "a1", filters: [], found: [] };
  const slow = { ...service.store, list: (_: unknown, __: unknown, options?: ReadOptions) => endless(options) };
  expect(await searchHints(slow, collection, searched, {})).toEqual({});
  const client = new AbortController();
  const left = searchHints(slow, collection, searched, { signal: client.signal });
  client.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
});
