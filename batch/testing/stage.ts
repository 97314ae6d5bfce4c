// What a test of the command plays on: a folder, the real service with its store in it, and the gate before the service. For tests only.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ADMIN_SECRET, authorize, readAll, type Started, type Stored } from "../../server/testing/process.ts";
import { type Heard, makeFolder, startBatch, startService } from "./process.ts";
import { openServiceProxy, type ServiceProxy } from "./service-gate.ts";

export interface Stage {
  folder: string;
  service: Started;
  /** Stands open until a test says otherwise. */
  proxy: ServiceProxy;
  /** An administrator's. */
  headers: Record<string, string>;
  /** Gives the path of a file with this in it, which may lie in a folder of its own. */
  write(name: string, content: string | Uint8Array): string;
  /** Runs the command until some batches are stored and others wait, and asks it to stop. */
  stopMidway(args: readonly string[]): Promise<Heard>;
  /** The customers whose accounts begin so, in the order of their ids. */
  stored(accounts: string): Promise<Stored[]>;
  /** How many customers there are whose accounts begin so, and how many accounts they have. */
  storedOnce(accounts: string): Promise<[records: number, accounts: number]>;
  close(): void;
}

export async function openStage(): Promise<Stage> {
  const { path: folder, inbox } = makeFolder();
  const service = await startService(join(folder, "store"));
  const proxy = await openServiceProxy(service.url);
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const stored = (accounts: string) => readAll(service.url, headers, `&accountID[prefix]=${accounts}`);
  return {
    folder,
    service,
    proxy,
    headers,
    write(name, content) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    async stopMidway(args) {
      proxy.letThrough(3);
      const running = startBatch(proxy.url, args);
      await proxy.waits();
      running.child.kill("SIGTERM");
      await running.says("Asked to stop");
      proxy.open();
      return running.ended;
    },
    stored,
    async storedOnce(accounts) {
      const records = await stored(accounts);
      return [records.length, new Set(records.map(({ accountID }) => accountID)).size];
    },
    close() {
      proxy.close();
      service.child.kill("SIGKILL");
      inbox();
    },
  };
}
