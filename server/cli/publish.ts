// `intake publish`: writes the built app for another host than the service.

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { StartError } from "../open-store.ts";
import { BUILT_APP } from "../package-folder.ts";
import { commandLine, readWords } from "./command-line.ts";
import { hostFiles } from "./host-files.ts";

const USAGE = `${commandLine("publish", "publish-app")} [--base PATH] [--api URL] [--title TEXT] [--out FOLDER]
  --base   where the app will be on its host, such as /x/admin/; / by default
  --api    where the API is, such as https://api.example.org/v1 or /v1; as in config.json by default
  --title  what the app is called
  --out    the folder to write; ./published by default`;

/** Overwrites files and deletes none: open tabs of the last build may still fetch theirs. */
export async function publish(args: readonly string[]): Promise<string> {
  const wanted = readArguments(args);
  if (!existsSync(join(BUILT_APP, "index.html"))) throw new StartError("There is no dist/app/index.html: run npm run build first.");
  try {
    writeApp(wanted);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new StartError(`The app was not written to ${wanted.out}: ${error.message}.`);
  }
  const { base, out } = wanted;
  return `${join(out, "root")} is what the host serves at its /, the app at ${base}. ${join(out, "hosting")} has its configuration. See docs/hosting.md.`;
}

interface Wanted {
  base: string;
  api: string | undefined;
  title: string | undefined;
  out: string;
}

function writeApp({ base, api, title, out }: Wanted): void {
  const root = join(out, "root");
  const app = join(root, base);
  makeFolder(app);
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
  for (const [name, text] of Object.entries(hostFiles({ base, apiOrigin: api && URL.canParse(api) ? new URL(api).origin : undefined }))) {
    const path = join(name.startsWith("hosting/") ? out : root, name);
    makeFolder(dirname(path));
    writeFileSync(path, text);
  }
}

/** Makes its parents, too. Node's own way never ends where the system says of a folder that is there that it is not, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

function readArguments(args: readonly string[]): Wanted {
  const text = { type: "string" } as const;
  const { values } = readWords(args, USAGE, 0, { base: text, api: text, title: text, out: text });
  const { base = "/", api, title, out = "published" } = values;
  const slashed = `/${base}/`.replace(/\/+/g, "/");
  // A segment of dots leads out of the folder that is written, and no browser would ask for it.
  if (!/^[A-Za-z0-9._~/-]+$/.test(base) || slashed.split("/").some((segment) => /^\.{1,2}$/.test(segment)))
    throw new StartError(`--base must be a path such as /x/admin/, not "${base}".`);
  if (api !== undefined && !/^(https?:\/\/[^/?#@\s]+|\.?\/)[^?#\s]*$/.test(api))
    throw new StartError(`--api must be an address such as https://api.example.org/v1 or a path such as /v1, not "${api}".`);
  return { base: slashed, api, title, out };
}
