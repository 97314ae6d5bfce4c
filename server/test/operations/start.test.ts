// The real process: what it prints, why it does not start, and how it stops.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, startProcess } from "../../testing/process.ts";
import { isSignedWith, startReceiver } from "../../testing/servers/webhook-receiver.ts";
import { DICTIONARY, EMPLOYEES } from "../../testing/service.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-start-"));
});
afterEach(killProcesses);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (dataDir: string, env: Record<string, string> = {}) => startProcess({ DATA_DIR: join(folder, dataDir), ...env });

test("the first start prints the address and a key, the next one finds the same store; a stop exits with 0", {
  timeout: 180_000,
}, async () => {
  const first = await start("fresh");
  const [, id = "", secret = ""] = await expect
    .poll(() => /ink_([0-9a-f]+)\.(\S+)/.exec(first.output()) ?? [], { timeout: 30_000 })
    .not.toEqual([])
    .then(() => /ink_([0-9a-f]+)\.(\S+)/.exec(first.output()) ?? []);
  const headers = await authorize(first.url, id, secret);
  const body = JSON.stringify({ objectId: 1, lastName: "Ek", accountID: "1" });
  expect((await fetch(`${first.url}/v1/customers`, { method: "POST", headers, body })).status).toBe(201);
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  const second = await start("fresh");
  expect(second.output()).not.toContain("ink_");
  expect((await fetch(`${second.url}/v1/customers/1`, { headers })).status).toBe(200);
  const metrics = await (await fetch(`${second.url}/metrics`)).text();
  const ofProcess = ["nodejs_eventloop_lag_p99_seconds", "nodejs_gc_duration_seconds", "nodejs_heap_size_used_bytes"];
  for (const name of [...ofProcess, "process_resident_memory_bytes"]) expect(metrics).toContain(`# HELP ${name} `);
  second.child.kill("SIGINT");
  expect(await second.ended).toBe(0);
});

test("with AUDIT_READS the log says who read which record", { timeout: 180_000 }, async () => {
  const service = await start("audited", { ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, AUDIT_READS: " customers " });
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const body = JSON.stringify({ objectId: 7, lastName: "Ek", accountID: "1" });
  await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body });
  await (await fetch(`${service.url}/v1/customers/7`, { headers })).text();
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  const lines = service
    .output()
    .split("\n")
    .filter((line) => line.includes('"event":"read"'));
  const read = { by: "key preset", collection: "customers", ids: [7], source: "127.0.0.1" };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { ...read, operation: "post_customers" },
    { ...read, operation: "read_customer" },
  ]);
});

test("with AUDIT_STREAM security events go to a receiver, too, the last of them while the service stops", {
  timeout: 180_000,
}, async () => {
  const receiver = await startReceiver();
  try {
    const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    const stream = { AUDIT_STREAM: receiver.url, AUDIT_SECRET: secret };
    const service = await start("streamed", { ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, ...stream });
    await authorize(service.url, "preset", ADMIN_SECRET);
    service.child.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(service.output()).toContain('"event":"key exchanged"');
    const events = receiver.received.flatMap(({ body }) => (body as unknown as { data: { events: object[] } }).data.events);
    expect(events).toMatchObject([
      { message: "key exchanged", actor: { user: { uid: "preset", type: "key" } }, src_endpoint: { ip: "127.0.0.1" } },
    ]);
    expect(receiver.received.every((one) => isSignedWith(secret, one))).toBe(true);
  } finally {
    await receiver.close();
  }
});

test("a start that is not possible prints one clear sentence", { timeout: 180_000 }, async () => {
  const other = await start("used", { ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  expect(other.output()).not.toContain("ink_");
  const headers = await authorize(other.url, "preset", ADMIN_SECRET);
  await fetch(`${other.url}/v1/customers`, { method: "POST", headers, body: JSON.stringify({ lastName: "Ek", accountID: "1" }) });
  writeFileSync(join(folder, "file"), "");
  writeFileSync(join(folder, "broken.json"), "{");
  const wrong = JSON.parse(readFileSync(DICTIONARY, "utf8"));
  wrong.resources[0].schema.fields[1].type = "text";
  wrong.resources[0].schema.primaryKey = ["nothing"];
  writeFileSync(join(folder, "wrong.json"), JSON.stringify(wrong));
  const slow = JSON.parse(readFileSync(DICTIONARY, "utf8"));
  slow.resources[0].schema.fields[1].constraints = { pattern: "(a+)+" };
  writeFileSync(join(folder, "slow.json"), JSON.stringify(slow));
  const port = new URL(other.url).port;
  const cases: [string, Record<string, string>, RegExp][] = [
    ["used", {}, /used\/intake\.db is in use by another service/],
    ["audit", { AUDIT_READS: "customers,nobody" }, /AUDIT_READS must be \* or names of collections \(customers\), not "nobody"/],
    ["audit", { AUDIT_READS: "*", LOG: "error" }, /AUDIT_READS writes lines that LOG=error leaves out/],
    ["audit", { AUDIT_STREAM: "siem.example.org" }, /AUDIT_STREAM must be an address such as/],
    ["audit", { AUDIT_STREAM: "syslog+tcp://127.0.0.1", LOG: "error" }, /AUDIT_STREAM sends lines that LOG=error leaves out/],
    ["a", { PORT: port }, new RegExp(`port ${port} of 127\\.0\\.0\\.1 is taken`)],
    ["b", { PORT: "many" }, /PORT must be a number/],
    ["c", { LOG: "loud" }, /LOG must be one of/],
    ["g0", { TRUSTED_PROXIES: "0.0.0.0/0" }, /TRUSTED_PROXIES must be addresses or ranges .*not "0.0.0.0\/0"/],
    ["g", { TRUSTED_PROXIES: "10.0.0.0/8, proxy" }, /TRUSTED_PROXIES must be addresses or ranges .*not "proxy"/],
    ["i", { CORS_ORIGINS: "https://app.example.org, app.example.org" }, /CORS_ORIGINS must be origins such as .*not "app\.example\.org"/],
    ["i", { CORS_ORIGINS: "https://a.example.org/path" }, /not "https:\/\/a\.example\.org\/path": write https:\/\/a\.example\.org$/m],
    ["i", { CORS_ORIGINS: "*" }, /CORS_ORIGINS must be origins .*not "\*"\.$/m],
    ["i", { CORS_ORIGINS: "https://A.example.org:443" }, /write https:\/\/a\.example\.org$/m],
    ["i", { DATABASE_URL: "" }, /DATABASE_URL is set, but empty: .*remove it for SQLite/],
    ["i", { READ_DATABASE_URL: "" }, /READ_DATABASE_URL is set, but empty: .*or remove it/],
    ["i", { READ_DATABASE_URL: "postgres://u:p@h/d" }, /READ_DATABASE_URL is set, but not DATABASE_URL: SQLite has no replica/],
    ["i", { DATA_DIR: " " }, /DATA_DIR is set, but empty: /],
    ["i", { HOST: "" }, /HOST is set, but empty: /],
    ["d", { ADMIN_KEY: "ink_short.secret" }, /ADMIN_KEY must look like/],
    ["file", {}, /file\/intake\.db cannot be opened for writing/],
    ["e", { DICTIONARY: join(folder, "broken.json") }, /broken\.json has mistakes:\n {2}line 1, column 2: the text ends too early/],
    [
      "h",
      { DICTIONARY: join(folder, "slow.json") },
      /slow\.json has mistakes:\n {2}customers\.firstName, line 1, constraints\.pattern: the pattern takes exponential time on some texts, such as 'a/,
    ],
    [
      "f",
      { DICTIONARY: join(folder, "wrong.json") },
      /wrong\.json has mistakes:\n {2}customers\.firstName, line 1, type: .*\n {2}customers, line 1, schema\.primaryKey: /,
    ],
  ];
  for (let i = 0; i < cases.length; i += 4) {
    await Promise.all(
      cases.slice(i, i + 4).map(async ([dataDir, env, sentence]) => {
        const rejected = await start(dataDir, env);
        expect(await rejected.ended).toBe(env.DICTIONARY ? 78 : 1);
        expect(rejected.output()).toMatch(sentence);
        expect(rejected.output()).toMatch(/^Intake cannot start: /);
        expect(rejected.output()).not.toMatch(/\n\s+at /);
      }),
    );
  }
  expect(existsSync(join(folder, "i"))).toBe(false);
  // A start that failed late did not use up the first key: nobody would ever have seen it.
  const late = await start("a");
  await expect.poll(() => late.output(), { timeout: 30_000 }).toMatch(/first administrator, shown this once: ink_/);
  other.child.kill("SIGTERM");
  expect(await other.ended).toBe(0);
  const lost = await start("used", { DICTIONARY: EMPLOYEES });
  const retired = "dictionary: customers: it is not in the file, so it is retired: hidden, and kept with its values";
  await expect.poll(() => lost.output(), { timeout: 30_000 }).toContain(retired);
});

test("roles of OIDC_ROLES that do not exist are warned of, because they may be made later", { timeout: 60_000 }, async () => {
  const OIDC = { OIDC_ISSUER: "https://login.example.org", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" };
  const roles = "staff=editr, it=administrator, desk=Front desk, *=viewer";
  const env = { ...OIDC, OIDC_ROLES: roles, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` };
  const first = await start("roles", env);
  await expect.poll(() => first.output(), { timeout: 30_000 }).toMatch(/"msg":"OIDC_ROLES names roles that do not exist/);
  expect(first.output()).toContain('"roles":["editr","Front desk"]');
  const headers = await authorize(first.url, "preset", ADMIN_SECRET);
  const body = JSON.stringify({ name: "Front desk", scope: "read" });
  expect((await fetch(`${first.url}/v1/roles`, { method: "POST", headers, body })).status).toBe(201);
  first.child.kill("SIGTERM");
  await first.ended;
  const second = await start("roles", env);
  await expect.poll(() => second.output(), { timeout: 30_000 }).toContain('"roles":["editr"]');
});
