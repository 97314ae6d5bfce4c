// Says which pages may ask for a passkey.

import type { RelyingParty } from "./passkeys.ts";

/** The page that a request comes from; undefined if passkeys are not for it. */
export type RelyingPartyOf = (request: { headers: { origin?: string | undefined }; host: string }) => RelyingParty | undefined;

/**
 * Knows the service's own page, and those of `corsOrigins`. Its own is that of `publicUrl`; a service that does not know its address
 * takes the host that the request was sent to. A browser writes Origin, and no page can change it.
 */
export function createRelyingPartyOf(corsOrigins: readonly string[], publicUrl: string): RelyingPartyOf {
  const known = [...corsOrigins, ...(publicUrl ? [new URL(publicUrl).origin] : [])];
  return ({ headers: { origin = "" }, host }) => {
    if (!URL.canParse(origin)) return undefined;
    const url = new URL(origin);
    const asked = `${url.protocol}//${host}`; // TLS may end at a proxy, so what the service sees as http is https
    const isOwn = publicUrl === "" && URL.canParse(asked) && new URL(asked).origin === origin;
    return isOwn || known.includes(origin) ? { origin, rpId: url.hostname } : undefined;
  };
}
