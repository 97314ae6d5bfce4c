// The header fields of the browser app's files, for this service and for every other host.

/** Stand in every answer, of this service and of other hosts. */
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** An answer that is no page: nothing in it may load, run or be framed, should a browser show it (OWASP, REST security). */
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Stand in every answer of the service. Pages replace the policy by their own. */
export const ANSWER_HEADERS = { ...SECURITY_HEADERS, "content-security-policy": NO_PAGE };

export const YEAR = 31_536_000; // seconds

/** Files in this folder have a hash of their content in their names; all others keep their names from build to build. */
export const HASHED_FOLDER = "assets/";
export const CACHING = { hashed: `public, max-age=${YEAR}, immutable`, named: "no-cache" };

/** It is sent only where TLS is certain: a browser that has seen it refuses plain HTTP for a year. */
export const TRANSPORT_SECURITY = { "strict-transport-security": `max-age=${YEAR}` };

/** An address whose last segment has a dot is a file, and 404 if it is missing. Every other address is a page of the app. */
export const FILE_ADDRESS = "\\.[A-Za-z0-9]+$";

/** Returns the headers of every file except Cache-Control. `apiOrigin`: where the API has another origin than the page. */
export function fileHeaders(apiOrigin?: string): Record<string, string> {
  return { ...SECURITY_HEADERS, "content-security-policy": contentSecurityPolicy(apiOrigin) };
}

/**
 * Writes a Content Security Policy 3 with Trusted Types. It is sent with scripts too, because a worker obeys the policy of its own file.
 * The one Trusted Types policy is in main.tsx, for the address of the upload worker.
 */
function contentSecurityPolicy(apiOrigin: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${apiOrigin ? ` ${apiOrigin}` : ""}`,
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
