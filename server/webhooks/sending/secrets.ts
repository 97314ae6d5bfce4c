// Secrets of webhooks, and the signatures that are made with them (Standard Webhooks, standardwebhooks.com).

import { createHmac } from "node:crypto";
import { createSealer, type MasterSecrets, newWebhookSecret, WEBHOOK_SECRET_PREFIX } from "../../engine/secrets/master-secrets.ts";

export interface WebhookSecrets {
  /** Makes a new secret, and says how it is stored for this webhook. */
  create(webhookId: string): { secret: string; sealed: string };
  /** Returns the header fields of one message. Each of the sealed secrets signs. */
  sign(webhookId: string, sealed: readonly string[], message: Message): Record<string, string>;
}

interface Message {
  id: string;
  /** s since 1970 */
  timestamp: number;
  body: string;
}

/** `secrets` are the store's, so that any process can open what another has sealed. */
export function createWebhookSecrets(secrets: MasterSecrets): WebhookSecrets {
  const sealer = createSealer(secrets, "webhook secret");
  return {
    create(webhookId) {
      const secret = newWebhookSecret();
      return { secret, sealed: sealer.seal(secret, webhookId) };
    },
    sign(webhookId, sealed, message) {
      const secrets = sealed.map((one) => {
        const secret = sealer.open(one, webhookId);
        if (secret === undefined) throw new Error("the secret of a webhook cannot be opened");
        return secret;
      });
      return signMessage(secrets, message);
    },
  };
}

/** Says whether the text has the form of a secret, of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(WEBHOOK_SECRET_PREFIX.length);
  const bytes = Buffer.from(encoded, "base64");
  const isWhole = bytes.toString("base64").replace(/=+$/, "") === encoded.replace(/=+$/, "");
  return text.startsWith(WEBHOOK_SECRET_PREFIX) && isWhole && bytes.length >= 24 && bytes.length <= 64;
}

/** Returns the header fields of a message that each of the secrets signs. */
export function signMessage(secrets: readonly string[], { id, timestamp, body }: Message): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const bytes = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", bytes).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signatures.join(" ") };
}
