// The service's table: filled, asked and listed on SQLite, then on PostgreSQL, each beside its floor. Prints nothing.

import { type FillingFigures, measureFilling } from "./measure-filling.ts";
import { type ListsFigures, measureLists } from "./measure-lists.ts";
import { measurePostgres, type PostgresFigures } from "./measure-postgres.ts";
import { measureRequests, type RequestFigures } from "./measure-requests.ts";
import { startProcess, startService } from "./service.ts";

// A key may ask 50 times a second; what is measured is how often the service can answer.
const UNBOUNDED = { RATE_PER_SECOND: "1000000", RATE_BURST: "1000000" };
const MOST_IN_MAP = 100_000; // records of bare Fastify

export interface ServiceFigures {
  filling: FillingFigures;
  requests: RequestFigures[];
  lists: ListsFigures;
  postgres: PostgresFigures | undefined;
}

/** `postgres` records there; 0 leaves it out. */
export async function measureService(records: number, postgres: number, rounds: number): Promise<ServiceFigures> {
  const service = await startService(UNBOUNDED);
  try {
    const filling = await measureFilling(service, records);
    const token = await service.signIn();
    const lists = await measureLists(service, token, records);
    const bare = await startProcess(["bench/bare-fastify.ts", String(Math.min(records, MOST_IN_MAP))]);
    try {
      const requests = await measureRequests({ service, bare, token, records }, rounds);
      await service.stop();
      return { filling, requests, lists, postgres: postgres > 0 ? await measurePostgres(postgres, UNBOUNDED) : undefined };
    } finally {
      await bare.stop();
    }
  } finally {
    await service.stop();
  }
}
