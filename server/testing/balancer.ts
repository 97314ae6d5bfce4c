// A TCP balancer before several services, which asks each at /readyz as docs/operators.md says.

import { connect, createServer, type Socket } from "node:net";

export interface Balancer {
  url: string;
  /** Takes part once it is ready. */
  add(serviceUrl: string): void;
  remove(serviceUrl: string): void;
  isInUse(serviceUrl: string): boolean;
  /** Connections to services that were refused or reset. */
  faults(): string[];
  close(): Promise<void>;
}

const CHECK_EVERY = 200; // ms
const CHECK_WITHIN = 2_000; // ms

/** Each new connection goes to the next service that is ready; it stays there when the service is no longer ready. */
export async function openBalancer(): Promise<Balancer> {
  const services = new Map<string, boolean>(); // URL to whether it was ready last
  const sockets = new Set<Socket>();
  const faults: string[] = [];
  let turn = 0;

  async function check(url: string): Promise<void> {
    const init = { headers: { connection: "close" }, signal: AbortSignal.timeout(CHECK_WITHIN) };
    const isReady = await fetch(`${url}/readyz`, init).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (services.has(url)) services.set(url, isReady);
  }

  function link(near: Socket): void {
    const ready = [...services].filter(([, isReady]) => isReady);
    const [url] = ready[turn++ % Math.max(1, ready.length)] ?? [];
    if (!url) return void near.destroy();
    const { hostname, port } = new URL(url);
    const far = connect({ port: Number(port), host: hostname, allowHalfOpen: true, noDelay: true });
    far.on("error", (error: NodeJS.ErrnoException) => faults.push(`${url} ${error.code}`));
    for (const [own, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(own);
      own
        .on("error", () => other.destroy())
        .once("close", () => sockets.delete(own))
        .pipe(other);
    }
  }

  const checks = setInterval(() => void Promise.all([...services.keys()].map(check)), CHECK_EVERY);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, link);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    add: (url) => void services.set(url, false),
    remove: (url) => void services.delete(url),
    isInUse: (url) => services.get(url) ?? false,
    faults: () => faults,
    async close() {
      clearInterval(checks);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
