// SECRETS_KEY: the key that seals what is secret in the store, kept outside of it and so outside of its backups.

import type { MasterSecrets } from "./engine/secrets/master-secrets.ts";
import { StartError } from "./open-store.ts";
import { looksRandom } from "./people/auth/secret-strength.ts";

const LEAST = 32; // characters
const HOW_TO_MAKE = "This prints a new one: node -p \"crypto.randomBytes(32).toString('base64url')\"";

/**
 * Reads SECRETS_KEY: the key, and after a comma or on further lines those before it. Empty where it is not set. Throws StartError for a
 * key that can be guessed; the message has nothing of the key.
 */
export function readSecretsKeys(env: Readonly<Record<string, string | undefined>>): MasterSecrets {
  const { SECRETS_KEY } = env;
  if (SECRETS_KEY === undefined) return [];
  const keys = SECRETS_KEY.split(/[\s,]+/).filter(Boolean);
  if (keys.length === 0) throw new StartError(`SECRETS_KEY is empty. ${HOW_TO_MAKE}`);
  for (const key of keys)
    if (key.length < LEAST || !looksRandom(key))
      throw new StartError(
        `SECRETS_KEY must be random text of ${LEAST} characters or more, not words, repetitions or sequences. ${HOW_TO_MAKE}`,
      );
  return keys.map((key) => Buffer.from(key));
}
