// `intake reset-secrets`: seals with the key of the environment from now on, although the one before is lost.

import { storedDictionary } from "../dictionary/start-dictionary.ts";
import { DEFAULT_SETTINGS } from "../engine/store.ts";
import { openStore, readPlace, requireStore } from "../open-store.ts";
import { DEFAULT_DICTIONARY } from "../package-folder.ts";
import { readSecretsKeys } from "../secrets-key.ts";
import { commandLine, readWords } from "./command-line.ts";

const USAGE = `${commandLine("reset-secrets")}    stops the use of a lost SECRETS_KEY: from now on the store's secrets are sealed with the
  one of the environment, or, where none is set, with one in the store. Stop every service on the store before.
  Webhooks whose secrets cannot be read any more get new ones and are switched off.`;

export async function resetSecrets(args: readonly string[]): Promise<string> {
  readWords(args, USAGE, 0, {});
  const place = readPlace(process.env);
  requireStore(place);
  let lost: readonly string[] = [];
  const onLostSecrets = (addresses: readonly string[]) => {
    lost = addresses;
  };
  const { choose } = storedDictionary(process.env.DICTIONARY ?? DEFAULT_DICTIONARY);
  const store = await openStore(choose, place, { ...DEFAULT_SETTINGS, secretsKeys: readSecretsKeys(process.env), onLostSecrets });
  await store.close();
  if (lost.length === 0) return "Every secret in the store can be read: no webhook needs a new one.";
  const webhooks = lost.map((address) => `\n  ${address}`).join("");
  return `The secrets of these webhooks are lost, and they are switched off:${webhooks}
Make a new secret for each in Settings, give it to the receiver, and switch the webhook on. It goes on where it stopped.`;
}
