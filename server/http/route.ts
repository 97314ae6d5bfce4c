// One path with its methods: admits, checks types, answers, and says 405, OPTIONS and HEAD the same way everywhere.

import { METHODS } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../auth/access-tokens.ts";
import { mayDo, type Scope } from "../auth/scopes.ts";
import type { Answer } from "../store/store.ts";
import type { Authenticator } from "./authenticate.ts";
import { encodeBody, isGzip, isPlain } from "./compression.ts";
import { accepts, mediaType } from "./content-negotiation.ts";
import { httpErrors } from "./errors.ts";
import type { Schema } from "./json-schemas.ts";
import type { Limits } from "./limits.ts";
import type { Parameter } from "./query-parameters.ts";

/** An answer too long to be held whole. Without an ETag; its length only if the headers say it. */
export interface Streamed {
  status: number;
  headers: Record<string, string>;
  /** A Readable is destroyed when the client goes away. */
  stream: AsyncIterable<string> | Readable | readonly [];
}

/** What the documentation says of a way; the tests hold the answers to it. */
export interface Doc {
  /** operationId */
  id: string;
  summary: string;
  parameters?: Readonly<Record<string, Parameter<unknown>>>;
  headers?: readonly string[];
  body?: Schema;
  /** Status → schema of the body; null: no body. */
  responses: Readonly<Record<number, Schema | null>>;
  /** Status → header fields of the answer beyond those that every way of its kind has; `?`: not always there. */
  sentHeaders?: Readonly<Record<number, readonly string[]>>;
  /** Refusals beyond those that every way of its kind has. */
  errors?: readonly number[];
}

export interface RouteHandler {
  /** "open": no token needed. */
  scope: Scope | "open";
  handle(request: FastifyRequest, session: Session): Promise<Answer | Streamed>;
  /** Media types of the body; without them there is no body. */
  acceptedTypes?: readonly string[];
  bodyLimit?: number; // bytes
  /** The body may be gzip; the way unzips it itself. */
  acceptsGzip?: boolean;
  /** Media types of the answer, application/json where not said. */
  produces?: readonly string[];
  /** Long answers go out as gzip where the client takes it. Never for single records: their ETag is strong. */
  compresses?: boolean;
  doc: Doc;
}

export interface Route {
  url: string;
  GET?: RouteHandler;
  POST?: RouteHandler;
  PUT?: RouteHandler;
  PATCH?: RouteHandler;
  DELETE?: RouteHandler;
}

const ANYONE: Session = { keyId: "", scope: "" };
export const JSON_TYPE = "application/json";
export const CSV_TYPE = "text/csv";
export const MERGE_PATCH_TYPE = "application/merge-patch+json";

const HANDLED_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
// CONNECT never comes as a request; QUERY Fastify handles in its own way.
const OTHERS = METHODS.filter((method) => !["CONNECT", "QUERY"].includes(method));

/**
 * Must run before the first door: without it Fastify answers 404 to methods it does not know by itself, and reads bodies
 * that say nothing (RFC 9110 sections 9.3.5 and 9.3.7), so that a DELETE could be too large.
 */
export function knowAllMethods(app: FastifyInstance): void {
  for (const method of ["DELETE", "OPTIONS"]) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  for (const method of OTHERS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: false });
  }
}

export interface RouteContext {
  authenticator: Authenticator;
  limits: Limits;
}

export function registerRoute(app: FastifyInstance, context: RouteContext, route: Route): void {
  const names = handlersOf(route);
  const allow = allowed(names);
  const known = capabilities(route, names);
  for (const name of names) {
    const handler = route[name] as RouteHandler;
    if (handler.acceptedTypes) registerWrites(app, context, route.url, name, handler);
    else registerReads(app, context.authenticator, route.url, name, handler, () => ({}));
    if (name === "GET")
      registerReads(app, context.authenticator, route.url, "HEAD", handler, (session) => capabilities(route, permitted(route, session)));
  }
  const tell = async (request: FastifyRequest, reply: FastifyReply) => {
    rejectMissingId(request);
    return reply.code(204).headers(known).send();
  };
  app.route({ method: "OPTIONS", url: route.url, handler: tell });
  const scope = (route.GET ?? route.POST)?.scope ?? "open";
  app.route({
    method: OTHERS.filter((method) => !allow.split(", ").includes(method)),
    url: route.url,
    onRequest: async (request, reply) => {
      if (scope !== "open") await context.authenticator.authenticate(request, reply, scope);
      rejectMissingId(request);
      throw httpErrors.methodNotAllowed(request.method, allow);
    },
    handler: () => undefined,
  });
}

export function handlersOf(route: Route): (typeof HANDLED_METHODS)[number][] {
  return HANDLED_METHODS.filter((name) => route[name]);
}

type Known = (session: Session) => Record<string, string>;

function registerReads(
  app: FastifyInstance,
  authenticator: Authenticator,
  url: string,
  method: string,
  handler: RouteHandler,
  known: Known,
): void {
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      const session = await authorize(authenticator, handler, request, reply);
      if (!lacksId(request)) reply.headers(known(session)); // a refusal tells it, too
      return respond(reply, handler, await handler.handle(request, session));
    },
  });
}

/**
 * Admits before the body is read: who is not let in sends nothing, and what cannot be answered is not begun. Only here
 * does a timer run: it costs a read a tenth of its time.
 */
function registerWrites(
  app: FastifyInstance,
  { authenticator, limits }: RouteContext,
  url: string,
  method: string,
  handler: RouteHandler,
): void {
  const sessions = new WeakMap<FastifyRequest, Session>();
  app.route({
    method,
    url,
    ...(handler.bodyLimit !== undefined && { bodyLimit: handler.bodyLimit }),
    handlerTimeout: (limits.requestSeconds + limits.handlingSeconds) * 1_000,
    onRequest: async (request, reply) => {
      sessions.set(request, await authorize(authenticator, handler, request, reply));
    },
    handler: async (request, reply) => respond(reply, handler, await handler.handle(request, sessions.get(request) ?? ANYONE)),
  });
}

/** The router takes nothing at all for an id, too; but `/v1/customers/` is no address. */
function lacksId(request: FastifyRequest): boolean {
  return (request.params as { id?: string }).id === "";
}

function rejectMissingId(request: FastifyRequest): void {
  if (lacksId(request)) throw httpErrors.notFound();
}

async function authorize(
  authenticator: Authenticator,
  handler: RouteHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session> {
  const { scope, acceptedTypes, produces = [JSON_TYPE], acceptsGzip = false } = handler;
  const session = scope === "open" ? ANYONE : await authenticator.authenticate(request, reply, scope);
  rejectMissingId(request);
  if (!produces.some((type) => accepts(request.headers.accept, type))) throw httpErrors.notAcceptable(produces.join(" or "));
  if (!acceptedTypes) return session;
  if (!acceptedTypes.includes(mediaType(request.headers["content-type"])))
    throw httpErrors.unsupportedMediaType(acceptedTypes, request.method);
  if (!isPlain(request) && !(acceptsGzip && isGzip(request))) throw httpErrors.unsupportedEncoding(acceptsGzip);
  return session;
}

function allowed(names: readonly string[]): string {
  return [...names.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])), "OPTIONS"].join(", ");
}

/** The ways that are open to whoever asks: a client that may only read is not offered to write. */
function permitted(route: Route, { scope }: Session): (typeof HANDLED_METHODS)[number][] {
  return handlersOf(route).filter((name) => {
    const needed = route[name]?.scope ?? "open";
    return needed === "open" || mayDo(scope, needed);
  });
}

/** What a client may do here; the interface says to look it up by HEAD. */
function capabilities(route: Route, names: readonly (typeof HANDLED_METHODS)[number][]): Record<string, string> {
  const acceptedTypes = (name: "POST" | "PATCH") => (names.includes(name) ? route[name]?.acceptedTypes : undefined);
  return {
    Allow: allowed(names),
    ...(acceptedTypes("POST") && { "Accept-Post": acceptedTypes("POST")?.join(", ") ?? "" }),
    ...(acceptedTypes("PATCH") && { "Accept-Patch": acceptedTypes("PATCH")?.join(", ") ?? "" }),
  };
}

// Answers are text already. Without a serializer Fastify adds a charset to JSON types, which have none (RFC 8259 section 11).
const asItIs = (body: unknown) => body as string;

type EncodedResponse = FastifyReply | Promise<FastifyReply>;

function respond(reply: FastifyReply, handler: RouteHandler, answer: Answer | Streamed): EncodedResponse {
  if ("stream" in answer) {
    reply.code(answer.status).headers(answer.headers).header("vary", "Accept");
    if (reply.request.method === "HEAD") return reply.send();
    return reply.send(answer.stream instanceof Readable ? answer.stream : Readable.from(answer.stream));
  }
  if (!handler.compresses || answer.status !== 200) return send(reply, answer);
  return encode(reply, answer);
}

async function encode(reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  const { body, headers } = await encodeBody(reply.request, answer.body);
  return send(reply, { ...answer, headers: { ...answer.headers, ...headers }, body });
}

export function send(reply: FastifyReply, answer: Omit<Answer, "body"> & { body: string | Buffer }): FastifyReply {
  const { status, headers, body } = answer;
  reply.code(status).headers(headers);
  if (status === 204 || status === 304) return reply.send();
  if (reply.request.method === "HEAD") return reply.header("Content-Length", Buffer.byteLength(body)).send();
  return reply.serializer(asItIs).send(body);
}
