// Liveness and readiness, for load balancers and supervisors.

import { type Store, StoreUnavailable } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { object } from "../http/json-schemas.ts";
import { jsonAnswer } from "../http/responses.ts";
import type { Route } from "../http/route.ts";

const READY_WITHIN = 1_500; // ms; a balancer waits 2 s or more

export function healthRoutes(store: Store, isStopping: () => boolean): Route[] {
  const ok = () => jsonAnswer(200, { status: "ok" }, { "cache-control": "no-store" });
  return [
    {
      url: "/livez",
      GET: { scope: "open", ignoresParameters: true, doc: docOf("livez", "Whether the process is alive"), handle: async () => ok() },
    },
    {
      url: "/readyz",
      GET: {
        scope: "open",
        ignoresParameters: true,
        doc: { ...docOf("readyz", "Whether the service can take requests"), errors: [503] },
        async handle() {
          if (isStopping()) throw httpErrors.unavailable();
          await within(READY_WITHIN, store.ping());
          return ok();
        },
      },
    },
  ];
}

/** Throws StoreUnavailable, of which the log has the reason, when the work fails or takes longer than `ms`. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable("the store did not answer in time")), ms);
  });
  try {
    await Promise.race([work, late]);
  } catch (cause) {
    throw cause instanceof StoreUnavailable ? cause : new StoreUnavailable("the store is not ready", { cause });
  } finally {
    clearTimeout(timer);
  }
}

function docOf(id: string, summary: string) {
  return { id, summary, responses: { 200: object({ status: { const: "ok" } }) } };
}
