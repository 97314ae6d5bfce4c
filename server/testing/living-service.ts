// A service whose dictionary lives, on an empty store, for tests of its stewards.

import { createLivingDictionary, type LivingDictionary } from "../access/living-dictionary.ts";
import { type AppParts, createApp } from "../app.ts";
import { nextVersion } from "../dictionary/start-dictionary.ts";
import type { Store } from "../engine/store.ts";
import { createKeys } from "../people/auth/api-keys.ts";
import { NO_RATE_LIMIT } from "./service.ts";
import { createTestDatabase } from "./store.ts";

export interface LivingService {
  store: Store;
  living: LivingDictionary;
  /** Sends as the bearer of a key with this scope; another one each time that `as` differs. */
  send(method: string, url: string, body?: object, options?: { as?: string; [header: string]: string | undefined }): Promise<LivingReply>;
  close(): Promise<void>;
}

export interface LivingReply {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  json: any;
  text: string;
}

/** `as`: "steward", "other" (a second steward) and "writer" have keys. */
export async function startLivingService(dataPackage: object, more: Partial<AppParts> = {}): Promise<LivingService> {
  const database = await createTestDatabase();
  const file = { dataPackage, placeOf: (place: string) => place };
  let first = nextVersion(file, undefined);
  const store = await database.open((kept) => {
    first = nextVersion(file, kept);
    return { collections: first.collections, text: JSON.stringify(first.dataPackage) };
  });
  const living = createLivingDictionary({ ...first, store }, () => undefined);
  const keys = createKeys(store);
  const app = await createApp({ ...first, store, keys, limits: NO_RATE_LIMIT, living, ...more });
  const tokens: Record<string, string> = {
    steward: await keys.create("write dictionary", { name: "Ada" }),
    other: await keys.create("write dictionary", { name: "Ben" }),
    writer: await keys.create("write", { name: "Cleo" }),
    admin: await keys.create("admin", { name: "Admin" }),
  };
  return {
    store,
    living,
    async send(method, url, body, { as = "steward", ...headers } = {}) {
      const reply = await app.inject({
        method: method as "GET",
        url,
        headers: {
          authorization: `Bearer ${tokens[as]}`,
          ...(body && { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" }),
          ...headers,
        },
        ...(body && { payload: JSON.stringify(body) }),
      });
      return {
        status: reply.statusCode,
        headers: reply.headers,
        json: reply.payload === "" ? undefined : JSON.parse(reply.payload),
        text: reply.payload,
      };
    },
    async close() {
      await app.close();
      await store.close();
      await database.drop();
    },
  };
}
