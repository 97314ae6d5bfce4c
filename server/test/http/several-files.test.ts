// Fields with several files: each is added, read and taken out by itself, and of two who do so at once both succeed.

import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContentFolder } from "../../content/folder/content-folder.ts";
import { sweepContent } from "../../content/sweep.ts";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";

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
          { name: "site", title: "Site", type: "string" },
          {
            name: "photos",
            title: "Photos",
            type: "list",
            format: "file",
            accept: ["image/*"],
            maxSize: 100_000,
            formerNames: ["pictures"],
            constraints: { maxLength: 3 },
          },
          { name: "papers", title: "Papers", type: "list", format: "file" },
        ],
        primaryKey: ["id"],
      },
    },
  ],
};

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
/** Another picture for each number: what stands behind the end of a GIF is no part of it. */
const picture = (n: number) => Buffer.concat([GIF, Buffer.from(`; ${n}`)]);
const hashOf = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
const nameOf = (value: string) => value.split(" (")[0];

let service: TestService;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.call(method, `/v1/devices${path}`, body, headers);

interface Sent {
  token?: string;
  headers?: Record<string, string>;
}

/** Not by service.call, which checks answers as text: these are bytes. */
async function bytes(method: string, path: string, payload?: Buffer | string, { token, headers = {} }: Sent = {}) {
  const authorization = `Bearer ${token ?? (await admin())}`;
  return service.app.inject({
    method: method as "POST",
    url: `/v1/devices${path}`,
    headers: { authorization, ...headers },
    ...(payload !== undefined && { payload }),
  });
}

let adminToken: string | undefined;
const admin = async () => (adminToken ??= await service.tokenFor("admin"));
const add = (id: number, payload: Buffer | string, name: string, sent?: Sent) => bytes("POST", `/${id}/photos?name=${name}`, payload, sent);

let last = 0;
async function newDevice(fields: Record<string, unknown> = {}): Promise<number> {
  last += 1;
  expect((await call("POST", "", { id: last, name: `Device ${last}`, ...fields })).status).toBe(201);
  return last;
}

/** A device with a PNG and a GIF. */
async function withTwo(fields?: Record<string, unknown>): Promise<number> {
  const id = await newDevice(fields);
  expect((await add(id, PNG, "front.png")).statusCode).toBe(200);
  expect((await add(id, GIF, "back.gif")).statusCode).toBe(200);
  return id;
}

const photosOf = async (id: number): Promise<string[]> => (await call("GET", `/${id}`)).json.photos ?? [];
const namesOf = async (id: number) => (await photosOf(id)).map(nameOf);

async function role(conditions: Record<string, unknown>): Promise<string> {
  const made = await service.call("POST", "/v1/roles", { name: `R${Math.random()}`, scope: "devices:read devices:update", conditions });
  expect(made.status).toBe(201);
  return (await service.newPerson(made.json.id)).token;
}

const folder = () => join(service.folder, "files");
const kept = (hash: string) => existsSync(join(folder(), hash.slice(0, 2), hash));
const codeOf = (reply: Reply) => [reply.status, reply.json.errors?.[0]?.code ?? reply.json.results?.[0]?.problem?.errors?.[0]?.code];

describe("several files", () => {
  test("are added one after the other, named in their order, and read again to the byte", async () => {
    const id = await newDevice();
    const first = await add(id, PNG, "..%2FBilder%5CPumpe 1.png");
    expect(first.statusCode).toBe(200);
    const value = `Pumpe 1.png (image/png, ${PNG.length} bytes, sha256 ${hashOf(PNG)})`;
    expect(first.json()).toMatchObject({ id, photos: [value], version: 2 });
    expect(first.headers.etag).toBe(`"${id}-2"`);
    expect((await add(id, GIF, "back.gif")).json().photos.map(nameOf)).toEqual(["Pumpe 1.png", "back.gif"]);
    const read = await bytes("GET", `/${id}/photos/${hashOf(GIF)}`);
    expect(read.rawPayload.equals(GIF)).toBe(true);
    expect(read.headers).toMatchObject({
      "content-type": "image/gif",
      "content-disposition": expect.stringContaining("back.gif"),
      "x-content-type-options": "nosniff",
      etag: `"${hashOf(GIF)}"`,
    });
    const part = await bytes("GET", `/${id}/photos/${hashOf(PNG)}`, undefined, { headers: { range: "bytes=1-3" } });
    expect([part.statusCode, part.payload]).toEqual([206, "PNG"]);
    for (const wrong of ["0".repeat(64), "1", "x", hashOf(GIF).toUpperCase(), "%00"])
      expect([wrong, (await bytes("GET", `/${id}/photos/${wrong}`)).statusCode]).toEqual([wrong, 404]);
    expect((await bytes("GET", `/${id}/photos`)).statusCode).toBe(405);
  });

  test("of the same content are one, which keeps its place and gets the new name", async () => {
    const id = await withTwo();
    const again = await add(id, PNG, "front.png");
    expect([again.statusCode, again.json().version]).toEqual([200, 3]);
    const renamed = await add(id, PNG, "side.png");
    expect([renamed.json().version, renamed.json().photos.map(nameOf)]).toEqual([4, ["side.png", "back.gif"]]);
  });

  test("are taken out one by one, and earlier versions keep theirs", async () => {
    const id = await withTwo();
    const out = await call("DELETE", `/${id}/photos/${hashOf(PNG)}`);
    expect([out.status, out.json.photos.map(nameOf)]).toEqual([200, ["back.gif"]]);
    expect((await bytes("GET", `/${id}/photos/${hashOf(PNG)}`)).statusCode).toBe(404);
    expect((await bytes("GET", `/${id}/photos/${hashOf(PNG)}?version=3`)).rawPayload.equals(PNG)).toBe(true);
    expect((await bytes("GET", `/${id}/photos/${hashOf(GIF)}?version=2`)).statusCode).toBe(404);
    expect((await call("DELETE", `/${id}/photos/${hashOf(PNG)}`)).status).toBe(404);
    expect((await call("DELETE", `/${id}/photos/${hashOf(GIF)}`)).json).toMatchObject({ photos: null, version: 5 });
    const back = await call("POST", `/${id}/restore`, { version: 3 }, { "if-match": `"${id}-5"` });
    expect([back.status, back.json.photos.map(nameOf)]).toEqual([200, ["front.png", "back.gif"]]);
  });

  test("are put in another order and taken out by a list, which names no other file", async () => {
    const [id, other] = [await withTwo(), await newDevice()];
    expect((await add(other, picture(1), "foreign.gif")).statusCode).toBe(200);
    const [front, back] = await photosOf(id);
    const [foreign] = await photosOf(other);
    expect((await call("PATCH", `/${id}`, { photos: [back, front] })).json.photos).toEqual([back, front]);
    const whole = (await call("GET", `/${id}`)).json;
    expect((await call("PUT", `/${id}`, { ...whole, name: "renamed", photos: [front, back] })).json).toMatchObject({
      photos: [front, back],
    });
    expect(codeOf(await call("PATCH", `/${id}`, { photos: [front, foreign] }))).toEqual([422, "READ_ONLY"]);
    expect(codeOf(await call("PATCH", `/${id}`, { photos: [front, front] }))).toEqual([422, "READ_ONLY"]);
    expect(codeOf(await call("PATCH", `/${id}`, { photos: [front?.replace("front", "other")] }))).toEqual([422, "READ_ONLY"]);
    expect(codeOf(await call("PATCH", `/${id}`, { photos: [front, "x"] }))).toEqual([422, "READ_ONLY"]);
    expect(codeOf(await call("PATCH", `/${id}`, { photos: front }))).toEqual([422, "KIND"]);
    expect(codeOf(await call("PATCH", `/${id}`, { papers: [front] }))).toEqual([422, "READ_ONLY"]);
    expect(codeOf(await call("POST", "", { name: "x", photos: [foreign] }))).toEqual([422, "READ_ONLY"]);
    expect(codeOf(await call("POST", "?onError=continue", { devices: [{ name: "x", papers: [foreign] }] }))).toEqual([207, "READ_ONLY"]);
    const batch = await call("POST", "/batch", { operations: [{ action: "update", record: { id, papers: [foreign] } }] });
    expect(codeOf(batch)[1]).toBe("READ_ONLY");
    expect(await photosOf(id)).toEqual([front, back]);
    expect((await call("PATCH", `/${id}`, { photos: [back] })).json.photos).toEqual([back]);
    expect((await call("PATCH", `/${id}`, { photos: [] })).json.photos).toBe(null);
  });

  test("are found by their names, counted by filters of lists, and named in an export", async () => {
    const id = await withTwo({ site: "search" });
    const [front] = await photosOf(id);
    const found = async (query: string) => (await call("GET", `?${query}`)).json.devices.map((one: { id: number }) => one.id);
    expect(await found("q=back.gif&site=search")).toEqual([id]);
    expect(await found(`photos[has]=${encodeURIComponent(front ?? "")}&site=search`)).toEqual([id]);
    expect(await found("photos[null]=true&site=search")).toEqual([]);
    expect(await found("papers[null]=true&site=search")).toEqual([id]);
    expect(await found(`q=${hashOf(PNG).slice(0, 12)}`)).toEqual([]);
    expect((await call("GET", "?sort=photos")).status).toBe(400);
    const csv = await call("GET", ".csv?site=search&fields=id,photos");
    expect(csv.text.trim().split("\r\n").at(-1)).toBe(`${id},"front.png,back.gif"`);
    const { history } = (await call("GET", `/${id}/history`)).json;
    expect(history[0].changes.photos.map((side: string[]) => side.map(nameOf))).toEqual([["front.png"], ["front.png", "back.gif"]]);
  });

  test("have an address by a name that the field had before", async () => {
    const id = await withTwo();
    const added = await bytes("POST", `/${id}/pictures?name=new.gif`, picture(2));
    expect([added.statusCode, added.headers["intake-renamed"]]).toEqual([200, "pictures=photos"]);
    const read = await bytes("GET", `/${id}/pictures/${hashOf(picture(2))}`);
    expect([read.headers["intake-renamed"], read.rawPayload.equals(picture(2))]).toEqual(["pictures=photos", true]);
    expect((await bytes("DELETE", `/${id}/pictures/${hashOf(PNG)}`)).json().photos).toHaveLength(2);
    const copied = (await call("GET", `/${id}`)).json.photos;
    expect((await call("PATCH", `/${id}`, { pictures: [copied[1]] })).json.photos).toEqual([copied[1]]);
  });
});

describe("in several requests", () => {
  const begin = async (id: number, payload: Buffer, name: string) => {
    const made = await bytes("POST", `/${id}/photos/uploads?name=${name}`, undefined, {
      headers: { "upload-length": String(payload.length) },
    });
    expect(made.statusCode).toBe(201);
    return String(made.headers.location).replace("/v1/devices", "");
  };
  const goOn = (address: string, offset: number, payload: Buffer) => {
    const headers = { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
    return bytes("PATCH", address, payload, { headers });
  };

  test("files are added side by side, and the end is answered again", async () => {
    const id = await newDevice();
    const [one, other] = [picture(31), picture(32)];
    const [first, second] = [await begin(id, one, "one.gif"), await begin(id, other, "other.gif")];
    expect((await goOn(first, 0, one.subarray(0, 9))).statusCode).toBe(204);
    const whole = await goOn(second, 0, other);
    expect([whole.statusCode, whole.json().photos.map(nameOf)]).toEqual([200, ["other.gif"]]);
    expect((await goOn(first, 9, one.subarray(9))).json().photos.map(nameOf)).toEqual(["other.gif", "one.gif"]);
    const again = await goOn(first, one.length, Buffer.alloc(0));
    expect([again.statusCode, again.json().version]).toEqual([200, 3]);
    expect((await bytes("GET", `/${id}/photos/${hashOf(one)}`)).rawPayload.equals(one)).toBe(true);
    expect((await bytes("GET", `/${id}/photos/uploads`)).statusCode).toBe(405);
  });

  test("one that finds no room is refused at its end, and goes on once there is some", async () => {
    const id = await newDevice();
    for (const n of [33, 34, 35]) await add(id, picture(n), `${n}.gif`);
    const late = picture(36);
    const address = await begin(id, late, "late.gif");
    expect((await goOn(address, 0, late)).json().errors[0].code).toBe("TOO_LONG");
    expect((await call("DELETE", `/${id}/photos/${hashOf(picture(33))}`)).status).toBe(200);
    expect((await goOn(address, late.length, Buffer.alloc(0))).json().photos.map(nameOf)).toEqual(["34.gif", "35.gif", "late.gif"]);
  });
});

describe("at once", () => {
  test("two who add both succeed, and who says which version they saw may be refused", async () => {
    const id = await newDevice();
    const both = await Promise.all([add(id, PNG, "a.png"), add(id, GIF, "b.gif")]);
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await namesOf(id)).sort()).toEqual(["a.png", "b.gif"]);
    const other = await newDevice();
    const headers = { "if-match": `"${other}-1"` };
    const strict = await Promise.all([add(other, PNG, "a.png", { headers }), add(other, GIF, "b.gif", { headers })]);
    expect(strict.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
    expect(await photosOf(other)).toHaveLength(1);
  });

  test("no more are stored than the field takes, and what is there may be sent again", async () => {
    const id = await newDevice();
    const all = await Promise.all([1, 2, 3, 4, 5].map((n) => add(id, picture(n), `${n}.gif`)));
    expect(all.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 422, 422]);
    const refused = all.find(({ statusCode }) => statusCode === 422)?.json();
    expect(refused.errors).toEqual([{ pointer: "/photos", code: "TOO_LONG", detail: "Photos may have at most 3 values; these are 4." }]);
    expect(await photosOf(id)).toHaveLength(3);
    const stored = all.findIndex(({ statusCode }) => statusCode === 200) + 1;
    expect((await add(id, picture(stored), `${stored}.gif`)).statusCode).toBe(200);
    expect(readdirSync(join(folder(), "incoming"))).toEqual([]);
  });

  test("the same content from two is one file", async () => {
    const id = await newDevice();
    const both = await Promise.all([add(id, PNG, "a.png"), add(id, PNG, "a.png")]);
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await namesOf(id)).toEqual(["a.png"]);
  });

  test("one is taken out while another is added", async () => {
    const id = await withTwo();
    const [out, added] = await Promise.all([call("DELETE", `/${id}/photos/${hashOf(PNG)}`), add(id, picture(7), "new.gif")]);
    expect([out.status, added.statusCode]).toEqual([200, 200]);
    expect(await namesOf(id)).toEqual(["back.gif", "new.gif"]);
    const twice = await Promise.all([1, 2].map(() => call("DELETE", `/${id}/photos/${hashOf(GIF)}`)));
    expect(twice.every(({ status }) => status === 200 || status === 404)).toBe(true);
    expect(await namesOf(id)).toEqual(["new.gif"]);
  });
});

describe("rights", () => {
  test("hold for each file: hidden, masked and out of sight are not there, read only is not changed", async () => {
    const id = await withTwo({ site: "Ulm" });
    const hash = hashOf(PNG);
    for (const conditions of [{ fields: { hidden: ["photos"] } }, { fields: { masked: ["photos"] } }, { read: { where: "site=Bonn" } }]) {
      const token = await role({ devices: conditions });
      const answers = [
        await bytes("GET", `/${id}/photos/${hash}`, undefined, { token }),
        await add(id, picture(8), "x.gif", { token }),
        await bytes("DELETE", `/${id}/photos/${hash}`, undefined, { token }),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
      expect(answers.map(({ payload }) => payload).join()).not.toContain("front.png");
    }
    const token = await role({ devices: { fields: { readOnly: ["photos"] } } });
    expect((await bytes("GET", `/${id}/photos/${hash}`, undefined, { token })).rawPayload.equals(PNG)).toBe(true);
    expect((await add(id, picture(8), "x.gif", { token })).statusCode).toBe(422);
    expect((await bytes("DELETE", `/${id}/photos/${hash}`, undefined, { token })).statusCode).toBe(422);
    const [front, back] = await photosOf(id);
    const patch = (photos: unknown) =>
      bytes("PATCH", `/${id}`, JSON.stringify({ photos }), { token, headers: { "content-type": "application/merge-patch+json" } });
    expect((await patch([back, front])).statusCode).toBe(422);
    expect((await patch([front])).statusCode).toBe(422);
    expect((await patch(null)).statusCode).toBe(422);
    expect((await patch([front, back])).statusCode).toBe(200);
    expect(await photosOf(id)).toEqual([front, back]);
  });
});

describe("what becomes of content", () => {
  test("a merge unites files of its records and names no other; an old address leads on", async () => {
    const [one, other, third] = [await newDevice(), await newDevice(), await newDevice()];
    await add(one, PNG, "one.png");
    await add(other, GIF, "other.gif");
    await add(third, picture(9), "third.gif");
    const [[a], [b], [c]] = [await photosOf(one), await photosOf(other), await photosOf(third)];
    const versions = { [one]: 2, [other]: 2 };
    const merge = (photos: unknown) => call("POST", "/merges", { survivor: one, others: [other], values: { photos }, versions });
    expect(codeOf(await merge([a, b, c]))).toEqual([422, "READ_ONLY"]);
    const merged = await merge([b, a]);
    expect([merged.status, merged.json.record.photos]).toEqual([201, [b, a]]);
    const moved = await bytes("GET", `/${other}/photos/${hashOf(GIF)}`);
    expect([moved.statusCode, moved.headers.location]).toEqual([308, `/v1/devices/${one}/photos/${hashOf(GIF)}`]);
    expect((await add(other, PNG, "x.png")).statusCode).toBe(409);
    expect((await call("DELETE", `/merges/${merged.json.id}`)).status).toBe(200);
    expect([await photosOf(one), await photosOf(other)]).toEqual([[a], [b]]);
  });

  test("a merge has no more files than the field takes", async () => {
    const [one, other] = [await newDevice(), await newDevice()];
    for (const n of [11, 12]) await add(one, picture(n), `${n}.gif`);
    for (const n of [13, 14]) await add(other, picture(n), `${n}.gif`);
    const photos = [...(await photosOf(one)), ...(await photosOf(other))];
    const merged = await call("POST", "/merges", {
      survivor: one,
      others: [other],
      values: { photos },
      versions: { [one]: 3, [other]: 3 },
    });
    expect(codeOf(merged)).toEqual([422, "TOO_LONG"]);
  });

  test("a sweep leaves what records and versions name, and an erasure removes each file to the byte", async () => {
    const id = await newDevice();
    for (const n of [21, 22]) await add(id, picture(n), `${n}.gif`);
    await call("DELETE", `/${id}/photos/${hashOf(picture(21))}`);
    await sweepContent(createContentFolder(folder()), service.store);
    expect([21, 22].map((n) => kept(hashOf(picture(n))))).toEqual([true, true]);
    const shared = await newDevice();
    await add(shared, picture(22), "shared.gif");
    const erased = await call("POST", `/${id}/erasure`, { reason: "asked for" });
    expect([erased.status, [21, 22].map((n) => kept(hashOf(picture(n))))]).toEqual([erased.status, [false, true]]);
    expect((await bytes("GET", `/${shared}/photos/${hashOf(picture(22))}`)).rawPayload.equals(picture(22))).toBe(true);
  });

  test("content that is not taken leaves nothing behind", async () => {
    const id = await newDevice();
    expect((await add(id, "%PDF-1.7", "photo.png")).statusCode).toBe(415);
    expect((await add(id, Buffer.alloc(0), "photo.png")).statusCode).toBe(400);
    expect((await add(id, Buffer.concat([PNG, Buffer.alloc(100_000)]), "photo.png")).statusCode).toBe(413);
    expect((await add(987_654, PNG, "photo.png")).statusCode).toBe(404);
    expect((await call("GET", `/${id}`)).json).toMatchObject({ photos: null, version: 1 });
    expect(readdirSync(join(folder(), "incoming"))).toEqual([]);
  });
});
