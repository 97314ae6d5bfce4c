// Runs a few tasks at once; a bounded number of others waits in turn.

/** Is thrown when so many tasks wait that one more may not. A route answers 503. */
export class QueueFull extends Error {}

interface Waiting {
  rank: number;
  begin(): void;
  refuse(error: QueueFull): void;
}

/**
 * `atOnce` tasks run, `waiting` more may wait. Those of a lower rank run first, equal ones in the order in which they came. When all
 * places are taken, the last one of the highest rank gives its place to a task of a lower one: so whoever sends many tasks, each with
 * a higher rank than the one before, makes nobody wait who sends few.
 *
 * The function answers what the task answers, and throws QueueFull or what it throws.
 */
export function createQueue(atOnce: number, waiting: number): <T>(task: () => Promise<T>, rank?: number) => Promise<T> {
  const queue: Waiting[] = []; // the next one first
  let running = 0;

  function wait(rank: number): Promise<void> {
    return new Promise((begin, refuse) => {
      const behind = queue.findIndex((other) => other.rank > rank);
      queue.splice(behind === -1 ? queue.length : behind, 0, { rank, begin, refuse });
      if (queue.length > waiting) queue.pop()?.refuse(new QueueFull("Too many tasks wait already."));
    });
  }

  return async (task, rank = 0) => {
    if (running < atOnce) running++;
    else await wait(rank);
    try {
      return await task();
    } finally {
      // Whoever is next takes over this place, so `running` stays.
      const next = queue.shift();
      if (next) next.begin();
      else running--;
    }
  };
}
