// Two PostgreSQL servers: a primary, and a standby that follows it by streaming replication.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort, initialisePostgres, postgresProgram } from "./postgres.ts";

export interface PostgresPair {
  /** Both servers, of which the one that takes writes is meant. */
  url: string;
  /** Ends the primary at once, by the signal: SIGKILL as a lost machine would, SIGQUIT as `pg_ctl stop -m immediate`. */
  killPrimary(signal: "SIGKILL" | "SIGQUIT"): Promise<void>;
  /** Makes the standby the primary, which runs `sql` at once. It answers for its writes alone until `addStandby`. */
  promote(sql?: string): Promise<void>;
  /** Rows of a statement that the primary runs. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** A new standby in the place of the server that was killed. From now on, in a synchronous pair, no COMMIT is answered before it has it. */
  addStandby(): Promise<void>;
  /** The primary that was killed, as it was, as a standby that follows nobody. Only after `promote`. */
  reviveAsStandby(): Promise<void>;
  /** The standby receives nothing more until it is promoted. */
  stopReplication(): Promise<void>;
  /** The standby alone. */
  standbyUrl(): string;
  /** Rows of a statement that the standby runs, again where what it replays has ended the statement. */
  queryStandby(sql: string): Promise<Record<string, unknown>[]>;
  /** Stands still by SIGSTOP, goes on by SIGCONT, and is gone by SIGQUIT until `startStandby`. */
  signalStandby(signal: "SIGSTOP" | "SIGCONT" | "SIGQUIT"): Promise<void>;
  startStandby(): Promise<void>;
  stop(): Promise<void>;
}

interface Server {
  port: number;
  folder: string;
  settings: readonly string[];
  process: ChildProcess;
}

const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "max_connections=100",
  "fsync=off",
  "wal_keep_size=256MB",
  "wal_receiver_timeout=0",
  "wal_retrieve_retry_interval=100ms",
  "max_standby_streaming_delay=100ms", // so long what is replayed waits for a read
];
const START_WITHIN = 60_000; // ms
const NOT_COPIED = ["postmaster.pid", "postmaster.opts", "standby.signal", "pg_wal"];

/** `isSynchronous`: no COMMIT is answered before the standby has it on its disk. Otherwise it comes after. */
export async function startPostgresPair({ isSynchronous = true } = {}): Promise<PostgresPair> {
  const { folder, port } = await initialisePostgres();
  const ports = [port, await freePort()] as const;
  const folders = [folder];
  let primary = await startServer(port, folder);
  let standby: Server | undefined;
  let old: Server | undefined; // the primary that was killed
  let receiver = 0; // the process that was stopped

  /** It must not read what has arrived meanwhile. */
  function endReceiver(): void {
    if (receiver) for (const signal of ["SIGTERM", "SIGCONT"]) process.kill(receiver, signal);
    receiver = 0;
  }
  async function addStandby(): Promise<void> {
    const own = ports[primary.port === ports[0] ? 1 : 0];
    const copy = `${folder}-${folders.length}`;
    folders.push(copy);
    await copyRunning(primary, copy);
    const conninfo = `host=127.0.0.1 port=${primary.port} user=intake password=intake application_name=standby`;
    standby = await startServer(own, copy, [`primary_conninfo=${conninfo}`]);
    await query(primary.port, `ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? "*" : ""}'`);
    await query(primary.port, "SELECT pg_reload_conf()");
    const state = `state = 'streaming' AND sync_state = '${isSynchronous ? "sync" : "async"}'`;
    await until(async () => (await query(primary.port, `SELECT 1 FROM pg_stat_replication WHERE ${state}`)).length > 0);
  }
  const present = () => {
    if (!standby) throw new Error("there is no standby");
    return standby;
  };
  await addStandby();
  return {
    url: `postgres://intake:intake@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres?target_session_attrs=read-write`,
    killPrimary: (signal) => end(primary, signal),
    query: (sql) => query(primary.port, sql),
    async promote(sql = "SELECT 1") {
      const next = present();
      endReceiver();
      const client = await connect(next.port);
      await client.query("SELECT pg_promote(true, 60)");
      await client.query(sql).finally(() => client.end());
      [old, primary] = [primary, next];
      standby = undefined;
    },
    addStandby,
    async reviveAsStandby() {
      if (!old) throw new Error("no primary was killed");
      writeFileSync(`${old.folder}/standby.signal`, "");
      standby = await startServer(old.port, old.folder);
    },
    async stopReplication() {
      const [row] = await query(present().port, "SELECT pid FROM pg_stat_wal_receiver");
      receiver = row?.pid as number;
      process.kill(receiver, "SIGSTOP");
    },
    standbyUrl: () => `postgres://intake:intake@127.0.0.1:${present().port}/postgres`,
    async queryStandby(sql) {
      for (;;) {
        const rows = await query(present().port, sql).catch((error) => {
          if (error.code !== "40001") throw error;
        });
        if (rows) return rows;
      }
    },
    async signalStandby(signal) {
      if (signal === "SIGQUIT") return end(present(), signal);
      for (const pid of await processesOf(present())) process.kill(pid, signal);
    },
    async startStandby() {
      const { port, folder, settings } = present();
      standby = await startServer(port, folder, settings);
    },
    async stop() {
      endReceiver();
      for (const server of [primary, standby]) if (server) await end(server, "SIGQUIT");
      for (const each of folders) rmSync(each, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL does not run as root: it runs as the owner of its files. */
async function startServer(port: number, folder: string, settings: readonly string[] = []): Promise<Server> {
  const flags = [...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
  const { uid, gid } = statSync(folder);
  const identity = process.getuid?.() === 0 ? { uid, gid } : {};
  const child = spawn(postgresProgram(), ["-D", folder, "-p", String(port), ...flags], { stdio: "ignore", ...identity });
  const isUp = () =>
    query(port, "SELECT 1").then(
      () => true,
      () => false,
    );
  await until(isUp);
  return { port, folder, settings, process: child };
}

async function end({ process: child }: Server, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

/** PostgreSQL has one process for each connection, and its own beside them. */
async function processesOf({ process: child }: Server): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", String(child.pid)]);
  return [child.pid as number, ...stdout.trim().split(/\s+/).map(Number)];
}

/** A base backup by hand, as PostgreSQL's manual describes it: the package has no pg_basebackup. What is lacking comes by the stream. */
async function copyRunning({ port, folder }: Server, copy: string): Promise<void> {
  const client = await connect(port); // of the whole backup
  await client.query("SELECT pg_backup_start('standby', true)");
  await promisify(execFile)("cp", ["-a", folder, copy]).catch(() => undefined); // files that end meanwhile are no matter
  const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
  await client.end();
  for (const name of NOT_COPIED) rmSync(`${copy}/${name}`, { recursive: true, force: true });
  mkdirSync(`${copy}/pg_wal`, { mode: 0o700 });
  writeFileSync(`${copy}/backup_label`, rows[0].labelfile);
  writeFileSync(`${copy}/standby.signal`, "");
  const { uid, gid } = statSync(folder);
  await promisify(execFile)("chown", ["-R", `${uid}:${gid}`, copy]);
}

async function connect(port: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: `postgres://intake:intake@127.0.0.1:${port}/postgres` });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function query(port: number, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connect(port);
  return (await client.query(sql).finally(() => client.end())).rows;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const late = performance.now() + START_WITHIN;
  while (!(await isSo())) {
    if (performance.now() > late) throw new Error("a server of the pair does not come up");
    await wait(50);
  }
}
