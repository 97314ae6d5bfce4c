// For whoever runs the service: is the process alive, and can it take requests. Open to all, tells nothing else.

import type { Store } from "../store/store.ts";
import type { Door } from "./door.ts";
import { jsonAnswer } from "./json.ts";
import { unavailable } from "./refusal.ts";
import { object } from "./schemas.ts";

export function healthDoors(store: Store, isStopping: () => boolean): Door[] {
  const ok = () => jsonAnswer(200, { status: "ok" }, { "cache-control": "no-store" });
  return [
    { url: "/livez", GET: { scope: "open", doc: docOf("livez", "Whether the process is alive"), handle: async () => ok() } },
    {
      url: "/readyz",
      GET: {
        scope: "open",
        doc: { ...docOf("readyz", "Whether the service can take requests"), refuses: [503] },
        async handle() {
          if (isStopping()) throw unavailable();
          await store.ping().catch(() => {
            throw unavailable();
          });
          return ok();
        },
      },
    },
  ];
}

function docOf(id: string, summary: string) {
  return { id, summary, answers: { 200: object({ status: { const: "ok" } }) } };
}
