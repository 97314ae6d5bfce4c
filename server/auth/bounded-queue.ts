// Runs a few tasks at once; a bounded number of others waits in turn.

/** Thrown when so many tasks wait that one more may not. A route answers 503. */
export class QueueFull extends Error {}

/** `atOnce` tasks run, `waiting` more may wait. The function answers what the task answers, and throws QueueFull or what it throws. */
export function createQueue(atOnce: number, waiting: number): <T>(task: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < atOnce) running++;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else throw new QueueFull("Too many tasks wait already.");
    try {
      return await task();
    } finally {
      // Whoever waits longest takes over this place, so `running` stays.
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
