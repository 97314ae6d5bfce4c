import { expect, test } from "vitest";
import type { Client } from "../../../client/http-client.ts";
import { collectionOf } from "../../testing/fields.ts";
import { tryMatching } from "./bulk-transport.ts";

const collection = collectionOf([]);

test("asks for no further part of what a filter chooses once nobody waits for it", async () => {
  for (const job of [{ verb: "delete" } as const, { verb: "change", values: () => ({}) } as const]) {
    let asked = 0;
    const json = { token: "t", run: "r", results: [], [collection.name]: [] };
    const request = async () => ({ json: { ...json, next: ++asked < 5 ? "more" : null } });
    const order = { query: {}, without: [], job, acknowledge: [] };
    const transport = { post: async () => ({ results: [] }), sleep: async () => undefined, isStopped: () => asked >= 2 };
    await tryMatching({ request } as unknown as Client, collection, order, transport);
    expect(asked).toBe(2);
  }
});
