// A temporary folder with packages that are no dependencies of the project, and the client package as it is shipped.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";

export interface FrameworkFolder {
  path: string;
  remove(): void;
}

/** Installs the packages, each as `name@version`, and `@intake/client` beside them. */
export function createFrameworkFolder(packages: readonly string[]): FrameworkFolder {
  const path = mkdtempSync(join(tmpdir(), "intake-frameworks-"));
  const run = (command: string, args: readonly string[], cwd: string) => execFileSync(command, args, { cwd, stdio: "inherit" });
  writeFileSync(join(path, "package.json"), '{ "type": "module" }');
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", ...packages], path);
  const client = join(path, "node_modules/@intake/client");
  mkdirSync(client, { recursive: true });
  copyFileSync("client/package.json", join(client, "package.json"));
  run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "client/tsconfig.build.json", "--outDir", join(client, "dist")], ".");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface ServedApp {
  origin: string;
  close(): Promise<void>;
}

/** Builds an app whose one module is `source`, and serves it from a port of its own. */
export async function serveApp(folder: FrameworkFolder, source: string): Promise<ServedApp> {
  const root = join(folder.path, "app");
  mkdirSync(root, { recursive: true });
  copyFileSync(source, join(root, "main.tsx"));
  writeFileSync(
    join(root, "index.html"),
    '<!doctype html><html lang="en"><title>App</title><div id="root"></div><script type="module" src="/main.tsx"></script>',
  );
  writeFileSync(join(root, "tsconfig.json"), '{ "compilerOptions": { "jsx": "react-jsx", "target": "ES2023", "module": "ESNext" } }');
  const shared = { root, configFile: false, logLevel: "error" } as const;
  await build({ ...shared, build: { outDir: "dist", chunkSizeWarningLimit: 10_000 } });
  const server = await preview({ ...shared, build: { outDir: "dist" }, preview: { port: 0, host: "127.0.0.1" } });
  const { port } = server.httpServer.address() as { port: number };
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
