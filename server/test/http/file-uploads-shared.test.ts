// Files that come in several requests, where processes share what is kept: in a bucket, and in a folder.

import { expect, inject, test } from "vitest";
import { createS3Content } from "../../content/s3/s3-content.ts";
import { BYTES, DEVICES, idIn, PIECE, storedAs, uploadTools } from "../../testing/file-uploads.ts";
import { cut, startS3 } from "../../testing/s3.ts";
import { openTestService } from "../../testing/service.ts";
import { createTestDatabase } from "../../testing/store.ts";

test("pieces go to the bucket, wait there while it is out of reach, and are gone at the end", async () => {
  const s3 = await startS3();
  const service = await openTestService(DEVICES, { content: createS3Content(s3.client("intake")) });
  try {
    const tools = uploadTools(service, await service.tokenFor("admin"));
    const id = await tools.newDevice();
    const [address, other] = [await tools.begun(id), await tools.begun(id)];
    const keys = (of: string) => s3.keys(`intake/unfinished/${idIn(of)}`).length;
    for (const one of [address, other]) expect((await tools.add(one, 0, BYTES.subarray(0, PIECE + 1))).status).toBe(204);
    expect([keys(address), keys(other)]).toEqual([2, 2]);
    s3.fault = cut;
    expect((await tools.add(address, PIECE + 1, BYTES.subarray(PIECE + 1))).status).toBe(503);
    s3.fault = undefined;
    expect(await tools.offsetOf(address)).toBe(PIECE + 1);
    const end = await tools.add(address, PIECE + 1, BYTES.subarray(PIECE + 1));
    expect([end.status, end.json.scan]).toEqual([200, storedAs("big.bin")]);
    expect((await service.raw("DELETE", other, { authorization: `Bearer ${await service.tokenFor("admin")}` })).status).toBe(404);
    expect([keys(address), keys(other)]).toEqual([0, 2]);
    expect((await tools.drop(other)).status).toBe(204);
    expect(s3.keys("intake/unfinished/")).toEqual([]);
  } finally {
    await service.close();
    await s3.close();
  }
});

test.runIf(inject("postgres"))("one process goes on where another one was", async () => {
  const database = await createTestDatabase();
  const services = [await openTestService(DEVICES, {}, database), await openTestService(DEVICES, {}, database)] as const;
  try {
    const token = await services[0].tokenFor("admin");
    const [first, second] = [uploadTools(services[0], token), uploadTools(services[1], token)];
    const id = await first.newDevice();
    const address = await first.begun(id);
    expect((await first.add(address, 0, BYTES.subarray(0, 5_000_000))).status).toBe(204);
    expect(await second.offsetOf(address)).toBe(5_000_000);
    expect((await second.add(address, 5_000_000, BYTES.subarray(5_000_000, 6_000_000))).status).toBe(204);
    const both = await Promise.all([first, second].map((one) => one.add(address, 6_000_000, BYTES.subarray(6_000_000))));
    for (const { status } of both) expect([200, 409]).toContain(status);
    expect(both.some(({ status }) => status === 200)).toBe(true);
    const record = await second.recordOf(id);
    expect([record.version, record.scan]).toEqual([2, storedAs("big.bin")]);
  } finally {
    for (const one of services) await one.close();
    await database.drop();
  }
});
