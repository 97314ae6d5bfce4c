// The configuration for other hosts against what the service itself sends: headers, pages and 404s.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../http/limits.ts";
import { nginxBlock } from "../testing/servers/nginx.ts";
import { openTestService, type TestService } from "../testing/service.ts";
import { hostFiles } from "./host-files.ts";

const AT_ROOT = hostFiles({ base: "/" });
const ELSEWHERE = hostFiles({ base: "/x/admin/", apiOrigin: "https://api.example.org" });
const NAVIGATION = { accept: "text/html,*/*;q=0.8" };
const EXPECTED = [
  "x-content-type-options",
  "referrer-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "content-security-policy",
];

let service: TestService;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-host-"));
  mkdirSync(join(folder, "assets"));
  cpSync("index.html", join(folder, "index.html"));
  cpSync("public/config.json", join(folder, "config.json"));
  writeFileSync(join(folder, "assets", "app-1a2b.js"), "export {};");
  for (const [name, text] of Object.entries(AT_ROOT)) {
    mkdirSync(join(folder, "hosting"), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  service = await openTestService(undefined, { appFolder: folder });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Header fields as the service sends them for a file, without those of this one answer. */
async function sent(path: string): Promise<Record<string, string | undefined>> {
  const { status, headers } = await service.raw("GET", path, NAVIGATION);
  expect([path, status]).toEqual([path, 200]);
  return Object.fromEntries([...EXPECTED, "cache-control"].map((name) => [name, headers[name]]));
}

/** The `_headers` file as Netlify and Cloudflare Pages read it: all rules that match add their headers, and equal names are joined. */
function readHeadersFile(text: string, path: string): Record<string, string> {
  const found: Record<string, string> = {};
  let fits = false;
  for (const line of text.split("\n")) {
    const [, name = "", value = ""] = /^ {2}([A-Za-z-]+): (.+)$/.exec(line) ?? [];
    if (line.startsWith("/")) fits = line.endsWith("*") ? path.startsWith(line.slice(0, -1)) : path === line;
    else if (fits && name) found[name.toLowerCase()] = [found[name.toLowerCase()], value].filter(Boolean).join(", ");
  }
  return found;
}

/** Returns what nginx's locations add, by the beginning of each. */
function readNginx(text: string): Map<string, Record<string, string>> {
  const blocks = [...text.matchAll(/^location ([^{]+) \{\n([\s\S]*?)^\}/gm)];
  return new Map(
    blocks.map(([, of = "", body = ""]) => {
      const added = [...body.matchAll(/^ {2}add_header (\S+) "(.*)"(?: always)?;$/gm)];
      return [of, Object.fromEntries(added.map(([, name = "", value = ""]) => [name.toLowerCase(), value]))];
    }),
  );
}

test("nginx sends the headers of the service, for pages, config.json and hashed files", async () => {
  const locations = readNginx(AT_ROOT["hosting/nginx.conf"] ?? "");
  expect([...locations.keys()]).toEqual(["^~ /assets/", "~ ^/.*\\.[A-Za-z0-9]+$", "/"]);
  expect(locations.get("^~ /assets/")).toEqual(await sent("/assets/app-1a2b.js"));
  for (const path of ["/", "/customers/7", "/config.json"]) expect(locations.get("~ ^/.*\\.[A-Za-z0-9]+$")).toEqual(await sent(path));
});

/** The lines for the service beside the app, without their sign of a comment. */
function serviceLines(text: string): string[] {
  return [...text.matchAll(/^ *# (.+[;}])$/gm)].map(([, line = ""]) => line).filter((line) => !line.startsWith("add_header"));
}

test("nginx hands on to the service, where it is beside the app, whatever the documentation of the API and a balancer need", async () => {
  const lines = serviceLines(AT_ROOT["hosting/nginx.conf"] ?? "");
  const locations = lines.flatMap((line) => [...line.matchAll(/^location (\^~|=) (\S+) \{ proxy_pass \S+; \}$/g)]);
  const isHandedOn = (path: string) => locations.some(([, how, of = ""]) => (how === "=" ? path === of : path.startsWith(of)));
  const pages = ["/docs", "/problems/NOT_FOUND"];
  for (const page of pages) {
    const { status, text } = await service.raw("GET", page);
    expect([page, status]).toEqual([page, 200]);
    const linked = [...text.matchAll(/(?:href|src)="(\/[^"#?]*)/g)].map(([, path = ""]) => path);
    expect([...pages, "/readyz", "/livez", ...linked].filter((path) => !isHandedOn(path))).toEqual([]);
  }
  expect(lines).toContain("location = /metrics { return 404; }");
  expect(ELSEWHERE["hosting/nginx.conf"]).not.toContain("proxy_pass");
});

test("what nginx is told in front of the service is the same in its file and in both documents, and fits the service's limits", () => {
  const settingsOf = (text: string) =>
    [...text.matchAll(/\b(?:client_max|large_client|proxy_(?!pass))\w+ [^;]+;/g)].map(([line]) => line).sort();
  const [hosting, operators] = ["hosting", "operators"].map(nginxBlock) as [string, string];
  const lines = serviceLines(AT_ROOT["hosting/nginx.conf"] ?? "");
  expect(serviceLines(hosting)).toEqual(lines);
  expect(settingsOf(lines.join("\n"))).toEqual(settingsOf(operators));
  const [, mebibytes] = /client_max_body_size (\d+)m;/.exec(operators) ?? [];
  expect(Number(mebibytes) * 2 ** 20).toBeGreaterThan(DEFAULT_LIMITS.collectionBytes);
  const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(operators) ?? [];
  expect(Number(seconds)).toBeGreaterThan(90); // the longest that the service takes
  expect(settingsOf(operators).filter((line) => line.startsWith("proxy_set_header"))).toEqual([
    'proxy_set_header Connection "";',
    "proxy_set_header Host $host;",
    "proxy_set_header X-Forwarded-For $remote_addr;",
    "proxy_set_header X-Forwarded-Proto $scheme;",
  ]);
});

test("the _headers file has the headers that the service sends", async () => {
  for (const path of ["/", "/index.html", "/config.json", "/assets/app-1a2b.js"])
    expect([path, readHeadersFile(AT_ROOT._headers ?? "", path)]).toEqual([path, await sent(path)]);
  // Rewritten pages have the host's own caching, with which a browser revalidates as well.
  const { "cache-control": _, ...expected } = await sent("/customers/7");
  expect(readHeadersFile(AT_ROOT._headers ?? "", "/customers/7")).toEqual(expected);
});

test("CloudFront's policy has the headers that the service sends, and its objects are cached as long", async () => {
  const policy = JSON.parse(AT_ROOT["hosting/cloudfront.json"] ?? "");
  const { ContentSecurityPolicy, ContentTypeOptions, ReferrerPolicy } = policy.SecurityHeadersConfig;
  const { Items, Quantity } = policy.CustomHeadersConfig;
  const asSent = {
    ...Object.fromEntries(Items.map((item: { Header: string; Value: string }) => [item.Header.toLowerCase(), item.Value])),
    "x-content-type-options": ContentTypeOptions.Override ? "nosniff" : "",
    "referrer-policy": ReferrerPolicy.ReferrerPolicy,
    "content-security-policy": ContentSecurityPolicy.ContentSecurityPolicy,
  };
  const script = await sent("/assets/app-1a2b.js");
  const page = await sent("/");
  expect({ ...asSent, "cache-control": page["cache-control"] }).toEqual(page);
  expect([Quantity, policy.Comment.length <= 128]).toEqual([Items.length, true]);
  const caching = [...(AT_ROOT["hosting/s3-upload.sh"] ?? "").matchAll(/--cache-control "(.*)"$/gm)].map(([, value]) => value);
  expect(caching).toEqual([script["cache-control"], page["cache-control"]]);
});

test("the content security policy has no exception but the origin of the API, where that is another", async () => {
  const policy = (await sent("/"))["content-security-policy"] ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';.*require-trusted-types-for 'script'/);
  expect(policy).not.toMatch(/unsafe|blob:|data:|\*|https?:/);
  for (const name of ["_headers", "hosting/nginx.conf", "hosting/cloudfront.json"]) {
    expect(ELSEWHERE[name]).toContain("connect-src 'self' https://api.example.org;");
    expect(AT_ROOT[name]).toContain("connect-src 'self';");
  }
});

test("CloudFront answers every screen below the path with the page, files with files, and leaves the rest of the host alone", () => {
  const { handler } = runInNewContext(`${ELSEWHERE["hosting/cloudfront-routes.js"]}; ({ handler })`);
  const answer = (uri: string) => {
    const { uri: rewritten, headers } = handler({ request: { uri } });
    return rewritten ?? headers.location.value;
  };
  for (const uri of ["/x/admin/", "/x/admin/customers/7", "/x/admin/customers/upload"]) expect(answer(uri)).toBe("/x/admin/index.html");
  for (const uri of ["/x/admin/config.json", "/x/admin/assets/gone.js", "/x/admin/assets/gone", "/other/page", "/"])
    expect(answer(uri)).toBe(uri);
  expect(answer("/x/admin")).toBe("/x/admin/");
});

test("the service does not publish the files for other hosts, and a missing file is a 404", async () => {
  for (const path of ["/_headers", "/_redirects", "/hosting/nginx.conf", "/hosting/", "/gone.png", "/assets/gone.js"])
    expect([path, (await service.raw("GET", path)).status]).toEqual([path, 404]);
});
