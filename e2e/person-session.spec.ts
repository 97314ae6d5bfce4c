// The client's session for people, on the service's own host: a cookie that no script can read has the refresh token.

import { readFileSync } from "node:fs";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { invite, type OwnService, startService } from "./support/own-service.ts";
import { openApi } from "./support/service.ts";

const PASSWORD = "a long one of the tests";
const BUILT = new URL("../client/dist/", import.meta.url);

/** Uses it as a program of others does, in the page's own world. */
interface Session {
  restore(): Promise<boolean>;
  signIn(email: string, password: string): Promise<void>;
  renew(stale: string | undefined): Promise<string>;
  token(): string | undefined;
  me(): Promise<{ email: string }>;
  signOut(): Promise<void>;
}
declare global {
  interface Window {
    session: Session;
  }
}

// A service of its own: where there are people, other tests would find another sign-in page.
let service: OwnService;
let origin: string;
test.beforeAll(async () => {
  service = await startService();
  origin = `http://127.0.0.1:${service.port}`;
});
test.afterAll(() => service.remove());

let email: string;
test.beforeEach(async () => {
  email = `client-${Date.now()}-${Math.round(Math.random() * 1e9)}@example.org`;
  const { call } = await openApi(service.port);
  const code = new URL((await invite(service.port, email, "viewer")).link).hash.replace(/^#(code=)?/, "");
  expect((await call("POST", "/links/use", { code, password: PASSWORD })).status).toBe(201);
});

/** A page of another app below the service's own address, with the built client and one session. */
async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.route(`${origin}/other-app/**`, (route) => {
    const path = new URL(route.request().url()).pathname.replace("/other-app/", "");
    if (path === "") return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Other app</title>" });
    return route.fulfill({ contentType: "text/javascript", body: readFileSync(new URL(path, BUILT), "utf8") });
  });
  await page.goto(`${origin}/other-app/`);
  await page.evaluate(async () => {
    const module = "/other-app/client/person-session.js";
    const { createPersonSession } = (await import(module)) as { createPersonSession(baseUrl: string): Session };
    window.session = createPersonSession(`${location.origin}/v1`);
  });
  return page;
}

const restore = (page: Page) => page.evaluate(() => window.session.restore());
const readable = (page: Page) => page.evaluate(() => `${document.cookie}${JSON.stringify({ ...localStorage, ...sessionStorage })}`);

test("a reload goes on twice in a row, no script can read the token, and signing out ends it", async ({ context }) => {
  const first = await openTab(context);
  expect(await restore(first)).toBe(false);
  await first.evaluate(([address, password]) => window.session.signIn(address, password), [email, PASSWORD] as const);
  const cookies = (await context.cookies(`${origin}/v1/sessions`)).filter(({ httpOnly }) => httpOnly);
  expect(cookies).toHaveLength(1);
  const before = cookies[0]?.value ?? "";
  expect(await readable(first)).not.toContain(before);
  for (let n = 0; n < 2; n++) {
    const page = await openTab(context);
    expect(await restore(page)).toBe(true);
    expect(await page.evaluate(async () => (await window.session.me()).email)).toBe(email);
    expect(await readable(page)).not.toContain("refresh");
  }
  expect((await context.cookies(`${origin}/v1/sessions`)).map(({ value }) => value)).not.toContain(before);
  await first.evaluate(() => window.session.signOut());
  expect(await restore(await openTab(context))).toBe(false);
});

test("two tabs that renew at once both go on, again and again", async ({ context }) => {
  const one = await openTab(context);
  await one.evaluate(([address, password]) => window.session.signIn(address, password), [email, PASSWORD] as const);
  const other = await openTab(context);
  expect(await restore(other)).toBe(true);
  for (let n = 0; n < 3; n++) {
    const tokens = await Promise.all([one, other].map((page) => page.evaluate(() => window.session.renew(window.session.token()))));
    expect(new Set(tokens).size).toBe(2);
  }
  // Two reloads at once, too: an old token that is used again would end the session for both.
  const [third, fourth] = [await openTab(context), await openTab(context)];
  expect(await Promise.all([restore(third), restore(fourth)])).toEqual([true, true]);
  for (const page of [one, other, third, fourth]) expect(await page.evaluate(async () => (await window.session.me()).email)).toBe(email);
});
