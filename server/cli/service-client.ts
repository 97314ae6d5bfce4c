// Calls a running service with an administrator's key, for the commands.

import { API_ROOT, TOKEN_PATH } from "../../core/contract/paths.ts";
import type { ProblemBody } from "../../core/contract/problems.ts";
import { isUnencrypted } from "../../core/contract/unencrypted.ts";
import { StartError } from "../open-store.ts";

export type CallService = (method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<Response>;

export const STORE_IS_HELD =
  "The service is running and holds its store: set ADMIN_KEY to an administrator's key and URL to the service's address, or stop it first.";

/**
 * Signs in with ADMIN_KEY at URL. Throws StartError, with `help`, which says what to set, when the service does not answer or know the
 * key. Warns on standard error when others can read the key on its way.
 */
export async function signIn(env: Readonly<Record<string, string | undefined>>, help = STORE_IS_HELD): Promise<CallService> {
  const { ADMIN_KEY = "", PORT = "8080", URL: url = `http://127.0.0.1:${PORT}` } = env;
  const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(ADMIN_KEY) ?? [];
  const call: CallService = async (method, path, headers = {}, body) => {
    const init = { method, headers, redirect: "manual", ...(body !== undefined && { body }) } as const;
    const response = await fetch(url.replace(/\/+$/, "") + path, init).catch(() => {
      throw new StartError(`${help} (${url} does not answer.)`);
    });
    if (response.status < 300 || response.status >= 400 || response.status === 304) return response;
    throw new StartError(
      `${url} redirects to another address (status ${response.status}). The key was not sent there: set URL to the service's own address.`,
    );
  };
  if (secret !== "" && isUnencrypted(url) && URL.canParse(url))
    process.stderr.write(
      `Warning: ${new URL(url).origin} is not encrypted, so others on the network can read the API key. Use https://.\n`,
    );
  const form = new URLSearchParams({ grant_type: "client_credentials", scope: "admin", client_id: id, client_secret: secret });
  const type = "application/x-www-form-urlencoded";
  const granted = secret === "" ? undefined : await call("POST", API_ROOT + TOKEN_PATH, { "content-type": type }, form.toString());
  if (!granted?.ok) throw new StartError(help);
  const { access_token } = (await granted.json()) as { access_token: string };
  return (method, path, headers, body) => call(method, path, { authorization: `Bearer ${access_token}`, ...headers }, body);
}

/** The error for an answer that is no success: `what` did not happen, and why, as the service says it. */
export async function rejectionOf(what: string, reply: Response): Promise<StartError> {
  const { detail = "", errors = [] } = (await reply.json().catch(() => ({}))) as Partial<ProblemBody>;
  const reasons = errors.length > 0 ? errors.map((error) => error.detail) : [detail];
  return new StartError([`${what} (status ${reply.status}).`, ...reasons].join(" ").trim());
}
