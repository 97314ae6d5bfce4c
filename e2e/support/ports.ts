import { createServer } from "node:net";

/** The services of a test run, and the addresses where tests serve the app as plain files. */
const PLACES = ["main", "staff", "orders", "large", "empty", "foreign", "host", "otherHost", "nobody", "staleHost"] as const;
export type Place = (typeof PLACES)[number];

// Systems give ports above these to whoever connects to something: none of those is taken between the search and the start of a service.
const FIRST = 20_000;
const LAST = 31_999;

/** The runner finds free ports and hands them to its workers, which read this module for themselves. */
process.env.E2E_PORTS ??= (await findFreePorts(PLACES.length)).join();
const found = process.env.E2E_PORTS.split(",").map(Number);

export const PORTS = Object.fromEntries(PLACES.map((place, i) => [place, found[i]])) as Record<Place, number>;

export async function findFreePort(): Promise<number> {
  return (await findFreePorts(1))[0] as number;
}

/** Begins anywhere in the range, so that two runs on one machine do not meet. */
async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  const size = LAST - FIRST + 1;
  const start = Math.floor(Math.random() * size);
  for (let i = 0; i < size && ports.length < count; i++) {
    const port = FIRST + ((start + i) % size);
    if (await isFree(port)) ports.push(port);
  }
  if (ports.length < count) throw new Error(`There are no ${count} free ports between ${FIRST} and ${LAST}.`);
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
