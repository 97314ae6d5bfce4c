import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { writeLanguages } from "../core/i18n/start-page.ts";
import { hostFiles } from "../server/cli/host-files.ts";

/** `npm run dev` is one command: the service runs beside the page and starts again when its files change. */
export function runService(port: number): Plugin {
  return {
    name: "intake-service",
    apply: (_, { command, mode }) => command === "serve" && mode === "development",
    configureServer(server) {
      const env = { ...process.env, PORT: String(port), HOST: "127.0.0.1" };
      const child = spawn(process.execPath, ["node_modules/tsx/dist/cli.mjs", "watch", "server/main.ts"], { env, stdio: "inherit" });
      const stop = () => child.kill();
      server.httpServer?.once("close", stop);
      process.once("exit", stop);
    },
  };
}

/** The page that is painted before the app shows its few words in every language. */
export function writeStartPage(): Plugin {
  return { name: "intake-start-page", transformIndexHtml: { order: "pre", handler: writeLanguages } };
}

/** Writes a catalogue as all English sentences, then all translations: alike sentences stand together, and compress better than pairs. */
export function packCatalogues(): Plugin {
  const handler = (json: string) => {
    const texts = JSON.parse(json) as Record<string, unknown>;
    // By the translations, because like ones that stand near each other are compressed best.
    const sorted = Object.entries(texts).sort(([, a], [, b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    const [sentences, translations] = [0, 1].map((at) => JSON.stringify(sorted.map((entry) => entry[at])));
    const code = `const [sentences, texts] = [${sentences}, ${translations}]; export default Object.fromEntries(sentences.map((sentence, i) => [sentence, texts[i]]));`;
    return { code, map: null, moduleType: "js" as const };
  };
  return {
    name: "intake-pack-catalogues",
    apply: "build",
    transform: { order: "pre", filter: { id: /\/core\/i18n\/[a-z]+\.json$/ }, handler },
  };
}

/**
 * Runs what reads the first page's data (src/start.ts) as soon as it has come: as a script of its own before the app's. The bundler
 * would only fetch it beside the others and run it when all have come. The others are fetched after it and the styles.
 */
export function runStartFirst(): Plugin {
  const handler = (html: string) => {
    const [link = "", src] = /<link rel="modulepreload" [^>]*href="([^"]*\/start-[^"]*)">\s*/.exec(html) ?? [];
    if (!src) throw new Error("index.html: the build has no file for src/start.ts.");
    const later = html
      .replace(link, "")
      .replaceAll(/<(script type="module"|link rel="modulepreload")(?=.*\/(?:app|libraries)-) /g, '<$1 fetchpriority="low" ');
    return later.replace(/<script type="module"/, (app) => `<script type="module" crossorigin src="${src}"></script>\n    ${app}`);
  };
  return { name: "intake-start-first", apply: "build", transformIndexHtml: { order: "post", handler } };
}

/**
 * Keeps CSS modules in the build. The bundler writes their class names into the code that uses them, and would then drop
 * a module of which nothing is left to import, with its styles.
 */
export function keepStyles(): Plugin {
  return {
    name: "intake-keep-styles",
    apply: "build",
    enforce: "post",
    transform: { filter: { id: /\.module\.css$/ }, handler: (code) => ({ code, map: null, moduleSideEffects: "no-treeshake" }) },
  };
}

/** Adds the files that tell common hosts how to serve the app at / with the API beside it. `npm run publish-app` makes them for other places. */
export function addHostFiles(): Plugin {
  return {
    name: "intake-host-files",
    apply: "build",
    generateBundle() {
      for (const [fileName, source] of Object.entries(hostFiles({ base: "/" }))) this.emitFile({ type: "asset", fileName, source });
    },
  };
}

/** Compresses scripts and styles as far as it goes, once, for the service to send. Other hosts compress by themselves. */
export function compressFiles(): Plugin {
  return {
    name: "intake-compressed",
    apply: "build",
    writeBundle({ dir = "dist/app" }, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (!/\.(js|css)$/.test(name)) continue;
        const content = file.type === "chunk" ? file.code : file.source;
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content));
        writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}
