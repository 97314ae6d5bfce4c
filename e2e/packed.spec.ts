// Installs what `npm pack` makes far from the sources: it must run with nothing but what it declares.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { type Component, makeSbom, type Sbom } from "../build/make-sbom.ts";
import { ADMIN_KEY, check, reported, signIn } from "./support/service.ts";

const MOST_MEGABYTES = 42; // of node_modules, this package included
const EBCDIC_LAYOUT = {
  kind: "fixed",
  title: "Customers",
  collection: "customers",
  encoding: "cp1141",
  recordLength: 25,
  lineEnd: "none",
  detail: {
    fields: [
      { name: "lastName", start: 1, length: 15 },
      { name: "accountID", start: 16, length: 10 },
    ],
  },
};
/** Holds what the documents of the package name. Pictures, decisions and sources are not in it. */
const NAMED_FILES = [
  "batch/console/json-lines.schema.json",
  "layouts/layouts/layout.schema.json",
  "CHANGELOG.md",
  "client/README.md",
  "docs/keep-in-step.ts",
  "docs/n8n-polling.json",
  "SECURITY.md",
];
const TYPE_CHECKER = resolve("node_modules/.bin/tsc");

test.describe.configure({ mode: "serial", timeout: 180_000 }); // npm may have to fetch

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-packed-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the installed package starts, serves the app, takes an upload and a batch run, and is small", async ({ page }) => {
  const installed = install("program", ".");
  expect(packagesIn(installed)).toEqual(packagesOf(makeSbom(".")));
  expect(megabytes(join(installed, "node_modules"))).toBeLessThan(MOST_MEGABYTES);
  for (const file of NAMED_FILES) expect([file, existsSync(join(installed, "node_modules/intake", file))]).toEqual([file, true]);
  const command = (name: string) => join(installed, "node_modules", ".bin", name);
  const env = { PATH: process.env.PATH, PORT: "0", ADMIN_KEY, DATA_DIR: join(installed, "data") };
  const run = (name: string, ...args: string[]) => execFileSync(command(name), args, { cwd: installed, env, encoding: "utf8" });
  expect(run("intake")).toContain("intake start");

  const service = spawn(command("intake"), ["start"], { cwd: installed, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const origin = await originOf(service);
    await signIn(page, `${origin}/customers/upload`);
    await check(page, "two.csv", "lastName,accountID\nPacked,P1\nPacked,P2\n");
    await page.getByRole("button", { name: "Upload" }).click();
    await expect.poll(() => reported(page, "Created")).toBe(2);

    writeFileSync(join(installed, "three.csv"), "lastName,accountID\nBatch,B1\nBatch,B2\nBatch,B3\n");
    Object.assign(env, { URL: origin, INTAKE_URL: origin });
    Object.assign(env, { INTAKE_KEY: /ink_\S+/.exec(run("intake", "keys", "create", "write"))?.[0] });
    run("intake-batch", "run", "three.csv");
    const report = JSON.parse(readFileSync(join(installed, "three.csv.report.json"), "utf8")) as { outcomes: { created: number } };
    expect(report.outcomes.created).toBe(3);
    writeFileSync(join(installed, "layout.json"), JSON.stringify(EBCDIC_LAYOUT));
    run("intake-batch", "layout", "sample", "layout.json", "sample.dat");
    run("intake-batch", "run", "--layout", "layout.json", "sample.dat");
    const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })}\n`;
    expect(await answerOfAssistant(command("intake-batch"), env, input)).toContain("carry_out");
    expect(run("intake", "backup", "copy.db")).toContain("copy.db");
    expect(run("intake", "publish", "--base", "/x/", "--out", "published")).toContain("/x/");
  } finally {
    const ended = new Promise((resolve) => service.once("close", resolve));
    service.kill();
    expect(await ended).toBe(0);
  }
});

/** The first line that `mcp` answers; it ends with its standard input. */
async function answerOfAssistant(command: string, env: NodeJS.ProcessEnv, input: string): Promise<string> {
  const child = spawn(command, ["mcp"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  child.stdin.write(input);
  let text = "";
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes("\n")) child.stdin.end();
  }
  expect((await closed)[0]).toBe(0);
  return text;
}

test("another program gets typed answers and errors from the client package", async ({ baseURL }) => {
  rmSync("client/dist", { recursive: true, force: true }); // it is packed from a clone that was not built, too
  const installed = install("other", "./client");
  writeFileSync(
    join(installed, "program.ts"),
    `import { createClient, type Reply } from "@intake/client";
import { ApiError } from "@intake/client/errors";
import { openCollection } from "@intake/client/open-collection";
import { createKeySession } from "@intake/client/token-exchange";

const baseUrl = "${baseURL}/v1";
const client = createClient({ baseUrl, session: createKeySession(baseUrl, "${ADMIN_KEY}") });
const reply: Reply = await client.request("GET", "/customers", { query: { limit: "1" } });
const error: unknown = await client.request("POST", "/customers", { body: {} }).catch((error: unknown) => error);
if (!(error instanceof ApiError)) throw error;
// @ts-expect-error the types are there, so a wrong one is found
const wrong: number = error.problems[0]?.field;
const customers = await openCollection<{ lastName: string; accountID: string }>(client, "customers");
const [problem] = customers.check({ lastName: "", accountID: "1" });
let created = 0;
const rows = [1, 2, 3].map((n) => ({ lastName: "Packed", accountID: String(n) }));
for await (const { summary } of customers.upload(rows, { batchSize: 2, dryRun: true })) created = summary.created;
console.log(JSON.stringify([reply.status, error.status, wrong, problem?.code, created]));
`,
  );
  const compilerOptions = { strict: true, module: "NodeNext", target: "ES2023", lib: ["ES2023", "DOM"], types: [] };
  writeFileSync(join(installed, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  execFileSync(TYPE_CHECKER, ["-p", installed], { stdio: "inherit" });
  const printed = execFileSync(process.execPath, ["program.js"], { cwd: installed, encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual([200, 422, "lastName", "REQUIRED", 3]);
});

/** Name and version of what npm installed beside our package, wherever in node_modules it stands. */
function packagesIn(installed: string): string[] {
  const lock = JSON.parse(readFileSync(join(installed, "node_modules/.package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  const all = Object.entries(lock.packages).map(([place, { version }]) => [place.slice(place.lastIndexOf("node_modules/") + 13), version]);
  return all.flatMap(([name, version]) => (name === "intake" ? [] : [`${name}@${version}`])).sort();
}

/**
 * Returns what the list of packages says of such an installation on this machine: all that ours needs, and of the binaries those for it.
 */
function packagesOf({ components, dependencies, metadata }: Sbom): string[] {
  const { dependencies: direct } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
  const known = new Map(components.map((component) => [component["bom-ref"], component]));
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const found = new Set<Component>();
  const add = (ref: string) => {
    const component = known.get(ref) as Component;
    if (component.scope === "optional" && !isForThisMachine(component)) return;
    found.add(component);
    for (const other of needs.get(ref) ?? []) add(other);
  };
  for (const ref of needs.get(metadata.component["bom-ref"]) ?? []) if ((known.get(ref)?.name as string) in direct) add(ref);
  return [...found].map(({ name, version }) => `${name}@${version}`).sort();
}

/** npm chooses by system, processor and, for Linux, the C library; the project's own node_modules has what it chose here. */
function isForThisMachine({ name }: Component): boolean {
  return existsSync(join("node_modules", name, "package.json"));
}

/** Packs what is in `source`, the program as it was built, and installs it as a user would. Resolves with the folder of installation. */
function install(name: string, source: string): string {
  const target = join(folder, name);
  mkdirSync(target);
  writeFileSync(join(target, "package.json"), '{ "type": "module" }');
  const npm = (args: string[], cwd: string) => execFileSync("npm", args, { cwd, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
  npm(["pack", source, ...(source === "." ? ["--ignore-scripts"] : []), "--silent", "--pack-destination", target], ".");
  const [archive = ""] = readdirSync(target).filter((file) => file.endsWith(".tgz"));
  npm(["install", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--silent", archive], target);
  rmSync(join(target, archive));
  return target;
}

function originOf(service: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    service.stdout?.on("data", (data) => {
      output += data;
      const origin = /ready at (http:\S+)/.exec(output)?.[1];
      if (origin) resolve(origin);
    });
    service.once("close", () => reject(new Error(`The service ended. It printed: ${output}`)));
  });
}

/** On the disk, as `du` counts: in blocks. */
function megabytes(path: string): number {
  const files = readdirSync(path, { recursive: true, encoding: "utf8" });
  const bytes = files.reduce((sum, file) => sum + statSync(join(path, file)).blocks * 512, 0);
  return bytes / 1_000_000;
}
