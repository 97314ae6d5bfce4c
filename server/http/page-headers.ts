// What is sent with every file of the browser app, by this service and by any other host: the one table. Knows no host.

/** Of all answers of the service, too. */
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

export const YEAR = 31_536_000; // seconds

/** Files below this folder have a hash of their content in their names; all others keep their names from build to build. */
export const HASHED_FOLDER = "assets/";
export const CACHING = { hashed: `public, max-age=${YEAR}, immutable`, named: "no-cache" };

/** Only where TLS is certain: a browser that has seen it once refuses plain HTTP for a year. */
export const TRANSPORT_SECURITY = { "strict-transport-security": `max-age=${YEAR}` };

/** What a page is, as its address ends: no dot in the last segment. Everything else is a file, and a missing one is a true 404. */
export const FILE_ADDRESS = "\\.[A-Za-z0-9]+$";

/** The headers of every file but its Cache-Control. `apiOrigin` is named where the API has another origin than the page. */
export function fileHeaders(apiOrigin?: string): Record<string, string> {
  return { ...SECURITY_HEADERS, "content-security-policy": contentSecurityPolicy(apiOrigin) };
}

/**
 * Content Security Policy 3 with Trusted Types. It goes with scripts too, not with pages alone: a worker is held to the policy
 * of its own file. The one Trusted Types policy is main.tsx's, for the address of the upload's worker.
 */
function contentSecurityPolicy(apiOrigin: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${apiOrigin ? ` ${apiOrigin}` : ""}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types intake",
  ].join("; ");
}
