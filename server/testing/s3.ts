// A server of S3 with one empty bucket, and the faults that a test wants of it.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import S3rver, { type Middleware } from "@20minutes/s3rver";
import { createS3Client, type S3Client } from "../content/s3/s3-client.ts";
import { readS3Place } from "../content/s3/s3-place.ts";

const BUCKET = "acme-files";
const OBJECT = "._S3rver_object";

export interface TestS3 {
  url: string;
  /** What a service needs to keep its files under this prefix. */
  env(prefix: string): Record<string, string>;
  client(prefix: string, silence?: number): S3Client;
  /** Lists the keys of the bucket that begin so. */
  keys(start?: string): string[];
  /** Puts empty objects there, as quickly as files are made. */
  seed(keys: readonly string[]): void;
  /** Stands before each request from now on, and may answer it itself: then it does not call `next`. */
  fault: Middleware | undefined;
  close(): Promise<void>;
}

/** Answers with an error as S3 has them. */
export function refuse(status: number, code: string): Middleware {
  return async (context) => {
    context.status = status;
    context.type = "application/xml";
    context.body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It was told to.</Message></Error>`;
  };
}

/** Never answers. */
export const silent: Middleware = () => new Promise(() => undefined);

/** Breaks the connection without an answer. */
export const cut: Middleware = async ({ req }) => {
  req.socket.destroy();
};

export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), "intake-s3-"));
  const server = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets: [{ name: BUCKET }] });
  // One request after the other, as they were done in S3 itself: this server's own files are not safe from two at once.
  let last: Promise<unknown> = Promise.resolve();
  server.middleware.unshift((_, next) => {
    const own = last.then(next);
    last = own.catch(() => undefined);
    return own;
  });
  let fault: TestS3["fault"];
  server.middleware.unshift((context, next) => (fault ? fault(context, next) : next()));
  const { port } = await server.run();
  const url = `http://127.0.0.1:${port}`;
  const env = (prefix: string) => ({
    FILES: `s3://${BUCKET}/${prefix}`,
    AWS_ENDPOINT_URL_S3: url,
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: "S3RVER",
  });
  return {
    url,
    env,
    client: (prefix, silence) => createS3Client(readS3Place(`s3://${BUCKET}/${prefix}`, env(prefix)), silence),
    keys(start = "") {
      const names = readdirSync(join(directory, BUCKET), { recursive: true, encoding: "utf8" });
      const keys = names.filter((name) => name.endsWith(OBJECT)).map((name) => name.slice(0, -OBJECT.length).replaceAll("\\", "/"));
      return keys.filter((key) => key.startsWith(start)).sort();
    },
    seed(keys) {
      for (const key of keys) {
        const path = join(directory, BUCKET, `${key}${OBJECT}`);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, "");
      }
    },
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
    },
    async close() {
      const closed = server.close();
      server.httpServer.closeAllConnections();
      await closed;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
