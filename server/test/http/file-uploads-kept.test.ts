// What is kept of files that come in several requests: after a connection that breaks, and until it is removed.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MOST_UPLOADS } from "../../../core/contract/file-uploads.ts";
import { createContentFolder } from "../../content/folder/content-folder.ts";
import { sweepUploads } from "../../content/sweep-uploads.ts";
import { as, BYTES, DEVICES, idIn, PIECE, storedAs, uploadTools } from "../../testing/file-uploads.ts";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";

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

describe("a connection", () => {
  test("that breaks leaves what has come", async () => {
    const id = await tools.newDevice();
    const address = await tools.begun(id);
    let at = 0;
    for (const length of [5_000_000, 4_500_000]) {
      const sending = tools.slowly(address, admin, at, BYTES);
      await sending.sent(at + length);
      await expect.poll(() => tools.offsetOf(address), { timeout: 20_000 }).toBe(at + PIECE);
      await sending.cut();
      await expect.poll(() => tools.offsetOf(address), { timeout: 20_000 }).toBeGreaterThan(at + PIECE); // also what was no whole piece
      at = await tools.offsetOf(address);
    }
    const rest = BYTES.subarray(at);
    const end = await tools.add(address, at, rest);
    expect([end.status, end.json.scan]).toEqual([200, storedAs("big.bin")]);
  });

  test("beside another one gives way to it, and no byte comes twice", async () => {
    const id = await tools.newDevice();
    const address = await tools.begun(id);
    const first = tools.slowly(address, admin, 0, BYTES);
    await first.sent(5_000_000);
    await expect.poll(() => tools.offsetOf(address), { timeout: 20_000 }).toBe(PIECE);
    const end = await tools.add(address, PIECE, BYTES.subarray(PIECE));
    expect([end.status, end.json.scan]).toEqual([200, storedAs("big.bin")]);
    await first.sent(BYTES.length);
    expect(await first.status()).toBe(409);
    expect((await tools.recordOf(id)).version).toBe(2);
    expect(tools.unfinished()).not.toContain(idIn(address));
  });

  test("of two that are whole at once: the record has the file, once", async () => {
    const id = await tools.newDevice();
    const address = await tools.begun(id, { length: 1_000_000 });
    const bytes = BYTES.subarray(0, 1_000_000);
    const both = await Promise.all([tools.add(address, 0, bytes), tools.add(address, 0, bytes)]);
    expect(both.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThan(0);
    for (const { status } of both) expect([200, 409]).toContain(status);
    const record = await tools.recordOf(id);
    expect([record.version, record.scan]).toEqual([2, storedAs("big.bin", bytes)]);
  });
});

describe("what is kept of it", () => {
  test("goes when the record is erased, and is nobody's once the record is deleted", async () => {
    const id = await tools.newDevice();
    const address = await tools.begun(id);
    await tools.add(address, 0, BYTES.subarray(0, 5_000_000));
    expect((await service.call("DELETE", `/v1/devices/${id}`)).status).toBe(204);
    expect([(await tools.ask(address)).status, (await tools.add(address, 5_000_000, BYTES.subarray(5_000_000))).status]).toEqual([
      404, 404,
    ]);
    expect(tools.unfinished()).toContain(idIn(address));
    expect((await service.call("POST", `/v1/devices/${id}/erasure`)).status).toBe(200);
    expect(tools.unfinished()).not.toContain(idIn(address));
    expect(await service.store.fileUploads.listUploads()).not.toContain(idIn(address));
  });

  test("leads nowhere once the record was merged", async () => {
    const [survivor, other] = [await tools.newDevice(), await tools.newDevice()];
    const address = await tools.begun(other);
    await tools.add(address, 0, BYTES.subarray(0, 100));
    const merge = { survivor, others: [other], versions: { [survivor]: 1, [other]: 1 } };
    expect((await service.call("POST", "/v1/devices/merges", merge)).status).toBe(201);
    const end = await tools.add(address, 100, BYTES.subarray(100));
    expect([end.status, end.json.code]).toEqual([409, "MERGED"]);
  });

  test("is removed when it has expired, and not before", async () => {
    const id = await tools.newDevice();
    const [old, young] = [await tools.begun(id), await tools.begun(id)];
    for (const address of [old, young]) await tools.add(address, 0, BYTES.subarray(0, 100));
    const row = await service.store.fileUploads.readUpload(idIn(old), Date.now());
    if (!row) throw new Error("it is not there");
    await service.store.fileUploads.removeUpload(row.id);
    await service.store.fileUploads.addUpload({ ...row, expiresAt: Date.now() - 1 }, { count: 1e6, bytes: 1e15 }, Date.now());
    expect([(await tools.ask(old)).status, (await tools.add(old, 100, BYTES.subarray(100))).status]).toEqual([404, 404]);
    await sweepUploads(createContentFolder(join(service.folder, "files")), service.store);
    expect(tools.unfinished()).not.toContain(idIn(old));
    expect(tools.unfinished()).toContain(idIn(young));
    expect((await tools.add(young, 100, BYTES.subarray(100))).status).toBe(200);
  });

  test("that is missing where it stood makes an end of it, and not of the record", async () => {
    const id = await tools.newDevice();
    const address = await tools.begun(id);
    await tools.add(address, 0, BYTES.subarray(0, 9_000_000));
    await createContentFolder(join(service.folder, "files")).pieces.remove(idIn(address));
    expect((await tools.add(address, 9_000_000, BYTES.subarray(9_000_000))).status).toBe(404);
    expect((await tools.recordOf(id)).version).toBe(1);
  });

  test("is not there under an address that is none, and a name has no character that ends a text", async () => {
    const id = await tools.newDevice();
    for (const path of ["%00", "a%00b", "..%2f"]) expect((await tools.ask(`/v1/devices/${id}/scan/uploads/${path}`)).status).toBe(404);
    const coded = Buffer.from("a\0b.bin").toString("base64");
    const headers = { ...as(admin), "upload-length": "3", "upload-metadata": `filename ${coded}` };
    const made = await service.raw("POST", `/v1/devices/${id}/scan/uploads`, headers);
    expect(made.status).toBe(201);
    const whole = await tools.add(made.headers.location ?? "", 0, Buffer.from("abc"));
    expect([whole.status, whole.json.scan.split(" (")[0]]).toEqual([200, "a b.bin"]);
  });

  test("is bounded for each person, in number and bytes", async () => {
    const bounded = await openTestService(DEVICES, { limits: { ...NO_RATE_LIMIT, uploadBytes: 25_000_000 } });
    try {
      const own = uploadTools(bounded, await bounded.tokenFor("admin"));
      const id = await own.newDevice();
      const left = await own.begun(id);
      await own.begun(id, { length: 10_000_001 });
      const many = await own.begin(id, { length: 10_000_002 });
      expect([many.status, many.json.code, many.headers["retry-after"]]).toEqual([429, "TOO_MANY_UPLOADS", "3600"]);
      expect((await own.begin(id, { token: await bounded.tokenFor("devices:update devices:read") })).status).toBe(201);
      const again = await own.begun(id); // the same file, of which a closed tab has left some
      expect([(await own.ask(left)).status, (await own.add(again, 0, BYTES)).status]).toEqual([404, 200]);
      for (let n = 1; n < MOST_UPLOADS; n++) await own.begun(id, { length: n });
      expect((await own.begin(id, { length: MOST_UPLOADS })).status).toBe(429);
    } finally {
      await bounded.close();
    }
  });
});
