// For whoever runs the service: is the process alive, and can it take requests. Open to all, tells nothing else.

import type { Store } from "../store/store.ts";
import type { Door } from "./door.ts";
import { jsonAnswer } from "./json.ts";
import { unavailable } from "./refusal.ts";

export function healthDoors(store: Store, isStopping: () => boolean): Door[] {
  const ok = () => jsonAnswer(200, { status: "ok" }, { "cache-control": "no-store" });
  return [
    { url: "/livez", GET: { scope: "open", handle: async () => ok() } },
    {
      url: "/readyz",
      GET: {
        scope: "open",
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
