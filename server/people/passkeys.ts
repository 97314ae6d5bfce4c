// One's own passkeys: see, add, rename and remove them, and prove who one is before that.

import type { FastifyRequest } from "fastify";
import { MOST_PASSKEYS, type Passkey } from "../../core/contract/passkeys.ts";
import { API_ROOT, ME_PATH, PASSKEYS_PATH, SESSIONS_PATH } from "../../core/contract/paths.ts";
import { MAX_PERSON_NAME } from "../../core/contract/people.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object, type Schema } from "../http/json-schemas.ts";
import { readParameters } from "../http/query-parameters.ts";
import { line, optional, readFields } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route } from "../http/route.ts";
import { KEEP, logEnded } from "./access.ts";
import type { Session } from "./auth/access-tokens.ts";
import { CHALLENGE_MS } from "./auth/passkeys/challenges.ts";
import type { Passkeys, RelyingParty } from "./auth/passkeys/passkeys.ts";
import type { RelyingPartyOf } from "./auth/passkeys/relying-party.ts";
import type { CheckProof } from "./auth/proof-check.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import type { MeParts } from "./me.ts";
import { ATTESTATION, attestation } from "./passkey-fields.ts";
import { personOf } from "./persons.ts";
import type { StoredPasskey } from "./store/passkeys.ts";
import { timeOf, timeOrNull } from "./wire.ts";

export interface PasskeyParts extends MeParts {
  passkeys: Passkeys;
  relyingPartyOf: RelyingPartyOf;
  checkProof: CheckProof;
}

const TEXT: Schema = { type: "string" };
const URL = `${API_ROOT}${ME_PATH}${PASSKEYS_PATH}`;

export function passkeyRoutes(parts: PasskeyParts): Route[] {
  return [signInOptionsRoute(parts), ownPasskeysRoute(parts), creationOptionsRoute(parts), ownPasskeyRoute(parts)];
}

/** Returns the page that the request comes from. Throws 400 for one that passkeys are not for. */
function partyOf(request: FastifyRequest, relyingPartyOf: RelyingPartyOf): RelyingParty {
  const party = relyingPartyOf(request);
  if (!party) throw httpErrors.badHeader("Origin", "Passkeys are for pages of this service and of CORS_ORIGINS: Origin must name one.");
  return party;
}

function signInOptionsRoute({ passkeys, relyingPartyOf }: PasskeyParts): Route {
  return {
    url: `${API_ROOT}${SESSIONS_PATH}/passkey-options`,
    POST: {
      scope: "open",
      doc: {
        id: "passkey_options",
        summary: "What a browser needs to sign in with a passkey (PublicKeyCredentialRequestOptionsJSON), for five minutes",
        headers: ["Origin"],
        responses: { 200: named("IntakePasskeyRequest") },
      },
      async handle(request) {
        return jsonAnswer(200, passkeys.request(partyOf(request, relyingPartyOf)), NO_STORE);
      },
    },
  };
}

function ownPasskeysRoute(parts: PasskeyParts): Route {
  const { people } = parts;
  return {
    url: URL,
    GET: {
      scope: "person",
      isBeforePasskey: true,
      doc: {
        id: "list_passkeys",
        summary: "One's own passkeys, the oldest first",
        responses: { 200: object({ passkeys: listOf(named("IntakePasskey")) }) },
      },
      async handle(_, session) {
        const { id } = await personOf(people, session);
        return jsonAnswer(200, { passkeys: (await people.listPasskeys(id)).map(toWire) }, NO_STORE);
      },
    },
    POST: {
      scope: "person",
      isBeforePasskey: true,
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "add_passkey",
        summary: "Adds the passkey that the browser made; without a name the service finds one. It needs a proof",
        headers: ["Origin"],
        body: { ...object({ passkey: ATTESTATION, name: TEXT }, ["passkey"]), additionalProperties: false },
        responses: { 201: named("IntakePasskey") },
        errors: [422],
      },
      handle: (request, session) => add(parts, request, session),
    },
  };
}

async function add(parts: PasskeyParts, request: FastifyRequest, session: Session) {
  const { people, passkeys, relyingPartyOf, checkProof, notify } = parts;
  const given = readFields(request.body, { passkey: attestation, name: optional(line("name", MAX_PERSON_NAME)) });
  const user = await personOf(people, session);
  const party = partyOf(request, relyingPartyOf);
  const { principal, sessionId = "" } = session;
  await checkProof(session, CHALLENGE_MS); // what was proved when the browser asked may be over by so much
  const made = await passkeys.add(user, { session: sessionId, source: sourceOf(request.ip) }, given.passkey, party, given.name);
  if (made === "ended") throw httpErrors.invalidToken();
  if (made === "refused") {
    logSecurityEvent(request, "passkey refused", { principal });
    const detail =
      "This passkey could not be added: it was not made for this page in the last five minutes, it is here already, or your passkeys have changed since. Try again.";
    throw httpErrors.validation([{ pointer: "/passkey", code: "PASSKEY_REFUSED", detail }]);
  }
  logSecurityEvent(request, "passkey added", { principal, target: made.passkey.id });
  notify(request, user, made.notice);
  return jsonAnswer(201, toWire(made.passkey), NO_STORE);
}

function creationOptionsRoute(parts: PasskeyParts): Route {
  const { people, passkeys, relyingPartyOf, checkProof } = parts;
  return {
    url: `${URL}/options`,
    POST: {
      scope: "person",
      isBeforePasskey: true,
      doc: {
        id: "new_passkey_options",
        summary: "What a browser needs to make a passkey (PublicKeyCredentialCreationOptionsJSON), for five minutes. It needs a proof",
        headers: ["Origin"],
        responses: { 200: named("IntakePasskeyCreation") },
        errors: [409],
      },
      async handle(request, session) {
        const user = await personOf(people, session);
        const party = partyOf(request, relyingPartyOf);
        await checkProof(session);
        if (user.passkeys >= MOST_PASSKEYS) throw httpErrors.tooManyPasskeys();
        return jsonAnswer(200, await passkeys.creation(user, session.sessionId ?? "", party), NO_STORE);
      },
    },
  };
}

function ownPasskeyRoute(parts: PasskeyParts): Route {
  const { people, isRequired, checkProof } = parts;
  return {
    url: `${URL}/:id`,
    PATCH: {
      scope: "person",
      acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
      doc: {
        id: "rename_passkey",
        summary: "Gives one of one's own passkeys another name",
        body: { ...object({ name: TEXT }), additionalProperties: false },
        responses: { 200: named("IntakePasskey") },
        errors: [404, 422],
      },
      async handle(request, session) {
        const { name } = readFields(request.body, { name: line("name", MAX_PERSON_NAME) });
        const { id: userId } = await personOf(people, session);
        const id = idOf(request);
        const isRenamed = await people.renamePasskey(id, userId, name);
        const renamed = isRenamed && (await people.listPasskeys(userId)).find((passkey) => passkey.id === id);
        if (!renamed) throw passkeyNotFound();
        return jsonAnswer(200, toWire(renamed), NO_STORE);
      },
    },
    DELETE: {
      scope: "person",
      doc: {
        id: "remove_passkey",
        summary:
          "Removes one of one's own passkeys. Other sessions, API keys and webhooks of one's own end but for what is kept. It needs a proof",
        parameters: { keep: KEEP },
        responses: { 204: null },
        errors: [404, 409],
      },
      async handle(request, session) {
        const { keep = [] } = readParameters(request.query, { keep: KEEP });
        const user = await personOf(people, session);
        await checkProof(session);
        const id = idOf(request);
        const outcome = await people.removePasskey(id, user.id, isRequired ? 1 : 0, [...keep, session.sessionId ?? ""], Date.now());
        if (outcome === "unknown") throw passkeyNotFound();
        if (outcome === "last") throw httpErrors.lastPasskey();
        logSecurityEvent(request, "passkey removed", { principal: session.principal, target: id });
        logEnded(request, outcome, session);
        return emptyAnswer(204);
      },
    },
  };
}

function passkeyNotFound() {
  return httpErrors.notFound("You have no passkey with this id.");
}

function toWire({ id, name, isSynced, createdAt, lastUsedAt }: StoredPasskey): Passkey {
  return { id, name, isSynced, createdAt: timeOf(createdAt), lastUsedAt: timeOrNull(lastUsedAt) };
}
