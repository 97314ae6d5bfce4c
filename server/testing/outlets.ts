// Keeps what leaves a service besides its answers: the lines of its log, and what webhooks are sent.

import { vi } from "vitest";
import { createBackgroundWork } from "../background-work.ts";
import { createReadAudit } from "../people/auth/read-audit.ts";
import { createPost } from "../webhooks/sending/post.ts";
import { createSender } from "../webhooks/sending/sender.ts";
import { wantedFeeds } from "../webhooks/wanted-changes.ts";
import { startReceiver } from "./servers/webhook-receiver.ts";
import type { TestService } from "./service.ts";

const SETTINGS = { allowsPrivate: true, within: 20_000 };

export interface Outlets {
  /** For openTestService. */
  options: NonNullable<Parameters<typeof import("./service.ts").openTestService>[1]>;
  /** Makes a webhook of all changes from now on. */
  subscribe(service: TestService): Promise<void>;
  /** All that has left, once at least so many changes were sent. */
  left(changes: number): Promise<{ log: string; sent: string }>;
  close(): Promise<void>;
}

export async function watchOutlets(): Promise<Outlets> {
  let log = "";
  let sender: ReturnType<typeof createBackgroundWork> | undefined;
  const receiver = await startReceiver();
  const write = (line: string) => {
    log += line;
  };
  const toLog = (fields: object, message: string) => write(JSON.stringify({ ...fields, message }));
  return {
    options: { logLevel: "debug", logTo: { write }, audit: createReadAudit("*"), webhooks: SETTINGS },
    async subscribe(service) {
      await service.call("POST", "/v1/webhooks", { url: receiver.url });
      const { store, collections } = service;
      const timing = { checkEvery: 20, restFor: 20, lease: 10_000 };
      const parts = {
        store,
        ...wantedFeeds(() => ({ dataPackage: {}, collections, store })),
        post: createPost(SETTINGS),
        log: { warn: toLog, error: toLog },
        timing,
      };
      sender = createBackgroundWork(createSender({ ...parts, audit: createReadAudit("*") }));
      sender.start();
    },
    async left(changes) {
      const size = () => receiver.received.reduce((sum, { body }) => sum + (body.type === "changes" ? body.data.changes.length : 0), 0);
      await vi.waitFor(() => {
        if (size() < changes) throw new Error(`only ${size()} changes were sent`);
      }, 50_000);
      return { log, sent: receiver.received.map(({ headers, text }) => JSON.stringify(headers) + text).join("\n") };
    },
    async close() {
      await sender?.stop();
      await receiver.close();
    },
  };
}
