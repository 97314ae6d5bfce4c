// Builds the commands `intake` and `intake-batch` as JavaScript for Node. What they need from node_modules stays there.

import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig, minify, type Plugin } from "vite";

/** What serves assistants is large, and one command loads it: it has a chunk apart. */
const ASSISTANT_LIBRARY = "assistant-library";

export default defineConfig({
  publicDir: false,
  // argon2 and libsql are native code and stay packages. pg loads pg-cloudflare on that company's servers alone; it is not shipped.
  ssr: { noExternal: true, external: ["@node-rs/argon2", "libsql", "pg-cloudflare"] },
  plugins: [packCodePages(), shrinkMaps()],
  build: {
    ssr: true,
    outDir: "dist/node",
    target: "node20.19",
    sourcemap: true,
    rolldownOptions: {
      // Threads have files of their own, which server/threads.ts starts.
      input: {
        intake: "server/cli/intake.ts",
        "intake-batch": "batch/main.ts",
        "sqlite-thread": "server/sqlite-thread.ts",
        "import-thread": "batch/imports/import-thread.ts",
      },
      // Without white space, but with every name: the maps lead from a stack to the lines.
      output: {
        chunkFileNames: "chunks/[name].js",
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        codeSplitting: { groups: [{ name: ASSISTANT_LIBRARY, test: /\/node_modules\/(?:@modelcontextprotocol|zod)\// }] },
      },
    },
  },
});

/** Of codepage's 6 MB the batch command needs one file, which it loads by name. The file is copied as it is, beside the chunks. */
function packCodePages(): Plugin {
  const name = "codepage/dist/sbcs.full.js";
  const copy = "code-pages.cjs";
  return {
    name: "pack-code-pages",
    transform: { filter: { id: /\/ebcdic\.ts$/ }, handler: (code) => ({ code: code.replace(name, `./${copy}`), map: null }) },
    writeBundle({ dir = "" }, bundle) {
      const reader = Object.values(bundle).find((file) => file.type === "chunk" && file.code.includes(`./${copy}`));
      if (!reader) this.error(`${name} is not used any more.`);
      copyFileSync(`node_modules/${name}`, join(dir, dirname(reader.fileName), copy));
    },
  };
}

/**
 * Maps name the lines of a stack and need no copy of the source for that, half of their size. A chunk of nothing but packages needs
 * none, and is minified: its classes keep their names, by which errors are known.
 */
function shrinkMaps(): Plugin {
  return {
    name: "shrink-maps",
    async generateBundle(_options, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk" && file.moduleIds.every((id) => id.includes("/node_modules/"))) {
          delete bundle[`${name}.map`];
          const code = file.code.replace(/^\/\/# sourceMappingURL=.*$/m, "");
          const mangle = { keepNames: { function: false, class: true } };
          file.code = (await minify(name, code, { module: true, sourcemap: false, mangle })).code;
        } else if (file.type === "asset" && name.endsWith(".map")) {
          const { sourcesContent: _, ...map } = JSON.parse(String(file.source)) as Record<string, unknown>;
          file.source = JSON.stringify(map);
        }
      }
    },
  };
}
