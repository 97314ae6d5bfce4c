// Access tokens: issued for an API key (client_credentials, RFC 6749 section 4.4) and revoked (RFC 7009).

import type { FastifyRequest } from "fastify";
import type { TokenReply } from "../../core/contract/keys.ts";
import { API_ROOT, REVOKE_PATH, TOKEN_PATH } from "../../core/contract/paths.ts";
import { narrowScope } from "../../core/contract/scopes.ts";
import { httpErrors } from "../http/errors.ts";
import { object } from "../http/json-schemas.ts";
import { type Limits, limitErrors } from "../http/limits.ts";
import { isDecodable } from "../http/request.ts";
import { jsonAnswer } from "../http/responses.ts";
import type { Route, RouteHandler } from "../http/route.ts";
import { limitedAs, type Tokens } from "./auth/access-tokens.ts";
import { bareId, type Keys, MAX_ID } from "./auth/api-keys.ts";
import { createAttempts } from "./auth/login-attempts.ts";
import { createRateLimiter, type RateLimiter } from "./auth/rate-limit.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import type { StoredKey } from "./store/keys.ts";

const FORM = "application/x-www-form-urlencoded";

// Whoever has the right key may know why it is refused.
const OWNER_DISABLED =
  "The account of the person whose API key this is is disabled. An administrator can enable it again or make another key.";

type OpenForm = Pick<RouteHandler, "scope" | "ignoresParameters" | "acceptedTypes" | "bodyLimit" | "errorsFor">;

const CLIENT = { client_id: { type: "string" }, client_secret: { type: "string" } };

export function tokenRoutes(keys: Keys, tokens: Tokens, limits: Limits): Route[] {
  const authenticateClient = createClientAuthenticator(keys);
  // Exchanges are rarer than the requests with the token, because each exchange is written to disk.
  const exchanges = createRateLimiter(limits.requestsPerSecond / 10, Math.ceil(limits.requestBurst / 2));
  const handler = {
    scope: "open",
    ignoresParameters: true,
    acceptedTypes: [FORM],
    errorsFor: "oauth",
  } satisfies OpenForm;
  return [
    {
      url: API_ROOT + TOKEN_PATH,
      POST: {
        ...handler,
        doc: {
          id: "token",
          summary: "Exchanges an API key for an access token",
          body: object({ grant_type: { const: "client_credentials" }, scope: { type: "string" }, ...CLIENT }, ["grant_type"]),
          responses: {
            200: object({
              access_token: { type: "string" },
              token_type: { const: "Bearer" },
              expires_in: { type: "integer" },
              scope: { type: "string" },
            }),
          },
          sentHeaders: { 200: ["Pragma"] },
          errors: [401, 429],
        },
        async handle(request) {
          const form = formOf(request);
          const grant = single(form, "grant_type");
          if (grant === undefined) throw httpErrors.badTokenRequest("invalid_request", "grant_type is needed: client_credentials.");
          const key = await authenticateClient(request, form);
          if (grant !== "client_credentials")
            throw httpErrors.badTokenRequest("unsupported_grant_type", "grant_type must be client_credentials.");
          const scope = narrowScope(key.scope, single(form, "scope"));
          if (scope === undefined) throw httpErrors.badTokenRequest("invalid_scope", "The key does not have the scope that was asked for.");
          limitExchanges(exchanges, limitedAs(key));
          const issued = await tokens.issue(key, scope, sourceOf(request.ip));
          if (issued === undefined) {
            logSecurityEvent(request, "key refused", { principal: { type: "key", id: key.id } });
            throw httpErrors.invalidClient(OWNER_DISABLED);
          }
          logSecurityEvent(request, "key exchanged", { principal: { type: "key", id: key.id } });
          const reply: TokenReply = {
            access_token: issued.token,
            token_type: "Bearer",
            expires_in: issued.seconds,
            scope,
          };
          return jsonAnswer(200, reply, { "cache-control": "no-store", pragma: "no-cache" }); // RFC 6749 section 5.1
        },
      },
    },
    revokeRoute(tokens, authenticateClient, handler),
  ];
}

function revokeRoute(tokens: Tokens, authenticateClient: ClientAuthenticator, handler: OpenForm): Route {
  return {
    url: API_ROOT + REVOKE_PATH,
    POST: {
      ...handler,
      doc: {
        id: "revoke",
        summary: "Revokes an access token: one of the API key in the request, or its own bearer token",
        body: object({ token: { type: "string" }, token_type_hint: { type: "string" }, ...CLIENT }, ["token"]),
        responses: { 200: object({}) },
        errors: [401, 429],
      },
      async handle(request) {
        const form = formOf(request);
        const token = single(form, "token");
        if (token === undefined) throw httpErrors.badTokenRequest("invalid_request", "token is needed: the access token to end.");
        // A token may end itself, so that an app that has forgotten its key can sign out.
        if (isOwnToken(request, token)) await tokens.end(token);
        else await tokens.revoke(token, (await authenticateClient(request, form)).id);
        // It answers 200 for an unknown token, too, so that nobody learns which tokens exist (RFC 7009 section 2.2).
        return jsonAnswer(200, {}, { "cache-control": "no-store" });
      },
    },
  };
}

function isOwnToken({ headers }: FastifyRequest, token: string): boolean {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] === token;
}

function formOf(request: FastifyRequest): URLSearchParams {
  const text = Buffer.isBuffer(request.body) ? request.body.toString() : "";
  if (!isDecodable(text)) throw httpErrors.badTokenRequest("invalid_request", "The form has a % that begins no valid character of UTF-8.");
  return new URLSearchParams(text);
}

/** Answers the API key in a request. Throws 401 for a wrong one, and 429 after too many wrong ones. */
type ClientAuthenticator = (request: FastifyRequest, form: URLSearchParams) => Promise<StoredKey>;

/**
 * Every key is verified, also after any number of wrong ones: otherwise anybody could lock out a right key by sending wrong
 * ones. The limit is against noise; what keeps a key from being guessed is its length (decision 201).
 */
function createClientAuthenticator(keys: Keys): ClientAuthenticator {
  const attempts = createAttempts();
  return async (request, form) => {
    const { id, secret } = readClient(request, form);
    const key = await keys.verify(id, secret);
    if (key) return key;
    // The id is normalised and cut to its greatest length, because failed names are kept in memory.
    const wait = attempts.fail([`from ${sourceOf(request.ip)}`, `key ${bareId(id).slice(0, MAX_ID)}`]);
    if (wait > 0) throw httpErrors.tooManyAttempts(wait); // not logged: whoever sends them could fill the disk
    logSecurityEvent(request, "key refused");
    throw httpErrors.invalidClient();
  };
}

function limitExchanges({ take, perSecond, burst }: RateLimiter, name: string): void {
  const { wait } = take(name);
  if (wait > 0) throw limitErrors.tooManyExchanges(wait, `"exchange";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`);
}

/** Reads it by RFC 6749 section 2.3.1: Basic with form-encoded parts, or two form fields; not both. */
function readClient(request: FastifyRequest, form: URLSearchParams): { id: string; secret: string } {
  const { authorization } = request.headers;
  const inForm = { id: single(form, "client_id"), secret: single(form, "client_secret") };
  if (authorization === undefined) {
    if (inForm.id === undefined || inForm.secret === undefined) {
      throw httpErrors.badTokenRequest(
        "invalid_request",
        "client_id and client_secret are needed: the API key's parts before and after the dot.",
      );
    }
    return { id: inForm.id, secret: inForm.secret };
  }
  if (inForm.secret !== undefined) throw httpErrors.badTokenRequest("invalid_request", "Send the key once: by Basic or in the form.");
  const basic = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic ?? "", "base64").toString()) ?? [];
  if (id === undefined || secret === undefined) throw httpErrors.invalidClient();
  return { id: decodeForm(id), secret: decodeForm(secret) };
}

/** Reads it by RFC 6749 section 3.2: a parameter must not occur twice; an empty one counts as left out. */
function single(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name);
  if (values.length > 1) throw httpErrors.badTokenRequest("invalid_request", `${name} is given more than once.`);
  return values[0] || undefined;
}

function decodeForm(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll("&", "%26")}`).get("x") ?? "";
}
