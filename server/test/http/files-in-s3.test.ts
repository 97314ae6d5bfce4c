// Files of records whose content is in a bucket: as in a folder, and while the bucket is out of reach.

import { createHash, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Content } from "../../content/content.ts";
import { createS3Content } from "../../content/s3/s3-content.ts";
import { keyOf } from "../../content/s3/s3-keys.ts";
import { sweepContent } from "../../content/sweep.ts";
import { cut, refuse, startS3, type TestS3 } from "../../testing/s3.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const PACKAGE = {
  title: "Equipment",
  resources: [
    {
      name: "devices",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "scan", type: "string", format: "file", maxSize: 1_000_000 },
        ],
        primaryKey: ["id"],
      },
    },
  ],
};

let s3: TestS3;
let content: Content;
let service: TestService;
let authorization: string;
beforeAll(async () => {
  s3 = await startS3();
  content = createS3Content(s3.client("intake"));
  service = await openTestService(PACKAGE, { content });
  authorization = `Bearer ${await service.tokenFor("admin")}`;
});
afterEach(() => {
  s3.fault = undefined;
});
afterAll(async () => {
  await service.close();
  await s3.close();
});

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const kept = (bytes: Buffer) => s3.keys().includes(`intake/${keyOf(hashOf(bytes))}`);

/** Not by service.call, which checks answers as text: these are bytes. */
async function send(method: "GET" | "HEAD" | "PUT", path: string, payload?: Buffer, headers: Record<string, string> = {}) {
  return service.app.inject({ method, url: `/v1/devices${path}`, headers: { authorization, ...headers }, ...(payload && { payload }) });
}

let last = 0;
async function newDevice(...scans: Buffer[]): Promise<number> {
  last += 1;
  expect((await service.call("POST", "/v1/devices", { id: last })).status).toBe(201);
  for (const scan of scans) expect((await send("PUT", `/${last}/scan?name=scan.bin`, scan)).statusCode).toBe(200);
  return last;
}

test("a file goes into the bucket and comes again to the byte, whole and in parts, of now and of before", async () => {
  const [before, now] = [randomBytes(100_000), randomBytes(300_000)];
  const id = await newDevice(before, now);
  expect([kept(before), kept(now), s3.keys("intake/incoming/")]).toEqual([true, true, []]);
  const read = await send("GET", `/${id}/scan`);
  expect([read.statusCode, read.headers.etag, read.rawPayload.equals(now)]).toEqual([200, `"${hashOf(now)}"`, true]);
  expect((await send("GET", `/${id}/scan?version=2`)).rawPayload.equals(before)).toBe(true);
  for (const [range, start, end] of [
    ["bytes=1-3", 1, 4],
    ["bytes=-5", 299_995, 300_000],
    ["bytes=0-0", 0, 1],
  ] as const) {
    const part = await send("GET", `/${id}/scan`, undefined, { range });
    expect([range, part.statusCode, part.rawPayload.equals(now.subarray(start, end))]).toEqual([range, 206, true]);
  }
  expect((await send("GET", `/${id}/scan`, undefined, { range: "bytes=300000-" })).statusCode).toBe(416);
  const head = await send("HEAD", `/${id}/scan`);
  expect([head.statusCode, head.headers["content-length"], head.payload]).toEqual([200, "300000", ""]);
});

test("what is refused leaves nothing in the bucket", async () => {
  const id = await newDevice();
  const keys = s3.keys();
  expect((await send("PUT", `/${id}/scan`, Buffer.alloc(1_000_001))).statusCode).toBe(413);
  expect((await send("PUT", `/${id}/scan`, Buffer.alloc(0))).statusCode).toBe(400);
  expect((await send("PUT", "/987654/scan", randomBytes(10))).statusCode).toBe(404);
  expect(s3.keys()).toEqual(keys);
});

test("an erasure removes the content of all versions to the byte, unless another record has the same", async () => {
  const [one, two, shared] = [randomBytes(1_000), randomBytes(1_000), randomBytes(1_000)];
  const [id, other] = [await newDevice(one, two, shared), await newDevice(shared)];
  expect((await service.call("POST", `/v1/devices/${id}/erasure`)).status).toBe(200);
  expect([one, two, shared].map(kept)).toEqual([false, false, true]);
  expect((await send("GET", `/${other}/scan`)).rawPayload.equals(shared)).toBe(true);
  expect((await service.call("POST", `/v1/devices/${other}/erasure`)).status).toBe(200);
  expect([kept(shared), s3.keys("intake/leaving/"), s3.keys("intake/incoming/")]).toEqual([false, [], []]);
});

test("content stays while records are written and swept at once", { timeout: 60_000 }, async () => {
  const id = await newDevice();
  const rounds = Array.from({ length: 8 }, () => randomBytes(500));
  let isOver = false;
  const writing = (async () => {
    for (const one of rounds) expect((await send("PUT", `/${id}/scan?name=r.bin`, one)).statusCode).toBe(200);
  })().finally(() => {
    isOver = true;
  });
  while (!isOver) await Promise.all([sweepContent(content, service.store), sweepContent(content, service.store)]);
  await writing;
  for (const [i, one] of rounds.entries()) expect((await send("GET", `/${id}/scan?version=${i + 2}`)).rawPayload.equals(one)).toBe(true);
});

describe("while the bucket is out of reach", () => {
  test("a file is neither stored nor lost: 503 says when to come again, and then it is stored", async () => {
    const [before, now] = [randomBytes(100), randomBytes(200)];
    const id = await newDevice(before);
    s3.fault = cut;
    const refused = await send("PUT", `/${id}/scan?name=scan.bin`, now);
    expect([refused.statusCode, refused.json().code, refused.headers["retry-after"]]).toEqual([503, "UNAVAILABLE", "2"]);
    expect(refused.json().detail).toContain("Nothing was written; send the same request again.");
    const unread = await send("GET", `/${id}/scan`);
    expect([unread.statusCode, unread.json().code, unread.headers["retry-after"]]).toEqual([503, "UNAVAILABLE", "2"]);
    expect((await service.call("GET", `/v1/devices/${id}`)).json.version).toBe(2); // records are read and written on
    s3.fault = undefined;
    expect((await send("GET", `/${id}/scan`)).rawPayload.equals(before)).toBe(true);
    const stored = await send("PUT", `/${id}/scan?name=scan.bin`, now);
    expect([stored.statusCode, stored.json().version]).toEqual([200, 3]);
  });

  test("a bucket without room is 507", async () => {
    const id = await newDevice();
    s3.fault = refuse(507, "XMinioStorageFull");
    const full = await send("PUT", `/${id}/scan?name=scan.bin`, randomBytes(10));
    expect([full.statusCode, full.json().code]).toEqual([507, "STORE_FULL"]);
  });

  test("no record with a file is erased, so that its content is not forgotten", async () => {
    const bytes = randomBytes(100);
    const id = await newDevice(bytes);
    s3.fault = cut;
    const refused = await service.call("POST", `/v1/devices/${id}/erasure`);
    expect([refused.status, refused.json.code]).toEqual([503, "UNAVAILABLE"]);
    s3.fault = undefined;
    expect((await send("GET", `/${id}/scan`)).rawPayload.equals(bytes)).toBe(true);
    expect((await service.call("POST", `/v1/devices/${id}/erasure`)).status).toBe(200);
    expect(kept(bytes)).toBe(false);
  });

  test("an erasure that could not remove the content says so, and a sweep does it", async () => {
    const bytes = randomBytes(100);
    const id = await newDevice(bytes);
    s3.fault = (context, next) => (context.req.headers["x-amz-copy-source"] ? cut(context, next) : next());
    const left = await service.call("POST", `/v1/devices/${id}/erasure`);
    expect([left.status, left.json.detail]).toEqual([503, expect.stringContaining("The record is erased. Its files could not be removed")]);
    expect((await service.call("GET", `/v1/devices/${id}`)).status).toBe(404);
    s3.fault = undefined;
    expect(kept(bytes)).toBe(true);
    await sweepContent(content, service.store);
    expect(kept(bytes)).toBe(false);
  });
});
