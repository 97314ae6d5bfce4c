// A whole service on an empty store, called without a network.

import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { createLivingDictionary } from "../access/living-dictionary.ts";
import { type AppParts, createApp } from "../app.ts";
import { createContentFolder } from "../content/folder/content-folder.ts";
import { createConverter } from "../dictionary/converter.ts";
import { nextVersion } from "../dictionary/start-dictionary.ts";
import type { Store } from "../engine/store.ts";
import { DEFAULT_LIMITS } from "../http/limits.ts";
import { createImporter } from "../imports/importer.ts";
import { createAccounts } from "../people/auth/accounts.ts";
import { createKeys } from "../people/auth/api-keys.ts";
import { createSessions } from "../people/auth/sessions.ts";
import { startBuiltImportThread } from "./built-files.ts";
import { checkerFor, type OpenApiChecker } from "./openapi-checker.ts";
import { createTestDatabase, type TestDatabase } from "./store.ts";

export interface Reply {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
  json: any;
}

export interface TestService {
  app: FastifyInstance;
  store: Store;
  collections: Collection[];
  folder: string;
  /** Checks every answer against the service's own OpenAPI document; what is not documented fails the test. */
  checker: OpenApiChecker;
  /** Listens, and works on imports until what it returns is called, or the service is closed. */
  startImports(): Promise<() => Promise<void>>;
  /** Sends a request with an administrator's token and a JSON body. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Sends exactly this, without a token or a content type of its own. */
  raw(method: string, path: string, headers?: Record<string, string>, payload?: string | Buffer): Promise<Reply>;
  /** A token with this scope, made from a key of its own. */
  tokenFor(scope: string): Promise<string>;
  /** A new key with this scope, and a token made from it. */
  newCredentials(scope: string): Promise<{ keyId: string; token: string }>;
  /** A new active person with these roles, and an access token of a session of theirs. */
  newPerson(...roles: string[]): Promise<{ id: string; email: string; token: string; refreshToken: string }>;
  /** Closes the service and opens it again on the same store. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export const DICTIONARY = join(import.meta.dirname, "../../core/dictionary/datapackage.json");
export const EMPLOYEES = join(import.meta.dirname, "../../core/dictionary/employees.example.json");
export const ORDERS = join(import.meta.dirname, "../../core/dictionary/orders.example.json");
export const STAFF_RULES = join(import.meta.dirname, "../../core/dictionary/staff-rules.example.json");

/** `dictionary`: a file's path, or a data package itself. */
export function readCollections(dictionary: string | object): { dataPackage: unknown; collections: Collection[] } {
  const dataPackage = typeof dictionary === "string" ? JSON.parse(readFileSync(dictionary, "utf8")) : dictionary;
  const read = readDataPackage(dataPackage);
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return { dataPackage, collections: read.collections };
}

/** The default limits without a rate limit. */
export const NO_RATE_LIMIT = { ...DEFAULT_LIMITS, requestsPerSecond: 1e6, requestBurst: 1e6, importsPerKey: 1e6 };

const IMPORT_TIMING = { lease: 3_000, beat: 50, search: 100, again: 100 }; // ms

/** `shared`: a PostgreSQL database that several services use, which the caller drops. */
export async function openTestService(
  dictionary: string | object = DICTIONARY,
  parts: Partial<AppParts> = {},
  shared?: TestDatabase,
): Promise<TestService> {
  const database = shared ?? (await createTestDatabase());
  const { dataPackage, collections } = readCollections(dictionary);
  const file = { dataPackage, placeOf: (pointer: string) => pointer };
  const open = async () => {
    let served = nextVersion(file, undefined);
    const store = await database.open((kept) => {
      served = nextVersion(file, kept);
      return { collections: served.collections, text: JSON.stringify(served.dataPackage) };
    });
    const living = createLivingDictionary({ ...served, store }, () => undefined);
    const converter = createConverter(living, () => undefined);
    const content = createContentFolder(join(database.folder, "files"));
    const waiting = createContentFolder(join(database.folder, "files", "imports"));
    const imports = createImporter(
      { store, content: waiting, report: () => undefined, startThread: startBuiltImportThread },
      IMPORT_TIMING,
    );
    const app = await createApp({
      ...served,
      store,
      content,
      imports,
      keys: createKeys(store),
      limits: NO_RATE_LIMIT,
      living,
      converter,
      ...parts,
    });
    const stopping = new AbortController();
    const running = converter.run(stopping.signal);
    const importing = new Set<() => Promise<void>>();
    const startImports = async () => {
      if (!app.server.listening) await app.listen({ port: 0, host: "127.0.0.1" });
      imports.serveAt(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`);
      const ended = new AbortController();
      const work = imports.run(ended.signal);
      const end = async () => {
        ended.abort();
        await work;
      };
      importing.add(end);
      return end;
    };
    const stop = async () => {
      stopping.abort();
      await running;
      for (const end of importing) await end();
      await app.close();
      await store.close();
    };
    return { store, app, stop, startImports };
  };
  let { store, app, stop, startImports } = await open();
  // An administrator's key sees all of the document.
  const adminKey = await createKeys(store).create("admin");
  const all = await app.inject({ url: "/v1/openapi.json", headers: { authorization: `Bearer ${adminKey}` } });
  const checker = checkerFor(all.payload);
  let token = "";
  const raw: TestService["raw"] = async (method, path, headers = {}, payload) => {
    const reply = await app.inject({ method: method as "GET", url: path, headers, ...(payload !== undefined && { payload }) });
    const status = reply.statusCode;
    const own = reply.headers as Reply["headers"];
    const isZipped = own["content-encoding"] === "gzip" && reply.rawPayload.length > 0;
    const text = (isZipped ? gunzipSync(reply.rawPayload) : reply.rawPayload).toString();
    const faults = checker.faultsOf({ method, path, status, headers: own, text });
    if (faults.length > 0) throw new Error(`${method} ${path.slice(0, 200)} answered ${status}, but ${faults.join("; ")}`);
    const isJson = /json/.test(String(own["content-type"])) && text !== "";
    return {
      status,
      headers: own,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  const newCredentials = async (scope: string, key?: string) => {
    const [keyId = "", secret = ""] = (key ?? (await createKeys(store).create(scope))).slice("ink_".length).split(/\.(.*)/s);
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: keyId, client_secret: secret });
    const reply = await raw("POST", "/v1/oauth/token", { "content-type": "application/x-www-form-urlencoded" }, form.toString());
    return { keyId, token: reply.json.access_token as string };
  };
  let persons = 0;
  const newPerson = async (...roles: string[]) => {
    const { people } = store;
    persons += 1;
    const invited = await createAccounts(people).invite({ email: `person${persons}@example.org`, name: `Person ${persons}`, roles });
    if (!invited) throw new Error("the address is taken");
    const { id, email } = invited.user;
    const user = await people.changeUser(id, { status: "active" });
    if (!user || typeof user === "string") throw new Error("the person cannot be made active");
    const issued = await createSessions(people).start(user, { method: "password", agent: "test", source: "127.0.0.1" });
    return { id, email, token: issued?.accessToken ?? "", refreshToken: issued?.refreshToken ?? "" };
  };
  const tokenFor = async (scope: string) => (await newCredentials(scope)).token;
  ({ token } = await newCredentials("admin", adminKey));
  return {
    get app() {
      return app;
    },
    get store() {
      return store;
    },
    collections,
    folder: database.folder,
    checker,
    startImports: () => startImports(),
    raw,
    tokenFor,
    newCredentials: (scope) => newCredentials(scope),
    newPerson,
    call(method, path, body, headers = {}) {
      const type = body === undefined ? {} : { "content-type": "application/json" };
      const payload = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      return raw(method, path, { authorization: `Bearer ${token}`, ...type, ...headers }, payload as string | undefined);
    },
    async reopen() {
      await stop();
      ({ store, app, stop, startImports } = await open());
    },
    async close() {
      await stop();
      if (!shared) await database.drop();
    },
  };
}
