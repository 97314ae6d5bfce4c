// A route is one path with its methods. Authentication, media types, HEAD, OPTIONS and 405 work the same for all of them.

import { METHODS, type ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { allows, type Needed } from "../../core/contract/scopes.ts";
import { type Awaitable, whenThere } from "../engine/script/awaitable.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { ReadAudit } from "../people/auth/read-audit.ts";
import { type Authenticator, requireScopes, scopeError, showsUse } from "./authenticate.ts";
import type { BodyBudget, HeldBytes } from "./body-budget.ts";
import { isGzip, isPlain } from "./compression.ts";
import { accepts, mediaType } from "./content-negotiation.ts";
import { type Deadline, type Deadlines, RequestEnd } from "./deadlines.ts";
import { httpErrors } from "./errors.ts";
import type { Schema } from "./json-schemas.ts";
import type { Limits } from "./limits.ts";
import type { ErrorReader } from "./problem.ts";
import { type Parameter, readParameters } from "./query-parameters.ts";
import { readBody } from "./read-body.ts";
import { respond, type Sent } from "./send-answer.ts";
import { allowSlowBody } from "./slow-bodies.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    errorsFor?: ErrorReader | undefined;
  }
  interface FastifyRequest {
    /** The address of the route that was found, with `:id` where the path has an id: for the log and the metrics. */
    address: string | undefined;
    /** The former names of fields that it has, with the names of today: the value of `Intake-Renamed`. */
    renamed: string | undefined;
    /** Says when the first of them became one, in ms since 1970: the value of `Deprecation`. */
    renamedSince: (() => Promise<number | undefined>) | undefined;
    /** The data package as the caller may know it, once that is known: for the language of problems. */
    dictionary: (() => unknown) | undefined;
  }
}

/** Says what the OpenAPI document says of a handler. The tests check every answer against it. */
export interface Doc {
  /** The operationId, unique in the service. */
  id: string;
  summary: string;
  /** Query parameters by name; the handler reads them with readParameters. Without them, every parameter is refused. */
  parameters?: Readonly<Record<string, Parameter<unknown>>>;
  /** Request header fields that it uses; document.ts describes each. */
  headers?: readonly string[];
  /** Schema of the request body. */
  body?: Schema;
  /** Status → schema of the response body, null for none. */
  responses: Readonly<Record<number, Schema | null>>;
  /** Status → response header fields besides the common ones (responses.ts). `ETag?`: not always there. */
  sentHeaders?: Readonly<Record<number, readonly string[]>>;
  /** Error statuses besides the common ones (responses.ts): 404, 409, 422 … */
  errors?: readonly number[];
}

export interface RouteHandler {
  /** Says what a token must allow; "open": no token needed; "person": one of a person, whatever it allows. */
  scope: Needed | "open" | "person";
  /** Goes with "open": a bearer token that is sent is verified all the same, and decides what is answered. */
  knowsCaller?: boolean;
  /** Says what this request needs in place of `scope`, by its parameters. */
  insteadNeeds?(request: FastifyRequest): Needed | undefined;
  /** Says what this request needs besides, by its parameters or header fields. */
  alsoNeeds?(request: FastifyRequest): readonly Needed[];
  /** Goes with "signed-in": the caller needs at least one of these. Which of them the request needs, the handler finds in the body. */
  needsOneOf?: readonly Needed[];
  /** Has no parameters, and refuses none: others than our clients ask. */
  ignoresParameters?: boolean;
  /** Clients send it by themselves, again and again, so that it is no use of a person's session. */
  isBackground?: boolean;
  /** It also answers to an administrator who looks at the app as another person, though it is no read. */
  endsView?: boolean;
  /** It also answers to a person without any right: whoever has a session may end it. */
  needsNoRight?: boolean;
  /** It also answers to a session that must add a passkey before anything else (REQUIRE_PASSKEY). */
  isBeforePasskey?: boolean;
  /** Answers, or throws httpErrors. An answer with stored values of records says which (`shows`, `reportTo`). `session` says whose token it is; `end` tells a long read that nobody waits for it any more. */
  handle(request: FastifyRequest, session: Session, end: RequestEnd): Awaitable<Sent>;
  /** Media types of the request body; ANY_TYPE where the content itself says it. Without them the handler gets no body. */
  acceptedTypes?: readonly string[];
  /**
   * Reads the body in place of the service, as it comes, and puts what it makes of it in `request.body`. It has no time limit but that of the
   * connection, and counts in `held` what it has in memory. Throws what keeps the request from being done, before it reads where that is known.
   */
  receive?(request: FastifyRequest, session: Session, response: ServerResponse, held: HeldBytes): Promise<unknown>;
  bodyLimit?: number; // bytes, also of the unzipped body; by default those of one record
  /** The body may be gzip; the handler gets it unzipped. */
  acceptsGzip?: boolean;
  /** Media types of the answer; application/json by default. ANY_TYPE: it has that of what is stored, which no Accept header refuses. */
  produces?: readonly string[];
  /** Long answers are compressed for clients that accept gzip. Not for single records, whose ETag is strong. */
  compresses?: boolean;
  /** Names who reads its errors, where those are no problem documents. */
  errorsFor?: ErrorReader;
  /** It has no time limit: it copies a whole store. */
  isUntimed?: boolean;
  /** It is about all that is held, also under what is retired: a person may ask for it, and for its end. */
  seesRetired?: boolean;
  doc: Doc;
}

/**
 * One path. HEAD comes with GET; OPTIONS, 405 and the OpenAPI document come by themselves. CONTRIBUTING.md ("Add a route") has a whole
 * one to copy, and says what else a new one needs.
 */
export interface Route {
  /** Has `:id` where the path has an id. An empty part is refused with 404. */
  url: string;
  /**
   * Is the address of a collection's route with `:collection` and `:child` in place of their names. It is registered once,
   * so that a collection may come while the service runs.
   */
  pattern?: string;
  /** Its standard has a description of its own, so it stands in no OpenAPI document. */
  describesItself?: true;
  GET?: RouteHandler;
  POST?: RouteHandler;
  PUT?: RouteHandler;
  PATCH?: RouteHandler;
  DELETE?: RouteHandler;
}

const ANONYMOUS: Session = { principal: { type: "key", id: "", name: "" }, owner: "", limitedAs: "", scope: "" };
export const ANY_TYPE = "*/*";
export const JSON_TYPE = "application/json";
export const CSV_TYPE = "text/csv";
export const MERGE_PATCH_TYPE = "application/merge-patch+json";

const HANDLED_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HandledMethod = (typeof HANDLED_METHODS)[number];
// CONNECT never arrives as a request.
const ALL_METHODS = METHODS.filter((method) => method !== "CONNECT");

/**
 * Must run before the first route. Otherwise Fastify answers 404 to methods that it does not know, and reads the bodies of
 * DELETE and OPTIONS, which mean nothing (RFC 9110 sections 9.3.5 and 9.3.7), so that a DELETE could be too large.
 */
export function addAllMethods(app: FastifyInstance): void {
  for (const method of ["DELETE", "OPTIONS", ...ALL_METHODS.filter((name) => name === "QUERY")])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  for (const method of ALL_METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: false });
  }
}

/** The routes as the dictionary of one moment has them. A request keeps those with which it began. */
export interface RouteTable {
  /** The version of the dictionary; 0 where none is kept. */
  version: number;
  /** Returns undefined where the dictionary has no such address. Gives the query of the request the names of today. */
  find(request: FastifyRequest): Route | undefined;
  /** Returns the session with all that this dictionary hides from its caller, too, and reads the query again as that caller may know the names. */
  admit(request: FastifyRequest, session: Session): Session;
  /** Notes the former names of fields that its body has. */
  noteRenamed(request: FastifyRequest, session: Session): void;
  /** Returns the handler of a route for this caller; undefined where the address is not there for them. */
  handlerFor(session: Session, route: Route, method: HandledMethod): RouteHandler | undefined;
}

export interface RouteContext {
  authenticator: Authenticator;
  bodies: BodyBudget;
  deadlines: Deadlines;
  limits: Limits;
  /** Undefined: no reads are logged. */
  audit: ReadAudit | undefined;
  /** Returns the routes of this moment. */
  table(): RouteTable;
  /** Answers to an address where there is nothing: always throws. */
  refuse(request: FastifyRequest, reply: FastifyReply): Promise<never>;
}

/**
 * Registers an address with all methods, HEAD, OPTIONS, and 405 for those that it does not have. `pattern`: as Route has it. `example`: a
 * route of this pattern; which one a request means is found when it comes.
 */
export function registerRoute(app: FastifyInstance, context: RouteContext, pattern: string, example: Route): void {
  const names = methodsOf(example);
  for (const name of names) {
    const errorsFor = example[name]?.errorsFor;
    if (example[name]?.acceptedTypes) registerWrites(app, context, pattern, name, errorsFor);
    else registerReads(app, context, pattern, name, errorsFor);
    if (name === "GET") registerReads(app, context, pattern, "HEAD", errorsFor);
  }
  app.route({
    method: "OPTIONS",
    url: pattern,
    handler: async (request, reply) => {
      const route = findRoute(context.table(), request);
      if (!route) return context.refuse(request, reply);
      rejectMissingId(request);
      return reply
        .code(204)
        .headers(capabilities(route, methodsOf(route)))
        .send();
    },
  });
  const allow = allowed(names);
  app.route({
    method: ALL_METHODS.filter((method) => !allow.split(", ").includes(method)),
    url: pattern,
    onRequest: async (request, reply) => {
      await refuseMethod(context, request, reply, findRoute(context.table(), request));
    },
    handler: () => undefined,
  });
}

function findRoute(table: RouteTable, request: FastifyRequest): Route | undefined {
  const route = table.find(request);
  request.address = route?.url;
  return route;
}

/** Throws 405, or what there is to say before. */
async function refuseMethod(context: RouteContext, request: FastifyRequest, reply: FastifyReply, route: Route | undefined): Promise<never> {
  if (!route) return context.refuse(request, reply);
  const scope = (route.GET ?? route.POST ?? route.PUT ?? route.PATCH ?? route.DELETE)?.scope ?? "open";
  if (scope !== "open") await context.authenticator.authenticate(request, reply, [scope === "person" ? "signed-in" : scope]);
  rejectMissingId(request);
  throw httpErrors.methodNotAllowed(request.method, allowed(methodsOf(route)));
}

/** Returns the methods that the route has, without HEAD and OPTIONS. */
export function methodsOf(route: Route): HandledMethod[] {
  return HANDLED_METHODS.filter((name) => route[name]);
}

function registerReads(
  app: FastifyInstance,
  context: RouteContext,
  url: string,
  method: HandledMethod | "HEAD",
  errorsFor: ErrorReader | undefined,
): void {
  const name = method === "HEAD" ? "GET" : method;
  app.route({
    method,
    url,
    config: { errorsFor },
    ...((method === "POST" || method === "PUT") && { onRequest: ignoreBody }),
    // Fastify takes an error that is thrown as it takes a rejection, and waits for nothing where there is no promise.
    handler: (request, reply) => {
      const table = context.table();
      const route = findRoute(table, request);
      const handler = route?.[name];
      if (!route || !handler) return refuseMethod(context, request, reply, route);
      const deadline = context.deadlines.begin();
      const authorized = deadline(authorize(context.authenticator, handler, request, reply), httpErrors.unavailable);
      const answered = whenThere(authorized, (caller) => {
        const session = table.admit(request, caller);
        if (method === "HEAD" && !lacksId(request)) reply.headers(capabilities(route, permitted(route, session))); // an error has them too
        const own = handlerOf(table, session, route, name);
        const answer = handleWithin(deadline, own, request, reply, session);
        return whenThere(answer, (known) => respond(context.audit, reply, own, { session, answer: known, version: table.version }));
      });
      return answered instanceof Promise ? answered : undefined;
    },
  });
}

/** The route takes no body; Fastify would refuse one that says a malformed media type. */
function ignoreBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  delete request.headers["content-type"];
  done();
}

/** A write whose body is being read: it ends with the dictionary with which it began. */
interface Begun {
  session: Session;
  deadline: Deadline;
  handler: RouteHandler;
  table: RouteTable;
}

/** Authorizes before the body is read, so that nobody without a right to write can send one. */
function registerWrites(
  app: FastifyInstance,
  context: RouteContext,
  url: string,
  method: HandledMethod,
  errorsFor: ErrorReader | undefined,
): void {
  const { authenticator, bodies, deadlines, limits } = context;
  const begun = new WeakMap<FastifyRequest, Begun>();
  app.route({
    method,
    url,
    config: { errorsFor },
    onRequest: async (request, reply) => {
      const table = context.table();
      const route = findRoute(table, request);
      const handler = route?.[method];
      if (!route || !handler) return refuseMethod(context, request, reply, route);
      const deadline = deadlines.begin();
      const session = table.admit(request, await deadline(authorize(authenticator, handler, request, reply), httpErrors.unavailable));
      begun.set(request, { session, deadline, handler: handlerOf(table, session, route, method), table });
    },
    handler: async (request, reply) => {
      const { session, deadline, handler, table } = begun.get(request) as Begun;
      const held = bodies.hold(session.limitedAs);
      const work = async () => {
        try {
          return await answerOf(handler, request, session, new RequestEnd(reply.raw));
        } finally {
          held.release(); // not when the request's time is over: the work runs on with the body
        }
      };
      if (handler.receive) allowSlowBody(request.raw);
      const body = handler.receive
        ? handler.receive(request, session, reply.raw, held)
        : readBody(request, reply.raw, handler.bodyLimit ?? limits.recordBytes, held);
      request.body = await body.catch((error) => {
        held.release();
        throw error;
      });
      table.noteRenamed(request, session);
      return respond(context.audit, reply, handler, {
        session,
        answer: await deadline(work(), httpErrors.outcomeUnknown),
        version: table.version,
      });
    },
  });
}

/** Throws 404 where the address would tell of a hidden field. */
function handlerOf(table: RouteTable, session: Session, route: Route, method: HandledMethod): RouteHandler {
  const own = table.handlerFor(session, route, method);
  if (!own) throw httpErrors.notFound();
  return own;
}

function answerOf(handler: RouteHandler, request: FastifyRequest, session: Session, end: RequestEnd): Awaitable<Sent> {
  if (!handler.doc.parameters && !handler.ignoresParameters) readParameters(request.query, {});
  return handler.handle(request, session, end);
}

/** After its time a write may still be done, a read cannot have written anything. */
function handleWithin(
  deadline: Deadline,
  handler: RouteHandler,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Awaitable<Sent> {
  const end = new RequestEnd(reply.raw);
  const work = answerOf(handler, request, session, end);
  if (handler.isUntimed) return work;
  return deadline(work, () => {
    end.abort();
    return ["GET", "HEAD"].includes(request.method) ? httpErrors.unavailable() : httpErrors.outcomeUnknown();
  });
}

/** The router accepts an empty part for a `:name` in the path, but `/v1/customers/` and `/v1/activity/runs/` are no addresses. */
function lacksId(request: FastifyRequest): boolean {
  const parts = request.params as Record<string, string>;
  for (const name in parts) if (parts[name] === "") return true;
  return false;
}

function rejectMissingId(request: FastifyRequest): void {
  if (lacksId(request)) throw httpErrors.notFound("There is nothing at this address: it has a / too many, or an empty part.");
}

function authorize(authenticator: Authenticator, handler: RouteHandler, request: FastifyRequest, reply: FastifyReply): Awaitable<Session> {
  const own = handler.scope === "person" ? "signed-in" : handler.scope;
  const isAnonymous = own === "open" && !(handler.knowsCaller && /^Bearer(?: |$)/i.test(request.headers.authorization ?? ""));
  if (isAnonymous) return accepted(handler, request, ANONYMOUS);
  const needed =
    own === "open" || handler.needsNoRight ? [] : [handler.insteadNeeds?.(request) ?? own, ...(handler.alsoNeeds?.(request) ?? [])];
  const isUse = showsUse(request) && !handler.isBackground;
  return whenThere(authenticator.authenticate(request, reply, [], isUse), (session) => {
    if (session.viewer && !handler.endsView && !READS.includes(request.method)) throw httpErrors.viewing(session.principal.name);
    requireScopes(request, session, needed);
    return accepted(handler, request, session);
  });
}

const READS = ["GET", "HEAD"];

/** Returns the session, where it may ask for this and the request can be answered. */
function accepted(handler: RouteHandler, request: FastifyRequest, session: Session): Session {
  const { scope, needsOneOf, acceptedTypes, produces = [JSON_TYPE], acceptsGzip = false } = handler;
  if (scope === "person" && session.principal.type !== "user") throw httpErrors.notAPerson();
  if (needsOneOf && !needsOneOf.some((one) => allows(session.scope, one))) throw scopeError(request, session, needsOneOf);
  if (session.mustAddPasskey && !handler.isBeforePasskey) throw httpErrors.passkeyRequired();
  rejectMissingId(request);
  if (!produces.some((type) => type === ANY_TYPE || accepts(request.headers.accept, type)) && hasBody(handler))
    throw httpErrors.notAcceptable(produces.join(" or "));
  if (request.method === "PUT" && request.headers["content-range"] !== undefined) throw httpErrors.noPartialPut();
  if (!acceptedTypes) return session;
  if (!acceptedTypes.includes(ANY_TYPE) && !acceptedTypes.includes(mediaType(request.headers["content-type"])))
    throw httpErrors.unsupportedMediaType(
      acceptedTypes,
      request.method,
      sendsBody(request) ? undefined : "A body is needed here. Send it as",
    );
  if (!isPlain(request) && !(acceptsGzip && isGzip(request))) throw httpErrors.unsupportedEncoding(acceptsGzip);
  return session;
}

/** Goes by RFC 9112 section 6.3. */
function sendsBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** An answer without a body has no media type that a client could leave out. */
export function hasBody({ doc }: RouteHandler): boolean {
  return Object.values(doc.responses).some((schema) => schema !== null);
}

function allowed(names: readonly string[]): string {
  return [...names.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])), "OPTIONS"].join(", ");
}

/** Returns the methods that this session may use: a client that may only read is not offered to write. */
function permitted(route: Route, { scope, principal }: Session): HandledMethod[] {
  return methodsOf(route).filter((name) => {
    const needed = route[name]?.scope ?? "open";
    if (needed === "person") return principal.type === "user";
    return needed === "open" || allows(scope, needed);
  });
}

/** Returns the header fields that say what a client can do here, answered to HEAD and OPTIONS. */
function capabilities(route: Route, names: readonly HandledMethod[]): Record<string, string> {
  const acceptedTypes = (name: "POST" | "PATCH") => (names.includes(name) ? route[name]?.acceptedTypes : undefined);
  return {
    Allow: allowed(names),
    ...(acceptedTypes("POST") && { "Accept-Post": acceptedTypes("POST")?.join(", ") ?? "" }),
    ...(acceptedTypes("PATCH") && { "Accept-Patch": acceptedTypes("PATCH")?.join(", ") ?? "" }),
  };
}
