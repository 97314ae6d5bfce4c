// Everything that the store does for webhooks, as both engines offer it.

import { type Runnable, runnable } from "../../engine/script/script.ts";
import { DELIVERY_READS, DELIVERY_WRITES } from "./deliveries.ts";
import { WEBHOOK_READS, WEBHOOK_WRITES } from "./webhooks.ts";

const READS = { ...WEBHOOK_READS, ...DELIVERY_READS };
const WRITES = { ...WEBHOOK_WRITES, ...DELIVERY_WRITES };

export type Webhooks = Runnable<typeof READS> & Runnable<typeof WRITES>;
// biome-ignore lint/suspicious/noExplicitAny: each script names its own arguments
type AnyScript = (...args: any[]) => ReturnType<(typeof WRITES)[keyof typeof WRITES]>;

export const readWebhookScript = (name: string) => READS[name as keyof typeof READS] as unknown as AnyScript;
export const writeWebhookScript = (name: string) => WRITES[name as keyof typeof WRITES] as unknown as AnyScript;

/** `write` runs a script in one transaction. */
export function createWebhooks(
  read: (name: string, args: readonly unknown[]) => Promise<unknown>,
  write: (name: string, args: readonly unknown[]) => Promise<unknown>,
): Webhooks {
  return { ...runnable(READS, read), ...runnable(WRITES, write) };
}
