// Finds the secret that seals what is secret in the store: the one of SECRETS_KEY, or one that the store keeps itself.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { ask, type Script } from "../script/script.ts";
import { switchOff } from "../../webhooks/store/webhooks.ts";
import { createSealer, deriveKeys, type MasterSecrets, newWebhookSecret, type SecretsSettings } from "./master-secrets.ts";

/** The names of rows of the settings. */
const OWN = "secret"; // 32 bytes, of a store without SECRETS_KEY
const CHECK = "secrets_key_check"; // is derived from SECRETS_KEY, and tells a wrong one; the key cannot be found from it

export interface TakenSecrets {
  status: "taken";
  secrets: MasterSecrets;
  isNewStore: boolean;
}

/** A key is wrong or missing, with which webhooks could not sign. `why` is a sentence for whoever starts the service. */
export interface RefusedSecrets {
  status: "refused";
  why: string;
}

/**
 * Runs inside the transaction of a start, when all tables are there. Seals with the first of the keys whatever another one has sealed.
 * After a refusal the caller takes the transaction back.
 */
export function* takeSecrets({ secretsKeys: given = [], onLostSecrets }: SecretsSettings): Script<TakenSecrets | RefusedSecrets> {
  const own = yield* readSetting(OWN);
  const check = yield* readSetting(CHECK);
  const isNewStore = !own && !check;
  if (check && !onLostSecrets && !given.some((key) => isCheckOf(key, check))) return refuse(given.length > 0);
  if (given.length === 0 && own) return { status: "taken", secrets: [own], isNewStore };
  const secrets = given.length > 0 ? given : [randomBytes(32)];
  if (!(yield* sealAnew(secrets, own ? [own] : [], onLostSecrets))) return refuse(true);
  const [kept, nextCheck] = given.length > 0 ? [undefined, checkOf(secrets)] : [secrets[0], undefined];
  if (own || kept) yield* writeSetting(OWN, kept);
  if (!isSame(check, nextCheck)) yield* writeSetting(CHECK, nextCheck);
  return { status: "taken", secrets, isNewStore };
}

/** Is run for a command beside the service, which seals nothing and so needs no key. */
export function* leaveSecrets(): Script<TakenSecrets> {
  const isNewStore = !(yield* readSetting(OWN)) && !(yield* readSetting(CHECK));
  return { status: "taken", secrets: [], isNewStore };
}

function refuse(isWrong: boolean): RefusedSecrets {
  const lost = "If it is lost, intake reset-secrets begins anew.";
  const why = isWrong
    ? `SECRETS_KEY is not the key that sealed this store's secrets. To change keys, set it to the new one, a comma, and the one before. ${lost}`
    : `this store's secrets are sealed with a key that it does not hold: set SECRETS_KEY or SECRETS_KEY_FILE. ${lost}`;
  return { status: "refused", why };
}

/** Seals the secrets of webhooks with the first of the secrets. Returns false when one cannot be read, and there is no `onLost`. */
function* sealAnew(secrets: MasterSecrets, before: MasterSecrets, onLost: SecretsSettings["onLostSecrets"]): Script<boolean> {
  const current = createSealer(secrets.slice(0, 1), "webhook secret");
  const any = createSealer([...secrets, ...before], "webhook secret");
  const lost: string[] = [];
  const { rows } = yield* ask("SELECT id, url, secret, old_secret FROM webhooks");
  for (const [id, url, ...cells] of rows) {
    const sealed = cells.filter((cell) => cell !== null).map(String);
    if (sealed.every((text) => current.open(text, String(id)) !== undefined)) continue;
    const opened = sealed.map((text) => any.open(text, String(id)));
    const isLost = opened.includes(undefined);
    if (isLost && !onLost) return false;
    const texts = isLost ? [newWebhookSecret()] : opened;
    const [secret, oldSecret = null] = texts.map((text = "") => current.seal(text, String(id)));
    // One that a service beside this one has changed meanwhile keeps what that one wrote.
    const sql = "UPDATE webhooks SET secret = $1, old_secret = $2 WHERE id = $3 AND secret = $4";
    yield* ask(sql, secret ?? "", oldSecret, String(id), String(cells[0]));
    if (!isLost) continue;
    yield* switchOff(String(id), "administrator", Date.now());
    lost.push(String(url));
  }
  onLost?.(lost);
  return true;
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one && other ? Buffer.compare(one, other) === 0 : one === other;
}

function checkOf(secrets: MasterSecrets): Buffer {
  return deriveKeys(secrets, "secrets key check")[0];
}

function isCheckOf(key: Uint8Array, check: Uint8Array): boolean {
  const own = checkOf([key]);
  return own.length === check.length && timingSafeEqual(own, check);
}

function* readSetting(name: string): Script<Uint8Array | undefined> {
  return (yield* ask("SELECT value FROM settings WHERE name = $1", name)).rows[0]?.[0] as Uint8Array | undefined;
}

function* writeSetting(name: string, value: Uint8Array | undefined): Script<void> {
  yield* ask("DELETE FROM settings WHERE name = $1", name);
  if (value) yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", name, value);
}
