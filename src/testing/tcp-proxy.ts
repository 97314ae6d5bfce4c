// A TCP proxy before a test's service, which cuts connections and holds answers back as those on the way to an office do.

import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  origin: string;
  /** Requests with this text in their head get no byte of an answer, until `pass`. */
  hold(text: string): void;
  /** Connections with such a request are cut soon after it. */
  cutAfter(text: string): void;
  pass(): void;
  /** Cuts every connection. */
  cut(): void;
  /** How many requests with this text in their head came so far. */
  requests(text: string): number;
  close(): Promise<void>;
}

const CUT_AFTER = 50; // ms

export async function openTcpProxy(target: string): Promise<TcpProxy> {
  const { port, hostname } = new URL(target);
  const links = new Set<() => void>();
  const heads: string[] = [];
  let held: string | undefined;
  let cutText: string | undefined;
  const server = createServer((near: Socket) => {
    const far = connect(Number(port), hostname);
    let isHeld = false;
    const end = () => {
      links.delete(end);
      near.destroy();
      far.destroy();
    };
    links.add(end);
    near.on("data", (chunk) => {
      const head = chunk.toString("latin1");
      if (/^[A-Z]+ \//.test(head)) heads.push(head);
      isHeld = held !== undefined && head.includes(held);
      if (cutText !== undefined && head.includes(cutText)) setTimeout(end, CUT_AFTER);
      far.write(chunk);
    });
    far.on("data", (chunk) => !isHeld && near.write(chunk));
    for (const socket of [near, far]) socket.setNoDelay().on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const end of links) end();
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    hold(text) {
      held = text;
    },
    cutAfter(text) {
      cutText = text;
    },
    pass() {
      held = undefined;
      cutText = undefined;
    },
    cut,
    requests: (text) => heads.filter((head) => head.includes(text)).length,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
