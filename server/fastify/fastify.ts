// The configured Fastify instance: limits, logging, security headers, and a problem document for every error.

import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Awaitable } from "../engine/script/awaitable.ts";
import { StoreInDoubt, StoreTooCostly, StoreUnavailable } from "../engine/store.ts";
import { HttpError, httpErrors } from "../http/errors.ts";
import { DEFAULT_LIMITS, type Limits } from "../http/limits.ts";
import type { Metrics } from "../http/metrics.ts";
import { ANSWER_HEADERS, TRANSPORT_SECURITY } from "../http/page-headers.ts";
import { problemAnswer, toHttpError } from "../http/problem.ts";
import { isDecodable, pathOf } from "../http/request.ts";
import { send } from "../http/send-answer.ts";
import { limitBodies } from "./body-times.ts";
import { createConnectionRejections, rejectExpectation } from "./client-errors.ts";
import { drainConnections } from "./connection-draining.ts";
import { limitConnections } from "./connection-limits.ts";
import { corsHeaders, corsHeadersForAll } from "./cors.ts";
import { errorPage, isNavigation } from "./error-page.ts";
import { type StoreOutage, watchOutages } from "./store-outage.ts";
import { trustOf } from "./trusted-proxies.ts";

export interface FastifyOptions {
  /** Level of the JSON log; "silent" in tests. */
  logLevel?: string;
  /** Says where log lines go; standard output by default. */
  logTo?: { write(line: string): void };
  limits?: Limits;
  /** Addresses and ranges of the proxies whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[];
  isStopping?: () => boolean;
  /** Origins whose pages may call the API from a browser, besides the service's own. */
  corsOrigins?: readonly string[];
  /** Says where people find the app, without a slash at the end. */
  publicUrl?: string;
}

// W3C Trace Context, version 00. Anything else is ignored: it could write whatever it likes into the log.
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

// RFC 3986 section 3.2.2, with a port. Letters beyond ASCII come as punycode or percent-encoded.
const HOST = /^(?:[\w.~!$&'()*+;=%-]*|\[[0-9A-Fa-f:.v]+\])(?::[0-9]{0,5})?$/;

const SERVICE_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"; // to OPTIONS *, which asks about no address

const CHECK_EVERY = 2_000; // ms; how often Node checks for requests that arrive too slowly, by default every 30 s

/** `ping`: of the store; see `Store`. */
export function createFastify(options: FastifyOptions, metrics: Metrics, ping: () => Promise<void>): FastifyInstance {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const level = options.logLevel ?? "silent";
  const origins = options.corsOrigins ?? [];
  const isTrusted = options.trustedProxies?.length ? trustOf(options.trustedProxies) : undefined;
  const home = `${options.publicUrl ?? ""}/`;
  const rejections = createConnectionRejections(corsHeadersForAll(origins));
  const app = Fastify({
    logger: level === "silent" ? false : { level, serializers: LOG_SERIALIZERS, ...(options.logTo && { stream: options.logTo }) },
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: isTrusted ?? false,
    connectionTimeout: 120_000, // ms without a byte
    requestTimeout: 0, // body-times.ts ends what comes too slowly
    keepAliveTimeout: 72_000, // ms; longer than the 60 s of usual proxies, so that they close first
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headerSeconds * 1_000,
      connectionsCheckingInterval: CHECK_EVERY,
      requireHostHeader: false, // requestErrorOf requires it, so that the answer is a problem document
      joinDuplicateHeaders: true, // two Authorization headers become one that is no token, instead of the first being used
    },
    return503OnClosing: false, // requests that have arrived are finished, with Connection: close
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply); // the hooks do not run before these
      return sendProblem(error, request, reply.headers(corsHeaders(origins, request.headers.origin)), outage, home);
    },
    clientErrorHandler: rejections.reject,
  });
  for (const name of ["address", "renamed", "renamedSince", "dictionary"]) app.decorateRequest(name, undefined); // every request with its members in one order, which V8 handles fastest
  const outage = watchOutages(ping, app.log);
  app.addHook("onClose", async () => outage.close());
  rejections.watch(app.server);
  limitConnections(app.server, limits, isTrusted);
  drainConnections(app, options.isStopping ?? (() => false));
  limitBodies(app, limits.requestSeconds);
  // One logger for all requests: one for each would cost a read a twentieth of its time. The lines name their request themselves.
  Object.assign(app.log, { child: () => app.log });
  app.addHook("onRequest", (request, reply, done) => {
    setCommonHeaders(request, reply);
    const trace = request.headers.traceparent;
    if (typeof trace === "string" && TRACEPARENT.test(trace)) reply.header("traceparent", trace);
    if (request.url === "*" && request.method === "OPTIONS") return void reply.code(204).header("allow", SERVICE_METHODS).send();
    const error = requestErrorOf(request, limits);
    if (error) reply.headers(corsHeaders(origins, request.headers.origin)); // the plugin's hook comes later
    done(error);
  });
  app.server.maxHeadersCount = 0; // their bytes are limited; by their number Node would silently drop the last ones, even If-Match
  app.server.on("checkExpectation", (request, response) => rejectExpectation(request, response, origins));
  // Only who may write, and sends what can be read, is asked for the body: readBody does it.
  app.server.on("checkContinue", (request, response) => app.server.emit("request", request, response));
  // Fastify reads no body. Routes do (read-body.ts), within a budget, and as bytes: idempotency compares bytes, and each handler
  // has its own media types.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _body, done) => done(null));
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, outage, home));
  const isLogged = ["info", "debug"].includes(level);
  app.addHook("onResponse", (request, reply, done) => {
    metrics.observe(request.method, request.address ?? request.routeOptions.url, reply.statusCode, reply.elapsedTime / 1_000);
    if (isLogged) request.log.info({ req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, "answered");
    done();
  });
  return app;
}

/** HTTPS is what a trusted proxy says in X-Forwarded-Proto. A browser that has seen the field refuses plain HTTP, so it must be certain. */
function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(ANSWER_HEADERS).header("request-id", request.id);
  if (request.headers["x-forwarded-proto"] !== undefined && request.protocol === "https") reply.headers(TRANSPORT_SECURITY);
}

/** Only the route's pattern is logged: paths and queries hold ids and names, headers hold tokens. */
const LOG_SERIALIZERS = {
  req: (request: FastifyRequest) => {
    const trace = TRACEPARENT.exec(String(request.headers.traceparent))?.[1];
    return { method: request.method, route: request.address ?? request.routeOptions.url, id: request.id, ...(trace && { trace }) };
  },
  err: (error: Error) => ({ type: error.name, message: sentenceOf(error), ...codeOf(error), stack: framesOf(error) }),
};

/** The message may repeat data, but for the store's own errors, whose sentences are fixed. */
function sentenceOf(error: Error): string {
  return [StoreUnavailable, StoreInDoubt, StoreTooCostly].some((kind) => error instanceof kind) ? error.message : "";
}

/** Returns SQLSTATE or errno of the error or of what caused it: letters and digits, never data. */
function codeOf({ code, cause }: Error & { code?: unknown }): { code?: string } {
  if (typeof code === "string" && /^[A-Z0-9_]{3,40}$/.test(code)) return { code };
  return cause instanceof Error ? codeOf(cause) : {};
}

/** Returns the stack without the message, which may repeat data in any number of lines. */
function framesOf({ stack = "", message }: Error): string {
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length).split("\n");
  return frames.filter((line) => /^ +at /.test(line)).join("\n");
}

/** `home`: where the page of an error leads, which a browser is shown that was sent to the address. */
function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  outage: StoreOutage,
  home: string,
): Awaitable<FastifyReply> {
  const httpError = toHttpError(error, ["GET", "HEAD"].includes(request.method));
  const fault = error instanceof HttpError ? error.cause : error;
  if (httpError.status >= 500 && fault) request.log[outage.isKnown(fault) ? "debug" : "error"]({ err: fault, req: request }, "failed");
  if (isNavigation(request)) return errorPage(httpError, request, home).then((page) => send(reply, page));
  return send(
    reply,
    problemAnswer(httpError, { instance: pathOf(request), requestId: request.id, errorsFor: request.routeOptions?.config?.errorsFor }),
  );
}

/** Rejects what Node's parser accepts: no Host or two, a transfer coding other than chunked, an address that is not UTF-8. */
function requestErrorOf({ url, headers, raw }: FastifyRequest, limits: Limits): HttpError | undefined {
  if (url.length > limits.urlCharacters) return httpErrors.uriTooLong();
  const { host, "transfer-encoding": coding } = headers;
  // RFC 9112 sections 3.2 and 6.1
  if (host === undefined ? raw.httpVersion === "1.1" : host.includes(",")) return httpErrors.badRequest("Send one Host header.");
  if (host && !HOST.test(host)) return httpErrors.badRequest("The Host header is no name of a host.");
  if (coding !== undefined && coding.toLowerCase() !== "chunked") return httpErrors.unknownTransferCoding();
  // The router decodes the path itself. The query's decoder would insert a replacement character and search for that.
  if (url.includes("%") && !isDecodable(url)) return httpErrors.undecodableAddress();
  return undefined;
}
