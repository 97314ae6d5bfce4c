// An API key for an access token: client_credentials of RFC 6749 section 4.4. The only door that takes a form.

import type { FastifyRequest } from "fastify";
import { API_ROOT, MAX_RECORD_BODY, TOKEN_PATH, TOKEN_SECONDS, type TokenReply } from "../../dictionary/wire.ts";
import type { Attempts } from "../auth/attempts.ts";
import type { Keys } from "../auth/keys.ts";
import { narrowScope } from "../auth/scopes.ts";
import type { Tokens } from "../auth/tokens.ts";
import type { Door } from "./door.ts";
import { jsonAnswer } from "./json.ts";
import { badTokenRequest, invalidClient, tooManyRequests } from "./refusal.ts";

const FORM = "application/x-www-form-urlencoded";

export function tokenDoor(keys: Keys, tokens: Tokens, attempts: Attempts): Door {
  return {
    url: API_ROOT + TOKEN_PATH,
    POST: {
      scope: "open",
      takes: [FORM],
      bodyLimit: MAX_RECORD_BODY,
      async handle(request) {
        const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : "");
        const grant = single(form, "grant_type");
        const { id, secret } = readClient(request, form);
        const names = [`from ${request.ip}`, `key ${id}`];
        const wait = attempts.waitFor(names);
        if (wait > 0) throw tooManyRequests(wait);
        const key = await keys.verify(id, secret);
        if (!key) {
          attempts.fail(names);
          throw invalidClient();
        }
        if (grant !== "client_credentials") throw badTokenRequest("unsupported_grant_type", "grant_type must be client_credentials.");
        const scope = narrowScope(key.scope, single(form, "scope"));
        if (scope === undefined) throw badTokenRequest("invalid_scope", "The key does not have the scope that was asked for.");
        const reply: TokenReply = {
          access_token: await tokens.issue(key.id, scope),
          token_type: "Bearer",
          expires_in: TOKEN_SECONDS,
          scope,
        };
        return jsonAnswer(200, reply, { "cache-control": "no-store", pragma: "no-cache" }); // RFC 6749 section 5.1
      },
    },
  };
}

/** Section 2.3.1: Basic, its halves form-encoded, or two form fields; not both. */
function readClient(request: FastifyRequest, form: URLSearchParams): { id: string; secret: string } {
  const { authorization } = request.headers;
  const inForm = { id: single(form, "client_id"), secret: single(form, "client_secret") };
  if (authorization === undefined) {
    if (inForm.id === undefined || inForm.secret === undefined) {
      throw badTokenRequest("invalid_request", "client_id and client_secret are needed: the API key's parts before and after the dot.");
    }
    return { id: inForm.id, secret: inForm.secret };
  }
  if (inForm.secret !== undefined) throw badTokenRequest("invalid_request", "Send the key once: by Basic or in the form.");
  const basic = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic ?? "", "base64").toString()) ?? [];
  if (id === undefined || secret === undefined) throw invalidClient();
  return { id: decodeForm(id), secret: decodeForm(secret) };
}

/** A parameter that is given twice makes the request invalid (section 3.2); an empty one counts as left out. */
function single(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name);
  if (values.length > 1) throw badTokenRequest("invalid_request", `${name} is given more than once.`);
  return values[0] || undefined;
}

function decodeForm(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll("&", "%26")}`).get("x") ?? "";
}
