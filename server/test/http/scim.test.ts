// The organisation's directory enters people, gives roles and disables who leaves, as Entra ID and Okta send it.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";

const TYPE = "application/scim+json";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  key = `Bearer ${(await service.call("POST", "/v1/keys", { name: "Directory", scope: "provision" })).json.key}`;
});
afterAll(() => service.close());

function scim(method: string, path: string, body?: unknown, authorization = key): Promise<Reply> {
  const headers = { authorization, ...(body !== undefined && { "content-type": TYPE }) };
  return service.raw(method, `/v1/scim${path}`, headers, body === undefined ? undefined : JSON.stringify(body));
}
const patch = (path: string, ...Operations: object[]) => scim("PATCH", path, { schemas: [PATCH], Operations });
const find = async (path: string, filter: string) => (await scim("GET", `${path}?filter=${encodeURIComponent(filter)}`)).json;

/** As Entra ID sends a new person. */
const entraUser = (userName: string, more: object = {}) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
  externalId: `external-${userName.split("@")[0]}`,
  userName,
  active: true,
  displayName: "Ada Berg",
  emails: [{ primary: true, type: "work", value: userName }],
  meta: { resourceType: "User" },
  name: { formatted: "Ada Berg", familyName: "Berg", givenName: "Ada" },
  title: "Clerk",
  "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "Front" },
  ...more,
});

async function enter(userName: string, more: object = {}): Promise<string> {
  const made = await scim("POST", "/Users", entraUser(userName, more));
  expect(made.status, made.text).toBe(201);
  return made.json.id;
}

async function newRole(name: string): Promise<string> {
  const made = await service.call("POST", "/v1/roles", { name, scope: "customers:read" });
  expect(made.status, made.text).toBe(201);
  return made.json.id;
}
const rolesOf = async (id: string): Promise<string[]> => (await service.call("GET", `/v1/users/${id}`)).json.roles;

describe("people", () => {
  test("Entra ID looks for somebody, enters them, and finds them under every name", async () => {
    expect(await find("/Users", 'userName eq "ada@example.org"')).toMatchObject({ totalResults: 0, Resources: [] });
    const made = await scim("POST", "/Users", entraUser("ada@example.org"));
    expect([made.status, made.headers["content-type"]]).toEqual([201, TYPE]);
    expect(made.json).toMatchObject({
      userName: "ada@example.org",
      displayName: "Ada Berg",
      active: true,
      externalId: "external-ada",
      groups: [],
    });
    expect(made.headers.location).toBe(`/v1/scim/Users/${made.json.id}`);
    for (const filter of [
      'userName eq "ADA@example.org"',
      'externalId eq "external-ada"',
      'emails[type eq "work"].value eq "ada@example.org"',
      'emails.value eq "Ada@Example.org" and active eq true',
      `id eq "${made.json.id}"`,
    ])
      expect((await find("/Users", filter)).Resources, filter).toMatchObject([{ id: made.json.id }]);
    expect((await service.call("GET", `/v1/users/${made.json.id}`)).json).toMatchObject({ name: "Ada Berg", status: "invited", roles: [] });
  });

  test("the same address again is refused as one that is taken", async () => {
    await enter("twice@example.org");
    const again = await scim("POST", "/Users", entraUser("Twice@example.org"));
    expect([again.status, again.headers["content-type"]]).toEqual([409, TYPE]);
    expect(again.json).toMatchObject({ status: "409", scimType: "uniqueness", schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"] });
  });

  test.each([
    ["Entra ID, with a path and a text", [{ op: "Replace", path: "active", value: "False" }]],
    ["Entra ID, older", [{ op: "Replace", value: { active: "False" } }]],
    ["Okta", [{ op: "replace", value: { active: false } }]],
    ["the whole name of the attribute", [{ op: "replace", path: "urn:ietf:params:scim:schemas:core:2.0:User:active", value: false }]],
  ])("who leaves is out with the next request: %s", async (_, operations) => {
    const person = await service.newPerson("editor");
    const list = () => service.raw("GET", "/v1/customers", { authorization: `Bearer ${person.token}` });
    expect((await list()).status).toBe(200);
    const changed = await patch(`/Users/${person.id}`, ...operations);
    expect([changed.status, changed.json.active]).toEqual([200, false]);
    expect((await list()).status).toBe(401);
    expect((await patch(`/Users/${person.id}`, ...operations)).status).toBe(200); // again is the same
    expect((await patch(`/Users/${person.id}`, { op: "Add", path: "active", value: "True" })).json.active).toBe(true);
    expect((await list()).status).toBe(401); // what had ended stays so
  });

  test("a person who is replaced keeps their roles, and gets the name that is shown", async () => {
    const id = await enter("eva@example.org");
    await patch("/Groups/editor", { op: "add", path: "members", value: [{ value: id }] });
    const put = await scim("PUT", `/Users/${id}`, {
      userName: "eva.klein@example.org",
      name: { givenName: "Eva", familyName: "Klein" },
      active: true,
    });
    expect(put.json).toMatchObject({ userName: "eva.klein@example.org", displayName: "Eva Klein", groups: [{ value: "editor" }] });
    const renamed = await patch(
      `/Users/${id}`,
      { op: "Replace", path: "name.familyName", value: "X" },
      { op: "Replace", path: "displayName", value: "Eva Groß" },
    );
    expect(renamed.json).toMatchObject({ displayName: "Eva Groß", externalId: "external-eva" });
    expect((await patch(`/Users/${id}`, { op: "remove", path: "externalId" })).json.externalId).toBeUndefined();
  });

  test("one part of a name alone changes nothing, because the other is not known here", async () => {
    const id = await enter("part@example.org");
    for (const operation of [
      { op: "Replace", path: "name.familyName", value: "Klein" },
      { op: "replace", value: { name: { givenName: "Eva" } } },
    ])
      expect((await patch(`/Users/${id}`, operation)).json.displayName).toBe("Ada Berg");
    const both = { op: "replace", value: { "name.givenName": "Eva", "name.familyName": "Klein" } };
    expect((await patch(`/Users/${id}`, both)).json.displayName).toBe("Eva Klein");
  });

  test("who is deleted is gone for the directory, and comes back with the account of before", async () => {
    const id = await enter("gone@example.org");
    expect((await scim("DELETE", `/Users/${id}`)).status).toBe(204);
    expect((await scim("GET", `/Users/${id}`)).status).toBe(404);
    expect((await scim("DELETE", `/Users/${id}`)).status).toBe(404);
    expect((await find("/Users", 'userName eq "gone@example.org"')).totalResults).toBe(0);
    expect((await service.call("GET", `/v1/users/${id}`)).json.status).toBe("disabled");
    expect(await enter("gone@example.org", { displayName: "Gone Again" })).toBe(id);
    expect((await service.call("GET", `/v1/users/${id}`)).json).toMatchObject({ status: "invited", name: "Gone Again" });
  });

  test("pages have numbers from 1", async () => {
    const all = (await scim("GET", "/Users")).json;
    const second = (await scim("GET", "/Users?startIndex=2&count=1")).json;
    expect(second).toMatchObject({ totalResults: all.totalResults, startIndex: 2, itemsPerPage: 1, Resources: [all.Resources[1]] });
    expect((await scim("GET", "/Users?count=0&aadOptscim062020")).json).toMatchObject({ itemsPerPage: 0, Resources: [] });
    expect((await scim("GET", "/Users?startIndex=-4&count=1")).json.startIndex).toBe(1);
  });

  test.each([
    ["POST", "/Users", { userName: "no address" }, "invalidValue"],
    ["POST", "/Users", { displayName: "Nobody" }, "invalidValue"],
    ["POST", "/Users", [], "invalidSyntax"],
    ["POST", "/Users", { userName: "x@example.org", active: "maybe" }, "invalidValue"],
    ["PATCH", "/Users/ID", { Operations: [{ op: "move", path: "active" }] }, "invalidSyntax"],
    ["PATCH", "/Users/ID", { Operations: [{ op: "remove" }] }, "noTarget"],
    ["PATCH", "/Users/ID", {}, "invalidSyntax"],
    ["PATCH", "/Groups/viewer", { Operations: [{ op: "add", path: "members", value: [{ value: "nobody" }] }] }, "invalidValue"],
    ["GET", `/Users?filter=${encodeURIComponent('userName sw "a"')}`, undefined, "invalidFilter"],
    ["GET", `/Users?filter=${encodeURIComponent('password eq "a"')}`, undefined, "invalidFilter"],
    ["GET", `/Groups?filter=${encodeURIComponent('displayName eq "\\x"')}`, undefined, "invalidFilter"],
  ])("%s %s %j is refused", async (method, path, body, scimType) => {
    const [one] = (await scim("GET", "/Users?count=1")).json.Resources;
    const reply = await scim(method, path.replace("ID", one.id), body);
    expect([reply.status, reply.json.scimType], reply.text).toEqual([400, scimType]);
  });
});

describe("roles", () => {
  test("a group is the role of its name, whose members come and go one by one and all at once", async () => {
    const role = await newRole("Front desk");
    const [a, b] = [await enter("a@example.org"), await enter("b@example.org")];
    const { Resources } = await find("/Groups", 'displayName eq "front desk"');
    expect(Resources).toMatchObject([{ id: role, displayName: "Front desk", members: [] }]);
    await patch(`/Groups/${role}`, { op: "Add", path: "members", value: [{ value: a }, { value: b }] });
    expect([await rolesOf(a), await rolesOf(b)]).toEqual([[role], [role]]);
    expect((await find("/Groups", `id eq "${role}" and members eq "${a}"`)).totalResults).toBe(1);
    await patch(`/Groups/${role}`, { op: "Remove", path: "members", value: [{ value: a }] });
    await patch(`/Groups/${role}`, { op: "remove", path: `members[value eq "${b}"]` });
    expect([await rolesOf(a), await rolesOf(b)]).toEqual([[], []]);
    await patch(
      `/Groups/${role}`,
      { op: "replace", value: { members: [{ value: b }] } },
      { op: "add", path: "members", value: { value: a } },
    );
    const put = await scim("PUT", `/Groups/${role}`, { displayName: "Front desk", members: [{ value: a }] });
    expect(put.json.members).toMatchObject([{ value: a }]);
    expect((await scim("GET", "/Groups?excludedAttributes=members")).json.Resources[0].members).toBeUndefined();
    for (const operation of [
      { op: "add", path: "members" },
      { op: "replace", path: "members" },
      { op: "add", value: { members: null } },
    ])
      expect((await patch(`/Groups/${role}`, operation)).json.scimType, JSON.stringify(operation)).toBe("invalidValue");
    await patch(`/Groups/${role}`, { op: "replace", path: `members[value eq "${b}"]`, value: { value: b } });
    expect([await rolesOf(a), await rolesOf(b)]).toEqual([[role], [role]]);
    await patch(`/Groups/${role}`, { op: "remove", path: "members" });
    expect([await rolesOf(a), await rolesOf(b)]).toEqual([[], []]);
  });

  test("two changes of one person's roles at once lose neither", async () => {
    const roles = await Promise.all(["North", "South", "East"].map(newRole));
    const id = await enter("everywhere@example.org");
    await Promise.all(roles.map((role) => patch(`/Groups/${role}`, { op: "add", path: "members", value: [{ value: id }] })));
    expect((await rolesOf(id)).sort()).toEqual([...roles].sort());
  });

  test("a group that is new is a role without rights, and goes again as long as it has none", async () => {
    const id = await enter("late@example.org");
    const made = await scim("POST", "/Groups", { displayName: "Night shift", members: [{ value: id }] });
    expect([made.status, made.json.members], made.text).toMatchObject([201, [{ value: id }]]);
    expect((await scim("POST", "/Groups", { displayName: "night shift" })).json.scimType).toBe("uniqueness");
    const role = `/v1/roles/${made.json.id}`;
    expect((await service.call("GET", role)).json.scope).toBe("");
    expect((await service.call("PATCH", role, { scope: "customers:read" })).status).toBe(200);
    expect((await scim("DELETE", `/Groups/${made.json.id}`)).status).toBe(403);
    expect(await rolesOf(id)).toEqual([made.json.id]);
    const empty = await scim("POST", "/Groups", { displayName: "Day shift", members: [{ value: id }] });
    expect((await scim("DELETE", `/Groups/${empty.json.id}`)).status).toBe(204);
    expect((await service.call("GET", `/v1/roles/${empty.json.id}`)).status).toBe(404);
    expect(await rolesOf(id)).toEqual([made.json.id]);
  });
});

describe("what a directory may not do", () => {
  test("it neither sees nor gives a role that administers, and provisions itself no rights", async () => {
    const { Resources } = (await scim("GET", "/Groups")).json;
    const names = Resources.map(({ id }: { id: string }) => id);
    expect(names).toEqual(expect.arrayContaining(["viewer", "steward"]));
    expect(names).not.toContain("administrator");
    const own = (await service.call("POST", "/v1/roles", { name: "Directory office", scope: "provision" })).json.id;
    for (const id of ["administrator", own]) {
      expect((await scim("GET", `/Groups/${id}`)).status).toBe(404);
      const person = await enter(`p-${id}@example.org`);
      expect((await patch(`/Groups/${id}`, { op: "add", path: "members", value: [{ value: person }] })).status).toBe(404);
      expect(await rolesOf(person)).toEqual([]);
    }
    for (const path of ["/v1/users", "/v1/roles", "/v1/keys", "/v1/customers"])
      expect((await service.raw("GET", path, { authorization: key })).status, path).toBe(403);
  });

  test("it may disable who administers, but neither the last one nor their address", async () => {
    const { json } = await service.call("GET", "/v1/users?limit=200");
    for (const one of json.users.filter(({ roles }: { roles: string[] }) => roles.includes("administrator")))
      await service.store.people.changeUser(one.id, { status: "disabled" });
    const [one, other] = [await service.newPerson("administrator"), await service.newPerson("administrator")];
    const moved = await patch(`/Users/${one.id}`, { op: "replace", path: "userName", value: "thief@example.org" });
    expect(moved.status).toBe(403);
    expect((await patch(`/Users/${one.id}`, { op: "replace", path: "active", value: false })).status).toBe(200);
    const last = await patch(`/Users/${other.id}`, { op: "replace", path: "active", value: false });
    expect([last.status, last.json.detail]).toEqual([409, expect.stringContaining("last active administrator")]);
    expect((await scim("DELETE", `/Users/${other.id}`)).status).toBe(409);
    expect((await scim("GET", `/Users/${other.id}`)).json.active).toBe(true);
  });

  test("it enables nobody who administers, also not as one who is new, and their address is the same in other letters", async () => {
    const { id } = await service.newPerson("administrator");
    const { userName } = (await scim("GET", `/Users/${id}`)).json;
    expect((await scim("PUT", `/Users/${id}`, entraUser(userName.toUpperCase()))).status).toBe(200);
    expect((await service.call("PATCH", `/v1/users/${id}`, { status: "disabled" })).status).toBe(200);
    expect((await patch(`/Users/${id}`, { op: "replace", path: "active", value: true })).status).toBe(403);
    expect((await scim("PUT", `/Users/${id}`, entraUser(userName))).status).toBe(403);
    expect((await scim("DELETE", `/Users/${id}`)).status).toBe(204);
    expect((await scim("POST", "/Users", entraUser(userName))).status).toBe(403);
    expect((await service.call("GET", `/v1/users/${id}`)).json.status).toBe("disabled");
    expect((await service.call("PATCH", `/v1/users/${id}`, { status: "active" })).status).toBe(200);
    expect((await scim("POST", "/Users", entraUser(userName))).json).toMatchObject({ id, active: true });
  });

  test("a built-in role keeps its name and stays", async () => {
    expect((await patch("/Groups/viewer", { op: "replace", path: "displayName", value: "Guests" })).status).toBe(409);
    expect((await scim("DELETE", "/Groups/viewer")).status).toBe(403);
  });

  test("another key gets nothing, in the words that directories read", async () => {
    const token = `Bearer ${await service.tokenFor("write dictionary")}`;
    for (const path of ["/Users", "/Groups", "/Schemas"]) {
      const reply = await scim("GET", path, undefined, token);
      expect([reply.status, reply.json.status, reply.headers["content-type"]]).toEqual([403, "403", TYPE]);
    }
  });
});

test("a directory is told what it finds", async () => {
  expect((await scim("GET", "/ServiceProviderConfig")).json).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
  expect((await scim("GET", "/ResourceTypes")).json.Resources.map(({ id }: { id: string }) => id)).toEqual(["User", "Group"]);
  expect((await scim("GET", "/Schemas")).json.totalResults).toBe(2);
});
