// Files of records: sent, read and removed at an address of their own, by who may, and never run by a browser.

import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContentFolder } from "../../content/folder/content-folder.ts";
import { sweepContent } from "../../content/sweep.ts";
import { NO_RATE_LIMIT, openTestService, type Reply, type TestService } from "../../testing/service.ts";

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
            name: "photo",
            title: "Photo",
            type: "string",
            format: "file",
            accept: ["image/*"],
            maxSize: 100_000,
            formerNames: ["picture"],
          },
          { name: "manual", title: "Manual", type: "string", format: "file" },
        ],
        primaryKey: ["id"],
      },
    },
    {
      name: "parts",
      title: "Parts",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "deviceId", type: "integer" },
          { name: "name", type: "string" },
        ],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["deviceId"], reference: { resource: "devices", fields: ["id"] } }],
      },
    },
  ],
};

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const hashOf = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

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
  name?: string;
}

/** Not by service.call, which checks answers as text: these are bytes. */
async function bytes(method: string, path: string, payload?: Buffer | string, { token, headers = {}, name }: Sent = {}) {
  const authorization = `Bearer ${token ?? (await admin())}`;
  const query = name === undefined ? "" : `?name=${encodeURIComponent(name)}`;
  return service.app.inject({
    method: method as "PUT",
    url: `/v1/devices${path}${query}`,
    headers: { authorization, ...headers },
    ...(payload !== undefined && { payload }),
  });
}

let adminToken: string | undefined;
const admin = async () => (adminToken ??= await service.tokenFor("admin"));

let last = 0;
async function newDevice(fields: Record<string, unknown> = {}): Promise<number> {
  last += 1;
  const made = await call("POST", "", { id: last, name: `Device ${last}`, ...fields });
  expect(made.status).toBe(201);
  return last;
}

async function withPhoto(payload: Buffer = PNG, fields?: Record<string, unknown>): Promise<number> {
  const id = await newDevice(fields);
  expect((await bytes("PUT", `/${id}/photo`, payload, { name: "pump.png" })).statusCode).toBe(200);
  return id;
}

/** The token of a person with this role. */
async function role(conditions: Record<string, unknown>): Promise<string> {
  const made = await service.call("POST", "/v1/roles", { name: `R${Math.random()}`, scope: "devices:read devices:update", conditions });
  expect(made.status).toBe(201);
  return (await service.newPerson(made.json.id)).token;
}

const folder = () => join(service.folder, "files");
const kept = (hash: string) => existsSync(join(folder(), hash.slice(0, 2), hash));

describe("a file", () => {
  test("is sent, named in its record, and read again to the byte", async () => {
    const id = await newDevice();
    const sent = await bytes("PUT", `/${id}/photo`, PNG, { name: "../Bilder\\Pumpe 1.png", headers: { "content-type": "text/html" } });
    expect(sent.statusCode).toBe(200);
    const value = `Pumpe 1.png (image/png, ${PNG.length} bytes, sha256 ${hashOf(PNG)})`;
    expect(sent.json()).toMatchObject({ id, photo: value, version: 2 });
    expect(sent.headers.etag).toBe(`"${id}-2"`);
    expect((await call("GET", `/${id}`)).json.photo).toBe(value);
    const read = await bytes("GET", `/${id}/photo`);
    expect(read.rawPayload.equals(PNG)).toBe(true);
    expect(read.headers).toMatchObject({
      "content-type": "image/png",
      "content-length": String(PNG.length),
      "content-disposition": `attachment; filename="Pumpe 1.png"; filename*=UTF-8''Pumpe%201.png`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-cache",
      etag: `"${hashOf(PNG)}"`,
    });
    expect(kept(hashOf(PNG))).toBe(true);
  });

  test("that is sent twice is one version, and its name may be changed", async () => {
    const id = await withPhoto();
    const again = await bytes("PUT", `/${id}/photo`, PNG, { name: "pump.png" });
    expect([again.statusCode, again.json().version]).toEqual([200, 2]);
    const renamed = await bytes("PUT", `/${id}/photo`, PNG, { name: "other.png" });
    expect([renamed.json().version, renamed.json().photo.split(" ")[0]]).toEqual([3, "other.png"]);
  });

  test("is read in parts, and not again where it is known", async () => {
    const id = await withPhoto();
    const part = await bytes("GET", `/${id}/photo`, undefined, { headers: { range: "bytes=1-3" } });
    expect([part.statusCode, part.payload, part.headers["content-range"]]).toEqual([206, "PNG", `bytes 1-3/${PNG.length}`]);
    const end = await bytes("GET", `/${id}/photo`, undefined, { headers: { range: "bytes=-4", "if-range": `"${hashOf(PNG)}"` } });
    expect([end.statusCode, end.rawPayload.equals(PNG.subarray(-4))]).toEqual([206, true]);
    const other = await bytes("GET", `/${id}/photo`, undefined, { headers: { range: "bytes=1-3", "if-range": '"other"' } });
    expect([other.statusCode, other.rawPayload.length]).toEqual([200, PNG.length]);
    const behind = await bytes("GET", `/${id}/photo`, undefined, { headers: { range: "bytes=1000-" } });
    expect([behind.statusCode, behind.json().code, behind.headers["content-range"]]).toEqual([
      416,
      "RANGE_NOT_SATISFIABLE",
      `bytes */${PNG.length}`,
    ]);
    const known = await bytes("GET", `/${id}/photo`, undefined, { headers: { "if-none-match": `"${hashOf(PNG)}"` } });
    expect([known.statusCode, known.payload]).toEqual([304, ""]);
    const head = await bytes("HEAD", `/${id}/photo`);
    expect([head.statusCode, head.headers["content-length"], head.payload]).toEqual([200, String(PNG.length), ""]);
  });

  test("is removed, and earlier versions keep theirs", async () => {
    const id = await withPhoto();
    expect((await bytes("PUT", `/${id}/photo`, GIF, { name: "new.gif" })).statusCode).toBe(200);
    const removed = await call("DELETE", `/${id}/photo`);
    expect([removed.status, removed.json.photo, removed.json.version]).toEqual([200, null, 4]);
    expect((await call("GET", `/${id}/photo`)).status).toBe(404);
    expect((await bytes("GET", `/${id}/photo?version=2`)).rawPayload.equals(PNG)).toBe(true);
    expect((await bytes("GET", `/${id}/photo?version=3`)).rawPayload.equals(GIF)).toBe(true);
    expect((await call("GET", `/${id}/photo?version=1`)).status).toBe(404);
    const back = await call("POST", `/${id}/restore`, { version: 2 }, { "if-match": `"${id}-4"` });
    expect([back.status, back.json.photo.split(" ")[0]]).toEqual([200, "pump.png"]);
    expect((await call("PATCH", `/${id}`, { photo: null })).json.photo).toBe(null);
  });

  test("of a deleted record is read by its version", async () => {
    const id = await withPhoto();
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    expect((await call("GET", `/${id}/photo`)).status).toBe(404);
    expect((await bytes("GET", `/${id}/photo?version=2`)).rawPayload.equals(PNG)).toBe(true);
    expect((await call("PUT", `/${id}/photo`, "x")).status).toBe(404);
  });

  test("is filtered, sorted and found by its name, and stands so in an export", async () => {
    const id = await newDevice({ site: "search" });
    await bytes("PUT", `/${id}/photo`, PNG, { name: "Zirkulationspumpe.png" });
    const found = await call("GET", "?photo[prefix]=zirkulations");
    expect(found.json.devices.map((one: { id: number }) => one.id)).toEqual([id]);
    expect((await call("GET", "?photo[contains]=pumpe.png&site=search")).json.devices).toHaveLength(1);
    expect((await call("GET", "?site=search&photo[null]=true")).json.devices).toHaveLength(0);
    expect((await call("GET", "?sort=-photo&limit=1")).json.devices[0].id).toBe(id);
    const searched = await call("GET", "?q=zirkulationspumpe");
    expect(searched.json.devices.map((one: { id: number }) => one.id)).toEqual([id]);
    expect((await call("GET", `?q=${hashOf(PNG).slice(0, 12)}`)).json.devices).toEqual([]);
    const csv = await call("GET", ".csv?site=search&fields=id,photo");
    expect(csv.text.trim().split("\r\n").at(-1)).toBe(`${id},Zirkulationspumpe.png`);
  });
});

describe("an old address", () => {
  test("of a record that was merged leads to the file of the survivor, and takes no content", async () => {
    const [kept, gone] = [await withPhoto(), await withPhoto(GIF)];
    const merged = await call("POST", "/merges", { survivor: kept, others: [gone], versions: { [kept]: 2, [gone]: 2 } });
    expect(merged.status).toBe(201);
    for (const method of ["GET", "HEAD"]) {
      const moved = await bytes(method, `/${gone}/photo`);
      expect([moved.statusCode, moved.headers.location, moved.payload]).toEqual([308, `/v1/devices/${kept}/photo`, ""]);
    }
    expect((await bytes("GET", `/${gone}/photo?version=2`)).rawPayload.equals(GIF)).toBe(true);
    for (const method of ["PUT", "DELETE"]) {
      const refused = await bytes(method, `/${gone}/photo`, method === "PUT" ? PNG : undefined);
      expect([refused.statusCode, refused.json().code, refused.json().errors[0].href]).toEqual([409, "MERGED", `/v1/devices/${kept}`]);
    }
    expect((await call("GET", `/${kept}`)).json.photo).toContain(hashOf(PNG));
    const apart = await call("DELETE", `/merges/${merged.json.id}`);
    expect(apart.status).toBe(200);
    expect((await bytes("GET", `/${gone}/photo`)).rawPayload.equals(GIF)).toBe(true);
  });

  test("of a record that was merged into one out of sight is not there", async () => {
    const [kept, gone] = [await withPhoto(PNG, { site: "Bonn" }), await withPhoto(GIF, { site: "Ulm" })];
    expect((await call("POST", "/merges", { survivor: kept, others: [gone], versions: { [kept]: 2, [gone]: 2 } })).status).toBe(201);
    const token = await role({ devices: { read: { where: "site=Ulm" } } });
    for (const method of ["GET", "PUT"]) {
      const reply = await bytes(method, `/${gone}/photo`, method === "PUT" ? PNG : undefined, { token });
      expect([reply.statusCode, reply.headers.location]).toEqual([404, undefined]);
      expect(reply.payload).not.toContain(String(`/devices/${kept}`));
    }
  });

  test("by a name that the field had before goes on working, and says the name of today to who sees it", async () => {
    const id = await withPhoto();
    const put = await bytes("PUT", `/${id}/picture`, GIF, { name: "old name.gif" });
    expect([put.statusCode, put.headers["intake-renamed"]]).toEqual([200, "picture=photo"]);
    expect(put.json().photo).toContain("old name.gif");
    const read = await bytes("GET", `/${id}/picture`);
    expect([read.headers["intake-renamed"], read.rawPayload.equals(GIF)]).toEqual(["picture=photo", true]);
    expect((await bytes("GET", `/${id}/photo`)).headers["intake-renamed"]).toBe(undefined);
    const names = async () => (await service.call("GET", "/v1/dictionary/former-names")).json.names;
    await expect.poll(async () => (await names()).find((one: { name: string }) => one.name === "picture")?.uses).toBeGreaterThan(0);
    const token = await role({ devices: { fields: { hidden: ["photo"] } } });
    const hidden = await bytes("GET", `/${id}/picture`, undefined, { token });
    expect([hidden.statusCode, hidden.headers["intake-renamed"]]).toEqual([404, undefined]);
    expect(hidden.payload).not.toContain("photo");
    const unknown = await bytes("GET", `/${id}/nothing`, undefined, { token });
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, hidden.json().code]);
    expect((await bytes("DELETE", `/${id}/picture`)).json().photo).toBe(null);
  });
});

describe("content is refused", () => {
  test("that the field does not take, by its bytes and not by its name or header", async () => {
    const id = await newDevice();
    const pdf = await bytes("PUT", `/${id}/photo`, "%PDF-1.7 …", { name: "photo.png", headers: { "content-type": "image/png" } });
    expect([pdf.statusCode, pdf.json().detail]).toEqual([415, "Photo takes image/*. By its content this file is application/pdf."]);
    for (const drawing of ["<svg xmlns='http://www.w3.org/2000/svg'/>", "\ufeff<?xml version='1.0'?>\n<!-- --><svg onload='alert(1)'>"])
      expect((await bytes("PUT", `/${id}/photo`, drawing, { name: "photo.svg" })).statusCode).toBe(415);
    expect((await call("GET", `/${id}`)).json).toMatchObject({ photo: null, version: 1 });
  });

  test("that is too large, whether its length is said or not, that is empty, or whose record is not there", async () => {
    const id = await newDevice();
    const large = Buffer.concat([PNG, Buffer.alloc(100_000)]);
    const declared = await bytes("PUT", `/${id}/photo`, large);
    expect([declared.statusCode, declared.json().detail]).toEqual([413, "Photo may have at most 100000 bytes."]);
    expect((await bytes("PUT", `/${id}/photo`, Buffer.alloc(0))).statusCode).toBe(400);
    expect((await bytes("PUT", `/987654/photo`, PNG)).statusCode).toBe(404);
    const old = await bytes("PUT", `/${id}/photo`, PNG, { headers: { "if-match": `"${id}-7"` } });
    expect(old.statusCode).toBe(412);
    expect(incoming()).toEqual([]);
  });

  const incoming = () => readdirSync(join(folder(), "incoming"));

  test("in the place of what a colleague has sent meanwhile", async () => {
    const id = await newDevice();
    const both = await Promise.all([PNG, GIF].map((one) => bytes("PUT", `/${id}/photo`, one, { headers: { "if-match": `"${id}-1"` } })));
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
    expect(incoming()).toEqual([]);
  });

  test("that a request or a file names by its hash: nobody gets at what they have not sent", async () => {
    const secret = await withPhoto(GIF);
    const { photo } = (await call("GET", `/${secret}`)).json;
    const id = await newDevice();
    const refused = (reply: Reply) => [reply.status, reply.json.errors?.[0]?.code ?? reply.json.results?.[0]?.problem?.errors?.[0]?.code];
    expect(refused(await call("PATCH", `/${id}`, { photo }))).toEqual([422, "READ_ONLY"]);
    expect(refused(await call("PUT", `/${id}`, { name: "x", photo }))).toEqual([422, "READ_ONLY"]);
    expect(refused(await call("POST", "", { name: "x", photo }))).toEqual([422, "READ_ONLY"]);
    expect(refused(await call("POST", "?onError=continue", { devices: [{ name: "x", manual: photo }] }))).toEqual([207, "READ_ONLY"]);
    expect(refused(await call("POST", "/batch", { operations: [{ action: "update", record: { id, manual: photo } }] }))[1]).toBe(
      "READ_ONLY",
    );
    expect((await call("GET", `/${id}`)).json).toMatchObject({ photo: null, manual: null, version: 1 });
    // What the record has already may be sent along, as programs do that read, change and write.
    const whole = (await call("GET", `/${secret}`)).json;
    expect((await call("PUT", `/${secret}`, { ...whole, name: "renamed" })).status).toBe(200);
    expect(refused(await call("PATCH", `/${secret}`, { manual: photo }))).toEqual([422, "READ_ONLY"]);
  });

  test("by a merge that names another file than one of the records that it merges", async () => {
    const [one, other, third] = [await withPhoto(), await withPhoto(GIF), await newDevice()];
    const value = async (id: number) => (await call("GET", `/${id}`)).json.photo;
    const foreign = await value(one);
    const versions = { [third]: 1, [other]: 2 };
    const wrong = await call("POST", "/merges", { survivor: third, others: [other], values: { photo: foreign }, versions });
    expect([wrong.status, wrong.json.errors[0].code]).toEqual([422, "READ_ONLY"]);
    const merged = await call("POST", "/merges", { survivor: third, others: [other], values: { photo: await value(other) }, versions });
    expect(merged.status).toBe(201);
    expect((await bytes("GET", `/${third}/photo`)).rawPayload.equals(GIF)).toBe(true);
  });
});

test("what a browser could run is saved as bytes of no kind", async () => {
  const id = await newDevice();
  for (const [name, text] of [
    ["a.html", "<!doctype html><script>alert(document.domain)</script>"],
    ["a.svg", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"],
    ["a.xml", "<?xml version='1.0'?><a/>"],
    ["a.txt", "GIF is not here <script>alert(1)</script>"],
  ] as const) {
    expect((await bytes("PUT", `/${id}/manual`, text, { name })).statusCode).toBe(200);
    const read = await bytes("GET", `/${id}/manual`);
    expect([name, read.headers["content-type"], read.payload]).toEqual([name, "application/octet-stream", text]);
    expect(String(read.headers["content-disposition"]).startsWith("attachment;")).toBe(true);
    expect(read.headers["content-security-policy"]).toBe("sandbox; default-src 'none'");
  }
});

describe("content that nothing names", () => {
  const unique = (text: string) => Buffer.concat([PNG, Buffer.from(text)]);
  const sweep = () => sweepContent(createContentFolder(folder()), service.store);

  test("goes with an erasure, to the byte, with all versions, unless another record has the same", async () => {
    const [one, two, shared] = [unique("one"), unique("two"), unique("shared")];
    const id = await withPhoto(one);
    for (const bytesOf of [two, shared]) expect((await bytes("PUT", `/${id}/photo`, bytesOf, { name: "x.png" })).statusCode).toBe(200);
    const other = await withPhoto(shared);
    expect([one, two, shared].map((each) => kept(hashOf(each)))).toEqual([true, true, true]);
    expect((await call("POST", `/${id}/erasure`)).status).toBe(200);
    expect([one, two, shared].map((each) => kept(hashOf(each)))).toEqual([false, false, true]);
    expect((await bytes("GET", `/${other}/photo`)).rawPayload.equals(shared)).toBe(true);
    expect((await call("POST", `/${other}/erasure`)).status).toBe(200);
    expect(kept(hashOf(shared))).toBe(false);
  });

  test("is swept, and what records, versions and deleted records name is not", async () => {
    const [now, before, deleted, orphan] = ["now", "before", "deleted", "orphan"].map(unique) as [Buffer, Buffer, Buffer, Buffer];
    const id = await withPhoto(before);
    expect((await bytes("PUT", `/${id}/photo`, now, { name: "x.png" })).statusCode).toBe(200);
    const gone = await withPhoto(deleted);
    expect((await call("DELETE", `/${gone}`)).status).toBe(204);
    const received = await createContentFolder(folder()).receive(Readable.from([orphan]), 100_000, () => new Error("too large"));
    await (await received.keep()).release();
    expect(await sweep()).toBe(1);
    expect([now, before, deleted, orphan].map((each) => kept(hashOf(each)))).toEqual([true, true, true, false]);
    expect(await sweep()).toBe(0);
  });

  test("stays while records are written and swept at once", async () => {
    const id = await newDevice();
    const rounds = Array.from({ length: 12 }, (_, i) => unique(`round ${i}`));
    const writing = (async () => {
      for (const one of rounds) expect((await bytes("PUT", `/${id}/manual`, one, { name: "r.png" })).statusCode).toBe(200);
    })();
    let isOver = false;
    void writing.finally(() => {
      isOver = true;
    });
    while (!isOver) await Promise.all([sweep(), sweep()]);
    await writing;
    for (const [i, one] of rounds.entries())
      expect((await bytes("GET", `/${id}/manual?version=${i + 2}`)).rawPayload.equals(one)).toBe(true);
  });
});

test("every answer of a file is in the OpenAPI document, and each that it promises is given", async () => {
  const id = await newDevice();
  const at = `/v1/devices/${id}/manual`;
  const given = new Set<string>();
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const { status } = await service.raw(method, path, { authorization: `Bearer ${await admin()}`, ...headers }, body);
    given.add(`${method} ${status}`);
  };
  await send("PUT", `${at}?name=a.txt`, {}, "some text"); // each is checked against the document (service.raw)
  await send("GET", at);
  await send("GET", at, { range: "bytes=0-3" });
  await send("GET", at, { range: "bytes=99-" });
  await send("GET", at, { "if-none-match": `"${hashOf("some text")}"` });
  await send("GET", "/v1/devices/987654/manual");
  for (const method of ["PUT", "DELETE"]) {
    await send(method, at, { "if-match": `"${id}-99"` }, method === "PUT" ? "x" : undefined);
    await send(method, "/v1/devices/987654/manual", {}, method === "PUT" ? "x" : undefined);
  }
  await send("DELETE", at);
  const other = await newDevice();
  expect((await call("POST", "/merges", { survivor: other, others: [id], versions: { [other]: 1, [id]: 3 } })).status).toBe(201);
  await send("GET", at);
  const promised = Object.entries(service.checker.document.paths["/v1/devices/{id}/manual"] ?? {}).flatMap(([method, { responses }]) =>
    Object.keys(responses).map((status) => `${method.toUpperCase()} ${status}`),
  );
  const others = ["409", "422", "default"]; // of records that are part of others, and of fields that are not to be changed: both above
  expect([...given].sort()).toEqual(promised.filter((one) => !others.includes(one.split(" ")[1] ?? "")).sort());
  const { description } = service.checker.document.paths["/v1/devices/{id}/photo"]?.put ?? {};
  expect(description).toContain("415");
});

test("a file may come slowly, and no other body", { timeout: 30_000 }, async () => {
  const own = await openTestService(PACKAGE, { limits: { ...NO_RATE_LIMIT, requestSeconds: 1 } });
  const address = new URL(await own.app.listen({ port: 0, host: "127.0.0.1" }));
  await own.call("POST", "/v1/devices", { id: 1 });
  const authorization = `Bearer ${await own.tokenFor("admin")}`;
  const slowly = (method: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization, "content-type": "application/json", "content-length": "4" };
      const sent = request(address, { method, path, headers }, (reply) => resolve(reply.resume().statusCode));
      sent.on("error", reject).write("ab");
      setTimeout(() => sent.destroyed || sent.end("cd"), 2_500);
    });
  expect(await Promise.all([slowly("PUT", "/v1/devices/1/manual"), slowly("PATCH", "/v1/devices/1")])).toEqual([200, 408]);
  await own.close();
});

describe("rights", () => {
  test("who may only read sends and removes nothing, and who may read nothing gets nothing", async () => {
    const id = await withPhoto();
    const reader = await service.tokenFor("devices:read");
    expect((await bytes("PUT", `/${id}/photo`, GIF, { token: reader })).statusCode).toBe(403);
    expect((await bytes("DELETE", `/${id}/photo`, undefined, { token: reader })).statusCode).toBe(403);
    expect((await bytes("GET", `/${id}/photo`, undefined, { token: reader })).rawPayload.equals(PNG)).toBe(true);
    const other = await service.tokenFor("parts:read");
    expect((await bytes("GET", `/${id}/photo`, undefined, { token: other })).statusCode).toBe(403);
    expect((await service.app.inject({ url: `/v1/devices/${id}/photo` })).statusCode).toBe(401);
  });

  test("a field that is hidden or masked has no file, and one that may not be changed takes none", async () => {
    const id = await withPhoto();
    const conditions = (how: string) => ({ devices: { fields: { [how]: ["photo"] } } });
    for (const how of ["hidden", "masked"]) {
      const token = await role(conditions(how));
      expect((await bytes("GET", `/${id}/photo`, undefined, { token })).statusCode).toBe(404);
      expect((await bytes("GET", `/${id}/photo?version=2`, undefined, { token })).statusCode).toBe(404);
      expect((await bytes("PUT", `/${id}/photo`, GIF, { token })).statusCode).toBe(404);
    }
    const token = await role(conditions("readOnly"));
    expect((await bytes("GET", `/${id}/photo`, undefined, { token })).statusCode).toBe(200);
    const refused = await bytes("PUT", `/${id}/photo`, GIF, { token });
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([422, "READ_ONLY"]);
    expect((await bytes("DELETE", `/${id}/photo`, undefined, { token })).statusCode).toBe(422);
  });

  test("a record out of sight has no file, of now or of before", async () => {
    const [seen, unseen] = [await withPhoto(PNG, { site: "Ulm" }), await withPhoto(GIF, { site: "Bonn" })];
    const token = await role({ devices: { read: { where: "site=Ulm" } } });
    expect((await bytes("GET", `/${seen}/photo`, undefined, { token })).statusCode).toBe(200);
    for (const path of [`/${unseen}/photo`, `/${unseen}/photo?version=2`])
      expect((await bytes("GET", path, undefined, { token })).statusCode).toBe(404);
    expect((await bytes("PUT", `/${unseen}/photo`, PNG, { token })).statusCode).toBe(404);
  });
});
