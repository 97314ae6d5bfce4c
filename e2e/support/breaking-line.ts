// A line to a service that breaks as a bad network does, in the middle of what is sent.

import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

export interface BreakingLine {
  port: number;
  /** How often it has broken. */
  broken: number;
  /** Bytes that have gone to the service. */
  sent: number;
  close(): void;
}

/** Breaks all connections each time that so many bytes more have gone to `port`, `times` in all. */
export async function startBreakingLine(port: number, { bytes, times }: { bytes: number; times: number }): Promise<BreakingLine> {
  const open = new Set<Socket>();
  let left = bytes;
  const server = createServer((from) => {
    const to = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
    to.pipe(from);
    from.on("data", (piece: Buffer) => {
      line.sent += piece.length;
      left -= piece.length;
      if (left <= 0 && line.broken < times) {
        left = bytes;
        line.broken += 1;
        for (const socket of open) socket.resetAndDestroy();
        return;
      }
      if (!to.write(piece)) {
        from.pause();
        to.once("drain", () => from.resume());
      }
    });
    from.on("end", () => to.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const line: BreakingLine = {
    port: (server.address() as AddressInfo).port,
    broken: 0,
    sent: 0,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
  return line;
}
