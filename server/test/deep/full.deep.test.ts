// A full disk: writes are a 507 that leaves nothing behind, reads go on, and with room again everything works.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { sqliteThreads } from "../../sqlite-threads.ts";
import { ADMIN_SECRET, authorize, killProcesses, readAll, startProcess } from "../../testing/process.ts";
import { DICTIONARY, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const isPostgres = inject("postgres") !== undefined;
let database: TestDatabase;
let service: TestService;
/** Says how full the store is, as its own engine understands it. */
let setFull: (isFull: boolean) => Promise<void>;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await openTestService(DICTIONARY, {}, database);
  setFull = isPostgres ? setPostgresFull : setSqliteFull;
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

/** The file may not grow: the very SQLITE_FULL of a full disk. */
async function setSqliteFull(isFull: boolean): Promise<void> {
  const file = join(database.folder, "intake.db");
  await sqliteThreads().writer.call("setMostPages", file, isFull ? 1 : 1_000_000); // never fewer than there are
}

/** Every insert fails as it does on a full disk: SQLSTATE 53100, disk_full, from the server. */
async function setPostgresFull(isFull: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`);
  for (const table of ["c_customers", "tokens", "keys"]) {
    await client.query(
      isFull ? `CREATE TRIGGER full_disk AFTER INSERT ON ${table} EXECUTE FUNCTION refuse()` : `DROP TRIGGER full_disk ON ${table}`,
    );
  }
  await client.end();
}

const PATH = "/v1/customers";
const batchOf = (account: string, size: number) => Array.from({ length: size }, (_, i) => ({ lastName: `Full ${i}`, accountID: account }));
const countOf = async (query: string) => (await service.call("GET", `${PATH}?count=exact&limit=1&${query}`)).json.total;

/** Repeats a request until the disk is full; resolves with how often it succeeded. */
async function fill(request: (turn: number) => ReturnType<TestService["call"]>, type = "application/problem+json"): Promise<number> {
  for (let turn = 0; turn < 2_000; turn++) {
    const reply = await request(turn);
    if (reply.status < 300) continue;
    expect([reply.status, reply.json.code, reply.headers["content-type"]]).toEqual([507, "STORE_FULL", type]);
    return turn;
  }
  throw new Error("it never became full");
}

test("on a full disk every write is a 507 that leaves nothing behind, and reads work; with room again writes do, too", {
  timeout: 180_000,
}, async () => {
  await service.call("PUT", `${PATH}/7`, { lastName: "Before", accountID: "before" });
  await setFull(true);
  const key = (turn: number) => ({ "idempotency-key": `full-${turn}` });
  const all = await fill((turn) => service.call("POST", PATH, batchOf(`all-${turn}`, 200), key(turn)));
  expect(await countOf(`accountID=all-${all}`)).toBe(0);
  const each = await fill((turn) => service.call("POST", `${PATH}?onError=continue`, batchOf(`each-${turn}`, 20)));
  expect(await countOf(`accountID=each-${each}`)).toBe(0);
  const single = await fill((turn) => service.call("PUT", `${PATH}/${1_000 + turn}`, { lastName: "x".repeat(200), accountID: "single" }));
  expect((await service.call("GET", `${PATH}/${1_000 + single}`)).status).toBe(404);
  expect(await countOf("q=full")).toBe(200 * all + 20 * each);
  expect(await countOf("")).toBe(1 + 200 * all + 20 * each + single);

  const headers = { authorization: `Bearer ${await service.tokenFor("read").catch(() => "")}` };
  expect([200, 401]).toContain((await service.raw("GET", `${PATH}/7`, headers)).status);
  await fill(() => service.call("POST", "/v1/keys", { scope: "read" }));
  for (const [method, path, wanted] of [
    ["GET", `${PATH}/7`, 200],
    ["HEAD", `${PATH}/7`, 200],
    ["GET", `${PATH}?q=before`, 200],
    ["GET", "/v1/keys", 200],
    ["GET", "/readyz", 200],
  ] as const) {
    expect([path, (await service.call(method, path)).status]).toEqual([path, wanted]);
  }
  expect((await service.call("GET", PATH, undefined, { accept: "text/csv" })).text).toContain("Before");
  // A delete frees space and may need some: both answers are right.
  expect([204, 507]).toContain((await service.call("DELETE", `${PATH}/7`)).status);

  await setFull(false);
  const again = await service.call("POST", PATH, batchOf(`all-${all}`, 200), key(all));
  expect([again.status, again.headers["idempotent-replayed"], await countOf(`accountID=all-${all}`)]).toEqual([201, undefined, 200]);
});

test("an API key cannot be exchanged on a full disk, and can be with room again", async () => {
  const made = (await service.call("POST", "/v1/keys", { scope: "read" })).json.key as string;
  const [, client_id = "", client_secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(made) ?? [];
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }).toString();
  const exchange = () => service.raw("POST", "/v1/oauth/token", { "content-type": "application/x-www-form-urlencoded" }, form);
  await setFull(true);
  await fill(exchange, "application/json"); // as OAuth clients read errors
  await setFull(false);
  expect((await exchange()).status).toBe(200);
});

const whyNotMounted = isPostgres
  ? "PostgreSQL keeps its files itself"
  : !process.env.DEEP
    ? "only with DEEP=1"
    : process.platform !== "linux" || process.getuid?.() !== 0
      ? "only root on Linux may mount a small disk"
      : "";

// The larger one has room for a log of 64 MB, which must be moved into the file once the disk is full.
test.skipIf(whyNotMounted).each([8, 192])(
  `on a real disk of %i megabytes that fills up (${whyNotMounted || "mounted"})`,
  { timeout: 600_000 },
  async (megabytes) => {
    const folder = mkdtempSync(join(tmpdir(), "intake-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", folder]);
    try {
      const process = await startProcess({
        DATA_DIR: folder,
        ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`,
        RATE_PER_SECOND: "100000",
        RATE_BURST: "100000",
      });
      const headers = await authorize(process.url, "preset", ADMIN_SECRET);
      const send = async (turn: number, name: string) => {
        const init = {
          method: "POST",
          headers: { ...headers, "idempotency-key": `${name}-${turn}` },
          body: JSON.stringify(batchOf(`${name}-${turn}`, 200)),
        };
        const reply = await fetch(`${process.url}${PATH}`, init);
        await reply.text(); // an answer that nobody takes in keeps the service from stopping
        return reply.status;
      };
      let stored = 0;
      for (; stored < 5_000; stored++) {
        const status = await send(stored, "disk");
        if (status === 201) continue;
        expect(status).toBe(507);
        break;
      }
      expect(stored).toBeGreaterThan(0);
      expect(stored).toBeLessThan(5_000);
      expect(await readAll(process.url, headers)).toHaveLength(200 * stored);
      expect(await send(stored, "disk")).toBe(507);
      const deleteOne = async (url: string, id: number) => (await fetch(`${url}${PATH}/${id}`, { method: "DELETE", headers })).status;
      const [last = 0, erased = 0, ...ids] = (await readAll(process.url, headers)).map(({ objectId }) => objectId).slice(0, 102);
      for (const id of ids) {
        expect((await authorize(process.url, "preset", ADMIN_SECRET)).authorization).not.toContain("undefined");
        expect(await deleteOne(process.url, id)).toBe(204);
      }
      const erase = await fetch(`${process.url}${PATH}/${erased}/erasure`, { method: "POST", headers });
      expect([erase.status, await erase.text()]).toEqual([200, expect.stringContaining(`"objectId":${erased},`)]);
      process.child.kill("SIGKILL");
      await process.ended;
      const again = await startProcess({ DATA_DIR: folder, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
      expect(again.output()).toContain("Intake is ready");
      expect((await authorize(again.url, "preset", ADMIN_SECRET)).authorization).not.toContain("undefined");
      expect(await deleteOne(again.url, last)).toBe(204);
      again.child.kill("SIGTERM");
      expect(await again.ended).toBe(0);
      execFileSync("mount", ["-o", `remount,size=${megabytes + 64}m`, folder]);
      const roomy = await startProcess({ DATA_DIR: folder, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
      const once = { ...headers, "idempotency-key": `disk-${stored}` };
      const reply = await fetch(`${roomy.url}${PATH}`, {
        method: "POST",
        headers: once,
        body: JSON.stringify(batchOf(`disk-${stored}`, 200)),
      });
      await reply.text();
      expect(reply.status).toBe(201);
      expect(await readAll(roomy.url, headers)).toHaveLength(200 * (stored + 1) - 102);
      roomy.child.kill("SIGTERM");
      expect(await roomy.ended).toBe(0);
      const db = new Database(join(folder, "intake.db"));
      expect(db.pragma("integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
      db.close();
    } finally {
      killProcesses();
      execFileSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
