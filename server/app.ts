// The service as a function: mounts the doors on the store it is given. Knows no port and no env.

import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import { API_ROOT } from "../core/contract/paths.ts";
import type { Collection } from "../core/dictionary/collections.ts";
import { createTokens, type Tokens } from "./auth/access-tokens.ts";
import type { Keys } from "./auth/api-keys.ts";
import { createAttempts } from "./auth/login-attempts.ts";
import { createRate } from "./auth/rate-limit.ts";
import { createGate } from "./http/authenticate.ts";
import { createCursors } from "./http/cursor.ts";
import { notFound } from "./http/errors.ts";
import { createFramework, type FrameworkOptions } from "./http/fastify.ts";
import { DEFAULT_LIMITS } from "./http/limits.ts";
import { createMetrics, metricsDoor } from "./http/metrics.ts";
import { pathOf } from "./http/request.ts";
import { type Door, knowAllMethods, openDoor } from "./http/route.ts";
import { backupDoor } from "./routes/backup.ts";
import { dictionaryDoor, templateDoor } from "./routes/dictionary.ts";
import { healthDoors } from "./routes/health.ts";
import { homeDoors } from "./routes/home.ts";
import { keysDoors } from "./routes/keys.ts";
import { tokenDoors } from "./routes/oauth.ts";
import { openapiDoors } from "./routes/openapi.ts";
import { postWay } from "./routes/records/create-many.ts";
import { deletionsDoor } from "./routes/records/delete-many.ts";
import { listPath, listWay } from "./routes/records/list.ts";
import { recordDoor } from "./routes/records/record.ts";
import { serveApp } from "./routes/static-app.ts";
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
