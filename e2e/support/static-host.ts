// A static file host like nginx or Netlify: serves what `npm run publish-app` wrote, with its headers.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

/** Publishes the built app into the folder `out` by the command that an operator uses. */
export function publish(out: string, ...options: string[]): void {
  execFileSync(process.execPath, ["dist/node/intake.js", "publish", "--out", out, ...options], { stdio: "pipe", timeout: 60_000 });
}

const TYPES: Record<string, string> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  json: "application/json",
  svg: "image/svg+xml",
};

export interface StaticHost {
  origin: string;
  /** When set, navigations get this text instead of index.html, as from a cache in between. */
  cachedPage: string | undefined;
  close(): Promise<void>;
}

/** Serves the files below `root`. An address below `base` without a file extension gets index.html; everything else is a 404. */
export async function openStaticHost(root: string, base: string, port: number): Promise<StaticHost> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host");
    const isPage = pathname.startsWith(base) && !pathname.startsWith(`${base}assets/`) && !/\.[A-Za-z0-9]+$/.test(pathname);
    const file = join(root, isPage ? `${base}index.html` : pathname);
    const isThere = existsSync(file) && statSync(file).isFile();
    const type = isThere ? (TYPES[file.split(".").pop() ?? ""] ?? "application/octet-stream") : "text/plain";
    response.writeHead(isThere ? 200 : 404, { ...headersFor(join(root, "_headers"), pathname), "Content-Type": type });
    const isCached = isPage && request.headers["sec-fetch-mode"] === "navigate" && host.cachedPage;
    response.end(isCached || (isThere ? readFileSync(file) : "Not here"));
  });
  const host: StaticHost = {
    cachedPage: undefined,
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return host;
}

function headersFor(file: string, pathname: string): Record<string, string> {
  const headers: Record<string, string> = {};
  let fits = false;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [, name = "", value = ""] = /^ {2}([A-Za-z-]+): (.+)$/.exec(line) ?? [];
    if (line.startsWith("/")) fits = line.endsWith("*") ? pathname.startsWith(line.slice(0, -1)) : pathname === line;
    else if (fits && name) headers[name] = value;
  }
  return headers;
}

/** Replaces the build in `app` by one whose files have other names. Old files for which `isGone` holds disappear; libraries stay. */
export function deployNewBuild(app: string, isGone: (name: string) => boolean = () => true): void {
  const assets = join(app, "assets");
  const names = readdirSync(assets).filter(
    (name) => /-[\w-]{6,8}\.(js|css)$/.test(name) && !/^(libraries|queries|rolldown-runtime)-/.test(name),
  );
  const next = (name: string) => name.replace(/[\w-]{4}(\.\w+)$/, "next$1");
  const texts = new Map(names.map((name) => [next(name), readFileSync(join(assets, name), "utf8")]));
  const renamed = (text: string) => names.reduce((all, name) => all.replaceAll(name, next(name)), text);
  for (const [name, text] of texts) writeFileSync(join(assets, name), renamed(text));
  for (const name of names) if (isGone(name)) renameSync(join(assets, name), join(assets, `${name}.old`));
  writeFileSync(join(app, "index.html"), renamed(readFileSync(join(app, "index.html"), "utf8")));
}
