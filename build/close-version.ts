// Keeps a filled store of this version on both engines, which every later version must open: `npm run close-version`.
// DATABASE_URL names an empty database on a server whose pg_dump is installed. What is kept is never made anew.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { CLOSED_SECRETS_KEY, callerOf, fillStore, readStore } from "../server/testing/closed-store.ts";

const INTAKE = fileURLToPath(new URL("../server/cli/intake.ts", import.meta.url));
const SECRET = "fR7kQm2wZx9Tc4Vb6Np1Hs8Jd3Lg5Yu0Ae_Oi-CqXtW";

/** Fills the store of a service with these settings, and resolves to what it reads of it. */
async function fill(settings: Record<string, string>): Promise<object> {
  const env = { PATH: process.env.PATH, PORT: "0", ADMIN_KEY: `ink_preset.${SECRET}`, SECRETS_KEY: CLOSED_SECRETS_KEY, ...settings };
  const child = spawn(process.execPath, ["--import", "tsx", INTAKE, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (data: Buffer) => {
      const ready = /Intake is ready at (http:\/\/\S+)/.exec(String(data))?.[1];
      if (ready) resolve(ready);
    });
    ended.then(() => reject(new Error("the service did not start")));
  });
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: "preset", client_secret: SECRET });
  const reply = await fetch(`${url}/v1/oauth/token`, { method: "POST", body });
  const { access_token } = (await reply.json()) as { access_token: string };
  const call = callerOf(url, { authorization: `Bearer ${access_token}` });
  try {
    await fillStore(call);
    return await readStore(call);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  const { DATABASE_URL } = process.env;
  if (!DATABASE_URL) throw new Error("Set DATABASE_URL to an empty database.");
  const folder = fileURLToPath(new URL(`../server/testing/closed/${version}/`, import.meta.url));
  if (existsSync(folder)) throw new Error(`${version} is closed. Raise the version in package.json first.`);
  const DATA_DIR = mkdtempSync(join(tmpdir(), "intake-close-"));
  const [sqlite, postgres] = [await fill({ DATA_DIR }), await fill({ DATABASE_URL })];
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  write("sqlite.json", JSON.stringify(sqlite));
  write("sqlite.db", readFileSync(join(DATA_DIR, "intake.db")));
  write("postgres.json", JSON.stringify(postgres));
  const dump = execFileSync("pg_dump", ["--no-owner", "--no-privileges", "--inserts", DATABASE_URL], { encoding: "utf8" });
  const sql = dump.replace(/^(\\.*|SET transaction_timeout.*)$/gm, ""); // for psql alone, and for other servers
  write("postgres.sql", sql);
}

main().catch((error) => {
  console.error((error as Error).message);
  process.exitCode = 1;
});
