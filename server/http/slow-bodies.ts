// Requests whose bodies may take longer to arrive than others: files, by a slow line.

import type { IncomingMessage } from "node:http";

const allowed = new WeakSet<IncomingMessage>();

/** Lets the body of this request take its time. A connection without a byte ends all the same. */
export function allowSlowBody(request: IncomingMessage): void {
  allowed.add(request);
}

export function mayBeSlow(request: IncomingMessage): boolean {
  return allowed.has(request);
}
