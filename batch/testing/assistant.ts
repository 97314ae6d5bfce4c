// Assistants as the library's own client speaks for them, over both ways, for tests.

import { EventEmitter, once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { setCatalogue } from "../../core/i18n/translate.ts";
import { builtFile } from "../../server/testing/built-files.ts";
import { runCommand } from "../command.ts";

/** Which revision of the protocol a client speaks: that of 2026, or the ones before. */
export type Era = "modern" | "legacy";
export const ERAS: readonly Era[] = ["modern", "legacy"];

export interface Answered {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
  json: any;
}

export interface Assistant {
  client: Client;
  call(name: string, args?: object, signal?: AbortSignal): Promise<Answered>;
  /** Calls it, and throws its words if it is refused. Resolves with what it answered. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
  done(name: string, args?: object): Promise<any>;
  /** Calls it, and throws unless it is refused. Resolves with the words of the refusal. */
  refused(name: string, args?: object): Promise<string>;
  close(): Promise<void>;
}

async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport, era: Era): Promise<Assistant> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
  );
  await client.connect(transport);
  const call: Assistant["call"] = async (name, args = {}, signal) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args as Record<string, unknown> }, signal && { signal });
    const [first] = content as { type: string; text: string }[];
    const text = first?.text ?? "";
    return { isError, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
  };
  return {
    client,
    call,
    async done(name, args) {
      const { isError, text, json } = await call(name, args);
      if (isError) throw new Error(`${name} was refused: ${text}`);
      return json;
    },
    async refused(name, args) {
      const { isError, text } = await call(name, args);
      if (!isError) throw new Error(`${name} was not refused: ${text}`);
      return text;
    },
    close: () => client.close(),
  };
}

/** Spawns the real command. */
export function overStdio(url: string, key: string, era: Era = "modern"): Promise<Assistant> {
  const args = [builtFile("intake-batch.js"), "mcp"];
  const env = { PATH: process.env.PATH ?? "", INTAKE_URL: url, INTAKE_KEY: key };
  return connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }), era);
}

export function overHttp(endpoint: string, key: string, era: Era = "modern"): Promise<Assistant> {
  const headers = { Authorization: `Bearer ${key}` };
  return connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } }), era);
}

export interface Endpoint {
  url: string;
  /** What it has written to standard error. */
  errors(): string;
  /** Stops the command. Resolves with its exit code. */
  stop(): Promise<number>;
}

/** Runs the command within this process, on a free port. `now`: its clock. */
export async function startEndpoint(service: string, now: () => number = Date.now, more: readonly string[] = []): Promise<Endpoint> {
  const stopping = new AbortController();
  let errors = "";
  let notify: (url: string) => void = () => undefined;
  const started = new Promise<string>((resolve) => (notify = resolve));
  const out = { write: (text: string | Uint8Array) => notify(/http:\/\/\S+\/mcp/.exec(String(text))?.[0] ?? "") };
  const error = { write: (text: string | Uint8Array) => (errors += text) };
  const env = { INTAKE_URL: service };
  const ended = runCommand(["mcp", "--http", "0", ...more], { env, out, error, signal: stopping.signal, now });
  const url = await Promise.race([started, ended.then((code) => Promise.reject(new Error(`It ended with ${code}: ${errors}`)))]);
  return {
    url,
    errors: () => errors,
    async stop() {
      stopping.abort();
      const code = await ended;
      setCatalogue();
      return code;
    },
  };
}

export interface FaultyService {
  url: string;
  /** Resolves once a request that has `word` in its address has come. */
  untilAsked(): Promise<void>;
  /** Resolves once whoever sent it has gone. */
  untilGone(): Promise<void>;
  close(): void;
}

/**
 * Passes everything on to a service but what has `word` in its address. That never gets an answer; or the first time the service gets it,
 * and its answer is lost.
 */
export async function openFaultyService(service: string, word: string, fault: "no answer" | "lost answer"): Promise<FaultyService> {
  const seen = new EventEmitter();
  const [isAsked, isGone] = [once(seen, "asked"), once(seen, "gone")];
  let left = fault === "lost answer" ? 1 : Number.POSITIVE_INFINITY;
  const server = createServer((incoming, response) => {
    const isFaulty = incoming.url?.includes(word) === true && left-- > 0;
    if (isFaulty) {
      response.once("close", () => seen.emit("gone"));
      seen.emit("asked");
      if (fault === "no answer") return;
    }
    const { hostname, port } = new URL(service);
    const options = { hostname, port, method: incoming.method, headers: incoming.headers, path: incoming.url };
    const outgoing = request(options, (reply) => {
      if (isFaulty) response.destroy();
      else reply.pipe(response.writeHead(reply.statusCode ?? 502, reply.headers));
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    untilAsked: async () => void (await isAsked),
    untilGone: async () => void (await isGone),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
