// Requests of people for the answers that the OpenAPI document promises.

import { MOST_PASSKEYS, type PasskeyAttestation } from "../../core/contract/passkeys.ts";
import { MOST_WEBHOOKS } from "../../core/contract/webhooks.ts";
import { createAccounts } from "../people/auth/accounts.ts";
import { createPasskeys } from "../people/auth/passkeys/passkeys.ts";
import { randomId } from "../people/auth/random-codes.ts";
import { createSessions } from "../people/auth/sessions.ts";
import type { StoredUser } from "../people/store/users.ts";
import { makePasskey } from "./authenticator.ts";
import type { PlannedRequest, Promised } from "./response-coverage.ts";
import { bodyOfDraft, idOfDictionary } from "./response-coverage-dictionary.ts";
import {
  bodyOfRecipe,
  bodyOfRun,
  bodyOfView,
  newLogo,
  newRecipe,
  newRun,
  newView,
  requestOfRecipe,
  requestOfRun,
  requestOfView,
} from "./response-coverage-saved.ts";
import { bodyOfWebhook, fillWebhooks, newWebhook } from "./response-coverage-webhooks.ts";
import type { TestService } from "./service.ts";

const PASSWORD = "gorse lantern 47 quay";
const OIDC_START = new URLSearchParams({ return_to: "http://localhost/welcome", code_challenge: "A".repeat(43) });
let last = 0;

/** Requests to sign in that are refused, by any way. */
export const WRONG: Record<string, unknown> = {
  "/v1/links/lookup": { code: "wrong" },
  "/v1/links/use": { code: "wrong", password: PASSWORD },
  "/v1/sessions": { email: "nobody@example.org", password: "wrong" },
  "/v1/sessions/refresh": { refresh_token: "wrong" },
};

/** Says whether it depends on the settings that this can be asked for. */
export function isOffered(template: string): boolean {
  return ["/v1/access-requests", "/v1/password-resets"].includes(template);
}

/** What is for people needs a person's token, everything else an administrator's key. */
export async function tokenFor(service: TestService, template: string): Promise<string> {
  if (template === "/v1/users/{id}/view") return (await personWithPassword(service, "administrator")).token;
  const isOfPerson = template.startsWith("/v1/me") || template.startsWith("/v1/sessions");
  return isOfPerson ? (await personWithPassword(service)).token : service.tokenFor("admin");
}

let lastPerson = "";

async function personWithPassword(service: TestService, role = "viewer") {
  const person = await service.newPerson(role);
  const accounts = createAccounts(service.store.people);
  const user = await service.store.people.readUser(person.id);
  if (!user) throw new Error("no person");
  const { code } = await accounts.renewLink(user);
  const used = await accounts.redeemLink(code, { email: "", name: "", password: PASSWORD });
  if (!used || "detail" in used) throw new Error("the password was refused");
  const issued = await createSessions(service.store.people).start(used.user, { method: "password", agent: "test", source: "127.0.0.1" });
  lastPerson = person.id;
  return { ...person, token: issued?.accessToken ?? "", refreshToken: issued?.refreshToken ?? "" };
}

let lastRole = 0;

/** Each with a name of its own. */
function newRole() {
  return { name: `Own ${++lastRole}`, scope: "read" };
}

/** The id in the path, if it is not a record's. */
export async function idOf(service: TestService, template: string): Promise<string | undefined> {
  if (template.startsWith("/v1/users/")) return (await service.newPerson("viewer")).id;
  if (template.startsWith("/v1/access-requests/")) return newRequest(service);
  if (template.startsWith("/v1/webhooks/")) return newWebhook(service);
  if (template.startsWith("/v1/organisation/")) return newLogo(service);
  if (template.startsWith("/v1/dictionary/")) return idOfDictionary(service, template);
  if (template.startsWith("/v1/recipes/")) return (await newRecipe(service)).id;
  if (template.startsWith("/v1/views/")) return (await newView(service)).id;
  if (template.startsWith("/v1/runs/")) return newRun(service);
  if (template.startsWith("/v1/roles/")) return (await service.call("POST", "/v1/roles", newRole())).json.id;
  if (template === "/v1/me/passkeys/{id}") {
    if (!(await service.store.people.readUser(lastPerson))) await personWithPassword(service); // OPTIONS needs no token, so made nobody
    return addPasskey(service);
  }
  if (template === "/v1/me/notices/{id}") return newNoticeOf(service);
  if (!template.startsWith("/v1/me/sessions/")) return undefined;
  const [session] = await createSessions(service.store.people).list(lastPerson);
  return session?.id;
}

/** A body that is accepted. */
export async function bodyOf(service: TestService, template: string): Promise<unknown> {
  switch (template) {
    case "/v1/organisation":
      return { name: "Other" };
    case "/v1/recipes":
    case "/v1/recipes/{id}":
      return bodyOfRecipe(service, template);
    case "/v1/views":
    case "/v1/views/{id}":
      return bodyOfView(service, template);
    case "/v1/runs/{id}":
      return bodyOfRun(service);
    case "/v1/keys":
      return { scope: "read" };
    case "/v1/users":
      return { email: `new${++last}@example.org`, name: "New", roles: ["viewer"] };
    case "/v1/users/{id}":
      return { name: "Other" };
    case "/v1/access-requests":
      return { email: `asks${++last}@example.org`, name: "New" };
    case "/v1/access-requests/{id}/approve":
      return { roles: ["viewer"] };
    case "/v1/password-resets":
      return { email: "nobody@example.org" };
    case "/v1/roles":
      return newRole();
    case "/v1/roles/{id}":
      return { name: newRole().name };
    case "/v1/links/lookup":
      return { code: await newLink(service) };
    case "/v1/links/use":
      return { code: await newLink(service), password: PASSWORD };
    case "/v1/sessions":
      return { email: (await personWithPassword(service)).email, password: PASSWORD };
    case "/v1/sessions/refresh":
      return { refresh_token: (await personWithPassword(service)).refreshToken };
    case "/v1/me":
      return { name: "Other" };
    case "/v1/me/proof":
      return { password: PASSWORD };
    case "/v1/me/passkeys":
      return { passkey: await newPasskey(service) };
    case "/v1/me/passkeys/{id}":
      return { name: "Other" };
    case "/v1/me/password":
      return { current: PASSWORD, password: `${PASSWORD} too` };
    default:
      return bodyOfDraft(template) ?? bodyOfWebhook(service, template);
  }
}

/** The page that asks for passkeys. */
export const PAGE = { origin: "https://intake.example.org" };

const PARTY = { ...PAGE, rpId: "intake.example.org" };

async function lastUser({ store }: TestService): Promise<StoredUser> {
  const user = await store.people.readUser(lastPerson);
  if (!user) throw new Error("no person");
  return user;
}

/** Returns what a browser would answer to the person who was made last. */
async function newPasskey(service: TestService): Promise<PasskeyAttestation> {
  const { people, secrets } = service.store;
  const options = await createPasskeys(people, secrets).creation(await lastUser(service), await lastSession(service), PARTY);
  return makePasskey(options, PAGE.origin).answer;
}

async function addPasskey(service: TestService): Promise<string> {
  const { people, secrets } = service.store;
  const user = await lastUser(service);
  const added = await createPasskeys(people, secrets).add(
    user,
    { session: await lastSession(service), source: "127.0.0.1" },
    await newPasskey(service),
    PARTY,
  );
  if (typeof added === "string") throw new Error(added);
  return added.passkey.id;
}

/** Belongs to a passkey, which the person is told of. */
async function newNoticeOf(service: TestService): Promise<string> {
  if (!(await service.store.people.readUser(lastPerson))) await personWithPassword(service);
  await addPasskey(service);
  const [notice] = await service.store.people.listNotices(lastPerson);
  return notice?.id ?? "";
}

async function lastSession({ store }: TestService): Promise<string> {
  const [session] = await createSessions(store.people).list(lastPerson);
  return session?.id ?? "";
}

async function newLink({ store }: TestService): Promise<string> {
  const invited = await createAccounts(store.people).invite({ email: `new${++last}@example.org`, name: "New", roles: ["viewer"] });
  return invited?.link.code ?? "";
}

async function newRequest({ store }: TestService, email = `asks${++last}@example.org`): Promise<string> {
  const asked = { id: randomId(), email, name: "New", message: "", language: "en", askedAt: Date.now(), hasAccount: false } as const;
  await store.people.addAccessRequest(asked, 1_000, 0);
  return asked.id;
}

/** The requests whose answer depends on who there is. */
export async function requestOfPerson(
  service: TestService,
  promised: Promised,
  valid: PlannedRequest,
): Promise<PlannedRequest | undefined> {
  const { template, method, status } = promised;
  if (template === "/v1/oidc/start") return { ...valid, path: `${valid.path}?${OIDC_START}`, headers: { host: "localhost" } };
  if (template === "/v1/access") {
    const { id } = await service.newPerson("viewer");
    const [first] = service.collections;
    return { ...valid, path: `${valid.path}?user=${status === 404 ? "nobody" : id}&collection=${first?.name}` };
  }
  if (!/^\/v1\/(?:users|roles|webhooks|organisation|recipes|runs|views|links|sessions|me|access-requests|password-resets)\b/.test(template))
    return undefined;
  if (status === 422) return { ...valid, body: JSON.stringify({ nonsense: 1 }) };
  if (status === 404 && template.startsWith("/v1/links"))
    return { ...valid, body: JSON.stringify({ code: "wrong", ...(template.endsWith("/use") && { password: "wrong" }) }) };
  const ofRecipe = template.startsWith("/v1/recipes") && (await requestOfRecipe(service, template, status));
  if (ofRecipe) return { ...valid, ...ofRecipe };
  const ofRun = template === "/v1/runs/{id}" && method === "PUT" && requestOfRun(service, status);
  if (ofRun) return { ...valid, ...ofRun };
  const ofView = template.startsWith("/v1/views") && (await requestOfView(service, template, status));
  if (ofView) return { ...valid, ...ofView };
  if (status === 409) return { ...valid, ...(await conflict(service, template, method)) };
  return undefined;
}

async function conflict(service: TestService, template: string, method: string): Promise<Partial<PlannedRequest>> {
  if (template === "/v1/users") {
    const { email } = await service.newPerson("viewer");
    return { body: JSON.stringify({ email, name: "Other", roles: [] }) };
  }
  if (template.startsWith("/v1/access-requests/")) {
    const { email } = await service.newPerson("viewer");
    return { path: template.replace("{id}", await newRequest(service, email)) };
  }
  if (template === "/v1/webhooks") {
    await fillWebhooks(service, MOST_WEBHOOKS);
    return {};
  }
  if (template === "/v1/roles") return { body: JSON.stringify({ name: "Administrat\u043er", scope: "read" }) };
  if (template.startsWith("/v1/roles/")) return { path: "/v1/roles/viewer" };
  if (template === "/v1/me/passkeys/{id}") return {}; // the last one, where passkeys are compulsory
  if (template.startsWith("/v1/me/passkeys")) {
    for (let i = 0; i < MOST_PASSKEYS; i++) await addPasskey(service);
    return {};
  }
  const person = await service.newPerson("administrator");
  for (const { id } of await service.store.people.listUsers()) {
    if (id !== person.id) await service.store.people.changeUser(id, { status: "disabled" });
  }
  if (method === "PATCH") return { path: `/v1/users/${person.id}`, body: JSON.stringify({ status: "disabled" }) };
  await service.newPerson("administrator");
  await service.store.people.changeUser(person.id, { status: "disabled" });
  return { path: `/v1/users/${person.id}/links` };
}
