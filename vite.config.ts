import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { chunks } from "./build/chunks.ts";
import { nameSkipped } from "./build/name-skipped.ts";
import { addHostFiles, compressFiles, keepStyles, packCatalogues, runService, runStartFirst, writeStartPage } from "./build/plugins.ts";

const { version: VERSION } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { version: string };
const SERVICE_PORT = 8081; // in development the page has 8080 and hands /v1 on to the service

// The tests that repeat themselves as often as it takes to find what is rare. `npm run test:deep` runs them, and nothing else does.
const DEEP_TESTS = "**/*.deep.test.ts";
// Tests of every run that repeat themselves more often there.
const DEEPER_TESTS = "server/test/{deep/killed-work,http/merges-identity}.test.ts";

// Newer versions of Node have a localStorage, which would stand in the place of the test environment's.
const NO_STORAGE = "--no-experimental-webstorage";

export default defineConfig(({ mode }) => ({
  base: "./", // plain files that run under any path; index.html says <base href>
  plugins: [
    react(),
    runService(SERVICE_PORT),
    writeStartPage(),
    packCatalogues(),
    runStartFirst(),
    keepStyles(),
    addHostFiles(),
    compressFiles(),
  ],
  define: { "import.meta.env.VITE_VERSION": JSON.stringify(VERSION) },
  worker: { format: "es", rolldownOptions: { output: { comments: false } } }, // without it, marks for bundlers stay in the file
  css: {
    transformer: "lightningcss", // of the two only this one reads @custom-media: src/ui/styles/breakpoints.css
    lightningcss: {
      targets: { chrome: 123 << 16, firefox: 128 << 16, safari: (17 << 16) | (5 << 8) }, // as build.target
      drafts: { customMedia: true },
      cssModules: { pattern: "[local][hash]" },
    },
  },
  build: {
    outDir: "dist/app", // dist/node is the service and the commands: build/node.config.ts
    target: ["chrome123", "firefox128", "safari17.5"], // light-dark() and cascade layers as they are written
    modulePreload: {
      polyfill: false,
      // Fetched beside a lazily loaded page: what it needs, but for what every page has already.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === "html" ? files : files.filter((name) => !/\/(app|start|libraries|queries|rolldown-runtime)-[\w-]{7}\.js$/.test(name)),
    },
    cssCodeSplit: true, // the list fetches half of the styles; the rest comes beside the code of its page
    rolldownOptions: {
      optimization: { inlineConst: { mode: "all" } }, // the class names of CSS modules
      output: {
        entryFileNames: "assets/app-[hash:7].js",
        chunkFileNames: "assets/[name]-[hash:7].js", // the first load names 300 of them
        assetFileNames: "assets/[name]-[hash:7][extname]",
        codeSplitting: { groups: chunks },
      },
    },
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or styles
  },
  server: {
    port: Number(process.env.PORT ?? 8080),
    host: process.env.HOST ?? "127.0.0.1",
    proxy: { "/v1": `http://127.0.0.1:${SERVICE_PORT}` },
  },
  test: {
    environment: "node",
    reporters: ["default", nameSkipped],
    testTimeout: 60_000, // a busy machine takes several times as long; a test that hangs is found all the same
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } }, // by default it gives up after a second
    maxWorkers: availableParallelism() + 1, // a third of the time a test waits for a disk, a thread or a process
    ...(mode === "deep" && { env: { DEEP: "1" } }),
    execArgv: process.allowedNodeEnvironmentFlags.has(NO_STORAGE) ? [NO_STORAGE] : [],
    isolate: false, // a worker's files share its modules, of which one keeps state; a quarter of the time was spent on loading them
    setupFiles: ["pipeline/testing/reset-language.ts", "pipeline/testing/same-examples.ts"],
    // What the service and its store promise is put to both engines; everything else runs once, with SQLite's.
    projects: [
      {
        extends: true,
        test: {
          name: "sqlite",
          include:
            mode === "deep"
              ? [`{pipeline,server,bench,layouts,batch,docs}/${DEEP_TESTS}`, DEEPER_TESTS]
              : ["{core,client,pipeline,layouts,src,server,batch,bench,docs}/**/*.test.ts"],
          exclude: ["server/**/postgres*.test.ts", "server/engine/postgres/**", ...(mode === "deep" ? [] : [DEEP_TESTS])],
          globalSetup: ["server/testing/commands.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "components",
          environment: "happy-dom",
          testTimeout: 60_000, // a test waits as long as its slowest sentence may take
          include: mode === "deep" ? [] : ["src/**/*.test.tsx"],
          setupFiles: ["src/testing/setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include:
            mode === "deep"
              ? [`server/${DEEP_TESTS}`, DEEPER_TESTS]
              : [
                  "server/test/**/*.test.ts",
                  "server/engine/*.test.ts",
                  "server/engine/postgres/*.test.ts",
                  "server/people/store/{access-requests,principals}.test.ts",
                ],
          exclude: [
            "server/test/**/{start,start-files,start-damaged,stop,backup,hostile,isolation,slow-clients,connections}.test.ts",
            "server/test/{operations/{command-words,files,hangup},http/{docs-guide,openapi-examples,tokens}}.test.ts",
            "server/engine/{decide,dictionary-findings,rules-agree,viewers}.test.ts",
            ...(mode === "deep" ? [] : [DEEP_TESTS]),
          ],
          globalSetup: ["server/testing/postgres/postgres.ts", "server/testing/commands.ts"],
        },
      },
    ],
  },
}));
