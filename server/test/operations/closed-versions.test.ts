// A store of every closed version opens in this one, with all that was in it.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterEach, expect, inject, onTestFinished, test } from "vitest";
import { CLOSED_PERSON, CLOSED_SECRETS_KEY, callerOf, ONCE, readStore } from "../../testing/closed-store.ts";
import { ADMIN_SECRET, authorize, killProcesses, startProcess } from "../../testing/process.ts";

afterEach(killProcesses);

const CLOSED = fileURLToPath(new URL("../../testing/closed/", import.meta.url));
const server = inject("postgres");
const engine = server ? "postgres" : "sqlite";
const fileOf = (version: string, name: string) => gunzipSync(readFileSync(join(CLOSED, version, `${name}.gz`)));

/** Puts a kept store in its place, and resolves to the settings of a service for it. */
async function placeStore(version: string): Promise<Record<string, string>> {
  if (!server) {
    const folder = mkdtempSync(join(tmpdir(), "intake-closed-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "intake.db"), fileOf(version, "sqlite.db"), { mode: 0o600 });
    return { DATA_DIR: folder };
  }
  const name = `closed_${version.replaceAll(".", "_")}`;
  const run = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(server, `CREATE DATABASE ${name}`);
  onTestFinished(() => run(server, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = Object.assign(new URL(server), { pathname: name }).href;
  await run(url, fileOf(version, "postgres.sql").toString("utf8"));
  return { DATABASE_URL: url };
}

test.each(readdirSync(CLOSED))("a store of %s opens with all that was in it, twice", { timeout: 120_000 }, async (version) => {
  const env = { ...(await placeStore(version)), ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, SECRETS_KEY: CLOSED_SECRETS_KEY };
  for (const _ of ["upgraded", "started again"]) {
    const service = await startProcess(env);
    expect(service.url, service.output()).not.toBe("");
    const headers = await authorize(service.url, "preset", ADMIN_SECRET);
    const call = callerOf(service.url, headers);
    // A later version may say more of each thing, and nothing else.
    expect(await readStore(call)).toMatchObject(JSON.parse(fileOf(version, `${engine}.json`).toString("utf8")));
    const again = await fetch(`${service.url}/v1${ONCE.path}`, {
      method: "POST",
      headers: { ...headers, ...ONCE.headers },
      body: JSON.stringify(ONCE.body),
    });
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    const signedIn = await callerOf(service.url, {})("POST", "/sessions", CLOSED_PERSON);
    const own = callerOf(service.url, { authorization: `Bearer ${signedIn.access_token}` });
    expect(await own("GET", "/customers")).toMatchObject({ customers: [{ accountID: "A-7" }] });
    service.child.kill("SIGTERM");
    expect(await service.ended).toBe(0);
  }
});
