// Files that come in several requests: only who began them goes on, and the record has them with their last byte.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContentFolder } from "../../content/folder/content-folder.ts";
import { withScanner } from "../../content/scan.ts";
import { as, BYTES, DEVICES, idIn, PIECE, storedAs, uploadTools } from "../../testing/file-uploads.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let admin: string;
let tools: ReturnType<typeof uploadTools>;
beforeAll(async () => {
  service = await openTestService(DEVICES);
  admin = await service.tokenFor("admin");
  tools = uploadTools(service, admin);
});
afterAll(async () => {
  tools.close();
  await service.close();
});

describe("a file in several requests", () => {
  test("is begun, asked for and gone on with, and in the record with its last byte", async () => {
    const id = await tools.newDevice();
    const made = await tools.begin(id);
    expect([made.status, made.headers["upload-offset"], made.headers["tus-resumable"], made.text]).toEqual([201, "0", "1.0.0", ""]);
    const address = made.headers.location ?? "";
    expect(Date.parse(made.headers["upload-expires"] ?? "")).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const first = await tools.add(address, 0, BYTES.subarray(0, 6_000_000));
    expect([first.status, first.headers["upload-offset"]]).toEqual([204, "6000000"]);
    const asked = await tools.ask(address);
    expect([asked.status, asked.headers["upload-offset"], asked.headers["upload-length"]]).toEqual([204, "6000000", "10000000"]);
    expect(asked.headers["cache-control"]).toBe("no-store");
    expect((await tools.recordOf(id)).scan).toBe(null);
    expect((await service.call("GET", `/v1/devices/${id}/scan`)).status).toBe(404);
    const whole = await tools.add(address, 6_000_000, BYTES.subarray(6_000_000));
    expect([whole.status, whole.json.scan, whole.json.version]).toEqual([200, storedAs("big.bin"), 2]);
    expect(whole.headers.etag).toBe(`"${id}-2"`);
    const read = await service.app.inject({ url: `/v1/devices/${id}/scan`, headers: as(admin) });
    expect(read.rawPayload.equals(BYTES)).toBe(true);
    expect(tools.unfinished()).not.toContain(idIn(address));
  });

  test("whose last answer was lost is answered again, and written once", async () => {
    const id = await tools.newDevice();
    const versions = { "if-match": `"${id}-1"` };
    const address = await tools.begun(id, { headers: versions });
    expect((await tools.add(address, 0, BYTES, { headers: versions })).status).toBe(200);
    expect(await tools.offsetOf(address)).toBe(BYTES.length);
    const again = await tools.add(address, BYTES.length, Buffer.alloc(0), { headers: versions });
    expect([again.status, again.json.version, again.json.scan]).toEqual([200, 2, storedAs("big.bin")]);
  });

  test("that was written when the service was killed before it noted so is answered, too", async () => {
    const id = await tools.newDevice();
    const versions = { "if-match": `"${id}-1"` };
    const address = await tools.begun(id, { headers: versions });
    await tools.add(address, 0, BYTES.subarray(0, 9_999_999));
    const put = { method: "PUT", url: `/v1/devices/${id}/scan?name=big.bin`, headers: as(admin), payload: BYTES } as const;
    expect((await service.app.inject(put)).statusCode).toBe(200); // writes what the end would have
    const end = await tools.add(address, 9_999_999, BYTES.subarray(9_999_999), { headers: { "if-match": "*" } });
    expect([end.status, end.json.version]).toEqual([200, 2]);
  });

  test("is taken from the place where it ends alone", async () => {
    const address = await tools.begun(await tools.newDevice());
    await tools.add(address, 0, BYTES.subarray(0, 100));
    for (const offset of [0, 99, 101]) {
      const wrong = await tools.add(address, offset, BYTES.subarray(100));
      expect([wrong.status, wrong.json.code]).toEqual([409, "UPLOAD_OFFSET"]);
    }
    expect((await tools.add(address, 100, Buffer.concat([BYTES, BYTES]))).status).toBe(413);
    expect(await tools.offsetOf(address)).toBe(100);
    expect((await tools.add(address, 100, BYTES.subarray(100))).status).toBe(200);
  });

  test("says what is wrong with a header", async () => {
    const id = await tools.newDevice();
    const post = (headers: Record<string, string>) => service.raw("POST", `/v1/devices/${id}/scan/uploads`, as(admin, headers));
    for (const length of ["", "x", "-1", "0", "1.5"]) expect((await post({ "upload-length": length })).status).toBe(400);
    expect((await post({})).status).toBe(400);
    expect((await post({ "upload-length": "20000001" })).status).toBe(413);
    expect((await post({ "upload-length": "1", "tus-resumable": "0.2.2" })).status).toBe(400);
    expect((await post({ "upload-length": "1", "if-match": `"${id}-9"` })).status).toBe(412);
    const address = await tools.begun(id);
    const type = { "content-type": "application/offset+octet-stream" };
    expect((await service.raw("PATCH", address, as(admin, type), BYTES)).status).toBe(400);
    expect((await service.raw("PATCH", address, as(admin, { "upload-offset": "0", "content-type": "text/plain" }), "x")).status).toBe(415);
    expect((await service.raw("PATCH", address, as(admin, { ...type, "upload-offset": "0", "tus-resumable": "2" }), "x")).status).toBe(400);
  });

  test("has the name that a client of tus gives it", async () => {
    const id = await tools.newDevice();
    const metadata = `filetype eA==,filename ${Buffer.from("../Prüfbericht.pdf").toString("base64")}`;
    const headers = as(admin, { "tus-resumable": "1.0.0", "upload-length": "3", "upload-metadata": metadata });
    // By a former name of the field, which the document does not have.
    const made = await service.app.inject({ method: "POST", url: `/v1/devices/${id}/paper/uploads`, headers });
    const end = await tools.add(String(made.headers.location), 0, Buffer.from("abc"));
    expect(end.json.scan).toMatch(/^Prüfbericht\.pdf \(/);
  });

  test("of a type that the field does not take is refused at its end, and nothing is left", async () => {
    const id = await tools.newDevice();
    const address = await tools.begun(id, { field: "photo", length: 1_000 });
    const end = await tools.add(address, 0, BYTES.subarray(0, 1_000));
    expect([end.status, end.json.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    expect((await tools.ask(address)).status).toBe(404);
    expect(tools.unfinished()).not.toContain(idIn(address));
    expect((await tools.recordOf(id)).photo).toBe(null);
  });

  test("is scanned at its end", async () => {
    const folder = createContentFolder(join(service.folder, "scanned"));
    const scanned = await openTestService(DEVICES, { content: withScanner(folder, "grep -q EICAR && { echo found; exit 1; } || exit 0") });
    try {
      const own = uploadTools(scanned, await scanned.tokenFor("admin"));
      const id = await own.newDevice();
      const address = await own.begun(id, { length: 9 });
      await own.add(address, 0, Buffer.from("xxEI"));
      const end = await own.add(address, 4, Buffer.from("CARxx"));
      expect([end.status, end.json.code]).toEqual([422, "FILE_REFUSED"]);
      expect((await own.ask(address)).status).toBe(404);
    } finally {
      await scanned.close();
    }
  });

  test("of a record that has changed meanwhile waits, and is taken with the version of now", async () => {
    const id = await tools.newDevice();
    const before = { "if-match": `"${id}-1"` };
    const address = await tools.begun(id, { headers: before });
    await tools.add(address, 0, BYTES.subarray(0, 5_000_000), { headers: before });
    await service.call("PATCH", `/v1/devices/${id}`, { name: "another" });
    expect((await tools.add(address, 5_000_000, BYTES.subarray(5_000_000), { headers: before })).status).toBe(412);
    expect(await tools.offsetOf(address)).toBe(5_000_000);
    const end = await tools.add(address, 5_000_000, BYTES.subarray(5_000_000), { headers: { "if-match": `"${id}-2"` } });
    expect([end.status, end.json.version]).toEqual([200, 3]);
  });

  test("is dropped with all that is kept of it", async () => {
    const id = await tools.newDevice();
    const address = await tools.begun(id);
    await tools.add(address, 0, BYTES.subarray(0, 5_000_000));
    expect(tools.unfinished()).toContain(idIn(address));
    expect([(await tools.drop(address)).status, (await tools.drop(address)).status]).toEqual([204, 404]);
    expect([(await tools.ask(address)).status, (await tools.add(address, 0, BYTES)).status]).toEqual([404, 404]);
    expect(tools.unfinished()).not.toContain(idIn(address));
  });
});

describe("nobody else", () => {
  test("finds it: neither another person, nor under another record or field", async () => {
    const [id, other] = [await tools.newDevice(), await tools.newDevice()];
    const [mine, theirs] = [await tools.role({}), await tools.role({})];
    const address = await tools.begun(id, { token: mine.token });
    expect((await tools.add(address, 0, BYTES.subarray(0, 10), { token: mine.token })).status).toBe(204);
    for (const token of [theirs.token, admin]) {
      expect((await tools.ask(address, token)).status).toBe(404);
      const missing = await service.raw("HEAD", `${address.slice(0, -36)}00000000-0000-4000-8000-000000000000`, as(token));
      expect(missing.status).toBe(404);
      expect((await tools.add(address, 10, BYTES.subarray(10), { token })).status).toBe(404);
      expect((await service.raw("DELETE", address, as(token))).status).toBe(404);
    }
    for (const elsewhere of [address.replace(`/${id}/`, `/${other}/`), address.replace("/scan/", "/photo/")]) {
      expect((await tools.ask(elsewhere, mine.token)).status).toBe(404);
    }
    expect((await tools.add(address, 10, BYTES.subarray(10), { token: mine.token })).status).toBe(200);
  });

  test("begins one where they may not change the record or the field", async () => {
    const id = await tools.newDevice({ site: "far" });
    const away = await tools.role({ devices: { read: { where: "site=near" } } });
    const hidden = await tools.role({ devices: { fields: { hidden: ["scan"] } } });
    const readOnly = await tools.role({ devices: { fields: { readOnly: ["scan"] } } });
    expect((await tools.begin(id, { token: away.token })).status).toBe(404);
    expect((await tools.begin(id, { token: hidden.token })).status).toBe(404);
    expect((await tools.begin(id, { token: readOnly.token })).status).toBe(422);
    expect((await tools.begin(id, { token: await service.tokenFor("devices:read") })).status).toBe(403);
    expect((await tools.begin(999_999)).status).toBe(404);
  });

  test("goes on with it once their right is taken away", async () => {
    const id = await tools.newDevice();
    const person = await tools.role({});
    const address = await tools.begun(id, { token: person.token });
    await tools.add(address, 0, BYTES.subarray(0, 5_000_000), { token: person.token });
    const { json } = await service.call("GET", `/v1/roles/${person.role}`);
    const changed = { name: json.name, scope: json.scope, conditions: { devices: { fields: { readOnly: ["scan"] } } } };
    const { headers } = await service.call("GET", `/v1/roles/${person.role}`);
    const patched = await service.call("PATCH", `/v1/roles/${person.role}`, changed, {
      "content-type": "application/merge-patch+json",
      "if-match": headers.etag ?? "*",
    });
    expect(patched.status).toBe(200);
    expect((await tools.add(address, 5_000_000, BYTES.subarray(5_000_000), { token: person.token })).status).toBe(422);
    expect((await tools.recordOf(id)).scan).toBe(null);
  });

  test("ends it whose right is taken away while the last bytes come", async () => {
    const id = await tools.newDevice();
    const person = await tools.role({});
    const address = await tools.begun(id, { token: person.token });
    const sending = tools.slowly(address, person.token, 0, BYTES);
    await sending.sent(5_000_000);
    await expect.poll(() => tools.offsetOf(address, person.token), { timeout: 20_000 }).toBe(PIECE);
    expect((await service.call("PATCH", `/v1/users/${person.id}`, { status: "disabled" })).status).toBe(200);
    await sending.sent(BYTES.length);
    expect(await sending.status()).toBe(503);
    expect((await tools.recordOf(id)).scan).toBe(null);
    expect((await tools.add(address, BYTES.length, Buffer.alloc(0), { token: person.token })).status).toBe(401);
  });
});
