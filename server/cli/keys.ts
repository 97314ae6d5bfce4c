// `intake keys`: makes, lists and revokes API keys, in the store or through the service that runs on it.

import { type ApiKey, SCOPE_WITH_ROLES } from "../../core/contract/keys.ts";
import type { Role } from "../../core/contract/people.ts";
import { BUILT_IN_ROLES, isRoleCalled } from "../../core/contract/roles.ts";
import { isScopeWord } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { withMeant } from "../../core/text/option-mistakes.ts";
import { closest } from "../../core/text/similarity.ts";
import type { FieldReader } from "../http/read-fields.ts";
import { openExistingStore, StartError } from "../open-store.ts";
import { createKeys, type KeyOptions, type Keys } from "../people/auth/api-keys.ts";
import { NOT_BOTH, newKeyFields, toWireKey } from "../people/keys.ts";
import type { Revocation } from "../people/store/keys.ts";
import type { People } from "../people/store/people.ts";
import { commandLine, readWords } from "./command-line.ts";
import { rejectionOf, signIn } from "./service-client.ts";

const KEYS = commandLine("keys");
const USAGE = `${KEYS} create "<scope>" [--role "<role>"]… [--name "<name>"] [--expires 2030-01-31T00:00:00Z|never]
  A scope is read, write, admin, or words such as "customers:read customers:create". Without --expires it ends after 90 days.
  With a role, by its name or id, its conditions hold for the key, and the scope may be left out.
${KEYS} list
${KEYS} revoke <id>`;

/** The keys of a store or of a running service. */
interface KeyAdmin {
  create(scope: string | undefined, options: KeyOptions): Promise<string>;
  roles(): Promise<readonly Pick<Role, "id" | "name">[]>;
  list(): Promise<ApiKey[]>;
  revoke(id: string): Promise<Revocation>;
}

export async function manageKeys(args: readonly string[]): Promise<string> {
  const { command, first, name, expires, role } = readArguments(args);
  if (expires !== undefined && expires !== "never" && !(Date.parse(expires) > Date.now())) {
    throw new StartError(`"${expires}" is not a time to come.`);
  }
  const expiresAt = expires === "never" ? null : Date.parse(expires ?? "");
  const options: KeyOptions = { ...(name && { name }), ...(expires !== undefined && { expiresAt }) };
  const opened = process.env.URL ? undefined : await openExistingStore();
  try {
    const admin = opened ? inStore(createKeys(opened.store), opened.store.people, opened.collections) : await inService();
    if (command === "create") {
      const roles = role.length > 0 ? rolesCalled(role, await admin.roles()) : [];
      return `${await admin.create(first, { ...options, roles })}\nThis is the only time that it is shown.`;
    }
    if (command === "list") return (await admin.list()).map(lineOf).join("\n") || "There are no keys.";
    return describe(await admin.revoke(String(first)));
  } finally {
    await opened?.store.close();
  }
}

/** Throws StartError for words and options that make no command. */
function readArguments(args: readonly string[]) {
  const options = { name: { type: "string" }, expires: { type: "string" }, role: { type: "string", multiple: true } } as const;
  const { words, values } = readWords(args, USAGE, Number.POSITIVE_INFINITY, options);
  const [command, first, ...more] = words;
  if (command === undefined) throw new StartError(USAGE);
  if (command !== "create" && command !== "list" && command !== "revoke") {
    const found = closest(command, ["create", "list", "revoke"]);
    throw new StartError(`${withMeant(`There is no command "keys ${command}"`, found && `keys ${found}`)}\n${USAGE}`);
  }
  const extra = command === "list" ? first : more[0];
  if (extra !== undefined) throw new StartError(`"${extra}" is one word too many.${command === "create" ? QUOTED : ""}\n${USAGE}`);
  const { name, expires, role = [] } = values;
  const needsFirst = command === "revoke" || (command === "create" && role.length === 0);
  if (needsFirst && !first) throw new StartError(USAGE);
  if (command === "create" && first !== undefined && !first.split(" ").every(isScopeWord))
    throw new StartError(`"${first}" is not a scope.\n${USAGE}`);
  return { command, first, name, expires, role };
}

const QUOTED = " Put a scope of several words in quotation marks, and the time at which the key ends after --expires.";

/** Returns the ids of roles that are called by id or name. Throws StartError for one that does not exist. */
function rolesCalled(words: readonly string[], own: readonly Pick<Role, "id" | "name">[]): string[] {
  const known = [...BUILT_IN_ROLES, ...own];
  return words.map((word) => {
    const role = known.find((one) => isRoleCalled(one, word));
    if (role) return role.id;
    const meant = closest(
      word,
      known.map(({ name }) => name),
    );
    throw new StartError(withMeant(`There is no role "${word}"`, meant));
  });
}

/** Throws StartError unless the key is revoked. */
function describe(revocation: Revocation): string {
  switch (revocation) {
    case "revoked":
      return "Revoked; its tokens have ended.";
    case "last":
      throw new StartError(`This is the last valid key of an administrator. Make another one first: ${KEYS} create admin`);
    case "unknown":
      throw new StartError("There is no key with this id.");
  }
}

function inStore(keys: Keys, people: People, collections: readonly Collection[]): KeyAdmin {
  const read = newKeyFields(collections);
  return {
    async create(scope, options) {
      const name = fieldOf(read.name, options.name);
      const { roles = [] } = options;
      if (roles.length > 0 && scope?.split(" ").includes("admin")) throw new StartError(`There is no new key: ${NOT_BOTH}`);
      return keys.create(fieldOf(read.scope, scope) ?? SCOPE_WITH_ROLES, { ...options, ...(name !== undefined && { name }) });
    },
    roles: () => people.listRoles(),
    list: async () => (await keys.list()).map(toWireKey),
    revoke: (id) => keys.revoke(id),
  };
}

/** Throws StartError with what is wrong. */
function fieldOf<T>(read: FieldReader<T>, given: unknown): T {
  const result = read(given);
  if ("problem" in result) throw new StartError(`There is no new key: ${result.problem}`);
  return result.value;
}

/** The running service holds the file, so its API is used with an administrator's key. */
async function inService(): Promise<KeyAdmin> {
  const call = await signIn(process.env);
  const headers = { "content-type": "application/json" };
  return {
    async create(scope, { name, expiresAt, roles = [] }) {
      const time = expiresAt && new Date(expiresAt).toISOString();
      const made = await call(
        "POST",
        "/v1/keys",
        headers,
        JSON.stringify({ scope, name, expiresAt: time, ...(roles.length > 0 && { roles }) }),
      );
      if (!made.ok) throw await rejectionOf("The service made no key", made);
      return ((await made.json()) as { key: string }).key;
    },
    async roles() {
      const listed = await call("GET", "/v1/roles");
      if (!listed.ok) throw await rejectionOf("The service lists no roles", listed);
      return ((await listed.json()) as { roles: Role[] }).roles;
    },
    async list() {
      const listed = await call("GET", "/v1/keys");
      if (!listed.ok) throw await rejectionOf("The service lists no keys", listed);
      return ((await listed.json()) as { keys: ApiKey[] }).keys;
    },
    async revoke(key) {
      const reply = await call("DELETE", `/v1/keys/${encodeURIComponent(key)}`);
      if (reply.ok) return "revoked";
      if (reply.status === 404) return "unknown";
      if (reply.status === 409) return "last";
      throw await rejectionOf("The service did not revoke the key", reply);
    },
  };
}

function lineOf(key: ApiKey): string {
  const state = key.revokedAt ? `revoked ${key.revokedAt}` : key.expiresAt ? `until ${key.expiresAt}` : "no end";
  const rights = key.roles.length > 0 ? `roles ${key.roles.join(" ")} within ${key.scope}` : key.scope;
  return `${key.id}  ${rights}${key.name && `  "${key.name}"`}  made ${key.createdAt}  used ${key.lastUsedAt ?? "never"}  ${state}`;
}
