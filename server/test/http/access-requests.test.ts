// Asking for access, and for a new password: nobody learns who has an account, and the mail is in the reader's language.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readMailSettings } from "../../../core/contract/mail-settings.ts";
import type { AccessRequest, SignUp } from "../../../core/contract/people.ts";
import { createMailer } from "../../mail/mailer.ts";
import { type MailServer, parseMail, startMailServer } from "../../testing/servers/mail-server.ts";
import { DICTIONARY, openTestService, type TestService } from "../../testing/service.ts";

const PASSWORD = "gorse lantern 47 quay";
const BASE = "https://intake.example.org";
const MINUTE = 60_000; // ms
const SOON = { timeout: 20_000, interval: 20 };

let mail: MailServer;
const services: TestService[] = [];
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(async () => {
  for (const service of services) await service.close();
  await mail.close();
});

async function open(signUp: SignUp, hasMail = true): Promise<TestService> {
  const mailer = createMailer(readMailSettings(hasMail ? `smtp://127.0.0.1:${mail.port}` : undefined, "intake@example.org"));
  const service = await openTestService(DICTIONARY, { signUp, mailer, publicUrl: BASE, trustedProxies: ["127.0.0.1"] });
  services.push(service);
  return service;
}

let sources = 0;
/** From a network of its own unless `source` says another, because requests are counted by source. */
function post(service: TestService, path: string, body: unknown, { source = `192.0.2.${++sources % 250}`, language = "" } = {}) {
  const headers = { "content-type": "application/json", "x-forwarded-for": source, ...(language && { "accept-language": language }) };
  return service.raw("POST", path, headers, JSON.stringify(body));
}
const askFor = (service: TestService, email: string, more = {}, how = {}) =>
  post(service, "/v1/access-requests", { email, name: "Anna Berg", message: "I am new.", ...more }, how);
const waiting = async (service: TestService): Promise<AccessRequest[]> =>
  (await service.call("GET", "/v1/access-requests")).json.accessRequests;
const resetFor = (service: TestService, email: string, how = {}) => post(service, "/v1/password-resets", { email }, how);

/** The mails to an address, once there are so many. */
async function mailsTo(email: string, count: number) {
  const found = () => mail.mails.filter(({ to }) => to.includes(email)).map(({ raw }) => parseMail(raw));
  await vi.waitFor(() => expect(found().length).toBeGreaterThanOrEqual(count), SOON);
  return found();
}
const codeIn = (text: string) => new RegExp(`${BASE}/welcome#([\\w-]+)`).exec(text)?.[1] ?? "";
const join = (service: TestService, code: string, language = "") =>
  post(service, "/v1/links/use", { code, password: PASSWORD }, { language });

async function newPerson(service: TestService, email: string, roles = ["viewer"], language = "") {
  const made = await service.call("POST", "/v1/users", { email, name: "Anna Berg", roles });
  const used = await join(service, made.json.link.url.split("#")[1], language);
  expect(used.status).toBe(201);
  return used.json.user;
}

describe("with SIGN_UP=request", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await open("request");
  });

  test("the sign-in page learns that one may ask, and that links can be mailed", async () => {
    expect((await service.raw("GET", "/v1/sign-in")).json).toMatchObject({ signUp: "request", canMailLinks: true });
  });

  test("whoever asks waits until an administrator approves, and gets a link by mail", async () => {
    const email = "First.Asker@example.org";
    const asked = await askFor(service, email, { message: "I am new.\r\n\r\nRoom 7" }, { language: "de-AT,de;q=0.9,en;q=0.5" });
    expect([asked.status, asked.json]).toEqual([202, { accepted: true }]);
    const request = (await waiting(service)).find((one) => one.email === email);
    expect(request).toMatchObject({ name: "Anna Berg", message: "I am new.\n\nRoom 7", hasAccount: false });
    const approved = await service.call("POST", `/v1/access-requests/${request?.id}/approve`, { roles: ["contributor"] });
    expect(approved.status).toBe(201);
    expect(approved.json).toMatchObject({
      user: { email, status: "invited", roles: ["contributor"], language: "de" },
      link: { mail: "sent" },
    });
    expect(approved.headers.location).toBe(`/v1/users/${approved.json.user.id}`);
    const [german] = await mailsTo(email, 1);
    expect(german?.text).toContain("Guten Tag Anna Berg,");
    expect(german?.text).toContain("Ihre Anfrage nach Zugang zu Intake wurde angenommen.");
    expect((await join(service, codeIn(german?.text ?? ""))).json.user).toMatchObject({ email, status: "active" });
    expect((await waiting(service)).some((one) => one.email === email)).toBe(false);
  });

  test("one address has one request: a second takes its place, and what was read before can no longer be approved", async () => {
    await askFor(service, "twice@example.org", { message: "first" });
    const before = (await waiting(service)).find(({ email }) => email === "twice@example.org");
    await askFor(service, "TWICE@example.org", { message: "second" });
    const found = (await waiting(service)).filter(({ email }) => email.toLowerCase() === "twice@example.org");
    expect(found.map(({ message }) => message)).toEqual(["second"]);
    const stale = await service.call("POST", `/v1/access-requests/${before?.id}/approve`, { roles: ["viewer"] });
    expect(stale.status).toBe(404);
  });

  test("a declined request is gone, and its address may ask again", async () => {
    await askFor(service, "declined@example.org");
    const request = (await waiting(service)).find(({ email }) => email === "declined@example.org");
    expect((await service.call("DELETE", `/v1/access-requests/${request?.id}`)).status).toBe(204);
    expect((await service.call("DELETE", `/v1/access-requests/${request?.id}`)).status).toBe(404);
    expect((await askFor(service, "declined@example.org")).status).toBe(202);
  });

  test("whoever has an account gets the same answer; the administrator sees it, and cannot make a second one", async () => {
    await newPerson(service, "known@example.org");
    const [known, unknown] = [await askFor(service, "known@example.org"), await askFor(service, "unknown@example.org")];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    const request = (await waiting(service)).find(({ email }) => email === "known@example.org");
    expect(request?.hasAccount).toBe(true);
    const approved = await service.call("POST", `/v1/access-requests/${request?.id}/approve`, { roles: [] });
    expect([approved.status, approved.json.code]).toEqual([409, "EMAIL_TAKEN"]);
  });

  test("an invitation answers the request of its address", async () => {
    await askFor(service, "invited.meanwhile@example.org");
    await service.call("POST", "/v1/users", { email: "Invited.Meanwhile@example.org", name: "B", roles: [] });
    expect((await waiting(service)).some(({ email }) => email.startsWith("invited.meanwhile"))).toBe(false);
  });

  test("one source may ask ten times a minute; others are not delayed by it", async () => {
    const source = "198.51.100.7";
    for (let i = 0; i < 10; i++) expect((await askFor(service, `flood${i}@example.org`, {}, { source })).status).toBe(202);
    const more = await askFor(service, "flood@example.org", {}, { source });
    expect([more.status, Number(more.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect((await askFor(service, "flood@example.org")).status).toBe(202);
  });

  test("a request that nobody decided about is forgotten after 30 days", async () => {
    await askFor(service, "patient@example.org");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30 * 24 * 60 * MINUTE + 1_000 });
    await askFor(service, "later@example.org").finally(() => vi.useRealTimers());
    const emails = (await waiting(service)).map(({ email }) => email);
    expect(emails).toContain("later@example.org");
    expect(emails).not.toContain("patient@example.org");
  });

  test.each([
    [{ name: "A" }, "/email"],
    [{ email: "a@b.org" }, "/name"],
    [{ email: "a@b.org", name: "A", message: "\0" }, "/message"],
    [{ email: "a@b.org", name: "A", message: "x".repeat(1_001) }, "/message"],
    [{ email: "a@b.org", name: "A", roles: ["administrator"] }, "/roles"],
  ])("a request %j is refused with a problem at %s", async (body, pointer) => {
    const reply = await post(service, "/v1/access-requests", body);
    expect([reply.status, reply.json.errors[0].pointer]).toEqual([422, pointer]);
  });
});

test("administrators get one mail an hour about requests, each in their language", async () => {
  const service = await open("request");
  await newPerson(service, "boss@example.org", ["administrator"], "en");
  await newPerson(service, "chefin@example.org", ["administrator"], "de");
  await newPerson(service, "reader@example.org", ["viewer"]);
  const start = Date.now();
  const askAt = async (minutes: number, email: string) => {
    vi.useFakeTimers({ toFake: ["Date"], now: start + minutes * MINUTE });
    await askFor(service, email, { message: "<b>Room 7</b>" }).finally(() => vi.useRealTimers());
  };
  await askAt(0, "one@example.org");
  const [, english] = await mailsTo("boss@example.org", 2); // the first was the invitation
  const [, german] = await mailsTo("chefin@example.org", 2);
  expect(english?.text).toContain("Anna Berg (one@example.org) asks for access to Intake.");
  expect(english?.text).toContain(`${BASE}/settings/requests`);
  expect(english?.html).not.toContain("<b>Room");
  expect(german?.header.get("subject")).toMatch(/Zugang/);
  await askAt(59, "two@example.org");
  await askAt(61, "three@example.org");
  const both = await mailsTo("boss@example.org", 3);
  expect(both[2]?.text).toContain("three@example.org");
  await mailsTo("chefin@example.org", 3);
  expect(mail.mails.filter(({ to }) => to.includes("boss@example.org") || to.includes("chefin@example.org"))).toHaveLength(6);
  expect(await mailsTo("reader@example.org", 1)).toHaveLength(1);
});

describe("with SIGN_UP=open", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await open("open");
  });

  test("whoever asks gets an account that may read, by a link in a mail alone", async () => {
    const asked = await askFor(service, "opener@example.org");
    expect([asked.status, asked.text]).toEqual([202, '{"accepted":true}']);
    const [first] = await mailsTo("opener@example.org", 1);
    expect((await join(service, codeIn(first?.text ?? ""))).json.user).toMatchObject({ email: "opener@example.org", roles: ["viewer"] });
    expect(await waiting(service)).toEqual([]);
  });

  test("whoever has an account gets the same answer, and a link for a new password", async () => {
    const user = await newPerson(service, "editor@example.org", ["editor"]);
    const before = (await mailsTo("editor@example.org", 1)).length;
    expect((await askFor(service, "editor@example.org")).text).toBe('{"accepted":true}');
    const mails = await mailsTo("editor@example.org", before + 1);
    expect((await join(service, codeIn(mails.at(-1)?.text ?? ""))).json.user).toMatchObject({ id: user.id, roles: ["editor"] });
    await vi.waitFor(async () => expect(await waiting(service)).toEqual([]), SOON);
  });

  test("somebody disabled gets nothing", async () => {
    const user = await newPerson(service, "gone@example.org");
    const before = (await mailsTo("gone@example.org", 1)).length;
    await service.call("PATCH", `/v1/users/${user.id}`, { status: "disabled" });
    expect((await askFor(service, "gone@example.org")).status).toBe(202);
    await vi.waitFor(async () => expect(await waiting(service)).toEqual([]), SOON);
    await askFor(service, "marker@example.org");
    await mailsTo("marker@example.org", 1);
    expect(await mailsTo("gone@example.org", before)).toHaveLength(before);
  });
});

test("without SIGN_UP nobody can ask, and without mail nobody can reset a password", async () => {
  const service = await openTestService();
  services.push(service);
  expect((await service.raw("GET", "/v1/sign-in")).json).toMatchObject({ signUp: "invite", canMailLinks: false });
  const asked = await askFor(service, "a@example.org");
  expect([asked.status, asked.json.code]).toEqual([404, "SIGN_UP_CLOSED"]);
  const reset = await resetFor(service, "a@example.org");
  expect([reset.status, reset.json.code]).toEqual([404, "NO_MAIL_HERE"]);
  const byRequest = await open("request", false);
  await askFor(byRequest, "b@example.org");
  const [request] = await waiting(byRequest);
  const approved = await byRequest.call("POST", `/v1/access-requests/${request?.id}/approve`, { roles: ["viewer"] });
  expect([approved.status, approved.json.link.mail]).toEqual([201, "off"]);
});

describe("a forgotten password", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await open("invite");
  });

  test("is replaced by a link in a mail, in the language of whoever asks", async () => {
    const user = await newPerson(service, "forgot@example.org");
    const before = (await mailsTo("forgot@example.org", 1)).length;
    const answer = await resetFor(service, " FORGOT@example.org ", { language: "de" });
    expect([answer.status, answer.text]).toEqual([202, '{"accepted":true}']);
    const mails = await mailsTo("forgot@example.org", before + 1);
    expect(mails.at(-1)?.text).toContain("Mit diesem Link");
    const used = await join(service, codeIn(mails.at(-1)?.text ?? ""));
    expect(used.json.user.id).toBe(user.id);
  });

  test("answers the same for nobody, somebody invited and somebody disabled", async () => {
    await service.call("POST", "/v1/users", { email: "still.invited@example.org", name: "B", roles: [] });
    const disabled = await newPerson(service, "out@example.org");
    await service.call("PATCH", `/v1/users/${disabled.id}`, { status: "disabled" });
    const before = (await mailsTo("still.invited@example.org", 1)).length;
    for (const email of ["nobody@example.org", "still.invited@example.org", "out@example.org"]) {
      const answer = await resetFor(service, email);
      expect([email, answer.status, answer.text]).toEqual([email, 202, '{"accepted":true}']);
    }
    const mails = await mailsTo("still.invited@example.org", before + 1);
    expect((await join(service, codeIn(mails.at(-1)?.text ?? ""))).status).toBe(201);
    expect(mail.mails.some(({ to }) => to.includes("nobody@example.org"))).toBe(false);
  });

  test("sends five mails an hour to one address, from wherever they are asked for, and the last link stays valid", async () => {
    await newPerson(service, "harassed@example.org");
    const before = (await mailsTo("harassed@example.org", 1)).length;
    for (let i = 0; i < 8; i++) expect((await resetFor(service, "harassed@example.org")).status).toBe(202);
    const mails = await mailsTo("harassed@example.org", before + 5);
    const codes = mails.slice(before).map(({ text }) => codeIn(text));
    await resetFor(service, "forgot@example.org");
    expect(codes).toHaveLength(5);
    const usable = await Promise.all(codes.map(async (code) => (await post(service, "/v1/links/lookup", { code })).status));
    expect(usable.filter((status) => status === 200)).toHaveLength(1);
  });

  test("one source may ask ten times a minute", async () => {
    const source = "198.51.100.8";
    for (let i = 0; i < 10; i++) expect((await resetFor(service, `nobody${i}@example.org`, { source })).status).toBe(202);
    expect((await resetFor(service, "nobody@example.org", { source })).status).toBe(429);
  });
});

test("mail is in the language of the browser that somebody signed in with last; an invitation in that of its maker", async () => {
  const service = await open("invite");
  const invited = await service.call(
    "POST",
    "/v1/users",
    { email: "lea@example.org", name: "Lea", roles: [] },
    { "accept-language": "de" },
  );
  expect(invited.json.user.language).toBe("de");
  const chosen = await service.call(
    "POST",
    "/v1/users",
    { email: "tom@example.org", name: "Tom", roles: [], language: "en" },
    { "accept-language": "de" },
  );
  expect(chosen.json.user.language).toBe("en");
  expect((await mailsTo("lea@example.org", 1))[0]?.header.get("subject")).toBe("Einladung zu Intake");
  expect((await mailsTo("tom@example.org", 1))[0]?.header.get("subject")).toBe("You are invited to Intake");
  const { user } = (await join(service, invited.json.link.url.split("#")[1], "fr-FR,en;q=0.8,de;q=0.7")).json;
  const stored = async () => (await service.call("GET", `/v1/users/${user.id}`)).json.language;
  expect(await stored()).toBe("en");
  for (const [language, kept] of [
    ["de-CH", "de"],
    ["fr", "de"],
    ["", "de"],
    ["en;q=0.1, de;q=0", "en"],
    ["pseudo", "en"],
  ]) {
    await post(service, "/v1/sessions", { email: "lea@example.org", password: PASSWORD }, { language: language ?? "" });
    expect([language, await stored()]).toEqual([language, kept]);
  }
});
