// Files that come in several requests, as a test sends them.

import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import type { TestService } from "./service.ts";

const file = (name: string, more: object = {}) => ({ name, title: name, type: "string", format: "file", ...more });
export const DEVICES = {
  title: "Equipment",
  resources: [
    {
      name: "devices",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "name", type: "string" },
          { name: "site", type: "string" },
          file("scan", { formerNames: ["paper"], maxSize: 20_000_000 }),
          file("photo", { accept: ["image/*"] }),
        ],
        primaryKey: ["id"],
      },
    },
  ],
};

export const PIECE = 4_194_304; // bytes
export const BYTES = randomBytes(10_000_000); // three pieces
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
export const storedAs = (name: string, bytes = BYTES) =>
  `${name} (application/octet-stream, ${bytes.length} bytes, sha256 ${hashOf(bytes)})`;
export const idIn = (address: string) => address.split("/").at(-1) ?? "";

type Headers = Record<string, string>;
export const as = (token: string, headers: Headers = {}) => ({ authorization: `Bearer ${token}`, ...headers });

interface Begun {
  token?: string;
  length?: number;
  headers?: Headers;
  field?: string;
}

/** `admin`: whose token is sent unless another one is given. */
export function uploadTools(service: TestService, admin: string) {
  let last = 0;
  async function newDevice(fields: object = {}): Promise<number> {
    last += 1;
    expect((await service.call("POST", "/v1/devices", { id: last, name: `Device ${last}`, ...fields })).status).toBe(201);
    return last;
  }

  function begin(id: number, { token = admin, length = BYTES.length, headers = {}, field = "scan" }: Begun = {}) {
    const own = as(token, { "upload-length": String(length), ...headers });
    return service.raw("POST", `/v1/devices/${id}/${field}/uploads?name=big.bin`, own);
  }

  async function begun(id: number, how: Begun = {}): Promise<string> {
    const { status, headers } = await begin(id, how);
    expect(status).toBe(201);
    return headers.location ?? "";
  }

  function add(address: string, offset: number, bytes: Buffer, { token = admin, headers = {} }: Begun = {}) {
    const type = { "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
    return service.raw("PATCH", address, as(token, { ...type, ...headers }), bytes);
  }

  const ask = (address: string, token = admin) => service.raw("HEAD", address, as(token));
  const offsetOf = async (address: string, token = admin) => Number((await ask(address, token)).headers["upload-offset"]);
  const drop = (address: string) => service.raw("DELETE", address, as(admin));
  const recordOf = async (id: number) => (await service.call("GET", `/v1/devices/${id}`)).json;

  /** The uploads of which pieces are kept. */
  function unfinished(): string[] {
    const folder = join(service.folder, "files", "unfinished");
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  /** A person with a role of these conditions. */
  async function role(conditions: object): Promise<{ id: string; token: string; role: string }> {
    const made = await service.call("POST", "/v1/roles", { name: `R${Math.random()}`, scope: "devices:read devices:update", conditions });
    return { ...(await service.newPerson(made.json.id)), role: made.json.id };
  }

  const sockets: Socket[] = [];

  async function opened(head: string, hear: (text: string) => void): Promise<Socket> {
    if (!service.app.server.listening) await service.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = service.app.server.address() as { port: number };
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => undefined); // the answer says it
    socket.on("data", (piece) => hear(piece.toString("latin1")));
    socket.write(head);
    return socket;
  }

  /** Sends by a connection of its own, as much as is asked for, and says how the answer begins. */
  function slowly(address: string, token: string, offset: number, bytes: Buffer) {
    let [at, answer] = [offset, ""];
    const lines = [
      `PATCH ${address} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/offset+octet-stream`,
      `Upload-Offset: ${offset}\r\nContent-Length: ${bytes.length - offset}\r\nConnection: close\r\n\r\n`,
    ];
    const socket = opened(lines.join("\r\n"), (text) => {
      answer += text;
    });
    return {
      async sent(until: number): Promise<void> {
        const piece = bytes.subarray(at, until);
        at = until;
        const to = await socket;
        await new Promise<void>((resolve) => to.write(piece, () => resolve()));
      },
      cut: async () => (await socket).destroy(),
      async status(): Promise<number> {
        await expect.poll(() => answer, { timeout: 20_000 }).toContain("\r\n\r\n");
        return Number(answer.split(" ")[1]);
      },
    };
  }

  function close(): void {
    for (const socket of sockets) socket.destroy();
  }

  return { newDevice, begin, begun, add, ask, offsetOf, drop, recordOf, unfinished, role, slowly, close };
}
