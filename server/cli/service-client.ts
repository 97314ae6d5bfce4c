// Calls a running service with an administrator's key, for the commands.

import { API_ROOT, TOKEN_PATH } from "../../core/contract/paths.ts";
import type { ProblemBody } from "../../core/contract/problems.ts";
import { isUnencrypted } from "../../core/contract/unencrypted.ts";
import { StartError } from "../open-store.ts";

export type CallService = (method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<Response>;

/**
 * Signs in with ADMIN_KEY at the service that URL names, or without URL at the one that holds the store on this machine. Throws
 * StartError, which says what to set, when the service does not answer or take the key. Warns on standard error when others can read
 * the key on its way.
 */
export async function signIn(env: Readonly<Record<string, string | undefined>>): Promise<CallService> {
  const { ADMIN_KEY = "", PORT = "8080" } = env;
  const url = (env.URL || `http://127.0.0.1:${PORT}`).replace(/\/+$/, "");
  const words = env.URL ? wordsForNamed(url) : wordsForHeld(url);
  const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(ADMIN_KEY) ?? [];
  if (secret === "") throw new StartError(`${ADMIN_KEY && 'ADMIN_KEY does not look like "ink_<id>.<secret>". '}${words.needsKey}`);
  const call: CallService = async (method, path, headers = {}, body) => {
    const init = { method, headers, redirect: "manual", ...(body !== undefined && { body }) } as const;
    const response = await fetch(url + path, init).catch(() => {
      throw new StartError(words.isSilent);
    });
    if (response.status < 300 || response.status >= 400 || response.status === 304) return response;
    throw new StartError(
      `${url} redirects to another address (status ${response.status}). The key was not sent there: set URL to the service's own address.`,
    );
  };
  if (isUnencrypted(url) && URL.canParse(url))
    process.stderr.write(
      `Warning: ${new URL(url).origin} is not encrypted, so others on the network can read the API key. Use https://.\n`,
    );
  const form = new URLSearchParams({ grant_type: "client_credentials", scope: "admin", client_id: id, client_secret: secret });
  const type = "application/x-www-form-urlencoded";
  const granted = await call("POST", API_ROOT + TOKEN_PATH, { "content-type": type }, form.toString());
  if (!granted.ok) throw await rejectionOf(`The service at ${url} did not take the key in ADMIN_KEY`, granted);
  const { access_token } = (await granted.json()) as { access_token: string };
  return (method, path, headers, body) => call(method, path, { authorization: `Bearer ${access_token}`, ...headers }, body);
}

interface Words {
  needsKey: string;
  isSilent: string;
}

function wordsForNamed(url: string): Words {
  const without = "remove URL to use the store that DATA_DIR or DATABASE_URL names";
  return {
    needsKey: `URL names the service that is meant: set ADMIN_KEY to a key of its administrator, or ${without}.`,
    isSilent: `The service at ${url} does not answer: check URL and whether the service runs, or ${without}.`,
  };
}

function wordsForHeld(url: string): Words {
  const held = "Another process holds the store, most likely a running service";
  return {
    needsKey: `${held}: set ADMIN_KEY to an administrator's key, and URL unless the service's address is ${url}, or stop it first.`,
    isSilent: `${held}, but no service answers at ${url}: set URL to the service's address, or stop it first.`,
  };
}

/** Makes the error for an answer that is no success: `what` did not happen, and why, as the service says it. */
export async function rejectionOf(what: string, reply: Response): Promise<StartError> {
  const { detail = "", errors = [] } = (await reply.json().catch(() => ({}))) as Partial<ProblemBody>; // no JSON: of a proxy
  const reasons = errors.length > 0 ? errors.map((error) => error.detail) : [detail];
  return new StartError([`${what} (status ${reply.status}).`, ...reasons].join(" ").trim());
}
