import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Credentials } from "../../engine/store.ts";
import type { StoredKey } from "../store/keys.ts";
import { createKeys } from "./api-keys.ts";
import { createAttempts } from "./login-attempts.ts";
import { looksRandom } from "./secret-strength.ts";
import { sourceOf } from "./source-address.ts";

function memoryCredentials(): Pick<Credentials, "readKey" | "putKey" | "listKeys" | "revokeKey"> & { stored: Map<string, StoredKey> } {
  const stored = new Map<string, StoredKey>();
  return {
    stored,
    readKey: async (id) => stored.get(id),
    putKey: async (key) => void stored.set(key.id, key),
    listKeys: async () => [...stored.values()],
    revokeKey: async (id, at) => {
      stored.set(id, { ...(stored.get(id) as StoredKey), revokedAt: at });
      return "revoked";
    },
  };
}
const parts = (key: string) => /^ink_([^.]+)\.(.+)$/.exec(key)?.slice(1) as [string, string];
const SECRET = "Kp7vQ2mZx9Tc4Wb6Rn1Hs8Jd3Lg5Yu0e";

test("a new key is accepted as it was shown, and only its hash is stored", async () => {
  const credentials = memoryCredentials();
  const keys = createKeys(credentials as unknown as Parameters<typeof createKeys>[0]);
  const [id, secret] = parts(await keys.create("read"));
  expect(secret).toMatch(/^[\w-]{49}$/);
  expect(await keys.verify(id, secret)).toMatchObject({ id, scope: "read" });
  expect(await keys.verify(id, `${secret}x`)).toBeUndefined();
  expect(await keys.verify("nobody", secret)).toBeUndefined();
  expect(JSON.stringify([...credentials.stored.values()])).not.toContain(secret);
});

test("an expired or revoked key is no longer accepted", async () => {
  const credentials = memoryCredentials();
  const keys = createKeys(credentials as unknown as Parameters<typeof createKeys>[0]);
  const [expired, secret] = parts(await keys.create("read", { expiresAt: Date.now() - 1 }));
  expect(await keys.verify(expired, secret)).toBeUndefined();
  const [revoked, other] = parts(await keys.create("read"));
  credentials.stored.set(revoked, { ...(credentials.stored.get(revoked) as StoredKey), revokedAt: 1 });
  expect(await keys.verify(revoked, other)).toBeUndefined();
});

test("a preset key is stored once; a new secret replaces it; a revoked one stays revoked", async () => {
  const credentials = memoryCredentials();
  const keys = createKeys(credentials as unknown as Parameters<typeof createKeys>[0]);
  await keys.preset(`ink_ops.${SECRET}`);
  const first = credentials.stored.get("ops") as StoredKey;
  await keys.preset(`ink_ops.${SECRET}`);
  expect(credentials.stored.get("ops")).toBe(first);
  await keys.preset(`ink_ops.${SECRET}2`);
  expect(await keys.verify("ink_ops", `${SECRET}2`)).toMatchObject({ scope: "admin" });
  credentials.stored.set("ops", { ...first, revokedAt: 1 });
  await keys.preset(`ink_ops.${SECRET}`);
  expect(await keys.verify("ops", SECRET)).toBeUndefined();
});

test("a preset key of another id ends the one before it, and no other", async () => {
  const credentials = memoryCredentials();
  const keys = createKeys(credentials as unknown as Parameters<typeof createKeys>[0]);
  await keys.create("admin", { name: "by hand" });
  await keys.preset(`ink_ops.${SECRET}`);
  for (let start = 0; start < 2; start += 1) await keys.preset(`ink_next.${SECRET}`);
  const ended = [...credentials.stored.values()].map(({ name, id, revokedAt }) => [name === "by hand" ? name : id, revokedAt !== null]);
  expect(ended).toEqual([
    ["by hand", false],
    ["ops", true],
    ["next", false],
  ]);
  await keys.preset(`ink_ops.${SECRET}`); // revoked stays revoked, whatever the environment says
  expect(await keys.verify("ops", SECRET)).toBeUndefined();
  expect(await keys.verify("next", SECRET)).toMatchObject({ scope: "admin" });
});

test("the operator's key is called by its setting", async () => {
  const credentials = memoryCredentials();
  const keys = createKeys(credentials as unknown as Parameters<typeof createKeys>[0]);
  await keys.preset(`ink_ops.${SECRET}`);
  expect(credentials.stored.get("ops")?.name).toBe("ADMIN_KEY");
});

test.each(["", "ink_", "ink_a", `ink_a.${"s".repeat(31)}`, `a.${SECRET}`, `ink_.${SECRET}`, `ink_a.${SECRET} `, `ink_a b.${SECRET}`])(
  "the text %j is refused as a preset key",
  async (key) => {
    await expect(createKeys(memoryCredentials() as unknown as Parameters<typeof createKeys>[0]).preset(key)).rejects.toThrow(
      "ADMIN_KEY must look like",
    );
  },
);

test.each([
  "a".repeat(200),
  "0123456789abcdef0123456789abcdef",
  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
  "deadbeefdeadbeefdeadbeefdeadbeef",
  "passwordpasswordpasswordpassword",
  "changeme-changeme-changeme-changeme",
  "correct-horse-battery-staple-correct-horse",
  "this-is-the-secret-of-the-administrator-here",
  "Summer2024Summer2024Summer2024Summer2024",
  "ink-secret-key-00000000000000000000001",
])("the preset secret %s is refused, with a command that makes a better one", async (secret) => {
  const keys = createKeys(memoryCredentials() as unknown as Parameters<typeof createKeys>[0]);
  await expect(keys.preset(`ink_ops.${secret}`)).rejects.toThrow(/too easy to guess.*128 bits.*node -p /);
});

test.each(["hex", "base64url"] as const)("random secrets in %s are not taken for made-up ones", (encoding) => {
  const refused = Array.from({ length: 500 }, () => randomBytes(32).toString(encoding)).filter((secret) => !looksRandom(secret));
  expect(refused).toEqual([]);
});

test("the command in the message prints a key that is accepted", async () => {
  const credentials = memoryCredentials();
  const keys = createKeys(credentials as unknown as Parameters<typeof createKeys>[0]);
  const message: string = await keys.preset("ink_ops.x").catch((error) => error.message);
  const [, script = ""] = /node -p "(.*)"$/.exec(message) ?? [];
  await keys.preset(execFileSync(process.execPath, ["-p", script], { encoding: "utf8" }).trim());
  expect([...credentials.stored.keys()]).toEqual(["admin"]);
});

test("from the eleventh failed attempt a name waits for the rest of its minute, others do not", () => {
  let now = 0;
  const attempts = createAttempts(() => now);
  for (let i = 0; i < 10; i++) expect(attempts.fail(["a"])).toBe(0);
  now = 20_000;
  expect(attempts.fail(["a"])).toBe(40);
  expect(attempts.fail(["b", "c"])).toBe(0);
  expect(attempts.fail(["b", "a"])).toBe(40);
  now = 60_000;
  expect(attempts.fail(["a"])).toBe(0);
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8::7", "2001:db8:0:0::/64"],
  ["2001:DB8:0:0:1:2:3:4", "2001:db8:0:0::/64"],
  ["2001:0db8:1::", "2001:db8:1:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4::/64"],
  ["1::5:6:7:8", "1:0:0:0::/64"],
  ["192.0.2.7:4711", "192.0.2.7"],
  ["[2001:db8::7]:4711", "2001:db8:0:0::/64"],
  ["[2001:db8::7]", "2001:db8:0:0::/64"],
  ["[::ffff:192.0.2.7]:4711", "192.0.2.7"],
  ["[fe80::1%eth0]:4711", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
  ["unknown:4711", "unknown:4711"],
  ["x".repeat(99), "x".repeat(64)],
])("the address %j is counted as %j", (address, source) => {
  expect(sourceOf(address)).toBe(source);
});
