// The secrets from which the service derives all keys that seal or sign for itself.

import { hkdfSync, randomBytes } from "node:crypto";
import { IV_BYTES, openText, sealText } from "./sealed-text.ts";

/**
 * All keys are derived from them: the first seals and signs, any of them opens. They are those of SECRETS_KEY, or the one that the store
 * keeps. A command beside the service has none, and seals nothing.
 */
export type MasterSecrets = readonly Uint8Array[];

export interface SecretsSettings {
  /** SECRETS_KEY: the first seals, the others are those before. Empty: the store keeps a secret itself. */
  secretsKeys?: MasterSecrets;
  /**
   * Is called when the key that sealed before is lost: instead of being refused, the start gives such webhooks a new secret, switches
   * them off and names them.
   */
  onLostSecrets?: (addresses: readonly string[]) => void;
}

/** A key for each purpose (RFC 5869). The names stay as they are: what was sealed under one is opened under no other. */
export type Purpose =
  | ("cursor 2" | "cursor iv" | "oidc login" | "passkey challenge" | "webhook secret" | "secrets key check" | "rights tag")
  | "chosen records";

/** Returns keys of 32 bytes in the order of the secrets, at least one. */
export function deriveKeys(secrets: MasterSecrets, purpose: Purpose): [Buffer, ...Buffer[]] {
  const [first, ...others] = secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)));
  if (!first) throw new Error("the store was opened without its secrets");
  return [first, ...others];
}

export interface Sealer {
  /** Seals with the first secret. `boundTo`: what the text belongs to. */
  seal(text: string, boundTo?: string): string;
  /** Returns undefined for what was sealed with none of the secrets, or for something else. */
  open(sealed: string, boundTo?: string): string | undefined;
}

export function createSealer(secrets: MasterSecrets, purpose: Purpose): Sealer {
  const keys = deriveKeys(secrets, purpose);
  return {
    seal: (text, boundTo) => sealText(keys[0], randomBytes(IV_BYTES), text, boundTo),
    open: (sealed, boundTo) => openText(keys, sealed, boundTo),
  };
}

/** Begins the secrets of webhooks (standardwebhooks.com); base64 follows. */
export const WEBHOOK_SECRET_PREFIX = "whsec_";

export function newWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(32).toString("base64");
}
