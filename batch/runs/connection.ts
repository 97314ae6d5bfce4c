// Reads the address of the service and the API key from the environment or a private file.

import { readFile, stat } from "node:fs/promises";
import { isApiKey, MALFORMED_KEY } from "../../client/token-exchange.ts";
import { API_ROOT } from "../../core/contract/paths.ts";
import { isUnencrypted } from "../../core/contract/unencrypted.ts";
import type { KeyHours } from "../../pipeline/sending/responses.ts";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";

export interface Connection {
  /** It is as the operator wrote it, for messages. */
  url: string;
  /** Includes the root path of the API. */
  baseUrl: string;
  key: string;
  /** Holds what a command that signs in again and again got last. */
  remembered?: { at: number; given: unknown; limits?: { at: number; answer: KeyHours } };
}

const HELP = "Set INTAKE_URL and INTAKE_KEY, or give --config FILE with a JSON object of url and key.";

/** The environment has precedence over the file. Throws CommandError. */
export async function readConnection(env: Readonly<Record<string, string | undefined>>, path: string | undefined): Promise<Connection> {
  const { key, ...address } = await readPlace(env, path);
  if (!key) throw new CommandError(EXIT.nothing, `The API key is missing. ${HELP}`);
  if (!isApiKey(key)) throw new CommandError(EXIT.nothing, MALFORMED_KEY);
  return { ...address, key: key.trim() };
}

/** Reads where the service is, for a command that has no key of its own. Throws CommandError. */
export async function readAddress(
  env: Readonly<Record<string, string | undefined>>,
  path: string | undefined,
): Promise<Pick<Connection, "url" | "baseUrl">> {
  const { key: _, ...address } = await readPlace(env, path);
  return address;
}

async function readPlace(
  env: Readonly<Record<string, string | undefined>>,
  path: string | undefined,
): Promise<Pick<Connection, "url" | "baseUrl"> & { key: string | undefined }> {
  const file = path === undefined ? {} : await readConfig(path);
  const [url, key] = [env.INTAKE_URL || file.url, env.INTAKE_KEY || file.key]; // an empty variable counts as not set
  if (!url) throw new CommandError(EXIT.nothing, `The service's address is missing. ${HELP}`);
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    throw new CommandError(
      EXIT.nothing,
      "The address of the service must begin with http:// or https://, such as https://intake.example.org.",
    );
  }
  const root = url.replace(/\/+$/, "");
  return { url, baseUrl: root.endsWith(API_ROOT) ? root : root + API_ROOT, key };
}

/** Returns a sentence for the operator when others can read the API key on its way to the service. */
export function connectionWarning({ url }: Pick<Connection, "url">): string | undefined {
  if (!isUnencrypted(url)) return undefined;
  return `Warning: ${new URL(url).origin} is not encrypted, so others on the network can read the API key and the records. Use https://.`;
}

async function readConfig(path: string): Promise<{ url?: string; key?: string }> {
  let text: string;
  try {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new CommandError(EXIT.nothing, `${path} contains a key, and other users may read it. Run: chmod 600 ${path}`);
    }
    text = await readFile(path, "utf8");
  } catch (error) {
    const why = systemError(error);
    throw why === undefined ? error : new CommandError(EXIT.nothing, `The configuration ${path} cannot be read: ${why}.`);
  }
  const config = parse(text);
  if (config) return config;
  throw new CommandError(EXIT.nothing, `The configuration ${path} must be a JSON object with url and key, both strings.`);
}

function parse(text: string): { url?: string; key?: string } | undefined {
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
    return Object.values(given).every((value) => typeof value === "string") ? given : undefined;
  } catch {
    return undefined;
  }
}
