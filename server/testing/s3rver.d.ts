// Says what the tests use of @20minutes/s3rver, which comes without types.

declare module "@20minutes/s3rver" {
  import type { IncomingMessage, Server } from "node:http";
  import type { Readable } from "node:stream";

  export interface Context {
    method: string;
    path: string;
    status: number;
    type: string;
    body: Readable | string | object | undefined;
    query: Record<string, string>;
    req: IncomingMessage;
    set(name: string, value: string): void;
  }
  export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;

  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default class S3rver {
    constructor(options: { address: string; port: number; silent: boolean; directory: string; configureBuckets: { name: string }[] });
    /** Of Koa: the first comes first. */
    middleware: Middleware[];
    httpServer: Server;
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
