// Builds the commands `intake` and `intake-batch` as JavaScript for Node. What they need from node_modules stays there.

import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  // These stay packages: libsql is native code, and of the others some parts are loaded by name.
  ssr: { noExternal: true, external: ["codepage", "fastify", "libsql", "pg"] },
  build: {
    ssr: true,
    outDir: "dist/node",
    target: "node20.19",
    sourcemap: true,
    rolldownOptions: {
      // The threads of SQLite stores have a file of their own, which sqlite-threads.ts names.
      input: { intake: "server/cli/intake.ts", "intake-batch": "batch/main.ts", "sqlite-thread": "server/sqlite-thread.ts" },
      output: { chunkFileNames: "chunks/[name].js" },
    },
  },
});
