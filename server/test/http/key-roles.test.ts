// API keys with roles: the conditions of the roles hold for them, as for a person who has these roles.

import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../testing/process.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let partner: string;
beforeAll(async () => {
  service = await openTestService();
  for (const lastName of ["Bonner", "Kölner"])
    await service.call("POST", "/v1/customers", { firstName: "Ada", lastName, accountID: `account of ${lastName}` });
  partner = await newRole("Partner");
});
afterAll(() => service.close());

async function newRole(name: string, scope = "customers:read customers:create", where = "lastName=Bonner"): Promise<string> {
  const own = { read: { where }, fields: { hidden: ["accountID"] }, export: false };
  const made = await service.call("POST", "/v1/roles", { name, scope, conditions: { customers: own } });
  expect(made.status, made.text).toBe(201);
  return made.json.id;
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (path: string, body: unknown, token: string) =>
  service.raw("POST", path, { ...bearer(token), "content-type": "application/json" }, JSON.stringify(body));
const namesFor = async (token: string) => {
  const { json, text, status } = await service.raw("GET", "/v1/customers", bearer(token));
  expect(text).not.toContain("account of");
  return status === 200 ? json.customers.map(({ lastName }: { lastName: string }) => lastName) : status;
};
async function exchange(key: string, scope = "") {
  const [client_id = "", client_secret = ""] = key.split(".");
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret, ...(scope && { scope }) });
  return service.raw("POST", "/v1/oauth/token", { "content-type": "application/x-www-form-urlencoded" }, form.toString());
}

test("a key with a role sees and does what the role allows, as a whole key and as a token", async () => {
  const made = await service.call("POST", "/v1/keys", { name: "Web shop", roles: [partner] });
  expect([made.status, made.json.roles, made.json.scope, made.json.owner]).toEqual([201, [partner], "write dictionary", null]);
  const { key, id } = made.json;
  expect((await service.call("GET", `/v1/keys/${id}`)).json.roles).toEqual([partner]);
  const token = (await exchange(key)).json.access_token;
  for (const secret of [key, token]) {
    expect(await namesFor(secret)).toEqual(["Bonner"]);
    expect((await service.raw("GET", "/v1/customers/2", bearer(secret))).status).toBe(404);
    expect((await service.raw("DELETE", "/v1/customers/1", bearer(secret))).status).toBe(403);
    expect((await service.raw("GET", "/v1/customers.csv", bearer(secret))).status).toBe(403);
    for (const path of ["/v1/users", "/v1/roles", "/v1/keys"]) expect((await service.raw("GET", path, bearer(secret))).status).toBe(403);
    expect((await post("/v1/dictionary/drafts", { title: "Mine" }, secret)).status).toBe(403);
  }
  // A change of the role holds at once, and its end is the end of the rights.
  await service.call("PATCH", `/v1/roles/${partner}`, {
    conditions: { customers: { read: { where: "lastName=Kölner" }, fields: { hidden: ["accountID"] } } },
  });
  expect(await namesFor(token)).toEqual(["Kölner"]);
  await service.call("PATCH", `/v1/roles/${partner}`, {
    conditions: { customers: { read: { where: "lastName=Bonner" }, fields: { hidden: ["accountID"] }, export: false } },
  });
  expect((await exchange(key, "customers:read")).json.scope).toBe("customers:read");
});

test("scope and roles together allow what both allow, and neither is no key", async () => {
  const made = await service.call("POST", "/v1/keys", { roles: [partner], scope: "customers:read *:delete" });
  expect(await namesFor(made.json.key)).toEqual(["Bonner"]);
  expect((await post("/v1/customers", { firstName: "Eve", lastName: "Neu" }, made.json.key)).status).toBe(403);
  expect((await service.raw("DELETE", "/v1/customers/1", bearer(made.json.key))).status).toBe(403);
  const wrong: [object, string][] = [
    [{ roles: [partner], scope: "admin" }, "/scope"],
    [{ roles: [] }, "/scope"],
    [{ roles: ["nobody"] }, "/roles"],
    [{ roles: "viewer" }, "/roles"],
  ];
  for (const [body, pointer] of wrong) {
    const { status, json } = await service.call("POST", "/v1/keys", body);
    expect([status, json.errors[0].pointer], JSON.stringify(body)).toEqual([422, pointer]);
  }
});

test("a role that a key has is not deleted; a key that is revoked or has expired does not hold it", async () => {
  const role = await newRole("Short");
  const { id } = (await service.call("POST", "/v1/keys", { roles: [role] })).json;
  const refused = await service.call("DELETE", `/v1/roles/${role}`);
  expect([refused.status, refused.json.code]).toEqual([409, "ROLE_IN_USE"]);
  expect((await service.call("DELETE", `/v1/keys/${id}`)).status).toBe(204);
  expect((await service.call("DELETE", `/v1/roles/${role}`)).status).toBe(204);
});

test("a person gives their key roles of their own, and what they lose the key loses", async () => {
  const [mine, other] = [await newRole("Mine"), await newRole("Other", "customers:delete", "lastName=Kölner")];
  const { id, token } = await service.newPerson(mine, "viewer");
  expect((await post("/v1/keys", { roles: [other] }, token)).json.errors[0].detail).toContain("You do not have the role");
  const { key } = (await post("/v1/keys", { roles: [mine] }, token)).json;
  expect(await namesFor(key)).toEqual(["Bonner"]); // the person sees both
  await service.call("PATCH", `/v1/users/${id}`, { roles: ["viewer"] });
  expect(await namesFor(key)).toBe(403);
});

test("a key of an administrator has any role, and none of the other rights", async () => {
  const { id, token } = await service.newPerson("administrator");
  const { key, owner } = (await post("/v1/keys", { roles: [partner] }, token)).json;
  expect(owner).toBe(id);
  expect(await namesFor(key)).toEqual(["Bonner"]);
  expect((await service.raw("GET", "/v1/users", bearer(key))).status).toBe(403);
  const { key: all } = (await post("/v1/keys", { roles: ["administrator"] }, token)).json;
  expect((await service.raw("GET", "/v1/users", bearer(all))).status).toBe(403);
});

test("the command makes a key with roles by their names, and lists it", { timeout: 120_000 }, async () => {
  const running = await openTestService();
  onTestFinished(() => running.close());
  await running.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = running.app.server.address() as AddressInfo;
  const ADMIN_KEY = (await running.call("POST", "/v1/keys", { scope: "admin" })).json.key;
  const role = (await running.call("POST", "/v1/roles", { name: "Web shop", scope: "customers:create" })).json.id;
  const cli = (...args: string[]) => runCommand("keys", args, { URL: `http://127.0.0.1:${port}`, ADMIN_KEY });
  const made = await cli("create", "--role", "Web shop", "--role", "viewer", "--name", "Shop");
  expect([made.code, made.error]).toEqual([0, ""]);
  const id = /^ink_([^.]+)\./.exec(made.out)?.[1];
  expect((await running.call("GET", `/v1/keys/${id}`)).json).toMatchObject({ roles: [role, "viewer"], name: "Shop" });
  expect((await cli("list")).out).toContain(`${id}  roles ${role} viewer within write dictionary  "Shop"`);
  expect((await cli("create", "--role", "Web shp")).error).toBe('There is no role "Web shp". Did you mean Web shop?\n');
  expect((await cli("create", "admin", "--role", "viewer")).error).toContain("A key with roles does not administer.");
});
