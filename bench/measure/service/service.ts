// Measures filling, single requests and lists of the service on SQLite and on PostgreSQL.

import { customerRows } from "../../support/customers.ts";
import { startProcess, startService } from "../../support/service.ts";
import { type FillingFigures, measureFilling } from "./filling.ts";
import { type IsolationFigures, measureIsolation } from "./isolation.ts";
import { type ListsFigures, measureLists } from "./lists.ts";
import { measurePostgres, type PostgresFigures } from "./postgres.ts";
import { measureRequests, type RequestFigures } from "./requests.ts";

// Without the limit of 50 requests a second for each key.
const UNBOUNDED = { RATE_PER_SECOND: "1000000", RATE_BURST: "1000000" };
const MOST_IN_MAP = 100_000; // records of bare Fastify

export interface ServiceFigures {
  filling: FillingFigures;
  requests: RequestFigures[];
  lists: ListsFigures;
  isolation: IsolationFigures;
  postgres: PostgresFigures;
}

/** `postgres` records there; 0 leaves it out. `tell` hears each part as soon as it is measured. */
export async function measureService(
  { records, postgres, rounds }: { records: number; postgres: number; rounds: number },
  report: (part: Partial<ServiceFigures>) => void,
): Promise<Partial<ServiceFigures>> {
  const figures: Partial<ServiceFigures> = {};
  const add = (part: Partial<ServiceFigures>) => {
    Object.assign(figures, part);
    report(part);
  };
  const service = await startService(UNBOUNDED);
  try {
    add({ filling: await measureFilling(service, records) });
    const token = await service.signIn();
    add({ lists: await measureLists(service, token, records) });
    const ids = Array.from(customerRows(records), ([id]) => id);
    add({ isolation: await measureIsolation(service, token, ids) });
    const bareRecords = Math.min(records, MOST_IN_MAP);
    const bare = await startProcess(["--import", "tsx", "bench/floors/bare-fastify.ts", String(bareRecords)]);
    try {
      add({ requests: await measureRequests({ service, bare, bareRecords, token, records }, rounds) });
    } finally {
      await bare.stop();
    }
  } finally {
    await service.stop();
  }
  if (postgres > 0) add({ postgres: await measurePostgres(postgres, rounds, UNBOUNDED) });
  return figures;
}
