// The real service with an empty store, a proxy before it, and a folder for files, for tests.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ADMIN_SECRET, authorize, readAll, type Started, type Stored } from "../../server/testing/process.ts";
import { type CommandResult, makeFolder, startBatch, startService } from "./process.ts";
import { openServiceProxy, type ServiceProxy } from "./service-proxy.ts";

export interface TestService {
  folder: string;
  service: Started;
  /** Lets everything through until a test says otherwise. */
  proxy: ServiceProxy;
  /** They sign in an administrator. */
  headers: Record<string, string>;
  /** Writes a file and returns its path. `name` may contain folders. */
  write(name: string, content: string | Uint8Array): string;
  /** Runs the command until some batches are stored and others wait, and sends SIGTERM. */
  stopMidway(args: readonly string[]): Promise<CommandResult>;
  /** Replaces folder, address, run ids and times, so that a test can say a whole sentence. */
  plain(text: string): string;
  /** The customers whose accounts begin with this text, by id. */
  stored(accounts: string): Promise<Stored[]>;
  /** Counts these customers and their different accounts. */
  storedOnce(accounts: string): Promise<[records: number, accounts: number]>;
  close(): void;
}

export async function startTestService(): Promise<TestService> {
  const { path: folder, remove } = makeFolder();
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
      await proxy.untilHeld();
      running.child.kill("SIGTERM");
      await running.untilOutput("Stopping");
      proxy.open();
      return running.ended;
    },
    plain: (text) =>
      text
        .replaceAll(folder, "/in")
        .replaceAll(service.url, "URL")
        .replaceAll(proxy.url, "URL")
        .replace(/\d{8}-\d{6}-[0-9a-f]{12}/g, "RUN")
        .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/g, "DAY"),
    stored,
    async storedOnce(accounts) {
      const records = await stored(accounts);
      return [records.length, new Set(records.map(({ accountID }) => accountID)).size];
    },
    close() {
      proxy.close();
      service.child.kill("SIGKILL");
      remove();
    },
  };
}
