// Builds the commands `intake` and `intake-batch` as JavaScript for Node. What they need from node_modules stays there.

import { defineConfig, minify, type Plugin } from "vite";

export default defineConfig({
  publicDir: false,
  // These stay packages: argon2 and libsql are native code, and of the others some parts are loaded by name.
  ssr: { noExternal: true, external: ["@node-rs/argon2", "codepage", "fastify", "libsql", "pg"] },
  plugins: [shrinkMaps()],
  build: {
    ssr: true,
    outDir: "dist/node",
    target: "node20.19",
    sourcemap: true,
    rolldownOptions: {
      // The threads of SQLite stores have a file of their own, which sqlite-threads.ts names.
      input: { intake: "server/cli/intake.ts", "intake-batch": "batch/main.ts", "sqlite-thread": "server/sqlite-thread.ts" },
      // Without white space, but with every name: the maps lead from a stack to the lines.
      output: { chunkFileNames: "chunks/[name].js", minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } } },
    },
  },
});

/**
 * Maps name the lines of a stack and need no copy of the source for that, half of their size. recheck is compiled from Scala, and
 * nobody reads its lines: it is minified and has no map.
 */
function shrinkMaps(): Plugin {
  return {
    name: "shrink-maps",
    async generateBundle(_options, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk" && file.moduleIds.some((id) => id.includes("/recheck/"))) {
          delete bundle[`${name}.map`];
          file.code = (await minify(name, file.code, { module: true, sourcemap: false })).code;
        } else if (file.type === "asset" && name.endsWith(".map")) {
          const { sourcesContent: _, ...map } = JSON.parse(String(file.source)) as Record<string, unknown>;
          file.source = JSON.stringify(map);
        }
      }
    },
  };
}
