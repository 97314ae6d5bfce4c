// What only a bucket has: its settings, a server that is away, slow or refuses, and requests that come too late.

import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { StoreFull } from "../../engine/store.ts";
import { cut, refuse, silent, startS3, type TestS3 } from "../../testing/s3.ts";
import type { Content } from "../content.ts";
import { checkBucket } from "./check-bucket.ts";
import { createS3Client } from "./s3-client.ts";
import { createS3Content } from "./s3-content.ts";
import { keyOf, listKeys } from "./s3-keys.ts";
import { readS3Place } from "./s3-place.ts";

let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterEach(() => {
  s3.fault = undefined;
});
afterAll(() => s3.close());

const KEYS = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
const hashOf = (given: string | Buffer) => createHash("sha256").update(given).digest("hex");
const tooLarge = () => new Error("too large");
const open = (name: string) => createS3Content(s3.client(name));

async function put(content: Content, given: string | Buffer): Promise<string> {
  const received = await content.receive(Readable.from([Buffer.from(given)]), 10_000_000, tooLarge);
  await (await received.keep()).release();
  return received.hash;
}

describe("the settings of a bucket", () => {
  test.each([
    ["s3://acme-files", { AWS_REGION: "eu-central-1" }, "https://acme-files.s3.eu-central-1.amazonaws.com", ""],
    ["s3://acme.files/a", { AWS_REGION: "eu-west-1" }, "https://s3.eu-west-1.amazonaws.com/acme.files", "a/"],
    ["s3://acme-files/a/b/", { AWS_ENDPOINT_URL_S3: "http://localhost:9000/" }, "http://localhost:9000/acme-files", "a/b/"],
    ["s3://acme-files/", { AWS_ENDPOINT_URL_S3: "https://example.org/storage/s3" }, "https://example.org/storage/s3/acme-files", ""],
  ])("lead from %s to its address", (files, env, url, prefix) => {
    const place = readS3Place(files, { ...KEYS, ...env });
    expect([place.url, place.prefix, place.region]).toEqual([url, prefix, "AWS_REGION" in env ? env.AWS_REGION : "us-east-1"]);
  });

  const region = { AWS_REGION: "eu-central-1" };
  test.each([
    ["s3://", { ...KEYS, ...region }, "FILES must be a folder, or s3:// with a bucket"],
    ["s3://Acme_Files", { ...KEYS, ...region }, "such as s3://acme-files/intake"],
    ["s3://acme-files/../other", { ...KEYS, ...region }, "such as s3://acme-files/intake"],
    ["s3://acme-files//a", { ...KEYS, ...region }, "such as s3://acme-files/intake"],
    ["s3://acme-files/a?b", { ...KEYS, ...region }, "such as s3://acme-files/intake"],
    ["s3://acme-files", region, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
    ["s3://acme-files", KEYS, "set AWS_REGION to its region, or AWS_ENDPOINT_URL_S3"],
    ["s3://acme-files", { ...KEYS, AWS_ENDPOINT_URL_S3: "minio:9000" }, "AWS_ENDPOINT_URL_S3 must be an address"],
    ["s3://acme-files", { ...KEYS, AWS_ENDPOINT_URL_S3: "https://a:b@example.org" }, "AWS_ENDPOINT_URL_S3 must be an address"],
  ])("are refused: %s %o", (files, env, sentence) => {
    expect(() => readS3Place(files, env)).toThrow(sentence);
  });
});

describe("the start", () => {
  const check = (changes: Record<string, string> = {}, files = "s3://acme-files/start", silence?: number) =>
    checkBucket(createS3Client(readS3Place(files, { ...s3.env("start"), ...changes }), silence)).then(
      () => "used",
      (error) => (error as Error).message,
    );

  test("takes a bucket that it can read and write, and leaves nothing in it", async () => {
    expect(await check()).toBe("used");
    expect(s3.keys("start/")).toEqual([]);
  });

  test("says which setting is wrong", async () => {
    expect(await check({}, "s3://no-such-bucket")).toBe(`FILES=s3://no-such-bucket/ cannot be used: there is no such bucket at ${s3.url}.`);
    expect(await check({ AWS_ACCESS_KEY_ID: "WRONG" })).toContain("refuses the credentials (InvalidAccessKeyId). Check AWS_ACCESS_KEY_ID");
    const wrong = await check({ AWS_SECRET_ACCESS_KEY: "WRONG" });
    expect(wrong).toContain("refuses the credentials (SignatureDoesNotMatch)");
    expect(wrong).not.toContain("WRONG");
    expect(await check({ AWS_ENDPOINT_URL_S3: "http://127.0.0.1:1" })).toContain(
      "there is no answer from http://127.0.0.1:1 (ECONNREFUSED). Check AWS_ENDPOINT_URL_S3",
    );
    const page = createServer((_, response) => response.end("<!doctype html><p>Welcome"));
    onTestFinished(() => void page.close());
    await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
    const { port } = page.address() as AddressInfo;
    expect(await check({ AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` })).toContain("is no S3 server");
  });

  test.each([
    [refuse(403, "AccessDenied"), "does not allow it. The key needs s3:ListBucket"],
    [refuse(400, "AuthorizationHeaderMalformed"), "the bucket is in another region (AuthorizationHeaderMalformed). Set AWS_REGION"],
    [refuse(403, "RequestTimeTooSkewed"), "the clock of this machine"],
    [refuse(500, "InternalError"), "answered 500 InternalError"],
    [refuse(507, "XMinioStorageFull"), "S3 answered 507 XMinioStorageFull to GET."],
  ])("says what the server says (%#)", async (fault, sentence) => {
    s3.fault = fault;
    expect(await check()).toContain(sentence);
  });

  test("waits for no server that is silent", async () => {
    s3.fault = silent;
    expect(await check({}, undefined, 50)).toContain("there is no answer from");
  });

  test.each(["Enabled", "Suspended"])(
    "refuses a bucket whose versions are %s, which would keep what an erasure removes",
    async (status) => {
      s3.fault = async (context, next) => {
        if (!("versioning" in context.query)) return next();
        context.type = "application/xml";
        context.body = `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`;
      };
      expect(await check()).toContain("it keeps versions, or did so");
    },
  );

  test("takes a server that has no versions at all", async () => {
    s3.fault = (context, next) => ("versioning" in context.query ? refuse(501, "NotImplemented")(context, next) : next());
    expect(await check()).toBe("used");
  });
});

describe("a server", () => {
  test("that fails now and then is asked again, with the same content", async () => {
    let requests = 0;
    s3.fault = (context, next) => {
      requests += 1;
      return requests % 3 === 0 ? next() : requests % 3 === 1 ? refuse(503, "SlowDown")(context, next) : cut(context, next);
    };
    const content = open("again");
    const [bytes, found] = [randomBytes(300_000), async (hash: string) => buffer((await (await content.find(hash))?.stream()) as Readable)];
    expect((await found(await put(content, bytes))).equals(bytes)).toBe(true);
  });

  test.each([
    ["is away", cut, "S3 was not reached"],
    ["is silent", silent, "S3 was silent for 0.05 s"],
    ["fails", refuse(500, "InternalError"), "S3 answered 500 InternalError to PUT"],
    ["takes the key no more", refuse(403, "InvalidAccessKeyId"), "S3 answered 403 InvalidAccessKeyId to PUT"],
  ])("that %s gets nothing, and nothing is left on disk or named", async (_, fault, message) => {
    const content = open("away");
    const hash = await put(content, "before");
    s3.fault = fault;
    const cutOff = fault === silent ? createS3Content(s3.client("away", 50)) : content;
    const received = await cutOff.receive(Readable.from([Buffer.from("now")]), 100, tooLarge);
    await expect(received.keep()).rejects.toThrow(message);
    await expect(cutOff.find(hash)).rejects.toThrow("S3 ");
    await expect(cutOff.remove([hash], async () => new Set())).rejects.toThrow("S3 ");
    s3.fault = undefined;
    expect(await text((await (await content.find(hash))?.stream()) as Readable)).toBe("before");
    expect(await content.list()).toEqual([hash]);
  });

  test.each([refuse(507, "XMinioStorageFull"), refuse(403, "QuotaExceeded")])("without room is full (%#)", async (fault) => {
    const received = await open("full").receive(Readable.from([Buffer.from("more")]), 100, tooLarge);
    s3.fault = fault;
    await expect(received.keep()).rejects.toThrow(StoreFull);
  });

  test("that ends a download is asked for the rest, and one that ends all of them breaks it off", async () => {
    const content = open("resumed");
    const bytes = randomBytes(2_000_000);
    const hash = await put(content, bytes);
    const ranges: string[] = [];
    /** Gives so many bytes of an answer. */
    const giveAtMost =
      (count: number): TestS3["fault"] =>
      async (context, next) => {
        await next();
        if (context.method !== "GET" || !(context.body instanceof Readable)) return;
        ranges.push(String(context.req.headers.range));
        const [given, { socket }] = [context.body, context.req];
        context.body = Readable.from(
          (async function* () {
            let left = count;
            for await (const piece of given as AsyncIterable<Buffer>) {
              yield piece.subarray(0, left);
              left -= piece.length;
              if (left <= 0) socket.destroy();
            }
          })(),
          { objectMode: false },
        );
      };
    s3.fault = giveAtMost(700_000);
    expect((await buffer((await (await content.find(hash))?.stream()) as Readable)).equals(bytes)).toBe(true);
    expect(ranges.length).toBeGreaterThan(2);
    expect(new Set(ranges).size).toBe(ranges.length); // each goes on where the one before ended
    const stream = (await (await content.find(hash))?.stream()) as Readable;
    s3.fault = cut;
    await expect(buffer(stream)).rejects.toThrow();
  });

  test("that lists in pages is asked for all of them, also after keys that others have put there", async () => {
    const hashes = Array.from({ length: 1_010 }, (_, i) => hashOf(String(i))).sort();
    const own = hashes.map((hash) => `many/${keyOf(hash)}`);
    const last = own[996]?.slice("many/".length) ?? "";
    const foreign = [`many/${last}&<'">`, `many/${last}&amp;`, "many/zz/other", "other/many"]; // the first two end the first page
    s3.seed([...own, ...foreign, "many/incoming/0", `many/leaving/${hashOf("left")}.1`]);
    const content = open("many");
    expect((await content.list()).sort()).toEqual([...hashes, hashOf("left")].sort());
    const all: string[] = [];
    for await (const { key } of listKeys(s3.client("many"), "")) all.push(key);
    expect(new Set(all).size).toBe(own.length + 5);
  });
});

describe("a removal", () => {
  const none = async () => new Set<string>();

  test("whose deletion is done only after a write has the same content loses nothing", async () => {
    const content = open("late");
    const hash = await put(content, "late");
    let deleteLate: () => Promise<void> = async () => undefined;
    s3.fault = (context, next) => {
      if (context.method !== "DELETE") return next();
      deleteLate = next;
      return cut(context, next);
    };
    await expect(content.remove([hash], none)).rejects.toThrow("S3 was not reached");
    s3.fault = undefined;
    await put(content, "late"); // finds it in its place, and a record names it
    await deleteLate();
    expect(s3.keys("late/")).toEqual([expect.stringContaining(`late/leaving/${hash}.`)]);
    expect(await text((await (await content.find(hash))?.stream()) as Readable)).toBe("late");
    expect(await content.list()).toEqual([hash]);
    const { now } = Date;
    Date.now = () => now() + 2 * 86_400_000;
    onTestFinished(() => {
      Date.now = now;
    });
    expect(await content.remove([], async (hashes) => hashes)).toBe(0);
    expect(s3.keys("late/")).toEqual([`late/${keyOf(hash)}`]);
  });

  test("fails in a bucket that keeps versions since the start", async () => {
    const content = open("versions");
    const hash = await put(content, "kept");
    s3.fault = async (context, next) => {
      await next();
      if (context.method === "DELETE") context.set("x-amz-version-id", "3HL4kqtJvjVBH40Nrjfkd");
    };
    await expect(content.remove([hash], none)).rejects.toThrow("The bucket of FILES keeps versions");
  });

  test("fails where a copy is answered with 200 and an error", async () => {
    const content = open("copy");
    const hash = await put(content, "copied");
    s3.fault = (context, next) => (context.req.headers["x-amz-copy-source"] ? refuse(200, "InternalError")(context, next) : next());
    await expect(content.remove([hash], none)).rejects.toThrow("S3 answered 200 InternalError to PUT");
    expect(await content.list()).toEqual([hash]);
  });
});

test("a service away from its mark's removal has written all the same", async () => {
  const content = open("mark");
  const received = await content.receive(Readable.from([Buffer.from("done")]), 100, tooLarge);
  const kept = await received.keep();
  s3.fault = cut;
  await kept.release();
  s3.fault = undefined;
  expect(s3.keys("mark/incoming/")).toHaveLength(1);
  expect(await content.remove([received.hash], async () => new Set())).toBe(0); // not before a day
});
