// Services behind a balancer are stopped and started one after another while clients send: no client notices.

import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type Balancer, openBalancer } from "../../testing/balancer.ts";
import { ADMIN_SECRET, authorize, killProcesses, readAll, type Started, startProcess } from "../../testing/process.ts";
import { rounds } from "../../testing/rounds.ts";
import { createTestDatabase } from "../../testing/store.ts";

const SERVICES = 2;
const CLIENTS = 6;
const STOPS = rounds(2, 100);
const DRAIN_SECONDS = 5; // many times as long as the balancer needs to notice, also on a busy machine

afterEach(killProcesses);

interface Traffic {
  /** Says what went wrong, in words. */
  faults: string[];
  requests: number;
  /** Requests on a connection that had carried one before. */
  reused: number;
  posted: number;
}

/** Sends reads and writes on one connection as long as that stays open, then on the next one. */
async function send(url: string, headers: Record<string, string>, client: number, traffic: Traffic, isOver: () => boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let i = 0; !isOver(); i++) {
    const isPost = i % 2 === 0;
    const body = JSON.stringify({ lastName: "Ek", accountID: `${client}-${i}` });
    const status = await new Promise<number | string>((resolve) => {
      const outgoing = request(`${url}/v1/customers${isPost ? "" : "?limit=5"}`, { agent, method: isPost ? "POST" : "GET", headers });
      outgoing.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      outgoing.on("response", (reply) => {
        if (outgoing.reusedSocket) traffic.reused++;
        reply
          .resume()
          .on("error", (error) => resolve(error.message))
          .on("end", () => resolve(reply.statusCode ?? 0));
      });
      outgoing.end(isPost ? body : undefined);
    });
    traffic.requests++;
    if (status === 201) traffic.posted++;
    else if (status !== 200) traffic.faults.push(`request ${traffic.requests}: ${isPost ? "POST" : "GET"} ${status}`);
    await wait(5);
  }
  agent.destroy();
}

async function startBehind(balancer: Balancer, env: Record<string, string>): Promise<Started> {
  const service = await startProcess(env);
  expect(service.url, service.output()).not.toBe("");
  balancer.add(service.url);
  await expect.poll(() => balancer.isInUse(service.url), { timeout: 60_000 }).toBe(true);
  return service;
}

test(`${STOPS} rolling stops break no connection and fail no request`, { timeout: 7_200_000 }, async () => {
  const database = await createTestDatabase();
  const limits = { RATE_PER_SECOND: "100000", RATE_BURST: "100000", DRAIN_SECONDS: String(DRAIN_SECONDS) };
  const env = { DATABASE_URL: database.url ?? "", ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, ...limits };
  const balancer = await openBalancer();
  const services = await Promise.all(Array.from({ length: SERVICES }, () => startBehind(balancer, env)));
  const headers = await authorize(balancer.url, "preset", ADMIN_SECRET);
  const traffic: Traffic = { faults: [], requests: 0, reused: 0, posted: 0 };
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, (_, i) => send(balancer.url, headers, i, traffic, () => isOver));
  for (let stop = 0; stop < STOPS; stop++) {
    const { child, ended, url } = services.shift() as Started;
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    balancer.remove(url);
    services.push(await startBehind(balancer, env));
  }
  isOver = true;
  await Promise.all(clients);
  if (process.env.DEEP) process.stdout.write(`rolling stops: ${JSON.stringify({ STOPS, ...traffic })}\n`);
  expect([...traffic.faults, ...balancer.faults()]).toEqual([]);
  expect(traffic.reused).toBeGreaterThan(0);
  expect(await readAll(balancer.url, headers)).toHaveLength(traffic.posted);
  await balancer.close();
  killProcesses();
  await Promise.all(services.map(({ ended }) => ended));
  await database.drop();
});
