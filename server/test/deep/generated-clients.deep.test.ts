// The OpenAPI document in other people's tools: two linters, four generators of clients, and Postman's runner.

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";

const run = promisify(execFile);
const IS_DEEP = process.env.DEEP !== undefined;
const MINUTES = 60_000;

// Some 350 MB, so they are no dependencies of the project. Pinned: what a new version asks for is decided here, not there.
const TOOLS = [
  "@redocly/cli@2.77.0",
  "@stoplight/spectral-cli@6.16.3",
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@hey-api/openapi-ts@0.95.0",
  "orval@7.13.2",
  "openapi-typescript-codegen@0.31.0",
  "typescript@5.9.3",
  "openapi-to-postmanv2@6.3.3",
  "newman@6.2.2",
];

/** Holds what docs/other-programs.md tells users of clients that write no objects in objects. */
const [, SERIALIZER = ""] =
  /```ts\n(export function querySerializer[\s\S]*?)```/.exec(readFileSync("docs/other-programs.md", "utf8")) ?? [];

/** Says what each client does. `calls` hides how it is written; `never` is a status that is none. */
const JOURNEY = `
export const BASE = process.env.BASE ?? "";
export const TOKEN = process.env.TOKEN ?? "";
// Whoever may write but not read gets a receipt, which need not have every value.
export interface Made { objectId: number; lastName?: string | null; version: number }
export interface Sent { objectId?: number; lastName: string; accountID?: string; version?: number }
export interface Result { outcome: string; status: number; version?: number }
export interface Calls {
  create(record: { lastName: string; accountID: string }): Promise<Made>;
  read(id: number): Promise<Made>;
  update(id: number, etag: string, change: { lastName: string }): Promise<Made>;
  each(records: Sent[], isMatched: boolean): Promise<Result[]>;
  list(): Promise<{ lastName?: string | null }[]>;
  /** By equality and by an operator. */
  find(lastName: string, least: number): Promise<{ objectId?: number }[]>;
}
${SERIALIZER}
export function fail(what: unknown): never { throw new Error(JSON.stringify(what)); }
export async function journey(calls: Calls) {
  const made = await calls.create({ lastName: "Ek", accountID: "1" });
  const id = made.objectId;
  const read = await calls.read(id);
  const changed = await calls.update(id, \`"\${id}-\${read.version}"\`, { lastName: "Berg" });
  const stale = await calls.update(id, \`"\${id}-\${read.version}"\`, { lastName: "Lost" }).then(() => "written", () => "refused");
  const partial = await calls.each([{ lastName: "Alm", accountID: "2" }, { lastName: "Nobody" }], false);
  const matched = await calls.each([{ objectId: id, lastName: "Cole", version: changed.version }], true);
  const late = await calls.each([{ objectId: id, lastName: "Late", version: changed.version }], true);
  const names = (await calls.list()).map(({ lastName }) => lastName);
  const found = (await calls.find("Cole", id)).map(({ objectId }) => objectId === id);
  let created = 0;
  for (let batch = 0; batch < 10; batch++) {
    const records = Array.from({ length: 1_000 }, (_, i) => ({ lastName: \`N\${i}\`, accountID: \`B\${batch}\` }));
    created += (await calls.each(records, false)).filter(({ outcome }) => outcome === "created").length;
  }
  console.log(JSON.stringify({ read: read.lastName, changed: changed.lastName, stale, partial: partial.map(({ status }) => status), matched: matched.map(({ outcome }) => outcome), late: late.map(({ status }) => status), names, found, created }));
}
`;

const PROGRAMS: Record<string, string> = {
  fetch: `
import createClient from "openapi-fetch";
import { BASE, fail, journey, querySerializer, TOKEN } from "./journey";
import type { paths } from "./gen/types";
const client = createClient<paths>({ baseUrl: BASE, headers: { Authorization: \`Bearer \${TOKEN}\` }, querySerializer });
await journey({
  async create(body) { const { data, error } = await client.POST("/v1/customers", { body }); return data && "objectId" in data ? data : fail(error); },
  async read(id) { const { data, error } = await client.GET("/v1/customers/{id}", { params: { path: { id } } }); return data ?? fail(error); },
  async update(id, etag, body) { const { data, error } = await client.PATCH("/v1/customers/{id}", { params: { path: { id }, header: { "If-Match": etag } }, body }); return data ?? fail(error); },
  async each(customers, isMatched) {
    const query = isMatched ? ({ onError: "continue", onConflict: "update", match: "version" } as const) : ({ onError: "continue" } as const);
    const { data, error } = await client.POST("/v1/customers", { params: { query }, body: { customers } });
    return data && "results" in data ? data.results : fail(error);
  },
  async list() { const { data, error } = await client.GET("/v1/customers", { params: { query: { sort: ["lastName", "-objectId"] } } }); return typeof data === "object" ? data.customers : fail(error); },
  async find(lastName, least) { const { data, error } = await client.GET("/v1/customers", { params: { query: { filter: { lastName, gte: { objectId: least } } } } }); return typeof data === "object" ? data.customers : fail(error); },
});`,
  hey: `
import { client } from "./gen/hey/client.gen";
import { listCustomers, patchCustomer, postCustomers, readCustomer } from "./gen/hey/sdk.gen";
import { BASE, fail, journey, querySerializer, TOKEN } from "./journey";
client.setConfig({ baseUrl: BASE, auth: () => TOKEN });
await journey({
  async create(body) { const { data, error } = await postCustomers({ body }); return data && "objectId" in data ? data : fail(error); },
  async read(id) { const { data, error } = await readCustomer({ path: { id } }); return data ?? fail(error); },
  async update(id, etag, body) { const { data, error } = await patchCustomer({ path: { id }, headers: { "If-Match": etag }, body }); return data ?? fail(error); },
  async each(customers, isMatched) {
    const { data, error } = await postCustomers({ body: { customers }, query: isMatched ? { onError: "continue", onConflict: "update", match: "version" } : { onError: "continue" } });
    return data && "results" in data ? data.results : fail(error);
  },
  async list() { const { data, error } = await listCustomers({ query: { sort: ["lastName", "-objectId"] } }); return data?.customers ?? fail(error); },
  async find(lastName, least) { const { data, error } = await listCustomers({ query: { filter: { lastName, gte: { objectId: least } } }, querySerializer }); return data?.customers ?? fail(error); },
});`,
  orval: `
import { getListCustomersUrl, type ListCustomersParams, type ListCustomersResponse, listCustomers, patchCustomer, postCustomers, readCustomer } from "./gen/orval/index";
import { fail, journey, querySerializer, TOKEN } from "./journey";
const headers = { Authorization: \`Bearer \${TOKEN}\` };
await journey({
  async create(body) { const { data } = await postCustomers(body, {}, { headers }); return "objectId" in data ? data : fail(data); },
  async read(id) { const reply = await readCustomer(id, { headers }); return reply.status === 200 ? reply.data : fail(reply.data); },
  async update(id, etag, body) { const reply = await patchCustomer(id, body, { headers: { ...headers, "If-Match": etag } }); return reply.status === 200 ? reply.data : fail(reply.data); },
  async each(customers, isMatched) {
    const { data } = await postCustomers({ customers }, isMatched ? { onError: "continue", onConflict: "update", match: "version" } : { onError: "continue" }, { headers });
    return "results" in data ? data.results : fail(data);
  },
  async list() { const reply = await listCustomers({ sort: ["lastName", "-objectId"] }, { headers }); return reply.status === 200 && typeof reply.data === "object" ? reply.data.customers : fail(reply.data); },
  async find(lastName, least) {
    const reply = await fetch(\`\${getListCustomersUrl()}?\${querySerializer({ filter: { lastName, gte: { objectId: least } } } satisfies ListCustomersParams)}\`, { headers });
    return ((await reply.json()) as ListCustomersResponse).customers;
  },
});`,
  codegen: `
import { CustomersService, OpenAPI } from "./gen/codegen/index";
import { BASE, fail, journey, TOKEN } from "./journey";
OpenAPI.BASE = BASE;
OpenAPI.TOKEN = TOKEN;
await journey({
  async create(body) { const data = await CustomersService.postCustomers(body); return "objectId" in data ? data : fail(data); },
  async read(id) { const data = await CustomersService.readCustomer(id); return "objectId" in data ? data : fail(data); },
  async update(id, etag, body) { const data = await CustomersService.patchCustomer(id, body, etag); return "objectId" in data ? data : fail(data); },
  async each(customers, isMatched) {
    const data = isMatched
      ? await CustomersService.postCustomers({ customers }, "continue", "version", undefined, "update")
      : await CustomersService.postCustomers({ customers }, "continue");
    return "results" in data ? data.results : fail(data);
  },
  async list() { const data = await CustomersService.listCustomers(undefined, undefined, undefined, ["lastName", "-objectId"]); return "customers" in data ? data.customers : fail(data); },
  async find(lastName, least) {
    const none = undefined;
    const data = await CustomersService.listCustomers(none, none, none, none, none, none, none, none, none, none, { lastName, gte: { objectId: least } });
    return "customers" in data ? data.customers : fail(data);
  },
});`,
};

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
    skipLibCheck: true, // of what the tools bring along
  },
  include: ["*.ts", "gen"],
};

let service: TestService;
let folder: string;
let base: string;
const tool = (name: string, ...args: string[]) =>
  run(join(folder, "node_modules/.bin", name), args, { cwd: folder, maxBuffer: 1e9, env: { ...process.env, REDOCLY_TELEMETRY: "off" } });

beforeAll(async () => {
  if (!IS_DEEP) return;
  folder = mkdtempSync(join(tmpdir(), "intake-clients-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...TOOLS], { cwd: folder, maxBuffer: 1e9 });
  service = await openTestService(undefined, { limits: NO_RATE_LIMIT });
  await service.app.listen({ port: 0 });
  base = `http://127.0.0.1:${(service.app.server.address() as { port: number }).port}`;
  const document = { ...service.checker.document, servers: [{ url: base }] }; // as with PUBLIC_URL
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
}, 10 * MINUTES);
afterAll(async () => {
  await service?.close();
  if (folder) rmSync(folder, { recursive: true });
});

test.runIf(IS_DEEP)(
  "redocly and spectral find no error and no warning",
  async () => {
    for (const name of ["redocly.yaml", "spectral.json"]) cpSync(join("server/openapi", name), join(folder, name));
    const redocly = await tool("redocly", "lint", "openapi.json", "--format=json", "--config", "redocly.yaml");
    expect(JSON.parse(redocly.stdout).problems).toEqual([]);
    const spectral = await tool("spectral", "lint", "openapi.json", "--ruleset", "spectral.json", "--fail-severity", "hint", "-f", "json");
    expect(JSON.parse(spectral.stdout.slice(0, spectral.stdout.lastIndexOf("]") + 1))).toEqual([]);
  },
  5 * MINUTES,
);

test.runIf(IS_DEEP)(
  "four generated clients compile strictly and do the whole journey",
  async () => {
    mkdirSync(join(folder, "gen"));
    await tool("openapi-typescript", "openapi.json", "-o", "gen/types.ts");
    await tool("openapi-ts", "-i", "openapi.json", "-o", "gen/hey");
    // By its path: the linter has a command of the same name.
    const codegen = join(folder, "node_modules/openapi-typescript-codegen/bin/index.js");
    await run(process.execPath, [codegen, "--input", "openapi.json", "--output", "gen/codegen"], { cwd: folder });
    const output = { target: "gen/orval/index.ts", client: "fetch", baseUrl: base };
    writeFileSync(join(folder, "orval.config.cjs"), `module.exports = ${JSON.stringify({ intake: { input: "openapi.json", output } })};`);
    await tool("orval", "--config", "orval.config.cjs");
    writeFileSync(join(folder, "journey.ts"), `declare const process: { env: Record<string, string | undefined> };${JOURNEY}`);
    for (const [name, program] of Object.entries(PROGRAMS)) writeFileSync(join(folder, `${name}.ts`), program);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
    const compiled = await tool("tsc", "-p", ".").catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe("");
    const env = { ...process.env, BASE: base, TOKEN: await service.tokenFor("write") };
    for (const name of Object.keys(PROGRAMS)) {
      await service.call("POST", "/v1/customers/deletions?onError=continue", (await service.call("GET", "/v1/customers?limit=1000")).json);
      const { stdout } = await run(process.execPath, ["--import", import.meta.resolve("tsx"), join(folder, `${name}.ts`)], { env });
      const report = JSON.parse(stdout);
      expect([name, report]).toEqual([
        name,
        {
          read: "Ek",
          changed: "Berg",
          stale: "refused",
          partial: [201, 422],
          matched: ["updated"],
          late: [412],
          names: expect.arrayContaining(["Alm", "Cole"]),
          found: [true],
          created: 10_000,
        },
      ]);
      expect(report.names).toEqual([...report.names].sort());
    }
  },
  10 * MINUTES,
);

test.runIf(IS_DEEP)(
  "a Postman collection made from the document runs unmodified",
  async () => {
    const options = "parametersResolution=Example,folderStrategy=Tags,enableOptionalParameters=false";
    await tool("openapi2postmanv2", "-s", "openapi.json", "-o", "postman.json", "-O", options);
    await service.call("PUT", "/v1/customers/7", { lastName: "Ek", accountID: "1" });
    const token = await service.tokenFor("write");
    const settings = ["--env-var", `bearerToken=${token}`, "--folder", "Customers", "--reporters", "json"];
    await tool("newman", "run", "postman.json", ...settings, "--reporter-json-export", "report.json");
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
    interface Execution {
      item: { name: string };
      request: { method: string };
      response: { code: number };
    }
    const answers = (report.run.executions as Execution[]).map(
      ({ item, request, response }) => [request.method, item.name, response.code] as const,
    );
    // What is not there (any more), or needs an administrator, is answered so; nothing is misunderstood.
    const isUndo = (name: string) => name.includes("changes of a run"); // the collection makes up a place in a run that never was
    const wrong = answers.filter(([, name, code]) => ![200, 201, 204, 207, 403, 404, 409].includes(code) && !isUndo(name));
    expect(wrong).toEqual([]);
    expect(answers.filter(([, , code]) => code < 300).length).toBeGreaterThan(8);
  },
  5 * MINUTES,
);
