// People: invitations, sign-in, sessions, roles, and what ends when somebody leaves.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createAccounts } from "../../people/auth/accounts.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const PASSWORD = "gorse lantern 47 quay";
const OTHER = "otter ladder 93 mist";
const MINUTE = 60_000; // ms
const JSON_BODY = { "content-type": "application/json" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  service.raw("POST", path, { ...JSON_BODY, ...headers }, JSON.stringify(body));
const codeOf = (link: { url: string }) => link.url.split("#")[1] ?? "";
const readWith = async (token: string) => (await service.raw("GET", "/v1/customers", bearer(token))).status;
const exchange = (key: string) => {
  const [client_id = "", client_secret = ""] = key.split(".");
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
  return service.raw("POST", "/v1/oauth/token", { "content-type": "application/x-www-form-urlencoded" }, form.toString());
};
const refresh = (refresh_token: string) => post("/v1/sessions/refresh", { refresh_token });

let last = 0;
async function invite(roles: string[] = ["editor"]) {
  const email = `Anna.Berg${++last}@example.org`;
  const made = await service.call("POST", "/v1/users", { email, name: "Anna Berg", roles });
  expect(made.status).toBe(201);
  return { email, id: made.json.user.id as string, code: codeOf(made.json.link) };
}
async function join(roles?: string[]) {
  const invited = await invite(roles);
  const used = await post("/v1/links/use", { code: invited.code, password: PASSWORD });
  expect(used.status).toBe(201);
  return { ...invited, token: used.json.access_token as string, refreshToken: used.json.refresh_token as string };
}
const signIn = (email: string, password = PASSWORD, more = {}) => post("/v1/sessions", { email, password, ...more });

describe("an invitation", () => {
  test("shows what it is for, makes its account active, and can be used once", async () => {
    const { email, id, code } = await invite();
    expect((await post("/v1/links/lookup", { code })).json).toMatchObject({ purpose: "invitation", email, name: "Anna Berg" });
    expect((await signIn(email)).status).toBe(401);
    const used = await post("/v1/links/use", { code, password: PASSWORD, name: "Anna B." });
    expect(used.json).toMatchObject({ token_type: "Bearer", expires_in: 900, user: { id, name: "Anna B.", status: "active" } });
    expect(used.headers["cache-control"]).toBe("no-store");
    expect(await readWith(used.json.access_token)).toBe(200);
    for (const path of ["/v1/links/lookup", "/v1/links/use"]) {
      const again = await post(path, { code, ...(path.endsWith("use") && { password: PASSWORD }) });
      expect([again.status, again.json.code]).toEqual([404, "LINK_INVALID"]);
    }
    expect((await signIn(` ${email.toUpperCase()} `)).status).toBe(201);
  });

  test("used twice at once signs in once", async () => {
    const { code } = await invite();
    const both = await Promise.all([PASSWORD, OTHER].map((password) => post("/v1/links/use", { code, password })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 404]);
  });

  test("is refused for a password that may not be chosen, and can be used again", async () => {
    const { code } = await invite();
    for (const [password, problem] of [
      ["short", "PASSWORD_TOO_SHORT"],
      ["anna berg 2026", "PASSWORD_PERSONAL"],
      ["passwordpassword", "PASSWORD_COMMON"],
    ]) {
      const reply = await post("/v1/links/use", { code, password });
      expect([reply.status, reply.json.errors[0].pointer, reply.json.errors[0].code]).toEqual([422, "/password", problem]);
      expect(reply.text).not.toContain(password);
    }
    expect((await post("/v1/links/use", { code, password: PASSWORD })).status).toBe(201);
  });

  test("ends after 72 hours, and when a new one is made", async () => {
    const { id, code } = await invite();
    const renewed = await service.call("POST", `/v1/users/${id}/links`);
    expect((await post("/v1/links/lookup", { code })).status).toBe(404);
    const next = codeOf(renewed.json);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 72 * 60 * MINUTE + 1 });
    const late = await post("/v1/links/lookup", { code: next }).finally(() => vi.useRealTimers());
    expect(late.status).toBe(404);
    expect((await post("/v1/links/lookup", { code: next })).status).toBe(200);
  });

  test("for an address that somebody has, however it is written, is a 409", async () => {
    const { email } = await invite();
    const again = await service.call("POST", "/v1/users", { email: email.toUpperCase(), name: "B", roles: [] });
    expect([again.status, again.json.code]).toEqual([409, "EMAIL_TAKEN"]);
  });

  test.each([
    [{ name: "A", roles: [] }, "/email"],
    [{ email: "no address", name: "A", roles: [] }, "/email"],
    [{ email: "a@b.org\r\nBcc: x@y.org", name: "A", roles: [] }, "/email"],
    [{ email: "a\0@b.org", name: "A", roles: [] }, "/email"],
    [{ email: "a@b.org", name: "", roles: [] }, "/name"],
    [{ email: "a@b.org", name: "A", roles: ["nobody"] }, "/roles"],
    [{ email: "a@b.org", name: "A", roles: "viewer" }, "/roles"],
    [{ email: "a@b.org", name: "A", roles: [], admin: true }, "/admin"],
  ])("for %j is refused with a problem at %s", async (body, pointer) => {
    const reply = await service.call("POST", "/v1/users", body);
    expect([reply.status, reply.json.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe("sign-in", () => {
  test("answers the same for an unknown address, a wrong password, somebody invited and somebody disabled", async () => {
    const active = await join();
    const invited = await invite();
    const disabled = await join();
    await service.call("PATCH", `/v1/users/${disabled.id}`, { status: "disabled" });
    const answers = [
      await signIn("nobody@example.org"),
      await signIn(active.email, OTHER),
      await signIn(invited.email),
      await signIn(disabled.email),
    ];
    const seen = answers.map(({ status, json: { instance: _, requestId: __, ...rest }, headers }) => [
      status,
      rest,
      headers["www-authenticate"],
    ]);
    for (const one of seen) expect(one).toEqual(seen[0]);
    expect(seen[0]?.[0]).toBe(401);
  });

  test("after ten wrong passwords waits, for this address from this source alone", async () => {
    const { email } = await join();
    for (let i = 0; i < 10; i++) expect((await signIn(email, OTHER)).status).toBe(401);
    const right = await signIn(email);
    expect([right.status, Number(right.headers["retry-after"]) > 0]).toEqual([429, true]);
    const { email: colleague } = await join();
    expect((await signIn(colleague)).status).toBe(201);
  });

  test("needs exactly the password, in whatever form its letters were typed", async () => {
    const { code, email } = await invite();
    const composed = "gorse lantérn 47 quäy";
    expect((await post("/v1/links/use", { code, password: composed.normalize("NFD") })).status).toBe(201);
    expect((await signIn(email, composed.normalize("NFC"))).status).toBe(201);
    expect((await signIn(email, composed.toUpperCase())).status).toBe(401);
  });
});

describe("a session", () => {
  test("goes on with a refresh token that is used once; an old one ends it", async () => {
    const { email } = await join();
    const first = (await signIn(email)).json;
    const second = (await refresh(first.refresh_token)).json;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await readWith(second.access_token)).toBe(200);
    const stolen = await refresh(first.refresh_token);
    expect([stolen.status, stolen.json.code]).toEqual([401, "SESSION_ENDED"]);
    expect(await readWith(second.access_token)).toBe(401);
    expect((await refresh(second.refresh_token)).status).toBe(401);
  });

  test("two refreshes at once with one token end it, and never give two sessions", async () => {
    const { refreshToken } = await join();
    const both = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
    const given = both.find(({ status }) => status === 201)?.json;
    expect((await refresh(given.refresh_token)).status).toBe(401);
  });

  test("has access for 15 minutes, ends after an hour without use, and after 12 hours in any case", async () => {
    const { token, refreshToken } = await join();
    const start = Date.now();
    const at = async <T>(minutes: number, work: () => Promise<T>) => {
      vi.useFakeTimers({ toFake: ["Date"], now: start + minutes * MINUTE });
      return work().finally(() => vi.useRealTimers());
    };
    expect(await at(14, () => readWith(token))).toBe(200);
    expect(await at(15, () => readWith(token))).toBe(401);
    let current = refreshToken;
    for (let minutes = 50; minutes < 12 * 60; minutes += 50) {
      const reply = await at(minutes, () => refresh(current));
      expect([minutes, reply.status]).toEqual([minutes, 201]);
      current = reply.json.refresh_token;
    }
    expect((await at(12 * 60 + 1, () => refresh(current))).status).toBe(401);
    const idle = await join();
    expect((await at(61, () => refresh(idle.refreshToken))).status).toBe(401);
  });

  test("with a cookie has no token that a script could read, and needs Intake-Session", async () => {
    const { email } = await join();
    const host = { host: "intake.example.org" };
    const reply = await service.raw(
      "POST",
      "/v1/sessions",
      { ...JSON_BODY, ...host },
      JSON.stringify({ email, password: PASSWORD, cookie: true }),
    );
    expect(reply.json.refresh_token).toBeUndefined();
    const set = String(reply.headers["set-cookie"]);
    expect(set).toMatch(/^__Secure-intake_session=inr_[^;]+; Path=\/v1\/sessions; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/);
    const cookie = { cookie: set.split(";")[0] ?? "" };
    const without = await post("/v1/sessions/refresh", { cookie: true }, cookie);
    expect([without.status, without.json.code]).toEqual([400, "BAD_HEADER"]);
    const next = await post("/v1/sessions/refresh", { cookie: true }, { ...cookie, "intake-session": "1", ...host });
    expect([next.status, next.json.refresh_token]).toEqual([201, undefined]);
    const out = await service.raw("DELETE", "/v1/sessions/current", { ...bearer(next.json.access_token), ...host });
    expect([out.status, String(out.headers["set-cookie"])]).toEqual([
      204,
      expect.stringContaining("__Secure-intake_session=; Path=/v1/sessions; Max-Age=0"),
    ]);
    const renewed = { cookie: String(next.headers["set-cookie"]).split(";")[0] ?? "" };
    expect((await post("/v1/sessions/refresh", { cookie: true }, { ...renewed, "intake-session": "1", ...host })).status).toBe(401);
  });

  test("ends when a person signs out who has no right at all, as after their roles were taken", async () => {
    for (const roles of [[], ["editor"]]) {
      const { id, token, refreshToken } = await join(roles);
      if (roles.length > 0) expect((await service.call("PATCH", `/v1/users/${id}`, { roles: [] })).status).toBe(200);
      expect(await readWith(token)).toBe(403);
      const out = await service.raw("DELETE", "/v1/sessions/current", bearer(token));
      expect([out.status, out.headers["set-cookie"]]).toEqual([204, expect.stringContaining("Max-Age=0")]);
      expect(await readWith(token)).toBe(401);
      expect((await refresh(refreshToken)).status).toBe(401);
    }
  });

  test("says of no token and no cookie that it holds longer than the session", async () => {
    const { email } = await join();
    const host = { host: "intake.example.org" };
    const start = Date.now();
    const body = JSON.stringify({ email, password: PASSWORD, cookie: true });
    const at = async <T>(minutes: number, work: () => Promise<T>) => {
      vi.useFakeTimers({ toFake: ["Date"], now: start + minutes * MINUTE });
      return work().finally(() => vi.useRealTimers());
    };
    let reply = await at(0, () => service.raw("POST", "/v1/sessions", { ...JSON_BODY, ...host }, body));
    const cookie = () => ({ cookie: String(reply.headers["set-cookie"]).split(";")[0] ?? "", "intake-session": "1", ...host });
    for (const minutes of [50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 715])
      reply = await at(minutes, () => post("/v1/sessions/refresh", { cookie: true }, cookie()));
    expect([reply.json.expires_in, String(reply.headers["set-cookie"])]).toEqual([300, expect.stringContaining("; Max-Age=300;")]);
    const token = reply.json.access_token;
    expect(await at(719, () => readWith(token))).toBe(200);
    expect(await at(720, () => readWith(token))).toBe(401);
  });

  test("on this computer itself has a cookie without the prefix, which browsers believe with TLS alone", async () => {
    const { email } = await join();
    for (const host of ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"]) {
      const body = JSON.stringify({ email, password: PASSWORD, cookie: true });
      const reply = await service.raw("POST", "/v1/sessions", { ...JSON_BODY, host }, body);
      expect(String(reply.headers["set-cookie"])).toMatch(
        /^intake_session=inr_[^;]+; Path=\/v1\/sessions; Max-Age=43200; HttpOnly; SameSite=Strict$/,
      );
    }
  });

  test("is never the one that somebody else had before: a sign-in begins a new one", async () => {
    const { email } = await join();
    const [one, two] = [(await signIn(email)).json, (await signIn(email)).json];
    expect(one.access_token).not.toBe(two.access_token);
    const { sessions } = (await service.raw("GET", "/v1/me/sessions", bearer(two.access_token))).json;
    expect(sessions).toHaveLength(3); // with that of the invitation
    expect(sessions.filter((session: { isCurrent: boolean }) => session.isCurrent)).toHaveLength(1);
  });

  test("can be ended from another one, but not by somebody else", async () => {
    const [anna, ben] = [await join(), await join()];
    const other = (await signIn(anna.email)).json;
    const { sessions } = (await service.raw("GET", "/v1/me/sessions", bearer(anna.token))).json;
    const target = sessions.find((session: { isCurrent: boolean }) => !session.isCurrent).id;
    expect((await service.raw("DELETE", `/v1/me/sessions/${target}`, bearer(ben.token))).status).toBe(404);
    expect(await readWith(other.access_token)).toBe(200);
    expect((await service.raw("DELETE", `/v1/me/sessions/${target}`, bearer(anna.token))).status).toBe(204);
    expect(await readWith(other.access_token)).toBe(401);
    expect(await readWith(anna.token)).toBe(200);
  });
});

describe("a person", () => {
  test("knows who they are and what they may do", async () => {
    const { token, email, id } = await join(["viewer"]);
    const me = await service.raw("GET", "/v1/me", bearer(token));
    expect(me.json).toMatchObject({
      principal: { type: "user", id, name: "Anna Berg" },
      email,
      scope: "*:read",
      roles: [{ id: "viewer" }],
    });
    const renamed = await service.raw("PATCH", "/v1/me", { ...bearer(token), ...JSON_BODY }, '{"name":"Anna Bergmann"}');
    expect(renamed.json.principal.name).toBe("Anna Bergmann");
    const key = await service.call("GET", "/v1/me");
    expect(key.json).toMatchObject({ principal: { type: "key" }, email: null, roles: [], scope: "read write admin" });
  });

  test("who changes the password stays signed in here and nowhere else", async () => {
    const { token, email, refreshToken } = await join();
    const other = (await signIn(email)).json;
    const change = (current: string, password: string) =>
      service.raw("PUT", "/v1/me/password", { ...bearer(token), ...JSON_BODY }, JSON.stringify({ current, password }));
    expect((await change(OTHER, "some other phrase")).json.errors[0]).toMatchObject({ pointer: "/current", code: "WRONG_PASSWORD" });
    expect((await change(PASSWORD, "short")).json.errors[0]).toMatchObject({ pointer: "/password" });
    expect((await change(PASSWORD, OTHER)).status).toBe(204);
    expect([await readWith(token), await readWith(other.access_token)]).toEqual([200, 401]);
    expect((await refresh(refreshToken)).status).toBe(201);
    expect([(await signIn(email)).status, (await signIn(email, OTHER)).status]).toEqual([401, 201]);
  });

  test("who is disabled is signed out everywhere at once, and so are the keys that are kept, until they are active again", async () => {
    const { id, token, refreshToken, email } = await join(["editor"]);
    const made = await service.raw("POST", "/v1/keys", { ...bearer(token), ...JSON_BODY }, '{"scope":"read","name":"Own"}');
    expect(made.json.owner).toBe(id);
    const { key } = made.json;
    expect(await readWith(key)).toBe(200);
    const renewed = await service.call("POST", `/v1/users/${id}/links`);
    const kept = await service.call("PATCH", `/v1/users/${id}`, { status: "disabled", keep: [made.json.id] });
    expect(kept.json.status).toBe("disabled");
    expect([await readWith(token), await readWith(key), (await refresh(refreshToken)).status]).toEqual([401, 401, 401]);
    expect(await exchange(key)).toMatchObject({
      status: 401,
      json: { error: "invalid_client", detail: expect.stringMatching(/disabled/) },
    });
    expect((await post("/v1/links/lookup", { code: codeOf(renewed.json) })).status).toBe(404);
    expect((await service.call("POST", `/v1/users/${id}/links`)).json.code).toBe("USER_DISABLED");
    expect((await service.call("PATCH", `/v1/users/${id}`, { status: "active" })).json.status).toBe("active");
    expect([await readWith(token), await readWith(key), (await signIn(email)).status]).toEqual([401, 200, 201]);
    expect((await exchange(key)).status).toBe(200);
  });

  test("keeps everything when their address changes, and signs in with the new one", async () => {
    const { id, token, email, refreshToken } = await join(["editor"]);
    const other = await join();
    const move = (address: string) => service.call("PATCH", `/v1/users/${id}`, { email: address });
    expect((await move("nobody")).json.errors[0]).toMatchObject({ pointer: "/email" });
    expect((await move(other.email.toUpperCase())).json).toMatchObject({ status: 409, code: "EMAIL_TAKEN" });
    expect((await service.call("GET", `/v1/users/${id}`)).json.email).toBe(email);
    const renewed = await service.call("POST", `/v1/users/${id}/links`);
    const moved = `Anna.Lund${last}@example.org`;
    await post("/v1/access-requests", { email: moved, name: "Anna", message: "" });
    expect((await move(` ${moved} `)).json).toMatchObject({ id, email: moved, name: "Anna Berg", status: "active" });
    expect((await post("/v1/links/lookup", { code: codeOf(renewed.json) })).status).toBe(404); // it went to the address before
    expect([(await signIn(email)).status, (await signIn(moved.toLowerCase())).status]).toEqual([401, 201]);
    expect([await readWith(token), (await refresh(refreshToken)).status]).toEqual([200, 201]);
    expect((await move(moved.toUpperCase())).json.email).toBe(moved.toUpperCase()); // the same address, written in another way
    const { status } = await service.call("POST", "/v1/users", { email, name: "Anna Berg", roles: [] });
    expect(status).toBe(201); // the address before is free
  });

  test("who was invited under a wrong address is invited under the right one, and the first invitation ends", async () => {
    const { id, code } = await invite();
    const email = `right${last}@example.org`;
    expect((await service.call("PATCH", `/v1/users/${id}`, { email })).json).toMatchObject({ email, status: "invited" });
    expect((await post("/v1/links/use", { code, password: PASSWORD })).status).toBe(404);
    const link = (await service.call("POST", `/v1/users/${id}/links`)).json;
    expect((await post("/v1/links/use", { code: codeOf(link), password: PASSWORD })).json.user).toMatchObject({ id, email });
  });

  test("loses a right with the next request, and their keys lose it, too", async () => {
    const { id, token } = await join(["editor"]);
    const { key } = (await service.raw("POST", "/v1/keys", { ...bearer(token), ...JSON_BODY }, '{"scope":"write"}')).json;
    const remove = async (credential: string) => (await service.raw("DELETE", "/v1/customers/987654", bearer(credential))).status;
    expect([await remove(token), await remove(key)]).toEqual([404, 404]);
    await service.call("PATCH", `/v1/users/${id}`, { roles: ["viewer"] });
    expect([await remove(token), await remove(key), await readWith(key)]).toEqual([403, 403, 200]);
  });

  test("makes and sees only their own keys, and none that may more than they", async () => {
    const [anna, ben] = [await join(["editor"]), await join(["viewer"])];
    const make = (token: string, scope: string) =>
      service.raw("POST", "/v1/keys", { ...bearer(token), ...JSON_BODY }, JSON.stringify({ scope }));
    const made = await make(anna.token, "write");
    expect(made.status).toBe(201);
    expect((await make(ben.token, "customers:create")).status).toBe(403);
    expect((await make(anna.token, "admin")).status).toBe(403);
    const seen = async (token: string) =>
      (await service.raw("GET", "/v1/keys", bearer(token))).json.keys.map((key: { id: string }) => key.id);
    expect([await seen(anna.token), await seen(ben.token)]).toEqual([[made.json.id], []]);
    expect((await service.raw("DELETE", `/v1/keys/${made.json.id}`, bearer(ben.token))).status).toBe(404);
    expect((await service.raw("DELETE", `/v1/keys/${made.json.id}`, bearer(anna.token))).status).toBe(204);
  });
});

describe("a list of people", () => {
  let own: TestService;
  beforeAll(async () => {
    own = await openTestService();
    const { id } = (await own.call("POST", "/v1/roles", { name: "Night shift", scope: "read" })).json;
    for (const [name, ...roles] of [
      ["Zoë Ångström", "viewer"],
      ["Person 10", "editor"],
      ["person 9", id],
      ["Person 10", "administrator", "viewer"],
    ])
      await own.call("POST", "/v1/users", { email: `${crypto.randomUUID()}@example.org`, name, roles });
  });
  afterAll(() => own.close());
  const names = async (query: string) => (await own.call("GET", `/v1/users?${query}`)).json.users.map(({ name }: { name: string }) => name);

  test("comes by name, page by page, as long as its search is the same", async () => {
    const everybody = (await own.call("GET", "/v1/users")).json;
    expect(everybody.users.map(({ name }: { name: string }) => name)).toEqual(["person 9", "Person 10", "Person 10", "Zoë Ångström"]);
    expect(everybody).toEqual({ users: everybody.users, total: 4 });
    const pages = [];
    let cursor = "";
    for (let i = 0; i < 5 && (i === 0 || cursor); i++) {
      const { users, total, next } = (await own.call("GET", `/v1/users?limit=1${cursor && `&cursor=${cursor}`}`)).json;
      expect(total).toBe(4);
      pages.push(...users);
      cursor = next ?? "";
    }
    expect(pages).toEqual(everybody.users);
    const { next } = (await own.call("GET", "/v1/users?limit=1")).json;
    const other = await own.call("GET", `/v1/users?limit=1&q=person&cursor=${next}`);
    expect([other.status, other.json.code]).toEqual([400, "BAD_CURSOR"]);
  });

  test("goes on where it was when the last person of a page is not there any more", async () => {
    const invited = (await own.call("POST", "/v1/users", { email: "aa@example.org", name: "Aaron", roles: [] })).json.user;
    const { next } = (await own.call("GET", "/v1/users?limit=1")).json;
    await own.call("PATCH", `/v1/users/${invited.id}`, { name: "Zz Top" });
    expect(await names(`limit=2&cursor=${next}`)).toEqual(["person 9", "Person 10"]);
  });

  test.each([
    ["angs zoe", ["Zoë Ångström"]],
    ["night", ["person 9"]],
    ["lesen", ["Person 10", "Zoë Ångström"]],
    ["example.org per", ["person 9", "Person 10", "Person 10"]],
    ["erson", []],
    ["%2E", []],
  ])("finds by the beginnings of words in names, addresses and roles of every language: %s", async (q, found) => {
    expect(await names(`q=${q}`)).toEqual(found);
  });

  test("knows no other parameters", async () => {
    expect((await own.call("GET", "/v1/users?search=zoe")).status).toBe(400);
  });
});

describe("roles", () => {
  test("are listed in the order of their names, as people sort", async () => {
    const names = ["Team 100", "Zebra", "apple", "Äther", "Team 2", "Berg", "Team 10"];
    for (const name of names) expect((await service.call("POST", "/v1/roles", { name, scope: "read" })).status).toBe(201);
    const { roles } = (await service.call("GET", "/v1/roles")).json as { roles: { name: string }[] };
    expect(roles.map(({ name }) => name).filter((name) => names.includes(name))).toEqual([
      "apple",
      "Äther",
      "Berg",
      "Team 2",
      "Team 10",
      "Team 100",
      "Zebra",
    ]);
  });

  test("have a name that no other role has, whatever its case or language", async () => {
    const { id } = (await service.call("POST", "/v1/roles", { name: "Front desk", scope: "read" })).json;
    for (const name of ["Viewer", "viewer", "EDITOR", "lesen", "Administration", "front DESK"]) {
      const made = await service.call("POST", "/v1/roles", { name, scope: "read" });
      expect([name, made.status, made.json.errors]).toEqual([
        name,
        422,
        [{ pointer: "/name", code: "KIND", detail: "There is already a role with this name. Choose another name." }],
      ]);
    }
    expect((await service.call("PATCH", `/v1/roles/${id}`, { name: "Editor" })).json.errors[0].pointer).toBe("/name");
    expect((await service.call("PATCH", `/v1/roles/${id}`, { name: "front desk", scope: "write" })).json).toMatchObject({
      name: "front desk",
    });
    expect((await service.call("DELETE", `/v1/roles/${id}`)).status).toBe(204);
  });

  test("have names of their own also when several are made or renamed at once", async () => {
    const make = (name: string) => service.call("POST", "/v1/roles", { name, scope: "read" });
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => make("At once")))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, ...Array(7).fill(422)]);
    const ids = (await Promise.all([1, 2, 3].map((i) => make(`Before ${i}`)))).map(({ json }) => json.id);
    const renamed = await Promise.all(ids.map((id) => service.call("PATCH", `/v1/roles/${id}`, { name: "Renamed" })));
    expect(renamed.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect(renamed.find(({ status }) => status === 422)?.json.errors[0].pointer).toBe("/name");
  });

  test("are made, given, changed with effect at once, and deleted when nobody has them", async () => {
    const role = (await service.call("POST", "/v1/roles", { name: "Import", scope: "customers:create" })).json;
    const { token, id } = await join([role.id]);
    const create = async () => (await post("/v1/customers", { lastName: "A", accountID: String(++last) }, bearer(token))).status;
    expect([await create(), await readWith(token)]).toEqual([201, 403]);
    expect((await service.call("PATCH", `/v1/roles/${role.id}`, { scope: "customers:read" })).status).toBe(200);
    expect([await create(), await readWith(token)]).toEqual([403, 200]);
    expect((await service.call("DELETE", `/v1/roles/${role.id}`)).json.code).toBe("ROLE_IN_USE");
    await service.call("PATCH", `/v1/users/${id}`, { roles: [] });
    expect((await service.call("DELETE", `/v1/roles/${role.id}`)).status).toBe(204);
    expect((await service.call("DELETE", `/v1/roles/${role.id}`)).status).toBe(404);
    expect((await service.call("PATCH", "/v1/roles/viewer", { scope: "admin" })).json.code).toBe("ROLE_BUILT_IN");
  });

  test("never leave the service without an administrator, whoever is disabled or changed at once", async () => {
    const own = await openTestService();
    try {
      const role = (await own.call("POST", "/v1/roles", { name: "Chief", scope: "admin" })).json;
      const people = await Promise.all([own.newPerson(role.id), own.newPerson("administrator"), own.newPerson("viewer")] as const);
      const [chief, admin] = people;
      const all = await Promise.all([
        own.call("PATCH", `/v1/users/${chief.id}`, { status: "disabled" }),
        own.call("PATCH", `/v1/users/${admin.id}`, { roles: ["viewer"] }),
      ]);
      expect(all.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(all.find(({ status }) => status === 409)?.json.code).toBe("LAST_ADMINISTRATOR");
      const solo = await openTestService();
      const only = (await solo.call("POST", "/v1/roles", { name: "Chief", scope: "admin" })).json;
      await solo.newPerson(only.id);
      expect((await solo.call("PATCH", `/v1/roles/${only.id}`, { scope: "read" })).json.code).toBe("LAST_ADMINISTRATOR");
      expect((await solo.call("PATCH", `/v1/roles/${only.id}`, { name: "Boss" })).json).toMatchObject({ name: "Boss", scope: "admin" });
      await solo.close();
    } finally {
      await own.close();
    }
  });
});

test("the set-up link makes the first administrator, once, and works no more when there are people", async () => {
  const own = await openTestService();
  try {
    const accounts = createAccounts(own.store.people);
    const [first, second] = [(await accounts.setUpLink()).code, (await accounts.setUpLink()).code];
    const ways = async () => (await own.raw("GET", "/v1/sign-in")).json.hasUsers;
    const use = (code: string, body: object) =>
      own.raw("POST", "/v1/links/use", JSON_BODY, JSON.stringify({ code, password: PASSWORD, ...body }));
    expect(await ways()).toBe(false);
    expect((await use(first, {})).json.errors.map((error: { pointer: string }) => error.pointer)).toEqual(["/email", "/name"]);
    const made = await use(first, { email: "chief@example.org", name: "Chief" });
    expect([made.status, made.json.user.roles]).toEqual([201, ["administrator"]]);
    expect(await ways()).toBe(true);
    expect((await use(second, { email: "thief@example.org", name: "Thief" })).status).toBe(404);
    expect((await own.raw("GET", "/v1/users", bearer(made.json.access_token))).json.users).toHaveLength(1);
  } finally {
    await own.close();
  }
});

test("nothing that is stored or logged of people is a password, a code or a token", async () => {
  const { token, refreshToken, code } = await join();
  const { people } = service.store;
  const stored = JSON.stringify([await people.listUsers(), await people.listSessions((await people.listUsers())[0]?.id ?? "", 0, 1e15)]);
  for (const secret of [PASSWORD, token, refreshToken, code]) expect(stored).not.toContain(secret);
});

test("a body that means nothing is left alone, whatever it says it is", async () => {
  const { id } = await join();
  for (const type of ["application/json", "text/plain", "nonsense", "", ";"]) {
    const headers = { authorization: `Bearer ${await service.tokenFor("admin")}`, "content-type": type };
    expect((await service.raw("POST", `/v1/users/${id}/links`, headers, "{}")).status).toBe(201);
  }
});

test("an administrator signs a person out everywhere, and nobody else", async () => {
  const [anna, other] = [await join(), await join()];
  const reply = await service.call("DELETE", `/v1/users/${anna.id}/sessions`);
  expect(reply.status).toBe(204);
  const ask = async ({ token }: { token: string }) => (await service.raw("GET", "/v1/me", bearer(token))).status;
  expect([await ask(anna), await ask(other)]).toEqual([401, 200]);
  expect((await service.call("DELETE", "/v1/users/0123456789abcdef/sessions")).status).toBe(404);
});

test("a record says who wrote it, by the name that they have now", async () => {
  const { token, id } = await join();
  const made = await post("/v1/customers", { lastName: "A", accountID: `by${++last}` }, bearer(token));
  expect(made.json).toMatchObject({ createdBy: { type: "user", id, name: "Anna Berg" }, updatedBy: { id } });
  await service.raw("PATCH", "/v1/me", { ...bearer(token), ...JSON_BODY }, '{"name":"Anna Bergmann"}');
  const read = async () => (await service.call("GET", `/v1/customers/${made.json.objectId}`)).json.createdBy.name;
  await expect.poll(read, { timeout: 60_000 }).toBe("Anna Bergmann");
});

test("the log tells by default who signed in, who was refused and who changed whom, and no name, address or password", async () => {
  const lines: string[] = [];
  const own = await openTestService(undefined, { logLevel: "warn", logTo: { write: (line) => void lines.push(line) } });
  try {
    const send = (path: string, body: unknown) => own.raw("POST", path, JSON_BODY, JSON.stringify(body));
    const invited = await own.call("POST", "/v1/users", { email: "Quetzal@example.org", name: "Quetzal", roles: ["viewer"] });
    const { id } = invited.json.user;
    const joined = await send("/v1/links/use", { code: codeOf(invited.json.link), password: PASSWORD });
    await send("/v1/sessions", { email: "Quetzal@example.org", password: OTHER });
    await own.call("PATCH", `/v1/users/${id}`, { roles: ["editor"] });
    await send("/v1/links/use", { code: codeOf(invited.json.link), password: PASSWORD });
    await own.raw("GET", "/v1/users", bearer(joined.json.access_token));
    await own.raw("DELETE", "/v1/sessions/current", bearer(joined.json.access_token));
    const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => !event.startsWith("key"));
    expect(events.map(({ event, by, target, method, missing }) => [event, by?.replace(/ .*/, ""), target ?? method ?? missing])).toEqual([
      ["person invited", "key", id],
      ["password changed", "user", undefined],
      ["signed in", "user", "password"],
      ["sign-in refused", undefined, undefined],
      ["person changed", "key", id],
      ["link refused", undefined, undefined],
      ["access refused", "user", "admin"],
      ["signed out", "user", undefined],
    ]);
    for (const secret of ["quetzal", PASSWORD, OTHER, joined.json.access_token])
      expect(lines.join("").toLowerCase()).not.toContain(secret.toLowerCase());
  } finally {
    await own.close();
  }
});
