// One path with its methods: admits, checks types, answers, and says 405, OPTIONS and HEAD the same way everywhere.

import { METHODS } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Scope } from "../auth/scopes.ts";
import type { Session } from "../auth/tokens.ts";
import type { Answer } from "../store/store.ts";
import { accepts, mediaType } from "./content.ts";
import type { Gate } from "./gate.ts";
import { notAcceptable, notAllowed, unsupportedType } from "./refusal.ts";

export interface Way {
  /** "open": no token needed. */
  scope: Scope | "open";
  handle(request: FastifyRequest, session: Session): Promise<Answer>;
  /** Media types of the body; without them there is no body. */
  takes?: readonly string[];
  bodyLimit?: number; // bytes
  /** Media type of the answer, application/json where not said. */
  gives?: string;
}

export interface Door {
  url: string;
  GET?: Way;
  POST?: Way;
  PUT?: Way;
  PATCH?: Way;
  DELETE?: Way;
}

const ANYONE: Session = { keyId: "", scope: "" };
const HANDLER_TIMEOUT = 90_000; // ms; 60 s for the body to arrive and 30 s for us. Only where there is a body: a timer costs a read a tenth of its time

export const JSON_TYPE = "application/json";
export const MERGE_PATCH_TYPE = "application/merge-patch+json";

const WAYS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
// CONNECT never comes as a request; QUERY Fastify handles in its own way.
const OTHERS = METHODS.filter((method) => !["CONNECT", "QUERY"].includes(method));

/** Must run before the first door: without it Fastify answers 404 to methods it does not know by itself. */
export function knowAllMethods(app: FastifyInstance): void {
  for (const method of OTHERS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: false });
  }
}

export function openDoor(app: FastifyInstance, gate: Gate, door: Door): void {
  const names = WAYS.filter((name) => door[name]);
  const allow = [...names.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])), "OPTIONS"].join(", ");
  const known = capabilities(door, allow);
  for (const name of names) {
    const way = door[name] as Way;
    if (way.takes) openForBodies(app, gate, door.url, name, way);
    else {
      app.route({
        method: name,
        url: door.url,
        handler: async (request, reply) => send(reply, await way.handle(request, await admit(gate, way, request))),
      });
    }
    if (name !== "GET") continue;
    app.route({
      method: "HEAD",
      url: door.url,
      handler: async (request, reply) => sendHead(reply, await way.handle(request, await admit(gate, way, request)), known),
    });
  }
  app.route({ method: "OPTIONS", url: door.url, handler: (_request, reply) => reply.code(204).headers(known).send() });
  const scope = (door.GET ?? door.POST)?.scope ?? "open";
  app.route({
    method: OTHERS.filter((method) => !allow.split(", ").includes(method)),
    url: door.url,
    onRequest: async (request) => {
      if (scope !== "open") await gate.admit(request, scope);
      throw notAllowed(request.method, allow);
    },
    handler: () => undefined,
  });
}

/** Admits before the body is read: who is not let in sends nothing, and what cannot be answered is not begun. */
function openForBodies(app: FastifyInstance, gate: Gate, url: string, method: string, way: Way): void {
  const sessions = new WeakMap<FastifyRequest, Session>();
  app.route({
    method,
    url,
    ...(way.bodyLimit !== undefined && { bodyLimit: way.bodyLimit }),
    handlerTimeout: HANDLER_TIMEOUT,
    onRequest: async (request) => {
      sessions.set(request, await admit(gate, way, request));
    },
    handler: async (request, reply) => send(reply, await way.handle(request, sessions.get(request) ?? ANYONE)),
  });
}

async function admit(gate: Gate, { scope, takes, gives = JSON_TYPE }: Way, request: FastifyRequest): Promise<Session> {
  const session = scope === "open" ? ANYONE : await gate.admit(request, scope);
  if (!accepts(request.headers.accept, gives)) throw notAcceptable(gives);
  if (takes && (!takes.includes(mediaType(request.headers["content-type"])) || request.headers["content-encoding"])) {
    throw unsupportedType(takes, request.method === "PATCH" ? "Accept-Patch" : "Accept-Post");
  }
  return session;
}

/** What a client may do here; the interface says to look it up by HEAD. */
function capabilities(door: Door, allow: string): Record<string, string> {
  return {
    Allow: allow,
    ...(door.POST?.takes && { "Accept-Post": door.POST.takes.join(", ") }),
    ...(door.PATCH?.takes && { "Accept-Patch": door.PATCH.takes.join(", ") }),
  };
}

// Answers are text already. Without a serializer Fastify adds a charset to JSON types, which have none (RFC 8259 section 11).
const asItIs = (body: unknown) => body as string;

export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if (reply.request.method === "HEAD") return sendHead(reply, answer, {});
  const { status, headers, body } = answer;
  reply.code(status).serializer(asItIs).headers(headers);
  return status === 204 || status === 304 ? reply.send() : reply.send(body);
}

function sendHead(reply: FastifyReply, { status, headers, body }: Answer, known: Record<string, string>): FastifyReply {
  reply.code(status).headers(headers).headers(known);
  if (status !== 204 && status !== 304) reply.header("Content-Length", Buffer.byteLength(body));
  return reply.send();
}
