// A TCP proxy before the test run's PostgreSQL server, whose connections break in the ways that networks do.

import { connect, createServer, type Server, type Socket } from "node:net";

export interface PostgresProxy {
  /** Is like the server's URL, but leads through the proxy. */
  url: string;
  /**
   * Resets the connection that sends the next COMMIT: before the server gets it, or when the server has answered it.
   * `all`: with it every other connection, and new ones are refused until `open`.
   */
  cutAtCommit(when: "before" | "after", all?: boolean): void;
  /** Says how many COMMITs were cut. */
  cuts(): number;
  /** Ends every connection and refuses new ones until `open`. */
  cut(): Promise<void>;
  open(): Promise<void>;
  /** Open connections stay open but carry nothing any more, as after a firewall's loss of memory. `alsoNew`: later ones as well. */
  silence(alsoNew?: boolean): void;
  /** Connections made from now on carry what is sent; those that were silenced stay so. */
  restore(): void;
}

const COMMIT = Buffer.from("COMMIT\0");

export async function openPostgresProxy(serverUrl: string): Promise<PostgresProxy> {
  const target = new URL(serverUrl);
  const links = new Set<{ near: Socket; far: Socket; isSilent: boolean }>();
  let server: Server;
  let port = 0;
  let cutNext: { when: "before" | "after"; all: boolean } | undefined;
  let cuts = 0;
  let isSilent = false;

  function link(near: Socket): void {
    const far = connect(Number(target.port), target.hostname);
    const pair = { near, far, isSilent };
    links.add(pair);
    const end = () => {
      links.delete(pair);
      near.destroy();
      far.destroy();
    };
    let atAnswer: (() => void) | undefined;
    near.on("data", (chunk) => {
      if (pair.isSilent) return;
      if (cutNext && chunk.subarray(-COMMIT.length).equals(COMMIT)) {
        const { when, all } = cutNext;
        const now = all ? () => void cut() : end;
        cutNext = undefined;
        cuts++;
        if (when === "before") return now();
        atAnswer = now;
      }
      far.write(chunk);
    });
    far.on("data", (chunk) => {
      if (atAnswer) atAnswer();
      else if (!pair.isSilent) near.write(chunk);
    });
    for (const socket of [near, far])
      socket
        .setNoDelay()
        .on("error", end)
        .on("close", () => !pair.isSilent && end());
  }

  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer(link).listen(port, "127.0.0.1", () => {
        port = (server.address() as { port: number }).port;
        resolve();
      });
    });
  async function cut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const { near, far } of links) for (const socket of [near, far]) socket.destroy();
    links.clear();
    await closed;
  }
  await open();
  const url = new URL(serverUrl);
  url.port = String(port);
  return {
    url: url.href,
    cutAtCommit(when, all = false) {
      cutNext = { when, all };
    },
    cuts: () => cuts,
    cut,
    open,
    silence(alsoNew = false) {
      for (const pair of links) pair.isSilent = true;
      isSilent = alsoNew;
    },
    restore() {
      isSilent = false;
    },
  };
}
