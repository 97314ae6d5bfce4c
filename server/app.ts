// The service as a function: mounts the doors on the store it is given. Knows no port and no env.

import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import type { Collection } from "../dictionary/collections.ts";
import { API_ROOT } from "../dictionary/paths.ts";
import { createAttempts } from "./auth/attempts.ts";
import type { Keys } from "./auth/keys.ts";
import { createRate } from "./auth/rate.ts";
import { createTokens, type Tokens } from "./auth/tokens.ts";
import { backupDoor } from "./http/backup-door.ts";
import { createCursors } from "./http/cursor.ts";
import { deletionsDoor } from "./http/deletions.ts";
import { dictionaryDoor, templateDoor } from "./http/dictionary-door.ts";
import { type Door, knowAllMethods, openDoor } from "./http/door.ts";
import { createFramework, type FrameworkOptions } from "./http/framework.ts";
import { createGate } from "./http/gate.ts";
import { healthDoors } from "./http/health-doors.ts";
import { homeDoors } from "./http/home-doors.ts";
import { keysDoors } from "./http/keys-doors.ts";
import { listPath, listWay } from "./http/list-door.ts";
import { createMetrics, metricsDoor } from "./http/metrics.ts";
import { openapiDoors } from "./http/openapi-doors.ts";
import { postWay } from "./http/post.ts";
import { recordDoor } from "./http/record-door.ts";
import { notFound } from "./http/refusal.ts";
import { pathOf } from "./http/request.ts";
import { serveApp } from "./http/static-app.ts";
import { tokenDoors } from "./http/token-door.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
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
  "ETag, Location, Link, Allow, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Key, Idempotent-Replayed, WWW-Authenticate, Content-Length, Request-Id, traceparent, Date";

export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const metrics = createMetrics();
  const app = createFramework(parts, metrics);
  const limits = parts.limits ?? DEFAULT_LIMITS;
  const tokens = createTokens(parts.store);
  const gate = createGate(tokens, createRate(limits.requestsPerSecond, limits.requestBurst));
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
  const doors = [...doorsOf(parts, tokens), metricsDoor(metrics)];
  for (const door of [...doors, ...openapiDoors(doors, parts.collections)]) openDoor(app, { gate, limits }, door);
  const page = parts.appFolder ? await serveApp(app, parts.appFolder) : undefined;
  app.setNotFoundHandler(async (request, reply) => {
    // Below /v1 nobody learns what exists without a token.
    if (pathOf(request).startsWith(`${API_ROOT}/`)) await gate.admit(request, reply, "read");
    if (!page) throw notFound();
    return page(request, reply);
  });
  return app;
}

function doorsOf(parts: AppParts, tokens: Tokens): Door[] {
  const { store, keys, collections, limits = DEFAULT_LIMITS } = parts;
  const cursors = createCursors(store.secret);
  return [
    ...healthDoors(store, parts.isStopping ?? (() => false)),
    ...tokenDoors(keys, tokens, createAttempts(), limits),
    ...homeDoors(collections, limits),
    ...keysDoors(keys, limits),
    backupDoor(store),
    dictionaryDoor(parts.dataPackage),
    ...collections.flatMap((collection) => [
      templateDoor(collection),
      { url: listPath(collection), GET: listWay(collection, store, cursors, limits), POST: postWay(collection, store, limits) },
      deletionsDoor(collection, store, limits),
      recordDoor(collection, store, limits),
    ]),
  ];
}
