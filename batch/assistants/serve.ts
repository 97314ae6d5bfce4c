// `mcp`: serves assistants, over standard input and output or over HTTP. It is loaded with this command alone.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ApiError, NoReply } from "../../client/errors.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, EXIT, type Exit, systemError } from "../console/exit-codes.ts";
import { printable } from "../console/printable.ts";
import type { Screen } from "../console/progress.ts";
import { connectionWarning, readAddress, readConnection } from "../runs/connection.ts";
import { createAssistantServer } from "./assistant-server.ts";
import { createCallers } from "./callers.ts";
import { createEndpoint, MCP_PATH } from "./http-endpoint.ts";
import { createProposals } from "./proposals.ts";

const LAST_ANSWERS = 5_000; // ms that requests have to end once the command is asked to stop
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

interface ServeParts {
  env: Readonly<Record<string, string | undefined>>;
  out: Screen;
  error: Screen;
  signal: AbortSignal;
  now(): number;
}

/** Resolves once the client has gone or the command is asked to stop. Throws CommandError. */
export async function serveAssistants(options: Options, parts: ServeParts): Promise<Exit> {
  await (options.http === undefined ? serveOverStdio(options, parts) : serveOverHttp(options.http, options, parts));
  return { code: EXIT.stored, sentence: "" };
}

async function serveOverStdio({ config }: Options, { env, error, signal, now }: ServeParts): Promise<void> {
  const connection = await readConnection(env, config);
  const warn = (sentence: string) => void error.write(`${printable(sentence)}\n`);
  const warning = connectionWarning(connection);
  if (warning) warn(warning);
  const callers = createCallers(connection.baseUrl, now);
  const identify = (given: AbortSignal) => callers.identify(connection.key, given);
  const scope = await identify(signal).then(
    (caller) => caller.scope,
    (why: unknown) => {
      if (why instanceof ApiError && why.status < 500 && why.status !== 429) throw new CommandError(EXIT.unreached, why.message);
      if (!(why instanceof ApiError || why instanceof NoReply)) throw why;
      warn(`${why.message} It is asked again with each call.`);
      return undefined;
    },
  );
  const proposals = createProposals(now);
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const served = serveStdio(() => createAssistantServer({ identify, proposals, scope }), { onerror: (why) => warn(why.message) });
  await ended;
  await served.close();
}

async function serveOverHttp(
  address: string,
  { config, allowHosts }: Options,
  { env, out, error, signal, now }: ServeParts,
): Promise<void> {
  const { host, port } = readListen(address);
  const service = await readAddress(env, config);
  const warning = connectionWarning(service);
  if (warning) error.write(`${warning}\n`);
  const isLoopback = LOOPBACK.includes(host.includes(":") ? `[${host}]` : host);
  if (!isLoopback && allowHosts.length === 0)
    throw new CommandError(
      EXIT.nothing,
      "Who listens to a network says by which names callers reach it: --allow-hosts intake.example.org.",
    );
  const hosts = [...LOOPBACK, ...allowHosts];
  const onError = (why: Error) => void error.write(`${printable(why.message)}\n`);
  const endpoint = createEndpoint({ callers: createCallers(service.baseUrl, now), proposals: createProposals(now), hosts, onError });
  const at = await listen(endpoint, host, port);
  out.write(`Assistants are served at http://${host.includes(":") ? `[${host}]` : host}:${at}${MCP_PATH}, each with their own key.\n`);
  await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true })));
  await close(endpoint);
}

/** Reads PORT, HOST:PORT or [ADDRESS]:PORT. Throws CommandError. */
function readListen(text: string): { host: string; port: number } {
  const { host, address, port } = /^(?:(?:(?<host>[\w.-]+)|\[(?<address>[\da-fA-F:.]+)\]):)?(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535)
    throw new CommandError(EXIT.nothing, `--http is a port, or an address and a port, such as 127.0.0.1:8090, not "${text}".`);
  return { host: host ?? address ?? "127.0.0.1", port: Number(port) };
}

/** Resolves with the port. Throws CommandError where it is taken. */
function listen(endpoint: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    endpoint.once("error", (why: NodeJS.ErrnoException) => {
      const reason = why.code === "EADDRINUSE" ? "another program uses it" : systemError(why);
      reject(reason === undefined ? why : new CommandError(EXIT.nothing, `Cannot listen at ${host}:${port}: ${reason}.`));
    });
    endpoint.listen(port, host, () => resolve((endpoint.address() as AddressInfo).port));
  });
}

async function close(endpoint: Server): Promise<void> {
  const late = setTimeout(() => endpoint.closeAllConnections(), LAST_ANSWERS);
  await new Promise<void>((resolve) => {
    endpoint.close(() => resolve());
    endpoint.closeIdleConnections();
  });
  clearTimeout(late);
}
