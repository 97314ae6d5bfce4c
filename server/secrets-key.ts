// SECRETS_KEY: the key that seals what is secret in the store, kept outside of it and so outside of its backups.

import { readFileSync } from "node:fs";
import { looksRandom } from "./auth/secret-strength.ts";
import { StartError } from "./open-store.ts";
import type { MasterSecrets } from "./store/secrets/master-secrets.ts";

const LEAST = 32; // characters
const HOW_TO_MAKE = "This prints a new one: node -p \"crypto.randomBytes(32).toString('base64url')\"";

/**
 * Reads SECRETS_KEY, or the file that SECRETS_KEY_FILE names: the key, and after a comma or on further lines those before it. Empty
 * where neither is set. Throws StartError for a key that can be guessed; the message has nothing of the key.
 */
export function readSecretsKeys(env: Readonly<Record<string, string | undefined>>): MasterSecrets {
  const { SECRETS_KEY, SECRETS_KEY_FILE } = env;
  if (SECRETS_KEY !== undefined && SECRETS_KEY_FILE !== undefined)
    throw new StartError("SECRETS_KEY and SECRETS_KEY_FILE are both set: set one of them.");
  const [name, text] =
    SECRETS_KEY_FILE === undefined ? ["SECRETS_KEY", SECRETS_KEY] : ["the file of SECRETS_KEY_FILE", readKeyFile(SECRETS_KEY_FILE)];
  if (text === undefined) return [];
  const keys = text.split(/[\s,]+/).filter(Boolean);
  if (keys.length === 0) throw new StartError(`${name} is empty. ${HOW_TO_MAKE}`);
  for (const key of keys)
    if (key.length < LEAST || !looksRandom(key))
      throw new StartError(
        `${name} must be random text of ${LEAST} characters or more, not words, repetitions or sequences. ${HOW_TO_MAKE}`,
      );
  return keys.map((key) => Buffer.from(key));
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new StartError(`the file of SECRETS_KEY_FILE cannot be read: ${(error as Error).message}`);
  }
}
