// Configuration files with which other hosts (nginx, CloudFront, Netlify …) serve the app with the same headers.

import { API_ROOT } from "../../core/contract/paths.ts";
import { PROBLEMS_PATH } from "../../core/contract/problem-catalogue.ts";
import { CACHING, FILE_ADDRESS, fileHeaders, HASHED_FOLDER, TRANSPORT_SECURITY, YEAR } from "../http/page-headers.ts";

export interface Hosting {
  /** Path of the app on its host, with a slash at both ends. */
  base: string;
  /** Says where the API is, if it has another origin than the page. */
  apiOrigin?: string | undefined;
}

/** Maps file names below the published folder to texts. `_headers` and `_redirects` belong to the root of the host, wherever the app is. */
export function hostFiles(hosting: Hosting): Record<string, string> {
  return {
    _headers: headersFile(hosting),
    _redirects: redirectsFile(hosting),
    "hosting/nginx.conf": nginx(hosting),
    "hosting/cloudfront.json": cloudFrontPolicy(hosting),
    "hosting/cloudfront-routes.js": cloudFrontRoutes(hosting),
    "hosting/s3-upload.sh": s3Upload(),
  };
}

const FROM = "Made from server/http/page-headers.ts.";
const [[HSTS, HSTS_VALUE] = ["", ""]] = Object.entries(TRANSPORT_SECURITY);

/** Netlify and Cloudflare Pages join the values of two rules for one header, so no path has two rules for Cache-Control. */
function headersFile({ base, apiOrigin }: Hosting): string {
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
 * On Netlify an existing file comes before any rule. Cloudflare Pages accepts neither rule (no 404 here, and the second
 * looks like a loop), but by itself does the same at the root of a host: the nearest 404.html, else index.html.
 */
function redirectsFile({ base }: Hosting): string {
  return `${base}${HASHED_FOLDER}* ${base}${HASHED_FOLDER}404.html 404\n${base}* ${base}index.html 200\n`;
}

/** Says what the service answers beside the app: the API, its documentation and what a problem means. */
const SERVICE_LOCATIONS = [
  `^~ ${API_ROOT}/`,
  `^~ ${PROBLEMS_PATH}/`,
  ...["/docs", "/docs.css", "/docs.js", "/readyz", "/livez"].map((path) => `= ${path}`),
];

/** Serves nginx with the service beside the app; the first four are those of docs/operators.md. */
const SERVICE_LINES = [
  "client_max_body_size 9m; large_client_header_buffers 4 16k;",
  'proxy_http_version 1.1; proxy_set_header Connection "";',
  "proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme;",
  "proxy_read_timeout 120s; proxy_max_temp_file_size 0;",
  ...SERVICE_LOCATIONS.map((of) => `location ${of} { proxy_pass http://127.0.0.1:8080; }`),
  "location = /metrics { return 404; }",
];

function nginx({ base, apiOrigin }: Hosting): string {
  const always = Object.entries(fileHeaders(apiOrigin)).map(([name, value]) => `add_header ${canonical(name)} "${value}" always;`);
  const file = (caching: string) => [
    "try_files $uri =404;",
    "gzip on; gzip_comp_level 6; gzip_vary on; gzip_types text/css text/javascript application/javascript application/json image/svg+xml;",
    ...always,
    `# add_header ${canonical(HSTS)} "${HSTS_VALUE}" always;`,
    `add_header Cache-Control "${caching}";`, // not "always": a 404 must not be cached for a year
  ];
  const location = (of: string, lines: string[]) => `location ${of} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
  const escaped = base.replaceAll(".", "\\.");
  return [
    `# The app at ${base} for nginx: include this in a server block whose root holds the published files. ${FROM}\n`,
    "# The line of Strict-Transport-Security is for where TLS is certain. Proxies next to the app need ^~ or =.\n",
    ...(apiOrigin
      ? []
      : ["# With the service beside the app (name this host in its TRUSTED_PROXIES):\n", ...SERVICE_LINES.map((line) => `# ${line}\n`)]),
    ...(base === "/" ? [] : [location(`= ${base.slice(0, -1)}`, [`return 301 ${base};`])]),
    location(`^~ ${base}${HASHED_FOLDER}`, file(CACHING.hashed)),
    location(`~ ^${escaped}.*${FILE_ADDRESS}`, file(CACHING.named)),
    location(base, [`rewrite ^ ${base}index.html last;`]),
  ].join("");
}

/** Serves `aws cloudfront create-response-headers-policy`. Cache-Control is the objects' own: see s3-upload.sh. */
function cloudFrontPolicy({ base, apiOrigin }: Hosting): string {
  const { "x-content-type-options": _, "referrer-policy": referrer, "content-security-policy": policy, ...others } = fileHeaders(apiOrigin);
  const items = Object.entries(others).map(([Header, Value]) => ({ Header: canonical(Header), Value, Override: true }));
  const policyFile = {
    Name: `intake${base.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "")}`,
    Comment: `Where TLS is certain add SecurityHeadersConfig.StrictTransportSecurity, AccessControlMaxAgeSec ${YEAR}`,
    SecurityHeadersConfig: {
      ContentSecurityPolicy: { Override: true, ContentSecurityPolicy: policy },
      ContentTypeOptions: { Override: true },
      ReferrerPolicy: { Override: true, ReferrerPolicy: referrer },
    },
    CustomHeadersConfig: { Quantity: items.length, Items: items },
  };
  return `${JSON.stringify(policyFile, null, 2)}\n`;
}

/** Writes the source of a CloudFront Function for viewer requests. */
function cloudFrontRoutes({ base }: Hosting): string {
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

/** Uploads the hashed files first and deletes none, so that open tabs of the last build go on working. */
function s3Upload(): string {
  return `#!/bin/sh
# s3-upload.sh FOLDER s3://BUCKET/PATH: the folder that holds index.html into the bucket. ${FROM}
set -e
aws s3 sync "$1/${HASHED_FOLDER}" "$2/${HASHED_FOLDER}" --cache-control "${CACHING.hashed}"
aws s3 sync "$1" "$2" --exclude "${HASHED_FOLDER}*" --exclude "hosting/*" --exclude "_*" --cache-control "${CACHING.named}"
`;
}

/** Writes a header name in its usual spelling, such as Cache-Control. */
function canonical(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
