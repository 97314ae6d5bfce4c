// Sign-in with the organisation's own sign-in, against a real OpenID Connect provider on this machine.

import { createHash, randomBytes } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type OidcSettings, readOidcSettings } from "../../people/auth/oidc/oidc-settings.ts";
import { openTestProvider, type ProviderPerson, type TestProvider } from "../../testing/servers/oidc-provider.ts";
import { DICTIONARY, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase } from "../../testing/store.ts";

const OWN = "https://intake.example.org";
const APP = "https://app.example.org";
const HOST = { host: "intake.example.org" };
const PARTS = { publicUrl: OWN, corsOrigins: [APP] };

let provider: TestProvider;
let service: TestService;
beforeAll(async () => {
  provider = await openTestProvider({ redirectUris: [`${OWN}/v1/oidc/callback`] });
  service = await openTestService(DICTIONARY, { ...PARTS, oidc: provider.settings() });
});
afterAll(async () => {
  await service.close();
  await provider.close();
});
afterEach(() => {
  provider.tamper = undefined;
});

const S256 = (text: string) => createHash("sha256").update(text).digest("base64url");
const newVerifier = () => randomBytes(32).toString("base64url");
const addressOf = (parameters: Record<string, string>) => `/v1/oidc/start?${new URLSearchParams(parameters)}`;

async function start(verifier = newVerifier(), more: Record<string, string> = {}, at = service) {
  const reply = await at.raw("GET", addressOf({ return_to: `${OWN}/welcome`, code_challenge: S256(verifier), ...more }), HOST);
  return { reply, location: reply.headers.location ?? "", cookie: cookieOf(reply), verifier };
}
const cookieOf = ({ headers }: { headers: Record<string, string | undefined> }) => String(headers["set-cookie"] ?? "").split(";")[0] ?? "";

/** Does what a browser does at the provider. Answers the address with which it is sent back. */
async function atProvider(address: string, query: string, own = OWN): Promise<string> {
  const cookies = new Map<string, string>();
  for (let i = 0, next = address; i < 10; i++) {
    if (next.startsWith(own)) return next;
    const url = new URL(next, address);
    if (url.pathname.startsWith("/interaction/")) url.search = query;
    const reply = await fetch(url, { redirect: "manual", headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") } });
    for (const set of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    next = reply.headers.get("location") ?? "";
    if (next === "") throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
  }
  throw new Error("too many redirects");
}

async function comeBack(callback: string, cookie: string, at = service) {
  const reply = await at.raw("GET", callback.slice(OWN.length), { ...HOST, ...(cookie && { cookie }) });
  expect(reply.status).toBe(302);
  const [place, fragment = ""] = (reply.headers.location ?? "").split("#");
  return { place, ...Object.fromEntries(new URLSearchParams(fragment)), reply } as {
    place: string;
    code?: string;
    error?: string;
    state?: string;
    reply: typeof reply;
  };
}
const exchange = (code: string | undefined, code_verifier: string, more = {}, at = service) =>
  at.raw("POST", "/v1/sessions", { ...HOST, "content-type": "application/json" }, JSON.stringify({ code, code_verifier, ...more }));

/** The whole way of one person. */
async function signIn(subject: string, at = service) {
  const { location, cookie, verifier } = await start(undefined, {}, at);
  const back = await comeBack(await atProvider(location, `who=${subject}`), cookie, at);
  return { ...back, session: back.code === undefined ? undefined : (await exchange(back.code, verifier, {}, at)).json };
}

let last = 0;
function newPerson(more: ProviderPerson = {}): { subject: string; email: string } {
  const subject = `subject-${++last}`;
  const email = `${subject}@example.org`;
  provider.persons.set(subject, { email, email_verified: true, name: `Person ${last}`, groups: ["staff"], ...more });
  return { subject, email };
}
const changeAtProvider = (subject: string, change: ProviderPerson) =>
  provider.persons.set(subject, { ...provider.persons.get(subject), ...change });
async function invite(email: string, roles = ["viewer"]): Promise<string> {
  const reply = await service.call("POST", "/v1/users", { email, name: "Invited", roles });
  expect(reply.status).toBe(201);
  return reply.json.user.id;
}
const readUser = async (id: string) => (await service.call("GET", `/v1/users/${id}`)).json;

describe("somebody whom the provider knows", () => {
  test("signs in, and has the same session as with a password", async () => {
    const { subject, email } = newPerson();
    const { session, reply } = await signIn(subject);
    expect(session).toMatchObject({ token_type: "Bearer", expires_in: 900, user: { email, roles: ["editor"], status: "active" } });
    const bearer = { authorization: `Bearer ${session.access_token}` };
    expect((await service.raw("GET", "/v1/customers", bearer)).status).toBe(200);
    const { sessions } = (await service.raw("GET", "/v1/me/sessions", bearer)).json;
    expect(sessions).toMatchObject([{ method: "oidc", isCurrent: true }]);
    expect((await refresh(session.refresh_token)).status).toBe(201);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect((await service.raw("GET", "/v1/sign-in")).json.oidc).toEqual({ name: "Acme" });
  });
  const refresh = (refresh_token: string) =>
    service.raw("POST", "/v1/sessions/refresh", { "content-type": "application/json" }, JSON.stringify({ refresh_token }));

  test("proves who they are by signing in there again, and nobody else for them", async () => {
    const [own, other] = [newPerson({ groups: ["it"] }), newPerson()];
    const { session } = await signIn(own.subject);
    const bearer = { authorization: `Bearer ${session.access_token}`, "content-type": "application/json" };
    const newKey = () => service.raw("POST", "/v1/keys", bearer, '{"scope":"read"}');
    const prove = async (subject: string) => {
      const { location, cookie, verifier } = await start();
      const { code } = await comeBack(await atProvider(location, `who=${subject}`), cookie);
      return service.raw("POST", "/v1/me/proof", bearer, JSON.stringify({ code, code_verifier: verifier }));
    };
    expect((await newKey()).status).toBe(201); // the sign-in is a proof
    expect((await service.raw("GET", "/v1/me/proof", bearer)).json).toEqual({ ways: ["oidc"] });
    await service.store.people.proveSession((await service.raw("GET", "/v1/me/sessions", bearer)).json.sessions[0].id, 0, false);
    expect((await newKey()).json.code).toBe("PROOF_NEEDED");
    expect((await prove(other.subject)).json.errors[0]).toMatchObject({ pointer: "/code", code: "CODE_INVALID" });
    expect((await newKey()).json.code).toBe("PROOF_NEEDED");
    expect((await prove(own.subject)).status).toBe(204);
    expect((await newKey()).status).toBe(201);
  });

  test("signs in to an app on another host, which gets back its own state", async () => {
    const { subject } = newPerson();
    const { location, cookie, verifier } = await start(undefined, { return_to: `${APP}/x/welcome?a=b`, state: "tab-1" });
    const back = await comeBack(await atProvider(location, `who=${subject}`), cookie);
    expect([back.place, back.state]).toEqual([`${APP}/x/welcome?a=b`, "tab-1"]);
    const signedIn = await exchange(back.code, verifier, { cookie: true });
    expect([signedIn.status, signedIn.json.refresh_token]).toEqual([201, undefined]);
    expect(signedIn.headers["set-cookie"]).toContain("__Secure-intake_session=");
  });

  test("comes in by claims that the provider tells only when it is asked", async () => {
    const thin = await openTestProvider({ redirectUris: [`${OWN}/v1/oidc/callback`], tokensHaveAll: false });
    const own = await openTestService(DICTIONARY, { ...PARTS, oidc: thin.settings() });
    try {
      thin.persons.set("thin", { email: "thin@example.org", email_verified: true, name: "Thin", groups: ["it"] });
      // An address in the token is not verified by what is told of another one.
      thin.tamper = (_, claims) => thin.sign({ ...claims, email: "somebody.else@example.org" });
      expect((await signIn("thin", own)).session.user).toMatchObject({ email: "thin@example.org", name: "Thin", roles: ["administrator"] });
    } finally {
      await own.close();
      await thin.close();
    }
  });

  test("may come back to another process than the one that sent them away", async () => {
    const database = await createTestDatabase();
    const parts = { ...PARTS, oidc: provider.settings() };
    const one = await openTestService(DICTIONARY, parts, database);
    try {
      const { subject } = newPerson();
      const { location, cookie, verifier } = await start(undefined, {}, one);
      const callback = await atProvider(location, `who=${subject}`);
      await one.reopen(); // nothing of the sign-in is in the memory of a process
      const { code } = await comeBack(callback, cookie, one);
      await one.reopen();
      expect((await exchange(code, verifier, {}, one)).status).toBe(201);
    } finally {
      await one.close();
      await database.drop();
    }
  });
});

describe("who may come in:", () => {
  test("somebody who comes for the first time in two tabs at once gets one account", async () => {
    const { subject, email } = newPerson();
    const both = await Promise.all([signIn(subject), signIn(subject)]);
    expect(new Set(both.map(({ session }) => session.user.id)).size).toBe(1);
    const { users } = (await service.call("GET", "/v1/users")).json;
    expect(users.filter((user: { email: string }) => user.email === email)).toHaveLength(1);
  });

  test("somebody invited, whose account is then active, keeps the roles that the administrator gave", async () => {
    const { subject, email } = newPerson({ groups: ["it"] });
    const id = await invite(email.toUpperCase());
    const link = (await service.call("POST", `/v1/users/${id}/links`)).json.url.split("#")[1];
    expect((await signIn(subject)).session.user).toMatchObject({ id, status: "active", roles: ["viewer"], name: "Invited" });
    const body = JSON.stringify({ code: link });
    expect((await service.raw("POST", "/v1/links/lookup", { "content-type": "application/json" }, body)).status).toBe(404);
    changeAtProvider(subject, { groups: [], email: "other@example.org", email_verified: false });
    expect((await signIn(subject)).session.user).toMatchObject({ id, roles: ["viewer"] });
  });

  test("nobody by an address that was not verified", async () => {
    const { subject, email } = newPerson({ email_verified: false });
    const id = await invite(email);
    expect((await signIn(subject)).error).toBe("no_email");
    expect((await readUser(id)).status).toBe("invited");
    const without = newPerson();
    provider.persons.set(without.subject, { email_verified: true, groups: ["staff"] });
    expect((await signIn(without.subject)).error).toBe("no_email");
  });

  test("not who was given a former colleague's address: an account belongs to one subject", async () => {
    const { subject, email } = newPerson();
    const { session } = await signIn(subject);
    const successor = newPerson({ email });
    expect(await signIn(successor.subject)).toMatchObject({ error: "no_access" });
    expect((await signIn(subject)).session.user.id).toBe(session.user.id);
  });

  test("not by an address that is another one, however alike the two look or fold", async () => {
    const pairs: [invited: string, atProvider: string, error: string][] = [
      ["kate@example.org", "\u212aate@example.org", "no_email"], // the Kelvin sign
      ["kai@example.org", "ka\u200bi@example.org", "no_email"],
      ["sam@example.org", "\u017fam@example.org", "no_email"], // the long s
      ["lea@example.org", "lea@example.org.", "no_email"],
      ["lea2@example.org", "lea2@example.org/a", "no_email"],
      ["lea3@example.org", "lea3@example.org%2fa", "no_email"],
      ["lea4@example.org", "lea4@ex\uff41mple.org", "no_email"],
      ["mia@m\u00fcller.example", "mia@xn--mller-kva.example", "no_access"], // one domain, but not the address that was invited
    ];
    for (const [invited, email, error] of pairs) {
      const id = await invite(invited);
      const { subject } = newPerson({ email, groups: ["it"] });
      expect([email, (await signIn(subject)).error]).toEqual([email, error]);
      expect((await readUser(id)).status).toBe("invited");
    }
    const { subject } = newPerson({ email: "\u00c9va@example.org" });
    const id = await invite("\u00e9va@example.org");
    expect((await signIn(subject)).session.user.id).not.toBe(id); // only ASCII letters fold
  });

  test("each by their own subject, whose characters are not changed before they are compared", async () => {
    const [plain, kelvin] = ["sub-K", "sub-\u212a"];
    const { subject, email } = newPerson();
    provider.tamper = (_, claims) => provider.sign({ ...claims, sub: plain });
    const first = await signIn(subject);
    expect(first.session.user.email).toBe(email);
    provider.tamper = (_, claims) => provider.sign({ ...claims, sub: kelvin });
    expect((await signIn(subject)).error).toBe("no_access"); // another subject with the address of an account that has one
  });

  test("not somebody without a group that gives a role", async () => {
    for (const groups of [[], ["others"], ["Staff"], ["staff "]]) {
      const { subject, email } = newPerson({ groups });
      expect([groups, (await signIn(subject)).error]).toEqual([groups, "no_access"]);
      const { users } = (await service.call("GET", "/v1/users")).json;
      expect(users.map((user: { email: string }) => user.email)).not.toContain(email);
    }
  });

  test("not somebody disabled, with the same sentence as somebody unknown", async () => {
    const made = newPerson();
    const { session } = await signIn(made.subject);
    const bound = newPerson();
    const invited = await invite(bound.email);
    await signIn(bound.subject);
    const fresh = newPerson();
    for (const id of [session.user.id, invited, await invite(fresh.email)])
      await service.call("PATCH", `/v1/users/${id}`, { status: "disabled" });
    for (const { subject } of [made, bound, fresh]) expect((await signIn(subject)).error).toBe("no_access");
  });

  test("not somebody who is disabled while the code is on its way", async () => {
    const { subject } = newPerson();
    const { user } = (await signIn(subject)).session;
    const { location, cookie, verifier } = await start();
    const { code } = await comeBack(await atProvider(location, `who=${subject}`), cookie);
    await service.call("PATCH", `/v1/users/${user.id}`, { status: "disabled" });
    expect((await exchange(code, verifier)).status).toBe(401);
  });
});

describe("attributes", () => {
  const withAttributes = () =>
    openTestService(DICTIONARY, { ...PARTS, oidc: provider.settings({ OIDC_ATTRIBUTES: "regions:branch, teams:groups" }) });

  test("follow the claims with each sign-in, of an invited person, too", async () => {
    const own = await withAttributes();
    try {
      const { subject, email } = newPerson({ branch: ["north", 7, "north", { no: 1 }, "x".repeat(101)] });
      const { id } = (await own.call("POST", "/v1/users", { email, name: "Invited", roles: ["viewer"] })).json.user;
      await own.call("PATCH", `/v1/users/${id}`, { attributes: { regions: ["written"], shift: ["late"] } });
      const { session } = await signIn(subject, own);
      const follows = { attributes: { regions: ["north", "7"], shift: ["late"], teams: ["staff"] }, claimed: ["regions", "teams"] };
      expect(session.user).toMatchObject({ id, ...follows });
      const bearer = { authorization: `Bearer ${session.access_token}` };
      expect((await own.raw("GET", "/v1/me", bearer)).json.attributes).toEqual({ ...follows.attributes, email: [email] });
      const refused = await own.call("PATCH", `/v1/users/${id}`, { attributes: { regions: ["south"] } });
      expect([refused.status, refused.json.errors[0].detail]).toEqual([422, expect.stringContaining("own sign-in says one of these")]);
      expect((await own.call("PATCH", `/v1/users/${id}`, { attributes: { shift: ["early"] } })).status).toBe(200);
      // A claim that says nothing takes the attribute away, and the session that is open has it no more.
      changeAtProvider(subject, { branch: undefined, groups: ["it"] });
      expect((await signIn(subject, own)).session.user.attributes).toEqual({ shift: ["early"], teams: ["it"] });
      expect((await own.raw("GET", "/v1/me", bearer)).json.attributes).toEqual({ shift: ["early"], teams: ["it"], email: [email] });
      expect((await own.call("PATCH", `/v1/users/${id}`, { attributes: { regions: ["south"] } })).status).toBe(422);
    } finally {
      await own.close();
    }
  });

  test("are asked for where the token does not have them", async () => {
    const short = await openTestProvider({ redirectUris: [`${OWN}/v1/oidc/callback`], tokensHaveAll: false });
    const own = await openTestService(DICTIONARY, { ...PARTS, oidc: short.settings({ OIDC_ATTRIBUTES: "regions:branch" }) });
    try {
      short.persons.set("one", { email: "one@example.org", email_verified: true, name: "One", groups: ["staff"], branch: "north" });
      expect((await signIn("one", own)).session.user.attributes).toEqual({ regions: ["north"] });
    } finally {
      await own.close();
      await short.close();
    }
  });
});

describe("roles", () => {
  test("follow the groups with each sign-in, of an account that the provider made", async () => {
    const role = (await service.call("POST", "/v1/roles", { name: "Reception", scope: "customers:read" })).json.id;
    const own = await openTestService(DICTIONARY, {
      ...PARTS,
      oidc: provider.settings({ OIDC_ROLES: "front=Reception, staff=editor, a=b=viewer" }),
    });
    try {
      const reception = (await own.call("POST", "/v1/roles", { name: "Reception", scope: "customers:read" })).json.id;
      expect(reception).not.toBe(role);
      const { subject } = newPerson({ groups: ["front", "a=b"] });
      const first = (await signIn(subject, own)).session;
      expect(first.user.roles.sort()).toEqual([reception, "viewer"].sort());
      changeAtProvider(subject, { groups: ["staff"] });
      expect((await signIn(subject, own)).session.user).toMatchObject({ id: first.user.id, roles: ["editor"] });
      changeAtProvider(subject, { groups: [] });
      expect((await signIn(subject, own)).error).toBe("no_access");
      // What was given by groups is gone for the sessions that go on, too.
      expect((await own.raw("GET", "/v1/customers", { authorization: `Bearer ${first.access_token}` })).status).toBe(403);
      changeAtProvider(subject, { groups: ["staff"] });
      expect((await signIn(subject, own)).session.user).toMatchObject({ id: first.user.id, roles: ["editor"] });
    } finally {
      await own.close();
    }
  });

  test("are given to everybody by the group *, and by one group that is no list", async () => {
    const own = await openTestService(DICTIONARY, { ...PARTS, oidc: provider.settings({ OIDC_ROLES: "*=viewer, it=editor" }) });
    try {
      const { subject } = newPerson({ groups: [] });
      expect((await signIn(subject, own)).session.user.roles).toEqual(["viewer"]);
      provider.tamper = (_, claims) => provider.sign({ ...claims, groups: "it" });
      expect((await signIn(newPerson().subject, own)).session.user.roles).toEqual(["viewer", "editor"]);
    } finally {
      await own.close();
    }
  });

  test("of the last administrator stay, whatever the groups are", async () => {
    const own = await openTestService(DICTIONARY, { ...PARTS, oidc: provider.settings() });
    try {
      const [one, two] = [newPerson({ groups: ["it"] }), newPerson({ groups: ["it"] })];
      await signIn(one.subject, own);
      await signIn(two.subject, own);
      for (const { subject } of [one, two]) changeAtProvider(subject, { groups: ["staff"] });
      expect((await signIn(one.subject, own)).session.user.roles).toEqual(["editor"]);
      expect((await signIn(two.subject, own)).session.user.roles).toEqual(["administrator"]);
      changeAtProvider(two.subject, { groups: [] });
      expect((await signIn(two.subject, own)).session.user.roles).toEqual(["administrator"]);
    } finally {
      await own.close();
    }
  });
});

describe("the way back", () => {
  test.each([
    ["another host", "https://evil.example.org/"],
    ["no scheme", "//evil.example.org/"],
    ["a path alone", "/welcome"],
    ["a backslash", "https:\\\\evil.example.org/"],
    ["a backslash behind the host", `${OWN}\\@evil.example.org/`],
    ["an @ behind a backslash", "https://evil.example.org\\@intake.example.org/"],
    ["a user", "https://intake.example.org@evil.example.org/"],
    ["a user of the service", "https://user@intake.example.org/"],
    ["a password", "https://:secret@intake.example.org/"],
    ["another port", "https://intake.example.org:8443/"],
    ["plain HTTP", "http://intake.example.org/"],
    ["a longer name", "https://intake.example.org.evil.example/"],
    ["a name within", "https://evil-intake.example.org/"],
    ["another scheme", "javascript:alert(1)//https://intake.example.org"],
    ["data", "data:text/html,https://intake.example.org"],
    ["a tab in the scheme", "java\tscript://intake.example.org/"],
    ["a line break", `${OWN}/\r\nset-cookie: a=b#`],
    ["a fragment", `${OWN}/#code=mine`],
    ["an address that is too long for a cookie once it is read", `${OWN}/${"\u20ac".repeat(200)}`],
    ["nothing", ""],
  ])("is refused to %s", async (_, return_to) => {
    const { reply } = await start(undefined, { return_to });
    expect([reply.status, reply.json.code, reply.headers.location]).toEqual([400, "BAD_PARAMETER", undefined]);
    expect(reply.json.errors[0].parameter).toBe("return_to");
  });

  test.each([
    ["the default port", "https://intake.example.org:443/welcome", `${OWN}/welcome`],
    ["capital letters", "HTTPS://INTAKE.example.org/welcome", `${OWN}/welcome`],
    ["dots", `${APP}/a/../b`, `${APP}/b`],
  ])("to the same place written with %s leads to what a browser reads", async (_, return_to, place) => {
    const { subject } = newPerson();
    const { location, cookie } = await start(undefined, { return_to });
    expect((await comeBack(await atProvider(location, `who=${subject}`), cookie)).place).toBe(place);
  });

  test("needs a code_challenge, and no parameter twice or of another name", async () => {
    const good = { return_to: `${OWN}/welcome`, code_challenge: S256("x") };
    for (const path of [
      addressOf({ return_to: good.return_to }),
      addressOf({ ...good, code_challenge: "short" }),
      addressOf({ ...good, state: "a b" }),
      addressOf({ ...good, nonce: "mine" }),
      `${addressOf(good)}&return_to=${encodeURIComponent("https://evil.example.org")}`,
    ]) {
      const reply = await service.raw("GET", path, HOST);
      expect([path, reply.status, reply.headers.location]).toEqual([path, 400, undefined]);
    }
  });

  test("goes to PUBLIC_URL's own origin on another port, behind a proxy that passes the name of the host alone", async () => {
    const atPort = "https://intake.example.org:8443";
    const elsewhere = await openTestProvider({ redirectUris: [`${atPort}/v1/oidc/callback`] });
    const own = await openTestService(DICTIONARY, { publicUrl: atPort, oidc: elsewhere.settings() });
    try {
      elsewhere.persons.set("kim", { email: "kim@example.org", email_verified: true, name: "Kim", groups: ["staff"] });
      for (const host of ["intake.example.org", "intake.example.org:8443", "127.0.0.1:8080"]) {
        const verifier = newVerifier();
        const ask = addressOf({ return_to: `${atPort}/welcome`, code_challenge: S256(verifier) });
        const reply = await own.raw("GET", ask, { host });
        expect([host, reply.status]).toEqual([host, 302]);
        const sentTo = await atProvider(reply.headers.location ?? "", "who=kim", atPort);
        const back = await own.raw("GET", sentTo.slice(atPort.length), { host, cookie: cookieOf(reply) });
        const [place, fragment] = (back.headers.location ?? "").split("#");
        expect(place).toBe(`${atPort}/welcome`);
        const { status } = await exchange(new URLSearchParams(fragment).get("code") ?? "", verifier, {}, own);
        expect([host, status]).toEqual([host, 201]);
      }
      const wrong = await own.raw("GET", addressOf({ return_to: `${OWN}:9/`, code_challenge: S256("x") }), { host: "intake.example.org" });
      expect(wrong.status).toBe(400);
    } finally {
      await own.close();
      await elsewhere.close();
    }
  });

  test("that is refused is a page for whoever's browser is there, in their language", async () => {
    const path = addressOf({ return_to: "https://evil.example.org/<script>", code_challenge: S256("x") });
    const navigates = { ...HOST, accept: "text/html,application/xhtml+xml,*/*;q=0.8", "sec-fetch-mode": "navigate" };
    const page = await service.raw("GET", path, navigates);
    expect([page.status, page.headers["content-type"], page.headers["cache-control"]]).toEqual([
      400,
      "text/html; charset=utf-8",
      "no-store",
    ]);
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'self'; /);
    expect(page.text).toContain("return_to must be an address of the app");
    expect(page.text).toContain(`<a href="${OWN}/">Go to Intake</a>`);
    expect(page.text).not.toMatch(/script|evil/);
    const german = await service.raw("GET", path, { ...navigates, "accept-language": "de-AT,de;q=0.9,en;q=0.5" });
    expect(german.text).toContain('<html lang="de">');
    expect(german.text).toContain("Diese Seite kann nicht gezeigt werden");
    const fetched = await service.raw("GET", path, { ...navigates, "sec-fetch-mode": "cors" });
    expect(fetched.headers["content-type"]).toBe("application/problem+json");
  });

  test("goes to the service itself under the name that the browser uses, if PUBLIC_URL is not set", async () => {
    const own = await openTestService(DICTIONARY, { oidc: provider.settings() });
    try {
      const ask = (return_to: string) => own.raw("GET", addressOf({ return_to, code_challenge: S256("x") }), { host: "127.0.0.1:8080" });
      const reply = await ask("http://127.0.0.1:8080/welcome");
      expect(new URL(reply.headers.location ?? "").searchParams.get("redirect_uri")).toBe("http://127.0.0.1:8080/v1/oidc/callback");
      expect(reply.headers["set-cookie"]).toMatch(/^intake_oidc=/);
      expect(reply.headers["set-cookie"]).not.toContain("Secure");
      for (const other of ["https://127.0.0.1:8080/", "http://127.0.0.1/", "http://localhost:8080/"])
        expect([other, (await ask(other)).status]).toEqual([other, 400]);
    } finally {
      await own.close();
    }
  });
});

describe("a sign-in that was not begun in this browser", () => {
  test("is refused without the cookie, and with that of another sign-in", async () => {
    const { subject } = newPerson();
    const [mine, other] = [await start(), await start()];
    const callback = await atProvider(mine.location, `who=${subject}`);
    for (const cookie of [
      "",
      other.cookie,
      `${mine.cookie.slice(0, -2)}AA`,
      "__Secure-intake_oidc=",
      "__Secure-intake_oidc=AAAA",
      mine.cookie.replace("__Secure-", ""),
    ]) {
      expect(await comeBack(callback, cookie)).toMatchObject({ place: `${OWN}/welcome`, error: "expired" });
    }
    const foreign = callback.replace(/state=[^&]+/, "state=foreign");
    expect((await comeBack(foreign, mine.cookie)).error).toBe("expired");
    expect((await comeBack(`${callback}&state=foreign`, mine.cookie)).error).toBe("expired");
    expect((await comeBack(callback, mine.cookie)).code).toBeTypeOf("string"); // what was refused did no harm
  });

  test("cannot be used twice, and its cookie is for this alone", async () => {
    const { subject } = newPerson();
    const { reply, location, cookie } = await start();
    expect(reply.headers["set-cookie"]).toMatch(
      /^__Secure-intake_oidc=[\w-]{300,3500}; Path=\/v1\/oidc; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(location).not.toContain(cookie.split("=")[1]);
    const callback = await atProvider(location, `who=${subject}`);
    const first = await comeBack(callback, cookie);
    expect(first.code).toBeTypeOf("string");
    expect(first.reply.headers["set-cookie"]).toContain("__Secure-intake_oidc=; Path=/v1/oidc; Max-Age=0");
    expect((await comeBack(callback, cookie)).error).toBe("expired");
  });

  test("ends after ten minutes", async () => {
    const { subject } = newPerson();
    const { location, cookie } = await start();
    const callback = await atProvider(location, `who=${subject}`);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_001 });
    const late = await comeBack(callback, cookie).finally(() => vi.useRealTimers());
    expect(late.error).toBe("expired");
  });
});

describe("the code that the app gets", () => {
  async function newCode() {
    const { subject } = newPerson();
    const { location, cookie, verifier } = await start();
    const { code } = await comeBack(await atProvider(location, `who=${subject}`), cookie);
    return { code: code ?? "", verifier };
  }

  test("works once, also when two use it at once", async () => {
    const { code, verifier } = await newCode();
    const both = await Promise.all([exchange(code, verifier), exchange(code, verifier)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
    const again = await exchange(code, verifier);
    expect([again.status, again.json.code]).toEqual([401, "CODE_INVALID"]);
  });

  test("works only for the app that began, and is used up by whoever tries", async () => {
    const { code, verifier } = await newCode();
    expect((await exchange(code, newVerifier())).status).toBe(401);
    expect((await exchange(code, verifier)).status).toBe(401);
    const { code: other, verifier: plain } = await newCode();
    expect((await exchange(other, S256(plain))).status).toBe(401);
  });

  test("ends after a minute", async () => {
    const { code, verifier } = await newCode();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_001 });
    expect((await exchange(code, verifier).finally(() => vi.useRealTimers())).status).toBe(401);
  });

  test("comes with a verifier and nothing of a password", async () => {
    const { code, verifier } = await newCode();
    for (const body of [{ code }, { code, code_verifier: verifier, password: "x" }, { code: 7, code_verifier: verifier }]) {
      const reply = await service.raw("POST", "/v1/sessions", { "content-type": "application/json" }, JSON.stringify(body));
      expect([body, reply.status]).toEqual([body, 422]);
    }
  });
});

describe("a token of the provider", () => {
  const minutes = (n: number) => Math.floor(Date.now() / 1_000) + n * 60;
  const forge = (change: (claims: Record<string, unknown>) => object) => (_: string, claims: Record<string, unknown>) =>
    provider.sign({ ...claims, ...change(claims) });
  test.each<[string, NonNullable<TestProvider["tamper"]>]>([
    ["whose claims were changed", (token) => token.replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"x"}').toString("base64url")}.`)],
    ["whose signature was changed", (token) => token.replace(/\.[^.]{8}([^.]+)$/, ".AAAAAAAA$1")],
    ["without a signature", (token) => `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1]}.`],
    ["of another sign-in", forge(() => ({ nonce: "foreign" }))],
    ["without a nonce", forge(() => ({ nonce: undefined }))],
    ["for another service", forge(() => ({ aud: "another" }))],
    ["of another provider", forge(() => ({ iss: "https://evil.example.org" }))],
    ["that ended three minutes ago", forge(() => ({ exp: minutes(-3) }))],
    ["for later", forge(() => ({ nbf: minutes(3) }))],
    ["without a subject", forge(() => ({ sub: undefined }))],
    ["with a subject that is no line of text", forge(() => ({ sub: "a\0b" }))],
  ])("%s signs nobody in", async (_, tamper) => {
    const { subject } = newPerson();
    provider.tamper = tamper;
    expect(await signIn(subject)).toMatchObject({ error: "not_verified", session: undefined });
    provider.tamper = undefined;
    expect((await signIn(subject)).session.user.status).toBe("active");
  });

  test("may be from a clock that is up to two minutes off", async () => {
    const { subject } = newPerson();
    for (const change of [() => ({ exp: minutes(-1.5) }), () => ({ nbf: minutes(1.5), iat: minutes(1.5) })]) {
      provider.tamper = forge(change);
      expect((await signIn(subject)).session.user.status).toBe("active");
    }
  });

  test("says by xms_edov that an address is the organisation's", async () => {
    for (const [claim, error] of [
      [true, undefined],
      ["1", undefined],
      [false, "no_email"],
    ]) {
      const { subject } = newPerson({ email_verified: false });
      provider.tamper = forge(() => ({ email_verified: undefined, xms_edov: claim }));
      expect([claim, (await signIn(subject)).error]).toEqual([claim, error]);
    }
  });
});

describe("a provider that does not do what it should", () => {
  const open = (oidc: OidcSettings | undefined) => openTestService(DICTIONARY, { ...PARTS, oidc });
  /** A server of plain TCP instead of the provider. */
  async function pretend(answer: (socket: Socket) => void) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => {}));
      answer(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const close = () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    };
    return { issuer: `http://127.0.0.1:${port}`, close };
  }
  const http = (text: string, type = "application/json") =>
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`;

  test.each<[string, (socket: Socket) => void]>([
    ["hangs up", (socket) => socket.destroy()],
    ["says nothing", () => {}],
    ["never ends its answer", (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{")],
    ["answers a page", (socket) => socket.end(http("<html>", "text/html"))],
    ["answers no JSON", (socket) => socket.end(http("{"))],
    ["says nothing of itself", (socket) => socket.end(http("{}"))],
    ["says that it is another", (socket) => socket.end(http('{"issuer":"https://evil.example.org"}'))],
    ["sends elsewhere", (socket) => socket.end("HTTP/1.1 302 Found\r\nlocation: https://evil.example.org/\r\nconnection: close\r\n\r\n")],
  ])("and %s is told to the app, which can sign in in other ways", async (_, answer) => {
    const pretended = await pretend(answer);
    const own = await open(provider.settings({ OIDC_ISSUER: pretended.issuer }));
    try {
      const { location, cookie } = await start(undefined, { state: "tab" }, own);
      expect([location, cookie]).toEqual([`${OWN}/welcome#error=unreachable&state=tab`, "__Secure-intake_oidc="]);
      expect((await own.call("GET", "/v1/me")).status).toBe(200);
      expect((await own.raw("GET", "/v1/sign-in")).json.oidc).toEqual({ name: "Acme" });
    } finally {
      await own.close();
      await pretended.close();
    }
  });

  test("is asked again with the next sign-in", async () => {
    const away = await openTestProvider({ redirectUris: [`${OWN}/v1/oidc/callback`] });
    const port = Number(new URL(away.issuer).port);
    const own = await open(away.settings());
    await away.close();
    expect((await start(undefined, {}, own)).location).toBe(`${OWN}/welcome#error=unreachable`);
    const back = await openTestProvider({ redirectUris: [`${OWN}/v1/oidc/callback`], port });
    try {
      expect((await start(undefined, {}, own)).location).toContain(`${back.issuer}/auth?`);
    } finally {
      await own.close();
      await back.close();
    }
  });

  test("that is gone when the person comes back is told, too", async () => {
    const away = await openTestProvider({ redirectUris: [`${OWN}/v1/oidc/callback`] });
    const own = await open(away.settings());
    try {
      const { location, cookie } = await start(undefined, {}, own);
      const state = new URL(location).searchParams.get("state");
      await away.close();
      const callback = `${OWN}/v1/oidc/callback?code=x&state=${state}&iss=${encodeURIComponent(away.issuer)}`;
      expect((await comeBack(callback, cookie, own)).error).toBe("unreachable");
    } finally {
      await own.close();
    }
  });

  test("does not know the service: nobody comes in", async () => {
    const own = await open(provider.settings({ OIDC_CLIENT_SECRET: "another secret" }));
    try {
      const { subject } = newPerson();
      expect((await signIn(subject, own)).error).toBe("not_verified");
    } finally {
      await own.close();
    }
  });

  test("at which the person goes away is told as that", async () => {
    const { location, cookie } = await start();
    expect((await comeBack(await atProvider(location, "cancel"), cookie)).error).toBe("cancelled");
  });

  test("is asked no more by a source with a hundred sign-ins that failed", async () => {
    const own = await open(provider.settings());
    try {
      const { location, cookie } = await start(undefined, {}, own);
      const state = new URL(location).searchParams.get("state");
      const guess = () => comeBack(`${OWN}/v1/oidc/callback?code=x&state=${state}&iss=${encodeURIComponent(provider.issuer)}`, cookie, own);
      vi.useFakeTimers({ toFake: ["performance"] });
      for (let i = 0; i < 100; i++) expect((await guess()).error).toBe("expired");
      expect((await guess()).error).toBe("unreachable");
    } finally {
      vi.useRealTimers();
      await own.close();
    }
  });

  test("is not there at all", async () => {
    const own = await open(undefined);
    try {
      expect((await start(undefined, {}, own)).location).toBe(`${OWN}/welcome#error=not_set_up`);
      expect((await own.raw("GET", "/v1/sign-in")).json.oidc).toBeNull();
    } finally {
      await own.close();
    }
  });
});

test("the log says who came in and who was refused, without names, addresses or codes", async () => {
  const lines: string[] = [];
  const own = await openTestService(DICTIONARY, {
    ...PARTS,
    oidc: provider.settings({ OIDC_ROLES: "staff=editor, typo=editr" }),
    logLevel: "warn",
    logTo: { write: (line) => void lines.push(line) },
  });
  try {
    const one = newPerson();
    const { session, code } = await signIn(one.subject, own);
    const others = [{ groups: [] }, { groups: ["typo"] }, { email_verified: false }, { email: one.email }].map(newPerson);
    for (const { subject } of others) await signIn(subject, own);
    changeAtProvider(one.subject, { groups: [] });
    await own.call("POST", "/v1/users", { email: "boss@example.org", name: "Boss", roles: ["administrator"] });
    await signIn(one.subject, own);
    changeAtProvider(one.subject, { groups: ["staff"] });
    await own.call("PATCH", `/v1/users/${session.user.id}`, { status: "disabled" });
    await signIn(one.subject, own);
    provider.tamper = () => "nonsense";
    await signIn(one.subject, own);
    const seen = lines.map((line) => JSON.parse(line));
    const { id } = session.user;
    const events = seen.filter(({ msg }) => msg === "security").map(({ event, by, target }) => [event, by, target]);
    const at = events.findIndex(([event]) => event === "account made");
    expect(events.slice(at, at + 2)).toEqual([
      ["account made", undefined, id],
      ["signed in", `user ${id}`, undefined],
    ]);
    const refused = seen.filter(({ event }) => event === "sign-in refused").map(({ reason, target }) => [reason, target]);
    expect(refused).toEqual([
      ["no role", undefined],
      ["unknown role", undefined],
      ["no verified address", undefined],
      ["account of another person", id],
      ["no role", id],
      ["account disabled", id],
    ]);
    expect(seen.at(-1)).toMatchObject({ msg: "sign-in at the provider failed", reason: "not_verified" });
    for (const secret of [one.email, one.subject, code, session.access_token, "Person", "nonsense"])
      expect(lines.join("")).not.toContain(secret);
  } finally {
    await own.close();
  }
});

describe("the settings", () => {
  const GOOD = { OIDC_ISSUER: "https://login.example.org", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" };
  test("are none without an issuer, and the button has the provider's host unless it is named", () => {
    expect(readOidcSettings({})).toBeUndefined();
    expect(readOidcSettings(GOOD)).toMatchObject({ name: "login.example.org", roles: [] });
  });

  test.each([
    [{ OIDC_CLIENT_ID: "a" }, "OIDC_CLIENT_ID is set, but OIDC_ISSUER is not"],
    [{ ...GOOD, OIDC_ISSUER: "login.example.org" }, "OIDC_ISSUER must be an address"],
    [{ ...GOOD, OIDC_ISSUER: "http://login.example.org" }, "OIDC_ISSUER must be an address"],
    [{ ...GOOD, OIDC_ISSUER: "https://login.example.org/?a=b" }, "OIDC_ISSUER must be an address"],
    [{ ...GOOD, OIDC_CLIENT_SECRET: "" }, "set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET"],
    [{ ...GOOD, OIDC_ROLES: "staff" }, 'OIDC_ROLES must be pairs such as "staff=editor, it=administrator", not "staff"'],
    [{ ...GOOD, OIDC_ROLES: "staff=" }, "OIDC_ROLES must be pairs"],
    [{ ...GOOD, OIDC_ROLES: "=editor" }, "OIDC_ROLES must be pairs"],
    [{ ...GOOD, OIDC_ATTRIBUTES: "branch" }, 'OIDC_ATTRIBUTES must be pairs of an attribute and a claim such as "regions:branch'],
    [{ ...GOOD, OIDC_ATTRIBUTES: "a b:branch" }, "OIDC_ATTRIBUTES must be pairs"],
    [{ ...GOOD, OIDC_ATTRIBUTES: "regions:branch,regions:groups" }, "OIDC_ATTRIBUTES must name each attribute once"],
    [{ OIDC_ATTRIBUTES: "regions:branch" }, "OIDC_ATTRIBUTES is set, but OIDC_ISSUER is not"],
    [{ ...GOOD, OIDC_NAME: "x".repeat(61) }, "OIDC_NAME must be one line"],
  ])("%j are refused in a sentence", (environment, sentence) => {
    expect(() => readOidcSettings(environment)).toThrow(sentence);
  });
});
