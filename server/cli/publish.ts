// `intake publish`: writes the built app for another host than the service.

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "../open-store.ts";
import { BUILT_APP } from "../package-folder.ts";
import { commandLine } from "./command-line.ts";
import { hostFiles } from "./host-files.ts";

const USAGE = `${commandLine("publish", "publish-app")} [--base PATH] [--api URL] [--title TEXT] [--out FOLDER]
  --base   where the app will be on its host, such as /x/admin/; / by default
  --api    where the API is, such as https://api.example.org/v1 or /v1; as in config.json by default
  --title  what the app is called
  --out    the folder to write; ./published by default`;

/** Overwrites files and deletes none: open tabs of the last build may still fetch theirs. */
export async function publish(args: readonly string[]): Promise<string> {
  const { base, api, title, out } = readArguments(args);
  if (!existsSync(join(BUILT_APP, "index.html"))) throw new StartError("There is no dist/app/index.html: run npm run build first.");
  const root = join(out, "root");
  const app = join(root, base);
  const extra = hostFiles({ base, apiOrigin: api && URL.canParse(api) ? new URL(api).origin : undefined });
  cpSync(BUILT_APP, app, {
    recursive: true,
    filter: (from) => !/\.(br|gz)$/.test(from) && !(relative(BUILT_APP, from).split(/[\\/]/, 1)[0] ?? "").match(/^(_.*|hosting)$/),
  });
  const page = readFileSync(join(app, "index.html"), "utf8");
  const based = page.replace('<base href="/" />', `<base href="${base}" />`);
  if (base !== "/" && based === page) throw new StartError('dist/app/index.html has no <base href="/" />: run npm run build again.');
  writeFileSync(join(app, "index.html"), based);
  const config = JSON.parse(readFileSync(join(app, "config.json"), "utf8")) as Record<string, unknown>;
  writeFileSync(
    join(app, "config.json"),
    `${JSON.stringify({ ...config, ...(api && { apiBaseUrl: api }), ...(title && { title }) }, null, 2)}\n`,
  );
  for (const [name, text] of Object.entries(extra)) {
    const path = join(name.startsWith("hosting/") ? out : root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return `${root} is what the host serves at its /, the app at ${base}. ${join(out, "hosting")} has its configuration. See docs/hosting.md.`;
}

function readArguments(args: readonly string[]): { base: string; api: string | undefined; title: string | undefined; out: string } {
  const { base = "/", api, title, out = "published" } = parse(args);
  const slashed = `/${base}/`.replace(/\/+/g, "/");
  if (!/^[A-Za-z0-9._~/-]+$/.test(base)) throw new StartError(`--base must be a path such as /x/admin/, not "${base}".`);
  if (api !== undefined && !/^(https?:\/\/[^/?#@\s]+|\.?\/)[^?#\s]*$/.test(api))
    throw new StartError(`--api must be an address such as https://api.example.org/v1 or a path such as /v1, not "${api}".`);
  return { base: slashed, api, title, out };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args: [...args], options: { base: text, api: text, title: text, out: text } }).values;
  } catch {
    throw new StartError(USAGE);
  }
}
