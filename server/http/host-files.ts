// What other hosts must be told to serve the app as the service does, as each of them reads it. Made from the table of headers alone.

import { CACHING, FILE_ADDRESS, fileHeaders, HASHED_FOLDER, TRANSPORT_SECURITY, YEAR } from "./page-headers.ts";

export interface HostedAt {
  /** Path of the app on its host, with a slash at both ends. */
  base: string;
  /** Where the API is, if it has another origin than the page. */
  apiOrigin?: string | undefined;
}

/** Names below the published folder, and texts. `_headers` and `_redirects` belong to the root of the host, wherever the app is. */
export function hostFiles(at: HostedAt): Record<string, string> {
  return {
    _headers: headersFile(at),
    _redirects: redirectsFile(at),
    "hosting/nginx.conf": nginx(at),
    "hosting/cloudfront.json": cloudFrontPolicy(at),
    "hosting/cloudfront-routes.js": cloudFrontRoutes(at),
    "hosting/s3-upload.sh": s3Upload(),
  };
}

const FROM = "Made from server/http/page-headers.ts.";
const [[HSTS, HSTS_VALUE] = ["", ""]] = Object.entries(TRANSPORT_SECURITY);

/** Netlify and Cloudflare Pages join what two rules say of one header, so no path has two rules for Cache-Control. */
function headersFile({ base, apiOrigin }: HostedAt): string {
  const rule = (path: string, headers: Record<string, string>) =>
    `${path}\n${Object.entries(headers)
      .map(([name, value]) => `  ${canonical(name)}: ${value}\n`)
      .join("")}`;
  const named = [base, `${base}index.html`, `${base}config.json`, `${base}appearance.js`].map((path) =>
    rule(path, { "cache-control": CACHING.named }),
  );
  return [
    `# ${FROM} Where TLS is certain, add below the first line:\n#   ${canonical(HSTS)}: ${HSTS_VALUE}\n`,
    rule(`${base}*`, fileHeaders(apiOrigin)),
    rule(`${base}${HASHED_FOLDER}*`, { "cache-control": CACHING.hashed }),
    ...named,
  ].join("");
}

/**
 * Netlify: a file that exists comes before any rule. Cloudflare Pages takes neither rule (it knows no 404 here, and takes
 * the second for a circle) and does the same by itself at the root of a host: nearest 404.html, else index.html.
 */
function redirectsFile({ base }: HostedAt): string {
  return `${base}${HASHED_FOLDER}* ${base}${HASHED_FOLDER}404.html 404\n${base}* ${base}index.html 200\n`;
}

function nginx({ base, apiOrigin }: HostedAt): string {
  const always = Object.entries(fileHeaders(apiOrigin)).map(([name, value]) => `add_header ${canonical(name)} "${value}" always;`);
  const file = (caching: string) => [
    "try_files $uri =404;",
    "gzip on; gzip_comp_level 6; gzip_vary on; gzip_types text/css text/javascript application/javascript application/json image/svg+xml;",
    ...always,
    `# add_header ${canonical(HSTS)} "${HSTS_VALUE}" always;`,
    `add_header Cache-Control "${caching}";`, // not "always": a 404 must not be kept for a year
  ];
  const location = (of: string, lines: string[]) => `location ${of} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
  const escaped = base.replaceAll(".", "\\.");
  return [
    `# The app at ${base} for nginx: include this in a server block whose root holds the published files. ${FROM}\n`,
    "# The line of Strict-Transport-Security is for where TLS is certain. Proxies beside the app need ^~: location ^~ /v1/ { … }\n",
    ...(base === "/" ? [] : [location(`= ${base.slice(0, -1)}`, [`return 301 ${base};`])]),
    location(`^~ ${base}${HASHED_FOLDER}`, file(CACHING.hashed)),
    location(`~ ^${escaped}.*${FILE_ADDRESS}`, file(CACHING.named)),
    location(base, [`rewrite ^ ${base}index.html last;`]),
  ].join("");
}

/** For `aws cloudfront create-response-headers-policy`. Cache-Control is the objects' own: see s3-upload.sh. */
function cloudFrontPolicy({ base, apiOrigin }: HostedAt): string {
  const { "x-content-type-options": _, "referrer-policy": referrer, "content-security-policy": policy, ...others } = fileHeaders(apiOrigin);
  const items = Object.entries(others).map(([Header, Value]) => ({ Header: canonical(Header), Value, Override: true }));
  const read = {
    Name: `intake${base.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "")}`,
    Comment: `Where TLS is certain add SecurityHeadersConfig.StrictTransportSecurity, AccessControlMaxAgeSec ${YEAR}`,
    SecurityHeadersConfig: {
      ContentSecurityPolicy: { Override: true, ContentSecurityPolicy: policy },
      ContentTypeOptions: { Override: true },
      ReferrerPolicy: { Override: true, ReferrerPolicy: referrer },
    },
    CustomHeadersConfig: { Quantity: items.length, Items: items },
  };
  return `${JSON.stringify(read, null, 2)}\n`;
}

/** A CloudFront Function for viewer requests. */
function cloudFrontRoutes({ base }: HostedAt): string {
  const bare = base.slice(0, -1);
  return `// Every page of the app is its index.html; files are themselves. ${FROM}
function handler(event) {
  var request = event.request;
  var uri = request.uri;
  if (uri === ${JSON.stringify(bare)}) {
    return { statusCode: 301, statusDescription: "Moved Permanently", headers: { location: { value: ${JSON.stringify(base)} } } };
  }
  var isOurs = uri.indexOf(${JSON.stringify(base)}) === 0;
  var isFile = uri.indexOf(${JSON.stringify(base + HASHED_FOLDER)}) === 0 || /${FILE_ADDRESS}/.test(uri);
  if (isOurs && !isFile) request.uri = ${JSON.stringify(`${base}index.html`)};
  return request;
}
`;
}

/** Hashed files first and none taken away, so that tabs of the build before go on; the names that pages begin with last. */
function s3Upload(): string {
  return `#!/bin/sh
# s3-upload.sh FOLDER s3://BUCKET/PATH: the folder that holds index.html into the bucket. ${FROM}
set -e
aws s3 sync "$1/${HASHED_FOLDER}" "$2/${HASHED_FOLDER}" --cache-control "${CACHING.hashed}"
aws s3 sync "$1" "$2" --exclude "${HASHED_FOLDER}*" --exclude "hosting/*" --exclude "_*" --cache-control "${CACHING.named}"
`;
}

/** As people write header names; HTTP does not mind. */
function canonical(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
