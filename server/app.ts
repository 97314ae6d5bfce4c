// The service as a function: mounts the doors on the store it is given. Knows no port and no env.

import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import type { Collection } from "../dictionary/collections.ts";
import { API_ROOT } from "../dictionary/wire.ts";
import { createAttempts } from "./auth/attempts.ts";
import type { Keys } from "./auth/keys.ts";
import { createTokens } from "./auth/tokens.ts";
import { createCursors } from "./http/cursor.ts";
import { dictionaryDoor, templateDoor } from "./http/dictionary-door.ts";
import { type Door, knowAllMethods, openDoor } from "./http/door.ts";
import { createFramework, type FrameworkOptions } from "./http/framework.ts";
import { createGate } from "./http/gate.ts";
import { healthDoors } from "./http/health-doors.ts";
import { listPath, listWay } from "./http/list-door.ts";
import { postWay } from "./http/post.ts";
import { pathOf, recordDoor } from "./http/record-door.ts";
import { notFound } from "./http/refusal.ts";
import { serveApp } from "./http/static-app.ts";
import { tokenDoor } from "./http/token-door.ts";
import type { Store } from "./store/store.ts";

export interface AppParts extends FrameworkOptions {
  store: Store;
  keys: Keys;
  collections: readonly Collection[];
  /** The data package as it was read, for /v1/dictionary. */
  dataPackage: unknown;
  /** Folder of the built browser app. */
  appFolder?: string;
  /** Origins that may read answers in a browser; none: only the service's own. */
  corsOrigins?: readonly string[];
  isStopping?: () => boolean;
}

const EXPOSED =
  "ETag, Location, Link, Allow, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, WWW-Authenticate, Content-Length, Request-Id";

export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const app = createFramework(parts);
  const tokens = createTokens(parts.store);
  const gate = createGate(tokens);
  const origins = parts.corsOrigins ?? [];
  if (origins.length > 0) {
    await app.register(cors, {
      origin: [...origins],
      exposedHeaders: EXPOSED,
      maxAge: 7200,
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      strictPreflight: false,
      preflightContinue: true, // our OPTIONS answers, with Allow
    });
  }
  knowAllMethods(app);
  for (const door of doorsOf(parts, tokens)) openDoor(app, gate, door);
  const page = parts.appFolder ? await serveApp(app, parts.appFolder) : undefined;
  app.setNotFoundHandler(async (request, reply) => {
    // Below /v1 nobody learns what exists without a token.
    if (pathOf(request).startsWith(`${API_ROOT}/`)) await gate.admit(request, "read");
    if (!page) throw notFound();
    return page(request, reply);
  });
  return app;
}

function doorsOf(parts: AppParts, tokens: ReturnType<typeof createTokens>): Door[] {
  const { store, keys, collections } = parts;
  const cursors = createCursors(store.secret);
  return [
    ...healthDoors(store, parts.isStopping ?? (() => false)),
    tokenDoor(keys, tokens, createAttempts()),
    dictionaryDoor(parts.dataPackage),
    ...collections.flatMap((collection) => [
      templateDoor(collection),
      { url: listPath(collection), GET: listWay(collection, store, cursors), POST: postWay(collection, store) },
      recordDoor(collection, store),
    ]),
  ];
}
