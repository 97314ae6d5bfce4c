// API keys over HTTP and by the command, and revoking a single token.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { StoreUnavailable } from "../../engine/store.ts";
import { ADMIN_SECRET, runCommand, startProcess } from "../../testing/process.ts";
import { openTestService, type TestService } from "../../testing/service.ts";
import { ADMIN_KEY_ROW } from "../../testing/store.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const partsOf = (key: string) => /^ink_([^.]+)\.(.+)$/.exec(key)?.slice(1) as [string, string];
async function exchange(key: string): Promise<string> {
  const [client_id, client_secret] = partsOf(key);
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
  return (await service.raw("POST", "/v1/oauth/token", FORM, form.toString())).json.access_token;
}
const readWith = async (token: string) => (await service.raw("GET", "/v1/customers", { authorization: `Bearer ${token}` })).status;

test("a key is created, shown once, listed without its secret, and revoked with its tokens", async () => {
  const made = await service.call("POST", "/v1/keys", { scope: "read", expiresAt: "2099-01-01T00:00:00Z" });
  expect([made.status, made.headers["cache-control"], made.headers.location]).toEqual([201, "no-store", `/v1/keys/${made.json.id}`]);
  const token = await exchange(made.json.key);
  expect(await readWith(token)).toBe(200);
  const list = await service.call("GET", "/v1/keys");
  expect(list.json.keys.find((key: { id: string }) => key.id === made.json.id)).toMatchObject({ scope: "read", revokedAt: null });
  expect(list.text).not.toContain(partsOf(made.json.key)[1].slice(0, 20));
  expect(list.text).not.toMatch(/hash|secret/);
  expect((await service.call("DELETE", made.headers.location as string)).status).toBe(204);
  expect(await readWith(token)).toBe(401);
  expect(await exchange(made.json.key)).toBeUndefined();
  expect((await service.call("DELETE", made.headers.location as string)).status).toBe(204);
  expect((await service.call("GET", made.headers.location as string)).json.revokedAt).toMatch(/Z$/);
});

test("the last administrator's key that is valid cannot be revoked, and its tokens go on", async () => {
  const other = await openTestService();
  try {
    const { keys } = (await other.call("GET", "/v1/keys")).json;
    const [own] = keys as [{ id: string }];
    const { json: role } = await other.call("POST", "/v1/roles", { name: "Everything", scope: "admin" });
    const [viewer, disabled, helper] = [
      await other.newPerson("viewer"),
      await other.newPerson("administrator"),
      await other.newPerson(role.id),
    ];
    await other.store.people.changeUser(disabled.id, { status: "disabled" });
    await other.store.putKey({ ...ADMIN_KEY_ROW, id: "expired", expiresAt: 2 });
    await other.store.putKey({ ...ADMIN_KEY_ROW, id: "others", scope: "administrations:read Admin:read" });
    await other.store.putKey({ ...ADMIN_KEY_ROW, id: "viewers", userId: viewer.id });
    await other.store.putKey({ ...ADMIN_KEY_ROW, id: "disabled", userId: disabled.id });
    const reply = await other.call("DELETE", `/v1/keys/${own.id}`);
    expect([reply.status, reply.json.code]).toEqual([409, "LAST_ADMIN_KEY"]);
    await other.store.putKey({ ...ADMIN_KEY_ROW, id: "helpers", userId: helper.id });
    expect((await other.call("DELETE", `/v1/keys/${own.id}`)).status).toBe(204);
  } finally {
    await other.close();
  }
});

test("an unknown key is a 404", async () => {
  for (const id of ["nobody", "\0", "ü", "x".repeat(65), "__proto__"]) {
    for (const method of ["GET", "DELETE"])
      expect([id, (await service.call(method, `/v1/keys/${encodeURIComponent(id)}`)).status]).toEqual([id, 404]);
  }
});

test.each([
  [{ scope: "all" }, "/scope"],
  [{}, "/scope"],
  [{ scope: "read", expiresAt: "2001-01-01T00:00:00Z" }, "/expiresAt"],
  [{ scope: "read", expiresAt: 5 }, "/expiresAt"],
  [{ scope: "read customers:all" }, "/scope"],
  [{ scope: "nothing:read" }, "/scope"],
  [{ scope: "read", name: 5 }, "/name"],
  [{ scope: "read", name: "a\nb" }, "/name"],
  [{ scope: "read", name: "x".repeat(101) }, "/name"],
  [{ scope: "read", secret: "x" }, "/secret"],
  [[], ""],
])("the new key %j is refused with a problem at %s", async (body, pointer) => {
  const reply = await service.call("POST", "/v1/keys", body);
  expect([reply.status, reply.json.errors[0].pointer]).toEqual([422, pointer]);
});

test("a client can revoke its own token at once, but not another client's", async () => {
  const mine = (await service.call("POST", "/v1/keys", { scope: "read" })).json.key;
  const other = (await service.call("POST", "/v1/keys", { scope: "read" })).json.key;
  const token = await exchange(mine);
  const revoke = (key: string, fields: Record<string, string>) => {
    const [client_id, client_secret] = partsOf(key);
    return service.raw("POST", "/v1/oauth/revoke", FORM, new URLSearchParams({ client_id, client_secret, ...fields }).toString());
  };
  expect(await readWith(token)).toBe(200);
  expect((await revoke(other, { token })).status).toBe(200);
  expect(await readWith(token)).toBe(200);
  expect((await revoke(mine, { token, token_type_hint: "access_token" })).status).toBe(200);
  expect(await readWith(token)).toBe(401);
  expect((await revoke(mine, { token: "unknown" })).status).toBe(200);
  expect((await revoke(mine, {})).json.error).toBe("invalid_request");
  expect((await revoke(mine, { token, client_secret: "x" })).status).toBe(401);
});

const cli = (args: string[], env: Record<string, string>) => runCommand("keys", args, env);

/** Makes the store of a service that has started and ended. */
async function makeStore(DATA_DIR: string): Promise<void> {
  const { child, url, ended, output } = await startProcess({ DATA_DIR, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  if (!url) throw new Error(output());
  child.kill("SIGTERM");
  await ended;
}

test("the command makes no store of its own: a key in it would open no service", { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-keys-"));
  try {
    const { out, error, code } = await cli(["create", "write"], { DATA_DIR: join(folder, "other") });
    const choices = "name the store with DATA_DIR or DATABASE_URL, or the running service with URL and ADMIN_KEY";
    const sentence = `There is no store in ${folder}/other: ${choices}. A new store is made when the service starts.\n`;
    expect([code, out, error]).toEqual([1, "", sentence]);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the command creates, lists and revokes keys in a store without a running service", { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-keys-"));
  try {
    await makeStore(folder);
    const env = { DATA_DIR: folder };
    const { out } = await cli(["create", "write"], env);
    const [id, secret] = partsOf(out.split("\n")[0] ?? "");
    const list = await cli(["list"], env);
    expect(list.out).toContain(`${id}  write`);
    expect(list.out).not.toContain(secret);
    expect((await cli(["revoke", id], env)).out).toMatch(/^Revoked/);
    expect((await cli(["revoke", "nobody"], env)).error).toMatch(/no key/);
    const [admin = ""] = partsOf((await cli(["create", "admin"], env)).out.split("\n")[0] ?? "");
    expect((await cli(["revoke", "preset"], env)).out).toMatch(/^Revoked/);
    expect((await cli(["revoke", admin], env)).error).toMatch(/last valid key of an administrator.* create admin\n$/);
    expect((await cli(["create", "everything"], env)).error).toMatch(/intake keys/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** A scope of a collection that does not exist, and a name that is too long. */
const WRONG_KEYS: [string[], RegExp][] = [
  [["create", "kunden:read", "--name", "x"], /scope takes words separated by spaces.* as in \*:create\.\n$/],
  [["create", "read", "--name", "x".repeat(300)], /name must be a text of 0 to 100 characters, on one line\.\n$/],
];

test("the command makes no key with a scope or a name that the API would refuse", { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await makeStore(folder);
  for (const [words, problem] of WRONG_KEYS) {
    const { code, out, error } = await cli(words, { DATA_DIR: folder });
    expect([code, out, error]).toEqual([1, "", expect.stringMatching(/^There is no new key: /)]);
    expect(error).toMatch(problem);
  }
  expect((await cli(["list"], { DATA_DIR: folder })).out.split("\n").filter(Boolean)).toHaveLength(1);
});

test("what the service refuses the command says, instead of a key", { timeout: 180_000 }, async () => {
  const running = await openTestService();
  onTestFinished(() => running.close());
  await running.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = running.app.server.address() as AddressInfo;
  const ADMIN_KEY = (await running.call("POST", "/v1/keys", { scope: "admin" })).json.key;
  const env = { URL: `http://127.0.0.1:${port}`, ADMIN_KEY };
  for (const [words, problem] of WRONG_KEYS) {
    const { code, out, error } = await cli(words, env);
    expect([code, out, error]).toEqual([1, "", expect.stringMatching(/^The service made no key \(status 422\)\. /)]);
    expect(error).toMatch(problem);
  }
  expect((await cli(["revoke", "nobody"], env)).error).toBe("There is no key with this id.\n");
  vi.spyOn(running.store, "listKeys").mockRejectedValueOnce(new StoreUnavailable());
  expect((await cli(["list"], env)).error).toMatch(/^The service lists no keys \(status 503\)\. /);
  vi.spyOn(running.store, "revokeKey").mockRejectedValueOnce(new StoreUnavailable());
  const other = partsOf((await cli(["create", "read"], env)).out.split("\n")[0] ?? "")[0];
  expect((await cli(["revoke", other], env)).error).toMatch(/^The service did not revoke the key \(status 503\)\. /);
});

test("a key that would be sent unencrypted to another machine is warned of", async () => {
  const env = { URL: "http://0.0.0.0:1", ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` };
  const { error, code } = await runCommand("backup", [join(tmpdir(), "never-written.db")], env);
  expect([code, error]).toEqual([
    1,
    expect.stringMatching(/^Warning: http:\/\/0\.0\.0\.0:1 is not encrypted.*\nThe service at http:\/\/0\.0\.0\.0:1/),
  ]);
});

// PostgreSQL takes several at once, so there the command line never needs the service.
test.skipIf(inject("postgres"))(
  "the command uses the running service that has the store, or says what to set",
  { timeout: 180_000 },
  async () => {
    await service.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = service.app.server.address() as AddressInfo;
    const ADMIN_KEY = (await service.call("POST", "/v1/keys", { scope: "admin" })).json.key;
    const elsewhere = mkdtempSync(join(tmpdir(), "intake-keys-"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    const URL = `http://127.0.0.1:${port}`;
    expect((await cli(["list"], { DATA_DIR: service.folder })).error).toMatch(/^Another process holds the store.*: set ADMIN_KEY/);
    const env = { DATA_DIR: elsewhere, URL }; // the service that is named is used, whatever store is near
    expect((await cli(["list"], env)).error).toMatch(/^URL names the service that is meant: set ADMIN_KEY/);
    const made = await cli(["create", "read"], { ...env, ADMIN_KEY });
    expect((await cli(["list"], { ...env, ADMIN_KEY })).out).toContain(partsOf(made.out.split("\n")[0] ?? "")[0]);
  },
);
