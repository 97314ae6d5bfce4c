import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const DAY = 24 * 3_600_000;
const WEEK = 7 * DAY;
const now = Date.now();

let host: Server;
let hostTime: number;

beforeEach(async () => {
  vi.resetModules(); // what one test has heard, the next one has not
  hostTime = now;
  host = createServer((_, response) => response.writeHead(200, { Date: new Date(hostTime).toUTCString() }).end());
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  vi.stubGlobal("document", { baseURI: `http://127.0.0.1:${(host.address() as AddressInfo).port}/` });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  host.close();
});

const setClock = (time: number) => vi.spyOn(Date, "now").mockReturnValue(time);
const old = async (storedAt: number) => (await import("./clock.ts")).olderThan(WEEK, [storedAt], (one) => one);

test("a clock that is set ahead makes nothing old", async () => {
  setClock(now + 365 * DAY);
  expect(await old(now - 6 * DAY)).toEqual([]);
});

test("what is older than a week by both clocks is old", async () => {
  hostTime = now + 8 * DAY;
  setClock(now + 8 * DAY);
  expect(await old(now)).toEqual([now]);
});

test("a host that is ahead makes nothing old, and one that does not answer neither", async () => {
  hostTime = now + 365 * DAY;
  expect(await old(now - 6 * DAY)).toEqual([]);
  vi.stubGlobal("document", { baseURI: "http://127.0.0.1:1/" });
  vi.resetModules();
  setClock(now + 8 * DAY);
  expect(await old(now)).toEqual([]);
});

test("what is stored on a slow clock has the time of the host", async () => {
  setClock(0);
  const { timeToStore } = await import("./clock.ts");
  await vi.waitFor(() => expect(timeToStore()).toBeGreaterThan(now - 2_000), { timeout: 20_000 });
});
