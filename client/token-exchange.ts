// An API key for an access token (RFC 6749 section 4.4). Keeps neither.

import type { TokenReply } from "../core/contract/keys.ts";
import { TOKEN_PATH } from "../core/contract/paths.ts";
import { ApiError, type Client, noService } from "./http-client.ts";

/** Throws ApiError when the key is refused, also when what answers is no service of ours. */
export async function exchangeKey(client: Client, apiKey: string): Promise<TokenReply> {
  const [id, ...secret] = partsOf(apiKey);
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id ?? "", client_secret: secret.join(".") });
  try {
    const { json } = await client.request("POST", TOKEN_PATH, { body, open: true });
    const reply = json as TokenReply | undefined;
    if (reply?.access_token) return reply;
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 404 || error.status === 405))) throw error;
  }
  throw noService(client.baseUrl);
}

/** What a key is called: the part before its point, no secret. */
export function keyIdOf(apiKey: string): string {
  return partsOf(apiKey)[0] ?? "";
}

function partsOf(apiKey: string): string[] {
  return apiKey.trim().replace(/^ink_/, "").split(".");
}
