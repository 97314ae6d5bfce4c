// Secrets of webhooks, and the signatures that are made with them (Standard Webhooks, standardwebhooks.com).

import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { IV_BYTES, openText, sealText } from "../auth/sealed-text.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export interface WebhookSecrets {
  /** A new secret, and how it is stored for this webhook. */
  create(webhookId: string): { secret: string; sealed: string };
  /** The header fields of one message. Each of the sealed secrets signs. */
  sign(webhookId: string, sealed: readonly string[], message: Message): Record<string, string>;
}

interface Message {
  id: string;
  /** s since 1970 */
  timestamp: number;
  body: string;
}

/** `storeSecret` is the store's, so that any process can open what another has sealed. */
export function createWebhookSecrets(storeSecret: Buffer): WebhookSecrets {
  const key = Buffer.from(hkdfSync("sha256", storeSecret, "", "webhook secret", 32));
  return {
    create(webhookId) {
      const secret = PREFIX + randomBytes(SECRET_BYTES).toString("base64");
      return { secret, sealed: sealText(key, randomBytes(IV_BYTES), secret, webhookId) };
    },
    sign(webhookId, sealed, { id, timestamp, body }) {
      const signatures = sealed.map((one) => {
        const secret = openText(key, one, webhookId);
        if (secret === undefined) throw new Error("the secret of a webhook cannot be opened");
        const bytes = Buffer.from(secret.slice(PREFIX.length), "base64");
        return `v1,${createHmac("sha256", bytes).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
      });
      return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signatures.join(" ") };
    },
  };
}
