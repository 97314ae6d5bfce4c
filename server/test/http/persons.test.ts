// Fields of a person: whom a write may name, who reads the names, and what filters, files, rights and undo make of it.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

const PACKAGE = {
  title: "Equipment",
  resources: [
    {
      name: "devices",
      title: "Devices",
      label: ["name"],
      schema: {
        fields: [
          { name: "id", title: "ID", type: "integer" },
          { name: "name", title: "Name", type: "string" },
          { name: "owner", title: "Owner", type: "string", format: "person" },
          { name: "driver", title: "Driver", type: "string", format: "person", constraints: { unique: true } },
          { name: "entered", title: "Entered by", type: "string", format: "person", default: "me.id" },
        ],
        primaryKey: ["id"],
      },
    },
    {
      name: "rooms",
      title: "Rooms",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "name", type: "string" },
        ],
        primaryKey: ["id"],
      },
    },
  ],
};

let service: TestService;
let ada: { id: string; email: string; token: string };
let bo: typeof ada;
let twins: (typeof ada)[];
beforeAll(async () => {
  service = await openTestService(PACKAGE);
  const made: (typeof ada)[] = [];
  for (const name of ["Ada Nowak", "Bo Söderström", "Cy Lee", "Cy Lee"]) {
    const person = await service.newPerson("administrator");
    expect((await service.call("PATCH", `/v1/users/${person.id}`, { name })).status).toBe(200);
    made.push(person);
  }
  [ada, bo, ...twins] = made as [typeof ada, typeof ada, ...(typeof ada)[]];
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.call(method, `/v1/devices${path}`, body, headers);
const as = async (token: string, method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) };
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  // Not by service.raw: the document that it checks answers against is the administrator's.
  const reply = await service.app.inject({ method: method as "GET", url: `/v1${path}`, headers, ...payload });
  return { status: reply.statusCode, text: reply.payload, headers: reply.headers, json: JSON.parse(reply.payload || "null") };
};
const found = async (query: string) => (await call("GET", `?sort=id&${query}`)).json.devices?.map(({ id }: { id: number }) => id);

let roles = 0;
async function personWith(scope: string, conditions: object = {}) {
  const { json } = await service.call("POST", "/v1/roles", { name: `Role ${"abcdefghij"[roles++]}`, scope, conditions });
  return service.newPerson(json.id);
}

describe("a write names a person", () => {
  test.each([
    ["by id", () => ada.id],
    ["by address", () => ada.email.toUpperCase()],
    ["by name, whatever the case", () => "ada  nowak".replace("  ", " ")],
    ["as programs for mail do", () => `Somebody Else <${ada.email}>`],
  ])("%s", async (_, text) => {
    const { status, json } = await call("POST", "", { name: "Saw", owner: text() });
    expect([status, json.owner]).toEqual([201, ada.id]);
    expect((await call("GET", `/${json.id}`)).json.owner).toBe(ada.id);
    expect((await call("DELETE", `/${json.id}`)).status).toBe(204);
  });

  test("and is refused where nobody is meant, or two are", async () => {
    const { status, json } = await call("POST", "?onError=continue", [
      { id: 1, name: "Drill", owner: "Bo Soderstrom" },
      { id: 2, name: "Lamp", owner: "Nobody At All" },
      { id: 3, name: "Desk", owner: "Cy Lee" },
      { id: 4, name: "Vice", owner: twins[1]?.email },
    ]);
    expect(status).toBe(207);
    expect(json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["created", "failed", "failed", "created"]);
    const details = json.results.flatMap(({ problem }: { problem?: { errors: unknown[] } }) => problem?.errors ?? []);
    expect(details).toMatchObject([
      { pointer: "/1/owner", code: "REFERENCE_NOT_FOUND", detail: "Owner: nobody has the name or the e-mail address “Nobody At All”." },
      {
        pointer: "/2/owner",
        code: "REFERENCE_NOT_FOUND",
        detail: "Owner: several people have the name “Cy Lee”. Give the e-mail address instead.",
      },
    ]);
    expect((await call("GET", "/1")).json.owner).toBe(bo.id);
    expect((await call("GET", "/4")).json.owner).toBe(twins[1]?.id);
  });

  test("in every way to write: PATCH, PUT, PATCH of many, a batch, and on trial", async () => {
    expect((await call("PATCH", "/1", { owner: ada.email }, { "content-type": "application/merge-patch+json" })).json.owner).toBe(ada.id);
    expect((await call("PATCH", "/1", { owner: "Nobody" }, { "content-type": "application/merge-patch+json" })).status).toBe(422);
    expect((await call("PUT", "/1", { id: 1, name: "Drill", owner: "Bo Söderström" })).json.owner).toBe(bo.id);
    const trial = await call("POST", "?dryRun=true&onConflict=update", [
      { id: 1, owner: "Nobody" },
      { id: 4, owner: "Ada Nowak" },
    ]);
    expect(trial.status).toBe(422);
    const same = await call("POST", "?onConflict=update&onError=continue", [{ id: 1, owner: bo.email }]);
    expect(same.json.results[0].outcome).toBe("unchanged");
  });

  test("and a unique one is compared as the person", async () => {
    expect((await call("PATCH", "/1", { driver: ada.id }, { "content-type": "application/merge-patch+json" })).status).toBe(200);
    const { status, json } = await call("PATCH", "/4", { driver: "ada nowak" }, { "content-type": "application/merge-patch+json" });
    expect([status, json.errors[0].code]).toEqual([422, "UNIQUE"]);
  });

  test("whoever enters a record is a default; an API key is nobody, and its records have none", async () => {
    const { json } = await as(bo.token, "POST", "/devices", { id: 5, name: "Mill" });
    expect(json.entered).toBe(bo.id);
    const key = await service.tokenFor("write");
    const made = await as(key, "POST", "/devices", { id: 6, name: "Mill" });
    expect([made.status, made.json.entered]).toEqual([201, null]);
  });
});

describe("a list", () => {
  test("is filtered by people, and by who asks", async () => {
    expect(await found(`owner=${bo.id}`)).toEqual([1]);
    expect(await found(`owner[in]=${bo.id},${twins[1]?.id}`)).toEqual([1, 4]);
    expect(await found(`owner[ne]=${bo.id}`)).toContain(4);
    expect(await found("owner[null]=true")).toEqual([5, 6]);
    const mine = await as(bo.token, "GET", "/devices?sort=id&owner={me}");
    expect(mine.json.devices.map(({ id }: { id: number }) => id)).toEqual([1]);
    const others = await as(bo.token, "GET", "/devices?sort=id&owner[notIn]={me},x&createdBy={me}");
    expect(others.json.devices.map(({ id }: { id: number }) => id)).toEqual([5]);
    const counted = await as(bo.token, "GET", "/devices/summary?group=owner&owner={me}");
    expect(counted.json.groups).toMatchObject([{ owner: bo.id, count: 1 }]);
  });

  test("has no order by ids, finds no beginnings of them, and no search finds them", async () => {
    expect((await call("GET", "?sort=owner")).status).toBe(400);
    expect((await call("GET", `?owner[prefix]=${bo.id.slice(0, 4)}`)).status).toBe(400);
    expect(await found(`q=${bo.id}`)).toEqual([]);
  });

  test("as a file has names, and where two have one, the id as well; the file comes back as it was", async () => {
    const { text } = await service.call("GET", "/v1/devices.csv?fields=id,owner&sort=id", undefined, { accept: "text/csv" });
    expect(text.replace("\uFEFF", "").trim().split("\r\n").slice(0, 3)).toEqual([
      "id,owner",
      "1,Bo Söderström",
      `4,Cy Lee <${twins[1]?.id}>`,
    ]);
    const again = await call("POST", "?onConflict=update&onError=continue", [
      { id: 1, owner: "Bo Söderström" },
      { id: 4, owner: `Cy Lee <${twins[1]?.id}>` },
    ]);
    expect(again.json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["unchanged", "unchanged"]);
  });
});

describe("names of people", () => {
  const names = (token: string) => as(token, "GET", "/users/names");

  test("are known with addresses to who enters people, without to who only reads", async () => {
    const writer = await personWith("devices:read devices:update");
    const reader = await personWith("devices:read");
    const [full, short] = [await names(writer.token), await names(reader.token)];
    expect(full.json.people).toContainEqual({ id: ada.id, name: "Ada Nowak", email: ada.email, isActive: true });
    expect(short.json.people).toContainEqual({ id: ada.id, name: "Ada Nowak", isActive: true });
    expect(short.text).not.toContain("@");
    const known = await service.raw("GET", "/v1/users/names", {
      authorization: `Bearer ${reader.token}`,
      "if-none-match": short.headers.etag as string,
    });
    expect(known.status).toBe(304);
  });

  test("and to nobody who knows no such field: without the collection, or where the field is hidden or masked", async () => {
    const elsewhere = await personWith("rooms:read rooms:update");
    const people = ["owner", "driver", "entered"];
    const hidden = await personWith("devices:read devices:update", { devices: { fields: { hidden: people } } });
    const masked = await personWith("devices:read", { devices: { fields: { masked: people } } });
    for (const { token } of [elsewhere, hidden, masked]) expect((await names(token)).json).toEqual({ people: [] });
    const { json, text } = await as(masked.token, "GET", "/devices/1");
    expect(json).toMatchObject({ owner: "••••", driver: "••••" }); // the end of an id would say who it is
    expect(text).not.toContain(bo.id);
    expect((await as(hidden.token, "GET", "/devices/1")).text).not.toContain(bo.id);
    expect((await as(hidden.token, "GET", `/devices?owner=${bo.id}`)).status).toBe(400);
  });

  test("choose the records of a right", async () => {
    const { id, token } = await personWith("devices:read devices:update", { devices: { read: { where: "owner={me}" } } });
    expect((await call("PATCH", "/5", { owner: id }, { "content-type": "application/merge-patch+json" })).status).toBe(200);
    expect((await as(token, "GET", "/devices")).json.devices).toMatchObject([{ id: 5, owner: id }]);
  });

  test("of who has left stay, and undo brings them back", async () => {
    const leaver = await service.newPerson("viewer");
    const source = { "intake-source": "upload; run=people-2026-11" };
    expect((await call("PATCH", "/6", { owner: leaver.email }, { "content-type": "application/merge-patch+json" })).status).toBe(200);
    expect((await service.call("PATCH", `/v1/users/${leaver.id}`, { status: "disabled" })).status).toBe(200);
    const { people } = (await service.call("GET", "/v1/users/names")).json;
    expect(people.find(({ id }: { id: string }) => id === leaver.id)).toMatchObject({ isActive: false });
    const changed = await call("POST", "?onConflict=update", [{ id: 6, owner: "Ada Nowak" }], source);
    expect(changed.status).toBe(200);
    const { json: history } = await call("GET", "/6/history");
    expect(history.history[0].changes).toEqual({ owner: [leaver.id, ada.id] });
    const { version } = (await call("GET", "/6")).json;
    const restored = await call("POST", "/6/restore", { version: version - 1 });
    expect([restored.status, restored.json.owner]).toEqual([200, leaver.id]);
  });
});

test("no run converts texts into people, and a draft that does is refused", async () => {
  const reply = await service.call("POST", "/v1/dictionary/conversions", {
    field: "devices.name",
    to: { type: "string", format: "person" },
  });
  expect(reply.status).toBeGreaterThanOrEqual(400);
});
