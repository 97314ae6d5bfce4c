// Passkeys: adding, signing in, proving, and every reason to refuse one.

import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { PasskeyAssertion } from "../../../core/contract/passkeys.ts";
import { createAccounts } from "../../people/auth/accounts.ts";
import { createSessions } from "../../people/auth/sessions.ts";
import { type Bent, type MadePasskey, makePasskey, signWithPasskey } from "../../testing/authenticator.ts";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";

const ORIGIN = "http://localhost"; // `inject` sends Host: localhost:80
const APP = "https://app.example";
const PASSWORD = "gorse lantern 47 quay";
const NOBODY = "0".repeat(16); // an id that nobody has
const MINUTE = 60_000; // ms

let service: TestService;
beforeAll(async () => {
  service = await openTestService(undefined, { corsOrigins: [APP] });
});
afterAll(() => service.close());

/** Calls as a browser does on a page of `origin`. */
function callerOf(to: TestService, token?: string, origin = ORIGIN) {
  return (method: string, path: string, body?: unknown) => {
    const headers = { ...(origin && { origin }), ...(token && { authorization: `Bearer ${token}` }) };
    if (body === undefined) return to.raw(method, path, headers);
    return to.raw(method, path, { ...headers, "content-type": "application/json" }, JSON.stringify(body));
  };
}

async function personWithPassword(to: TestService, ...roles: string[]) {
  const person = await to.newPerson(...roles);
  const accounts = createAccounts(to.store.people);
  const user = await to.store.people.readUser(person.id);
  if (!user) throw new Error("no person");
  const { code } = await accounts.renewLink(user);
  await accounts.redeemLink(code, { email: "", name: "", password: PASSWORD });
  return { id: person.id, email: person.email, ...(await signIn(to, person.email)) };
}

async function signIn(to: TestService, email: string) {
  const { json } = await callerOf(to)("POST", "/v1/sessions", { email, password: PASSWORD });
  return { token: json.access_token as string };
}

async function addPasskey(to: TestService, token: string, { origin = ORIGIN, ...bent }: Bent & { name?: string } = {}) {
  const call = callerOf(to, token, origin);
  const { status, json: options } = await call("POST", "/v1/me/passkeys/options");
  expect(status).toBe(200);
  const { passkey, answer } = makePasskey(options, origin, bent);
  const added = await call("POST", "/v1/me/passkeys", { passkey: answer, ...(bent.name && { name: bent.name }) });
  return { passkey, answer, added, options, passkeyId: added.json.id as string };
}

async function assertion(to: TestService, passkey: MadePasskey, { origin = ORIGIN, ...bent }: Bent = {}) {
  const { json: options } = await callerOf(to, undefined, origin)("POST", "/v1/sessions/passkey-options");
  return signWithPasskey(passkey, options, origin, bent);
}

const send = (to: TestService, passkey: PasskeyAssertion, origin = ORIGIN) =>
  callerOf(to, undefined, origin)("POST", "/v1/sessions", { passkey });

async function personWithPasskey(bent: Bent = {}) {
  const person = await personWithPassword(service, "editor");
  return { ...person, ...(await addPasskey(service, person.token, bent)) };
}

describe("a passkey", () => {
  test("is added, listed with what is known of it, and signs in without a name", async () => {
    const { passkey, added, id, passkeyId, options, email } = await personWithPasskey({ isSynced: true });
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      user: { name: email },
      excludeCredentials: [],
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect([added.status, added.json]).toMatchObject([
      201,
      { name: expect.stringMatching(/^Passkey \d{4}-/), isSynced: true, lastUsedAt: null },
    ]);
    const used = await send(service, await assertion(service, passkey));
    expect(used.json).toMatchObject({ token_type: "Bearer", user: { email, passkeys: 1 } });
    const { json } = await callerOf(service, used.json.access_token)("GET", "/v1/me/passkeys");
    expect(json.passkeys).toMatchObject([{ id: passkeyId, lastUsedAt: expect.stringMatching(/Z$/) }]);
    const { sessions } = (await callerOf(service, used.json.access_token)("GET", "/v1/me/sessions")).json;
    expect(sessions.map(({ method }: { method: string }) => method)).toContain("passkey");
    expect((await service.call("GET", `/v1/users/${id}`)).json.passkeys).toBe(1);
  });

  test("keeps the refresh token in a cookie if the app asks for that", async () => {
    const { passkey } = await personWithPasskey();
    const used = await callerOf(service)("POST", "/v1/sessions", { passkey: await assertion(service, passkey), cookie: true });
    expect([used.status, used.json.refresh_token]).toEqual([201, undefined]);
    expect(used.headers["set-cookie"]).toContain("HttpOnly");
  });

  test("is renamed and removed, by its owner alone", async () => {
    const { token, passkeyId, passkey } = await personWithPasskey();
    const other = await personWithPassword(service, "administrator");
    const [own, foreign] = [callerOf(service, token), callerOf(service, other.token)];
    expect((await own("PATCH", `/v1/me/passkeys/${passkeyId}`, { name: " Laptop " })).json.name).toBe("Laptop");
    for (const [method, body] of [
      ["PATCH", { name: "Mine" }],
      ["DELETE", undefined],
    ] as const)
      expect((await foreign(method, `/v1/me/passkeys/${passkeyId}`, body)).status).toBe(404);
    expect((await own("DELETE", `/v1/me/passkeys/${passkeyId}`)).status).toBe(204);
    expect((await own("DELETE", `/v1/me/passkeys/${passkeyId}`)).status).toBe(404);
    expect((await send(service, await assertion(service, passkey))).json.code).toBe("PASSKEY_REFUSED");
  });

  test("of a page on another host is for that page alone", async () => {
    const person = await personWithPassword(service, "viewer");
    const { passkey, options } = await addPasskey(service, person.token, { origin: APP });
    expect(options.rp.id).toBe("app.example");
    expect((await send(service, await assertion(service, passkey, { origin: APP }), APP)).status).toBe(201);
    expect((await send(service, await assertion(service, passkey))).status).toBe(401);
  });

  test("is offered on the sign-in page once somebody has one", async () => {
    const own = await openTestService();
    const ways = async () => (await own.raw("GET", "/v1/sign-in")).json.hasPasskeys;
    try {
      expect(await ways()).toBe(false);
      const { token } = await personWithPassword(own, "viewer");
      await addPasskey(own, token);
      expect(await ways()).toBe(true);
    } finally {
      await own.close();
    }
  });

  test("can be used again at once, if its authenticator counts upwards or not at all", async () => {
    const { passkey } = await personWithPasskey({ counter: 4 });
    for (const counter of [5, 6]) expect((await send(service, await assertion(service, passkey, { counter }))).status).toBe(201);
    const { passkey: plain } = await personWithPasskey();
    for (const counter of [0, 0]) expect((await send(service, await assertion(service, plain, { counter }))).status).toBe(201);
  });

  test("beyond twenty is refused", async () => {
    const { token } = await personWithPassword(service, "viewer");
    for (let i = 0; i < 20; i++) expect((await addPasskey(service, token)).added.status).toBe(201);
    const beyond = await callerOf(service, token)("POST", "/v1/me/passkeys/options");
    expect([beyond.status, beyond.json.code]).toEqual([409, "TOO_MANY_PASSKEYS"]);
  });
});

describe("a sign-in with a passkey", () => {
  test("is refused with one answer, whatever is wrong", async () => {
    const [one, other, disabled, removed, counting] = [
      await personWithPasskey(),
      await personWithPasskey(),
      await personWithPasskey(),
      await personWithPasskey(),
      await personWithPasskey({ counter: 7 }),
    ];
    await service.call("PATCH", `/v1/users/${disabled.id}`, { status: "disabled" });
    expect((await callerOf(service, removed.token)("DELETE", `/v1/me/passkeys/${removed.passkeyId}`)).status).toBe(204);
    const stranger = makePasskey(one.options, ORIGIN).passkey;
    const replayed = await assertion(service, one.passkey);
    expect((await send(service, replayed)).status).toBe(201);
    const late = await assertion(service, other.passkey);
    const tampered = await assertion(service, other.passkey);
    const challengeOfNobody = signWithPasskey(one.passkey, { challenge: "AAAA", rpId: "localhost" }, ORIGIN);
    const { privateKey: wrongKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const refused: Record<string, Reply> = {
      "nobody's": await send(service, await assertion(service, stranger)),
      "of a disabled person": await send(service, await assertion(service, disabled.passkey)),
      removed: await send(service, await assertion(service, removed.passkey)),
      "answered before": await send(service, replayed),
      "for a challenge of nobody": await send(service, challengeOfNobody),
      "for the challenge of a new passkey": await send(
        service,
        signWithPasskey(one.passkey, { ...one.options, rpId: "localhost" }, ORIGIN),
      ),
      "signed for another page": await send(service, await bend(one.passkey, { origin: "https://evil.example" })),
      "signed for another host": await send(service, await bend(one.passkey, { rpId: "evil.example" })),
      "sent from another page": await send(service, await assertion(service, one.passkey), "https://evil.example"),
      "sent from no page": await send(service, await assertion(service, one.passkey), ""),
      "signed by another key": await send(service, await bend(other.passkey, { key: wrongKey })),
      "of another person": await send(service, await bend(one.passkey, { userHandle: other.options.user.id })),
      "without a check of who holds it": await send(service, await bend(other.passkey, { isVerified: false })),
      "counted backwards": await send(service, await bend(counting.passkey, { counter: 6 })),
      "counted twice": await send(service, await bend(counting.passkey, { counter: 7 })),
      "no longer counted": await send(service, await bend(counting.passkey, { counter: 0 })),
      "with another response": await send(service, { ...tampered, response: { ...tampered.response, authenticatorData: "AAAA" } }),
    };
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * MINUTE + 1 });
    refused["after five minutes"] = await send(service, late).finally(() => vi.useRealTimers());
    const seen = Object.entries(refused).map(
      ([
        why,
        {
          status,
          json: { requestId: _, ...rest },
          headers,
        },
      ]) => [why, status, rest, headers["www-authenticate"]],
    );
    for (const [why, ...answer] of seen) expect([why, ...answer]).toEqual([why, ...(seen[0] ?? []).slice(1)]);
    expect(seen[0]?.slice(1, 3)).toEqual([401, expect.objectContaining({ code: "PASSKEY_REFUSED" })]);
  });

  /** An answer to a new challenge of the service, with something wrong. */
  async function bend(passkey: MadePasskey, bent: Bent) {
    const { json: options } = await callerOf(service)("POST", "/v1/sessions/passkey-options");
    return signWithPasskey(passkey, options, ORIGIN, bent);
  }

  test("that is answered twice at once is one session", async () => {
    const { passkey } = await personWithPasskey();
    const answer = await assertion(service, passkey);
    const both = await Promise.all([send(service, answer), send(service, answer)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
  });

  test("after ten refused ones waits, for this passkey from this source alone", async () => {
    const own = await openTestService();
    try {
      const [one, other] = [await personWithPassword(own, "viewer"), await personWithPassword(own, "viewer")];
      const { passkey } = await addPasskey(own, one.token);
      const { passkey: colleague } = await addPasskey(own, other.token);
      const wrong = async () => (await send(own, await assertion(own, { ...passkey, userHandle: "AAAA" }))).status;
      for (let i = 0; i < 10; i++) expect(await wrong()).toBe(401);
      const right = await send(own, await assertion(own, passkey));
      expect([right.status, Number(right.headers["retry-after"]) > 0]).toEqual([429, true]);
      expect((await send(own, await assertion(own, colleague))).status).toBe(201);
    } finally {
      await own.close();
    }
  });

  test("needs a page: without one there are no options", async () => {
    for (const origin of ["", "https://evil.example", "null", "http://localhost:81", "HTTP://LOCALHOST"]) {
      const reply = await callerOf(service, undefined, origin)("POST", "/v1/sessions/passkey-options");
      expect([origin, reply.status, reply.json.code]).toEqual([origin, 400, "BAD_HEADER"]);
    }
  });

  test("takes only the form that browsers send", async () => {
    const { passkey } = await personWithPasskey();
    const right = await assertion(service, passkey);
    for (const wrong of [
      null,
      "x",
      {},
      { ...right, type: "password" },
      { ...right, id: "a b" },
      { ...right, response: [] },
      { ...right, response: {} },
    ]) {
      const reply = await callerOf(service)("POST", "/v1/sessions", { passkey: wrong });
      expect([wrong, reply.status, reply.json.errors?.[0].pointer]).toEqual([wrong, 422, "/passkey"]);
    }
    const mixed = await callerOf(service)("POST", "/v1/sessions", { passkey: right, email: "a@b.org", password: "x" });
    expect(mixed.status).toBe(422);
  });
});

describe("a new passkey", () => {
  test("is refused when it was not made for this page, this person and this moment", async () => {
    const [anna, ben] = [await personWithPassword(service, "viewer"), await personWithPassword(service, "viewer")];
    const call = callerOf(service, anna.token);
    const options = async () => (await call("POST", "/v1/me/passkeys/options")).json;
    const other = (await callerOf(service, ben.token)("POST", "/v1/me/passkeys/options")).json;
    const signIn = (await call("POST", "/v1/sessions/passkey-options")).json;
    const stored = await addPasskey(service, anna.token);
    const late = makePasskey(await options(), ORIGIN).answer;
    const cases = [
      makePasskey(await options(), "https://evil.example").answer,
      makePasskey(await options(), ORIGIN, { rpId: "evil.example" }).answer,
      makePasskey(await options(), ORIGIN, { isVerified: false }).answer,
      makePasskey(other, ORIGIN).answer,
      makePasskey({ ...(await options()), challenge: signIn.challenge }, ORIGIN).answer,
      makePasskey({ ...(await options()), challenge: "AAAA" }, ORIGIN).answer,
      stored.answer,
      { ...late, response: { ...late.response, attestationObject: "AAAA" } },
    ];
    const refused = [];
    for (const passkey of cases) refused.push(await call("POST", "/v1/me/passkeys", { passkey }));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * MINUTE + 1 });
    refused.push(await call("POST", "/v1/me/passkeys", { passkey: late }).finally(() => vi.useRealTimers()));
    expect(refused.map(({ status, json }) => [status, json.errors[0].code])).toEqual(Array(9).fill([422, "PASSKEY_REFUSED"]));
    expect((await call("GET", "/v1/me/passkeys")).json.passkeys).toHaveLength(1);
    expect((await options()).excludeCredentials).toMatchObject([{ id: stored.passkey.id, transports: ["internal"] }]);
  });

  test("is refused when the person's passkeys have changed since it was asked for, or the session is another one", async () => {
    const person = await personWithPassword(service, "viewer");
    const [one, other] = [callerOf(service, person.token), callerOf(service, (await signIn(service, person.email)).token)];
    const made = async (call: typeof one) => makePasskey((await call("POST", "/v1/me/passkeys/options")).json, ORIGIN).answer;
    const [first, second, foreign] = [await made(one), await made(other), await made(other)];
    const add = (call: typeof one, passkey: unknown) => call("POST", "/v1/me/passkeys", { passkey });
    const codeOf = ({ status, json }: Reply) => [status, json.errors?.[0].code];
    expect(codeOf(await add(one, foreign))).toEqual([422, "PASSKEY_REFUSED"]);
    const both = await Promise.all([add(one, first), add(other, second)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    for (const [call, passkey] of [
      [one, first],
      [other, second],
    ] as const)
      expect(codeOf(await add(call, passkey))).toEqual([422, "PASSKEY_REFUSED"]);
    expect((await one("GET", "/v1/me/passkeys")).json.passkeys).toHaveLength(1);
    expect((await add(one, await made(one))).status).toBe(201);
    const before = await made(one);
    const [{ id }] = (await one("GET", "/v1/me/passkeys")).json.passkeys;
    expect((await one("DELETE", `/v1/me/passkeys/${id}`)).status).toBe(204);
    expect(codeOf(await add(one, before))).toEqual([422, "PASSKEY_REFUSED"]);
  });

  test("needs the proof when it is added, too", async () => {
    const { token, email } = await personWithPassword(service, "viewer");
    const call = callerOf(service, token);
    const { answer } = makePasskey((await call("POST", "/v1/me/passkeys/options")).json, ORIGIN);
    await age(email, 16); // ten minutes, and the five that the browser has
    const refused = await call("POST", "/v1/me/passkeys", { passkey: answer });
    expect([refused.status, refused.json.code]).toEqual([403, "PROOF_NEEDED"]);
    await age(email, 11);
    expect((await call("POST", "/v1/me/passkeys", { passkey: answer })).status).toBe(201);
  });

  test("with an id that somebody's passkey has changes nothing", async () => {
    const { passkey, token } = await personWithPasskey();
    const thief = await personWithPassword(service, "viewer");
    const call = callerOf(service, thief.token);
    const { answer } = makePasskey((await call("POST", "/v1/me/passkeys/options")).json, ORIGIN, { credential: passkey.id });
    expect((await call("POST", "/v1/me/passkeys", { passkey: answer })).status).toBe(422);
    expect((await callerOf(service, token)("GET", "/v1/me/passkeys")).json.passkeys).toHaveLength(1);
    expect((await send(service, await assertion(service, passkey))).status).toBe(201);
  });

  test("and the removal of one need a sign-in or a proof of the last ten minutes", async () => {
    const { email, token, passkey } = await personWithPasskey();
    const call = callerOf(service, token);
    const outcomes = async () => [
      (await call("POST", "/v1/me/passkeys/options")).json?.code,
      (await call("DELETE", `/v1/me/passkeys/${NOBODY}`)).json.code,
    ];
    expect(await outcomes()).toEqual([undefined, "NOT_FOUND"]);
    await age(email, 11);
    expect(await outcomes()).toEqual(["PROOF_NEEDED", "PROOF_NEEDED"]);
    const wrong = await call("POST", "/v1/me/proof", { password: "not the password" });
    expect([wrong.status, wrong.json.errors[0]]).toMatchObject([422, { pointer: "/password", code: "WRONG_PASSWORD" }]);
    const others = await personWithPasskey();
    const foreign = await call("POST", "/v1/me/proof", { passkey: await assertion(service, others.passkey) });
    expect([foreign.status, foreign.json.errors[0].code]).toEqual([422, "PASSKEY_REFUSED"]);
    expect(await outcomes()).toEqual(["PROOF_NEEDED", "PROOF_NEEDED"]);
    expect((await call("POST", "/v1/me/proof", { password: PASSWORD })).status).toBe(204);
    expect(await outcomes()).toEqual([undefined, "NOT_FOUND"]);
    await age(email, 11);
    expect((await call("POST", "/v1/me/proof", { passkey: await assertion(service, passkey) })).status).toBe(204);
    expect(await outcomes()).toEqual([undefined, "NOT_FOUND"]);
  });

  /** Lets all sessions of the person have begun earlier. */
  async function age(email: string, minutes: number) {
    const { people } = service.store;
    const user = await people.readUserByEmail(email);
    for (const { id } of await people.listSessions(user?.id ?? "", Date.now(), 60 * MINUTE))
      await people.proveSession(id, Date.now() - minutes * MINUTE, false);
  }

  test("is not for API keys", async () => {
    for (const [method, path] of [
      ["GET", "/v1/me/passkeys"],
      ["POST", "/v1/me/passkeys/options"],
    ] as const)
      expect((await service.call(method, path, undefined, { origin: ORIGIN })).json.code).toBe("NOT_A_PERSON");
  });
});

test("guessing one's password as a proof ends after ten attempts", async () => {
  const { token } = await personWithPassword(service, "viewer");
  const guess = async () => (await callerOf(service, token)("POST", "/v1/me/proof", { password: "guess" })).status;
  for (let i = 0; i < 10; i++) expect(await guess()).toBe(422);
  expect(await guess()).toBe(429);
});

test("an administrator takes all passkeys of somebody who lost a device, and their sessions end", async () => {
  const { id, passkey, token, email } = await personWithPasskey();
  await addPasskey(service, token);
  expect((await service.call("GET", "/v1/users")).json.users.find((user: { email: string }) => user.email === email).passkeys).toBe(2);
  expect((await service.call("DELETE", `/v1/users/${id}/passkeys`)).status).toBe(204);
  expect((await callerOf(service, token)("GET", "/v1/me")).status).toBe(401);
  expect((await send(service, await assertion(service, passkey))).status).toBe(401);
  const again = await signIn(service, email);
  expect((await callerOf(service, again.token)("GET", "/v1/me/passkeys")).json.passkeys).toEqual([]);
  expect((await service.call("DELETE", `/v1/users/${NOBODY}/passkeys`)).status).toBe(404);
});

describe("where passkeys are compulsory", () => {
  let strict: TestService;
  beforeAll(async () => {
    strict = await openTestService(undefined, { requirePasskey: true });
  });
  afterAll(() => strict.close());

  test("who has none may only add one, and then goes on in the same session", async () => {
    const { token } = await personWithPassword(strict, "administrator");
    const call = callerOf(strict, token);
    for (const [method, path, body] of [
      ["GET", "/v1/customers", undefined],
      ["GET", "/v1/limits", undefined],
      ["POST", "/v1/customers", { lastName: "A", accountID: "1" }],
      ["GET", "/v1/users", undefined],
      ["POST", "/v1/keys", { scope: "read" }],
      ["PATCH", "/v1/me", { name: "B" }],
      ["PUT", "/v1/me/password", { current: PASSWORD, password: "otter ladder 93 mist" }],
      ["GET", "/v1/me/sessions", undefined],
    ] as const) {
      const reply = await call(method, path, body);
      expect([path, reply.status, reply.json.code]).toEqual([path, 403, "PASSKEY_REQUIRED"]);
    }
    expect((await call("GET", "/v1/me")).json).toMatchObject({ mustAddPasskey: true, scope: "admin" });
    const { passkeyId, added } = await addPasskey(strict, token);
    expect(added.status).toBe(201);
    expect((await call("GET", "/v1/me")).json.mustAddPasskey).toBe(false);
    expect((await call("GET", "/v1/customers")).status).toBe(200);
    const last = await call("DELETE", `/v1/me/passkeys/${passkeyId}`);
    expect([last.status, last.json.code]).toEqual([409, "LAST_PASSKEY"]);
  });

  test("who has one is asked for it instead of the password, and the passkey signs in", async () => {
    const { token, email } = await personWithPassword(strict, "viewer");
    const { passkey } = await addPasskey(strict, token);
    const refused = await callerOf(strict)("POST", "/v1/sessions", { email, password: PASSWORD });
    expect([refused.status, refused.json.code]).toEqual([401, "PASSKEY_NEEDED"]);
    const wrong = await callerOf(strict)("POST", "/v1/sessions", { email, password: "wrong" });
    expect(wrong.json.code).toBe("WRONG_PASSWORD");
    const used = await send(strict, await assertion(strict, passkey));
    expect((await callerOf(strict, used.json.access_token)("GET", "/v1/customers")).status).toBe(200);
  });

  test("a session that has only the password adds none once the person has one, whenever it asked", async () => {
    const person = await personWithPassword(strict, "administrator");
    const thief = callerOf(strict, (await signIn(strict, person.email)).token);
    const { json: asked } = await thief("POST", "/v1/me/passkeys/options");
    await addPasskey(strict, person.token);
    const added = await thief("POST", "/v1/me/passkeys", { passkey: makePasskey(asked, ORIGIN).answer });
    expect([added.status, added.json.code]).toEqual([403, "PROOF_NEEDED"]);
    const anew = await thief("POST", "/v1/me/passkeys/options");
    expect([anew.status, anew.json.code]).toEqual([403, "PROOF_NEEDED"]);
    expect((await thief("GET", "/v1/me")).json.mustAddPasskey).toBe(true);
    expect((await callerOf(strict, person.token)("GET", "/v1/me/passkeys")).json.passkeys).toHaveLength(1);
  });

  test("the log tells of a right password that came without the passkey", async () => {
    const lines: string[] = [];
    const own = await openTestService(undefined, {
      requirePasskey: true,
      logLevel: "warn",
      logTo: { write: (line) => void lines.push(line) },
    });
    try {
      const { token, email, id } = await personWithPassword(own, "viewer");
      await addPasskey(own, token);
      lines.length = 0;
      await callerOf(own)("POST", "/v1/sessions", { email, password: PASSWORD });
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: "sign-in refused", target: id, reason: "password alone" }]);
    } finally {
      await own.close();
    }
  });

  test("two last passkeys that are removed at once leave one", async () => {
    const { token } = await personWithPassword(strict, "viewer");
    const ids = [(await addPasskey(strict, token)).passkeyId, (await addPasskey(strict, token)).passkeyId];
    const both = await Promise.all(ids.map((id) => callerOf(strict, token)("DELETE", `/v1/me/passkeys/${id}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  test("a session that began with the password gains nothing when the person adds a passkey elsewhere", async () => {
    const { token, email } = await personWithPassword(strict, "viewer");
    const thief = await signIn(strict, email);
    const { passkey } = await addPasskey(strict, token);
    const call = callerOf(strict, thief.token);
    expect((await call("GET", "/v1/customers")).json.code).toBe("PASSKEY_REQUIRED");
    expect((await call("POST", "/v1/me/passkeys/options")).json.code).toBe("PROOF_NEEDED");
    expect((await call("POST", "/v1/me/proof", { password: PASSWORD })).json.errors[0].code).toBe("PASSKEY_NEEDED");
    expect((await call("POST", "/v1/me/proof", { passkey: await assertion(strict, passkey) })).status).toBe(204);
    expect((await call("GET", "/v1/customers")).status).toBe(200);
  });

  test("who comes by the organisation's own sign-in needs none", async () => {
    const { people } = strict.store;
    const user = await people.readUser((await strict.newPerson("viewer")).id);
    if (!user) throw new Error("no person");
    const issued = await createSessions(people).start(user, { method: "oidc", agent: "test", source: "127.0.0.1" });
    expect((await callerOf(strict, issued?.accessToken)("GET", "/v1/customers")).status).toBe(200);
  });

  test("API keys work as ever", async () => {
    expect((await strict.call("GET", "/v1/customers")).status).toBe(200);
    expect((await strict.call("GET", "/v1/me")).json.mustAddPasskey).toBe(false);
  });

  test("a person signs out and refreshes without a passkey", async () => {
    const { token, email } = await personWithPassword(strict, "viewer");
    const { json } = await callerOf(strict)("POST", "/v1/sessions", { email, password: PASSWORD });
    const next = await callerOf(strict)("POST", "/v1/sessions/refresh", { refresh_token: json.refresh_token });
    expect((await callerOf(strict, next.json.access_token)("GET", "/v1/customers")).json.code).toBe("PASSKEY_REQUIRED");
    expect((await callerOf(strict, token)("DELETE", "/v1/sessions/current")).status).toBe(204);
  });
});

test("a challenge is answered at another process than gave it, and not once more at a third", async () => {
  const own = await openTestService();
  try {
    const { token } = await personWithPassword(own, "viewer");
    const { passkey } = await addPasskey(own, token);
    const answer = await assertion(own, passkey);
    await own.reopen();
    expect((await send(own, answer)).status).toBe(201);
    await own.reopen();
    expect((await send(own, answer)).json.code).toBe("PASSKEY_REFUSED");
  } finally {
    await own.close();
  }
});

test("the log tells who added, used and removed passkeys and which were refused, and nothing that was sent", async () => {
  const lines: string[] = [];
  const own = await openTestService(undefined, { logLevel: "warn", logTo: { write: (line) => void lines.push(line) } });
  try {
    const { token, id: userId } = await personWithPassword(own, "viewer");
    lines.length = 0;
    const { passkey, passkeyId, answer } = await addPasskey(own, token, { counter: 3 });
    const [first] = await createSessions(own.store.people).list(userId);
    const used = await assertion(own, passkey, { counter: 4 });
    await send(own, used);
    await send(own, used);
    await send(own, await assertion(own, passkey, { counter: 2 }));
    await callerOf(own, token)("POST", "/v1/me/proof", { password: "wrong" });
    const [second] = (await createSessions(own.store.people).list(userId)).filter(({ id }) => id !== first?.id);
    await callerOf(own, token)("DELETE", `/v1/me/passkeys/${passkeyId}`);
    await own.call("DELETE", `/v1/users/${userId}/passkeys`);
    const events = lines.map((line) => JSON.parse(line)).map(({ event, target, reason }) => [event, target, reason]);
    expect(events).toEqual([
      ["passkey added", passkeyId, undefined],
      ["passkey used", passkeyId, undefined],
      ["signed in", undefined, undefined],
      ["passkey refused", passkeyId, "replayed"],
      ["passkey refused", passkeyId, "counter"],
      ["proof refused", undefined, undefined],
      ["passkey removed", passkeyId, undefined],
      ["session ended", second?.id, undefined],
      ["passkeys removed", userId, undefined],
      ["session ended", first?.id, undefined],
    ]);
    for (const secret of [passkey.id, used.response.signature, answer.response.clientDataJSON])
      expect(lines.join("")).not.toContain(secret);
  } finally {
    await own.close();
  }
});
