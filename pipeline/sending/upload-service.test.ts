import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { DICTIONARY, readCollections } from "../../server/testing/service.ts";
import { createUploadService } from "./upload-service.ts";

test("a page that a proxy answers in place of the service is no reply: the batch is sent again under its key", async () => {
  const proxy = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<p>Back at nine.</p>"));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const [collection] = readCollections(DICTIONARY).collections;
  if (!collection) throw new Error("dictionary");
  const { port } = proxy.address() as AddressInfo;
  const { postBatch } = createUploadService(`http://127.0.0.1:${port}/v1`, collection, "token", () => {});
  const answer = await postBatch([{ lastName: "Ek" }], "1-1", "create", new AbortController().signal);
  expect(answer).toMatchObject({ kind: "noReply" });
});
