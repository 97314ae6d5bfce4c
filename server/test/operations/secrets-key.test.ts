// The key that seals the store's secrets stands outside of the store: taken on, renewed, wrong, missing and lost.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, runCommand, type Started, startProcess } from "../../testing/process.ts";
import { isSignedWith, type Receiver, startReceiver } from "../../testing/servers/webhook-receiver.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const [FIRST, SECOND, OTHER] = [
  "Zk3vQx8Lw2Rb7Tn5Yc9Fh4Jm6Gd1Ps0UaXe",
  "q8Xr2Nf7Vd4Hb9Kt1Lw6Zc3Mj5Pg0SyEeWu",
  "Mb5Tq9Wz2Kx7Rc4Vn8Hf1Ld6Yg3Js0PaUoIi",
];
const WRONG =
  /^Intake cannot start: SECRETS_KEY is not the key that sealed this store's secrets\. .+ If it is lost, intake reset-secrets begins anew\.\n$/;
const MISSING =
  /^Intake cannot start: this store's secrets are sealed with a key that it does not hold: set SECRETS_KEY or SECRETS_KEY_FILE\./;
const isPostgres = Boolean(inject("postgres"));

let database: TestDatabase;
let receiver: Receiver;
let place: Record<string, string>;
beforeEach(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  place = {
    ...(database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder }),
    ...{ ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, WEBHOOK_PRIVATE: "true" },
  };
});
afterEach(async () => {
  killProcesses();
  await receiver.close();
  await database.drop();
});

const start = (env: Record<string, string> = {}) => startProcess({ ...place, ...env });
const stop = async ({ child, ended }: Started) => {
  child.kill("SIGTERM");
  await ended;
};

async function call(service: Started, method: string, path: string, body?: object) {
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const reply = await fetch(`${service.url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: reply.status, json: (await reply.json()) as Record<string, never> & { id: string; secret: string; next: string } };
}

/** Says whether the next change that is stored comes to the receiver, signed with the secret. */
async function signs(service: Started, secret: string): Promise<boolean> {
  const before = receiver.received.length;
  expect((await call(service, "POST", "/customers", { lastName: "Ek", accountID: "1" })).status).toBe(201);
  await expect.poll(() => receiver.received.length, { timeout: 50_000 }).toBeGreaterThan(before);
  return receiver.received.slice(before).every((one) => isSignedWith(secret, one));
}

/** Returns what a copy of the store has: the rows of the settings, and how the webhooks' secrets are stored. The store is closed. */
async function stored(): Promise<{ settings: Map<string, Buffer>; sealed: string[] }> {
  const [settings, webhooks] = ["SELECT name, value FROM settings", "SELECT secret, old_secret FROM webhooks"];
  if (database.url) {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const [own, sealed] = [
      await client.query({ text: settings, rowMode: "array" }),
      await client.query({ text: webhooks, rowMode: "array" }),
    ];
    await client.end();
    return { settings: new Map(own.rows as [string, Buffer][]), sealed: sealed.rows.flat().filter(Boolean) };
  }
  const file = new Database(join(database.folder, "intake.db"));
  const own = file.prepare(settings).raw().all() as [string, Buffer][];
  const sealed = file.prepare(webhooks).raw().all() as string[][];
  file.close();
  return { settings: new Map(own), sealed: sealed.flat().filter(Boolean) };
}

const hasBytes = (bytes: Buffer | string) => readFileSync(join(database.folder, "intake.db")).includes(bytes);

test("a store takes on a key, renews it, and keeps nothing with which its secrets could be opened", { timeout: 180_000 }, async () => {
  let service = await start();
  const { secret, id } = (await call(service, "POST", "/webhooks", { url: receiver.url })).json;
  expect((await call(service, "POST", `/webhooks/${id}/secret`)).status).toBe(200); // one is renewed: two are stored
  for (const accountID of ["1", "2", "3"]) await call(service, "POST", "/customers", { lastName: "Ek", accountID });
  expect(await signs(service, secret)).toBe(true);
  await stop(service);
  const before = await stored();
  const own = before.settings.get("secret") as Buffer;
  expect([own.length, before.sealed.length]).toEqual([32, 2]);

  service = await start({ SECRETS_KEY: FIRST });
  expect(await signs(service, secret)).toBe(true);
  const page = (await call(service, "GET", "/customers?limit=1")).json;
  await stop(service);
  const taken = await stored();
  expect(taken.settings.has("secret")).toBe(false);
  expect(taken.sealed).toHaveLength(2);
  expect(taken.sealed.filter((text) => before.sealed.includes(text))).toEqual([]);
  expect((await runCommand("erase", ["--rewrite"], place)).code).toBe(0);
  if (!isPostgres) expect([hasBytes(own), ...before.sealed.map((text) => hasBytes(text))]).toEqual([false, false, false]);

  service = await start({ SECRETS_KEY: FIRST }); // nothing is left to do
  await stop(service);
  expect(await stored()).toMatchObject({ sealed: taken.sealed });

  service = await start({ SECRETS_KEY: `${SECOND},${FIRST}` });
  expect(await signs(service, secret)).toBe(true);
  expect((await call(service, "GET", `/customers?limit=1&cursor=${page.next}`)).status).toBe(200); // what was sealed before is opened
  await stop(service);
  service = await start({ SECRETS_KEY: SECOND });
  expect(await signs(service, secret)).toBe(true);
  expect((await call(service, "GET", `/customers?limit=1&cursor=${page.next}`)).status).toBe(400);
  await stop(service);
  const renewed = await stored();
  expect(renewed.sealed.filter((text) => taken.sealed.includes(text))).toEqual([]);
});

test("a key that is wrong, missing, or no longer named is refused in a sentence, and changes nothing", { timeout: 180_000 }, async () => {
  let service = await start({ SECRETS_KEY: FIRST });
  const { secret } = (await call(service, "POST", "/webhooks", { url: receiver.url })).json;
  await stop(service);
  const before = await stored();
  for (const [env, message] of [
    [{ SECRETS_KEY: SECOND }, WRONG],
    [{ SECRETS_KEY: `${SECOND},${OTHER}` }, WRONG],
    [{}, MISSING],
  ] as const) {
    const refused = await start(env);
    expect([await refused.ended, refused.output()]).toEqual([1, expect.stringMatching(message)]);
    expect(refused.output()).not.toContain(SECOND);
  }
  expect(await stored()).toEqual(before);
  // Commands beside the service seal nothing, so they need no key.
  expect((await runCommand("keys", ["list"], place)).code).toBe(0);
  expect((await runCommand("copy", ["customers", "1"], place)).error).toMatch(/^There is no customer 1/);
  service = await start({ SECRETS_KEY: FIRST });
  expect(await signs(service, secret)).toBe(true);
});

test("after a key was lost, the command switches off the webhooks that cannot sign, and the store goes on with another", {
  timeout: 180_000,
}, async () => {
  let service = await start({ SECRETS_KEY: FIRST });
  const { id, secret } = (await call(service, "POST", "/webhooks", { url: receiver.url })).json;
  await stop(service);
  const same = await runCommand("reset-secrets", [], { ...place, SECRETS_KEY: FIRST });
  expect(same).toEqual({ code: 0, error: "", out: "Every secret in the store can be read: no webhook needs a new one.\n" });
  const reset = await runCommand("reset-secrets", [], { ...place, SECRETS_KEY: SECOND });
  expect(reset.out).toBe(`The secrets of these webhooks are lost, and they are switched off:\n  ${receiver.url}
Make a new secret for each in Settings, give it to the receiver, and switch the webhook on. It goes on where it stopped.\n`);
  expect((await runCommand("reset-secrets", [], { ...place, SECRETS_KEY: SECOND })).out).toMatch(/^Every secret in the store can be read/);

  service = await start({ SECRETS_KEY: SECOND });
  expect((await call(service, "GET", `/webhooks/${id}`)).json).toMatchObject({ state: "off", offReason: "administrator" });
  const next = (await call(service, "POST", `/webhooks/${id}/secret`)).json.secret;
  expect((await call(service, "PATCH", `/webhooks/${id}`, { enabled: true })).status).toBe(200);
  expect([await signs(service, next), next === secret]).toEqual([true, false]);
  await stop(service);

  // Without a key in the environment the store keeps one again.
  expect((await runCommand("reset-secrets", [], place)).out).toContain(receiver.url);
  service = await start();
  expect(service.url).toMatch(/^http/);
  expect((await runCommand("reset-secrets", [], place)).code).toBe(isPostgres ? 0 : 1); // a file that a service holds is left alone
  await stop(service);
  expect((await stored()).settings.get("secret")).toHaveLength(32);
  if (isPostgres) return;
  const nowhere = await runCommand("reset-secrets", [], { DATA_DIR: join(database.folder, "none") });
  expect([nowhere.code, nowhere.error]).toEqual([
    1,
    expect.stringMatching(/^There is no store in .+: name the store with DATA_DIR or DATABASE_URL\./),
  ]);
});

test.runIf(isPostgres)(
  "processes that take a key on at once have the same, and read what the others seal",
  { timeout: 180_000 },
  async () => {
    const first = await start();
    const { secret } = (await call(first, "POST", "/webhooks", { url: receiver.url })).json;
    await stop(first);
    const services = await Promise.all([1, 2, 3].map(() => start({ SECRETS_KEY: FIRST })));
    const [one, two, three] = services as [Started, Started, Started];
    for (const accountID of ["1", "2", "3"]) await call(one, "POST", "/customers", { lastName: "Ek", accountID });
    const { next } = (await call(one, "GET", "/customers?limit=1")).json;
    expect((await call(two, "GET", `/customers?limit=1&cursor=${next}`)).status).toBe(200);
    await stop(one);
    await stop(two);
    expect(await signs(three, secret)).toBe(true);
  },
);
