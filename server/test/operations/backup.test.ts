// Backup and restore of the SQLite store, with the real service and commands.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { checkpointsOf, createCopier } from "../../engine/sqlite/backup.ts";
import { closeFile, connect } from "../../engine/sqlite/file.ts";
import { ADMIN_SECRET, authorize, killProcesses, readAll, runCommand, startProcess } from "../../testing/process.ts";
import { openTestService } from "../../testing/service.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-backup-"));
});
afterEach(killProcesses);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ADMIN_KEY = `ink_preset.${ADMIN_SECRET}`;
const inFolder = (name: string) => join(folder, name);
const backup = (args: string[], env: Record<string, string>) => runCommand("backup", args, env);
const restore = (args: string[], env: Record<string, string>) => runCommand("restore", args, env);
const numbers = (count: number, from: number) => Array.from({ length: count }, (_, i) => from + i);

test("a backup made during writes and restored after kill −9 has everything that was acknowledged before it began", {
  timeout: 300_000,
}, async () => {
  // A fast machine writes more a second than a key may.
  const live = await startProcess({ DATA_DIR: inFolder("live"), ADMIN_KEY, RATE_PER_SECOND: "100000", RATE_BURST: "100000" });
  const headers = await authorize(live.url, "preset", ADMIN_SECRET);
  const post = (records: unknown[], query = "", more = {}) =>
    fetch(`${live.url}/v1/customers${query}`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(records) });
  const shared = numbers(50, 1).map((objectId) => ({ objectId, lastName: "G0", accountID: "1" }));
  expect((await post(shared)).status).toBe(201);
  for (let i = 0; i < 6; i++)
    await post(numbers(5_000, 1_000 + 5_000 * i).map((id) => ({ objectId: id, lastName: `Row ${id}`, accountID: "2" })));
  const once = [{ lastName: "Once", accountID: "once" }];
  expect((await post(once, "", { "idempotency-key": "once" })).status).toBe(201);
  const made = (await (await fetch(`${live.url}/v1/keys`, { method: "POST", headers, body: '{"scope":"read"}' })).json()) as {
    key: string;
  };

  let next = 100_000;
  const acknowledged = new Set([...shared.map(({ objectId }) => objectId), ...numbers(30_000, 1_000)]);
  const write = async (turn: number): Promise<void> => {
    const ids = numbers(50, next);
    next += 50;
    const added = await post(ids.map((id) => ({ objectId: id, lastName: "New", accountID: "3" }))).catch(() => undefined);
    if (added?.status === 201) for (const id of ids) acknowledged.add(id);
    const renamed = shared.map(({ objectId }) => ({ objectId, lastName: `G${turn}` }));
    const changed = await post(renamed, "?onConflict=update&onMissing=error").catch(() => undefined);
    if (added && changed) await write(turn + 1);
  };
  const writing = Promise.all([write(1), write(1)]);
  await expect.poll(() => acknowledged.size, { timeout: 180_000 }).toBeGreaterThan(30_500);
  const before = [...acknowledged];
  const cursorOf = async (url: string, as: Record<string, string>, after: string) => {
    const reply = await fetch(`${url}/v1/changes?after=${after}`, { headers: as });
    const { next, code } = (await reply.json()) as { next?: string; code?: string };
    return [reply.status, next ?? code] as const;
  };
  const [beforeStatus, beforeBackup = ""] = await cursorOf(live.url, headers, "now");
  const saved = await backup([inFolder("saved.db")], { DATA_DIR: inFolder("live"), URL: live.url, ADMIN_KEY });
  expect([saved.code, saved.error]).toEqual([0, ""]);
  expect(saved.out).toMatch(/saved\.db: \d+ customers, 2 API keys; \d+ bytes, checked\n$/);
  const atBackup = acknowledged.size;
  await expect.poll(() => acknowledged.size, { timeout: 180_000 }).toBeGreaterThan(atBackup);
  // The copy must not have cost the service its lock.
  const second = await startProcess({ DATA_DIR: inFolder("live") });
  expect([await second.ended, second.output()]).toEqual([1, expect.stringContaining("is in use by another service")]);
  const [afterStatus, afterBackup = ""] = await cursorOf(live.url, headers, "now");
  expect([beforeStatus, afterStatus]).toEqual([200, 200]);
  live.child.kill("SIGKILL");
  await Promise.all([writing, live.ended]);

  mkdirSync(inFolder("restored"), { mode: 0o755 }); // as somebody makes it by hand
  const put = await restore([inFolder("saved.db")], { DATA_DIR: inFolder("restored") });
  expect([put.code, put.error, readdirSync(inFolder("restored"))]).toEqual([0, "", ["intake.db"]]);
  const modes = ["restored", "restored/intake.db"].map((path) => statSync(inFolder(path)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  const again = await startProcess({ DATA_DIR: inFolder("restored") });
  expect(again.output()).not.toContain("ink_");
  const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(made.key) ?? [];
  const reader = await authorize(again.url, id, secret);
  const stored = (await readAll(again.url, reader)).map(({ objectId }) => objectId);
  const there = new Set(stored);
  expect(before.filter((one) => !there.has(one))).toEqual([]);
  expect([there.size, (stored.length - 1) % 50]).toEqual([stored.length, 0]); // each batch whole or not at all; one record came alone
  // Followers are told, also those whose place the backup has.
  for (const cursor of [beforeBackup, afterBackup]) expect(await cursorOf(again.url, reader, cursor)).toEqual([410, "CURSOR_EXPIRED"]);
  const [, now = ""] = await cursorOf(again.url, reader, "now");
  expect(await cursorOf(again.url, reader, now)).toEqual([200, now]);
  const page = await (await fetch(`${again.url}/v1/customers?limit=50`, { headers: reader })).json();
  expect(new Set((page as { customers: { lastName: string }[] }).customers.map(({ lastName }) => lastName)).size).toBe(1);
  const found = await (await fetch(`${again.url}/v1/customers?q=once`, { headers: reader })).json();
  expect((found as { customers: unknown[] }).customers).toHaveLength(1);
  const writer = { ...(await authorize(again.url, "preset", ADMIN_SECRET)), "idempotency-key": "once" };
  const repeated = await fetch(`${again.url}/v1/customers`, { method: "POST", headers: writer, body: JSON.stringify(once) });
  expect([repeated.status, repeated.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
});

/** The key never arrives at the address to which the one in URL redirects. */
async function refusesRedirect(env: Record<string, string>): Promise<void> {
  const asked: string[] = [];
  const redirecting = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
  const { port } = redirecting.address() as AddressInfo;
  const redirected = await backup([inFolder("a.db")], { ...env, URL: `http://127.0.0.1:${port}`, ADMIN_KEY });
  redirecting.close();
  expect([redirected.code, redirected.error]).toEqual([
    1,
    expect.stringMatching(/redirects to another address \(status 307\).*set URL to/),
  ]);
  expect(asked).toEqual(["/v1/oauth/token"]);
}

/** A service, or a proxy before it, that goes away in the middle of the copy. */
async function saysHowMuchCame(target: string, env: Record<string, string>): Promise<void> {
  const leaving = createServer((request, response) => {
    if (request.method === "POST") return void response.end('{"access_token":"x"}');
    response.writeHead(200, { "content-length": 1_000 }).write("x".repeat(400), () => response.destroy());
  });
  await new Promise<void>((resolve) => leaving.listen(0, "127.0.0.1", resolve));
  const { port } = leaving.address() as AddressInfo;
  const { code, error } = await backup([target], { ...env, URL: `http://127.0.0.1:${port}`, ADMIN_KEY });
  leaving.close();
  expect([code, error]).toEqual([1, expect.stringMatching(/was not written: only \d+ of 1000 bytes came\./)]);
}

/** A folder that is not the store's alone, such as that of the backups, stays open to those who use it. */
async function closesNoFolderOfOthers(): Promise<void> {
  const DATA_DIR = inFolder("shared");
  mkdirSync(DATA_DIR);
  writeFileSync(join(DATA_DIR, "notes.txt"), "somebody's own");
  chmodSync(DATA_DIR, 0o755);
  for (const _ of ["once", "again"]) {
    const { code, error } = await restore([inFolder("a.db")], { DATA_DIR });
    expect([code, error]).toEqual([1, expect.stringMatching(/other users of this machine may use .*shared\. Run: chmod 700 .*shared/)]);
    expect([statSync(DATA_DIR).mode & 0o777, readdirSync(DATA_DIR)]).toEqual([0o755, ["notes.txt"]]);
  }
  chmodSync(DATA_DIR, 0o700);
  expect(await restore([inFolder("a.db")], { DATA_DIR })).toMatchObject({ code: 0, error: "" });
  const others = { DATA_DIR: inFolder("left") };
  mkdirSync(others.DATA_DIR);
  writeFileSync(join(others.DATA_DIR, "intake.db.lock"), ""); // of a store that was moved away
  chmodSync(others.DATA_DIR, 0o755);
  expect((await restore([inFolder("a.db")], others)).code).toBe(0);
  expect(statSync(others.DATA_DIR).mode & 0o777).toBe(0o700);
}

test("a backup or restore that is not possible ends with one clear sentence and leaves no file behind", { timeout: 300_000 }, async () => {
  const env = { DATA_DIR: inFolder("still") };
  const first = await startProcess({ ...env, ADMIN_KEY });
  const rejected = await backup([inFolder("a.db")], { ...env, URL: first.url, ADMIN_KEY: `ink_preset.x${ADMIN_SECRET}` });
  expect([rejected.code, rejected.error]).toEqual([
    1,
    expect.stringMatching(/^The service at .* did not take the key in ADMIN_KEY \(status 401\)\. /),
  ]);
  await refusesRedirect(env);
  await saysHowMuchCame(inFolder("half.db"), env);
  expect((await backup([inFolder("a.db")], env)).error).toMatch(/^Another process holds the store, .*: set ADMIN_KEY/);
  const nobody = { ADMIN_KEY, PORT: "1" }; // which browsers and fetch refuse, and where nothing listens
  expect((await backup([inFolder("a.db")], { ...env, ...nobody })).error).toMatch(
    /^Another process holds the store, .*, but no service answers at http:\/\/127\.0\.0\.1:1: set URL/,
  );
  first.child.kill("SIGTERM");
  await first.ended;
  const store = join(env.DATA_DIR, "intake.db");
  expect((await backup([inFolder("a.db")], env)).out).toMatch(/a\.db: 0 customers, 1 API key; /);
  const whole = readFileSync(inFolder("a.db"));
  mkdirSync(inFolder("bad"));
  const bad = (name: string, bytes: Buffer | string) => {
    writeFileSync(join(folder, "bad", name), bytes);
    return join(folder, "bad", name);
  };
  const damaged = Buffer.from(whole);
  damaged.fill(7, 4_096, 12_288);
  const newer = new Database(bad("newer.db", whole));
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  const other = new Database(inFolder("bad/other.db"));
  other.exec("CREATE TABLE t (a)");
  other.close();
  const to = { DATA_DIR: inFolder("empty") };
  await closesNoFolderOfOthers();
  const cases: [ReturnType<typeof backup>, RegExp][] = [
    [backup([], env), /^intake backup FILE/],
    [backup([inFolder("a.db")], env), /a\.db exists already; choose another name, or add --force/],
    [backup([store, "--force"], env), /intake\.db is the store itself/],
    [backup([inFolder("b.db")], { DATA_DIR: inFolder("nowhere") }), /^There is no store at .*nowhere/],
    [backup([join(store, "b.db")], env), /^There is no folder .*intake\.db: make it, or mount the disk that it is on\.$/m],
    [backup([folder], env), /^".*" is a folder: name a file, such as .*copy\.db\.$/m],
    [backup([folder, "--force"], env), /^".*" is a folder: name a file/],
    [backup([inFolder("nope/x.db")], env), /^There is no folder .*nope: make it/],
    [
      backup([inFolder("b.db")], { ...env, URL: "http://127.0.0.1:1", ADMIN_KEY }),
      /^The service at http:\/\/127\.0\.0\.1:1 does not answer: check URL/,
    ],
    [backup([inFolder("b.db")], { ...env, URL: first.url }), /^URL names the service that is meant: set ADMIN_KEY .*, or remove URL/],
    [
      backup([inFolder("b.db")], { ...env, URL: first.url, ADMIN_KEY: "x" }),
      /^ADMIN_KEY does not look like "ink_<id>\.<secret>"\. URL names/,
    ],
    [restore([inFolder("a.db")], { DATA_DIR: store }), /intake\.db was not written: /],
    [backup([inFolder("b.db")], { DATABASE_URL: "postgres://127.0.0.1/x" }), /use pg_dump/],
    [restore([], to), /^intake restore FILE/],
    [restore([inFolder("nothing.db")], to), /^There is no file ".*nothing\.db"\.$/m],
    [restore(["."], to), /^"\." is not a file: name the file of a backup\.$/m],
    [restore([bad("empty.db", "")], to), /intake\.db was not written: the file is empty\.$/m],
    [restore([inFolder("a.db")], env), /still\/intake\.db is there already: stop the service and move it away/],
    [restore([inFolder("a.db")], { DATABASE_URL: "postgres://127.0.0.1/x" }), /use pg_restore/],
    [restore([bad("damaged.db", damaged)], to), /the file is damaged/],
    [restore([bad("cut.db", whole.subarray(0, whole.length / 2))], to), /the file is damaged/],
    [restore([bad("text.db", "name,town\n".repeat(900))], to), /the file is not a SQLite database/],
    [restore([inFolder("bad/newer.db")], to), /written by a newer version/],
    [restore([inFolder("bad/other.db")], to), /no store of this service/],
  ];
  for (const [command, sentence] of cases) {
    const { code, error, out } = await command;
    expect([code, out, error]).toEqual([1, "", expect.stringMatching(sentence)]);
    expect(error).not.toMatch(/\n\s+at /);
  }
  expect(readdirSync(inFolder("empty"))).toEqual([]);
  expect(readdirSync(folder).filter((name) => /partial|^b\.db|half|nowhere|nope/.test(name))).toEqual([]);
  expect((await backup([inFolder("a.db"), "--force"], env)).code).toBe(0);
});

test("a second backup is a 503 until the first one is read or its client has disconnected", { timeout: 180_000 }, async () => {
  const service = await openTestService();
  const reading = new AbortController();
  try {
    const body = Array.from({ length: 5_000 }, (_, i) => ({ lastName: `${i} ${"long ".repeat(38)}`, accountID: "1" }));
    for (let i = 0; i < 8; i++) await service.call("POST", "/v1/customers", body);
    await service.app.listen({ port: 0, host: "127.0.0.1" });
    const url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}/v1/backup`;
    const headers = { authorization: `Bearer ${await service.tokenFor("admin")}` };
    const head = await fetch(url, { method: "HEAD", headers });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/vnd.sqlite3"]);
    const first = await fetch(url, { headers, signal: reading.signal });
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const second = await fetch(url, { headers });
    expect([second.status, second.headers.has("retry-after")]).toEqual([503, true]);
    expect((await service.call("POST", "/v1/customers", { lastName: "B", accountID: "1" })).status).toBe(201);
    reading.abort();
    const third = async () => {
      const reply = await fetch(url, { headers });
      return [reply.status, reply.headers.get("content-length") === String((await reply.arrayBuffer()).byteLength)];
    };
    await expect.poll(third, { timeout: 180_000 }).toEqual([200, true]);
    expect(readdirSync(service.folder).filter((name) => name.includes("copy"))).toEqual([]);
  } finally {
    reading.abort();
    await service.close();
  }
});

test("a copy is sent while it is made, so that the first byte of a large store does not wait for the last", async () => {
  const file = inFolder("large.db");
  const db = connect(file, 2_048);
  db.exec("CREATE TABLE filling (bytes BLOB)");
  for (let i = 0; i < 20; i++) db.prepare("INSERT INTO filling VALUES (randomblob(1000000))").run();
  const steps: string[] = [];
  const checkpoints = checkpointsOf(db);
  const copier = createCopier({ ...checkpoints, start: async () => void steps.push("copied") }, file);
  const copy = await copier.copy();
  steps.push("sent");
  const parts: Buffer[] = [];
  for await (const part of copy.stream) parts.push(part);
  await copy.copied;
  expect(steps).toEqual(["sent", "copied"]);
  expect(Buffer.concat(parts).equals(readFileSync(file))).toBe(true);

  const sizeOfNext = async () => {
    const { bytes, stream, copied } = await copier.copy();
    stream.destroy();
    await expect(copied).rejects.toThrow("nobody reads");
    return bytes;
  };
  for (let i = 0; i < 2; i++) await expect.poll(() => sizeOfNext().catch(() => 0)).toBe(copy.bytes);
  closeFile(db);
  await copier.close();
});
