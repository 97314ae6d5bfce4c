import type { TokenReply } from "../core/contract/keys.ts";
import { TOKEN_PATH } from "../core/contract/paths.ts";
import { ApiError } from "./errors.ts";
import { type Client, createClient, NO_SESSION, type Session } from "./http-client.ts";

/**
 * Exchanges an API key for an access token (RFC 6749 section 4.4). Throws `ApiError` when the service refuses the key, and one with
 * status 404 and code "UNKNOWN" when something else than the service answers, with `wrongService` as its message.
 */
export async function exchangeKey(
  client: Client,
  apiKey: string,
  wrongService = `No Intake service answers at ${client.baseUrl}.`,
): Promise<TokenReply> {
  const [id, ...secret] = partsOf(apiKey);
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id ?? "", client_secret: secret.join(".") });
  try {
    const { json } = await client.request("POST", TOKEN_PATH, { body, open: true });
    const reply = json as TokenReply | undefined;
    if (reply?.access_token) return reply;
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 404 || error.status === 405))) throw error;
  }
  throw new ApiError(404, { detail: wrongService });
}

export const MALFORMED_KEY = "The API key is not of the form ink_<id>.<secret>. Copy it whole.";

export function isApiKey(text: string): boolean {
  return /^ink_[^.]+\..+$/.test(text.trim());
}

/**
 * Makes a session of a program that has an API key: it gets its first token with the first request, and a new one whenever the service
 * refuses the old one. Requests that wait for a token at the same time share one exchange. Throws at once for
 * what is no API key.
 *
 * @example
 * const baseUrl = "https://intake.example.org/v1";
 * const client = createClient({ baseUrl, session: createKeySession(baseUrl, process.env.INTAKE_KEY ?? "") });
 */
export function createKeySession(baseUrl: string, apiKey: string): Session {
  if (!isApiKey(apiKey)) throw new Error(MALFORMED_KEY);
  const client = createClient({ baseUrl, session: NO_SESSION });
  let token: string | undefined;
  let renewal: Promise<string> | undefined;
  return {
    token: () => token,
    renew(stale) {
      if (token !== undefined && token !== stale) return Promise.resolve(token);
      renewal ??= exchangeKey(client, apiKey)
        .then(({ access_token }) => (token = access_token))
        .finally(() => {
          renewal = undefined;
        });
      return renewal;
    },
  };
}

/** Returns the public part of an API key: its id, without the secret. */
export function keyIdOf(apiKey: string): string {
  return partsOf(apiKey)[0] ?? "";
}

function partsOf(apiKey: string): string[] {
  return apiKey.trim().replace(/^ink_/, "").split(".");
}
