// Says how far collections' values are computed anew.

import type { Computation } from "../../core/contract/dictionary.ts";
import { API_ROOT, COMPUTATIONS_PATH } from "../../core/contract/paths.ts";
import { SHAPE } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Store } from "../engine/store.ts";
import { listOf, named, object } from "../http/json-schemas.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import type { Route } from "../http/route.ts";

export function computationsRoute(collections: readonly Collection[], store: Store): Route {
  return {
    url: API_ROOT + COMPUTATIONS_PATH,
    GET: {
      scope: SHAPE,
      doc: {
        id: "list_computations",
        summary: "The last run of each collection that computed its values anew, the latest first, and how far it is",
        responses: { 200: object({ computations: listOf(named("IntakeComputation")) }) },
      },
      async handle() {
        const stored = await store.computations.readComputations();
        const computations = stored.flatMap(({ collection, run, day, state, at, seen, total, changed }): Computation[] => {
          const own = collections.find(({ name }) => name === collection);
          const fields = own?.fields.filter(({ computed }) => computed !== undefined).map(({ name }) => name) ?? [];
          const reason = run === `day-${day}` ? "day" : "formulas";
          if (fields.length === 0) return []; // they are plain now
          return [{ collection, fields, reason, run, state, at: new Date(at).toISOString(), seen, total: Math.max(seen, total), changed }];
        });
        return jsonAnswer(200, { computations }, NO_STORE);
      },
    },
  };
}
