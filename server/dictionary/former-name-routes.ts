// The names that fields had before, and how often they are still used.

import type { FormerName } from "../../core/contract/dictionary.ts";
import { API_ROOT, FORMER_NAMES_PATH } from "../../core/contract/paths.ts";
import { SHAPE } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { workingNames } from "../../core/dictionary/column-name.ts";
import type { Store } from "../engine/store.ts";
import { listOf, named, object } from "../http/json-schemas.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { type FormerNameUses, firstCountedDay } from "./count-former-names.ts";
import type { UsesOfName } from "./store/former-name-uses.ts";

const DAY = 86_400_000; // ms

/** Lists all former names that work, those that nobody uses, too. */
export function formerNamesRoute(collections: readonly Collection[], store: Store, uses: Pick<FormerNameUses, "flush">): Route {
  return {
    url: API_ROOT + FORMER_NAMES_PATH,
    GET: {
      scope: SHAPE,
      doc: {
        id: "list_former_names",
        summary: "The names that fields had before and that still work, with their uses",
        responses: { 200: object({ names: listOf(named("IntakeFormerName")) }) },
      },
      async handle() {
        await uses.flush();
        return jsonAnswer(200, { names: namesOf(collections, await readUses(store)) }, NO_STORE);
      },
    },
  };
}

export function readUses({ formerNames }: Pick<Store, "formerNames">): Promise<UsesOfName[]> {
  return formerNames.listUses(firstCountedDay());
}

/** Returns the day as a date, in UTC. */
export function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

function namesOf(collections: readonly Collection[], used: readonly UsesOfName[]): FormerName[] {
  return collections.flatMap((collection) =>
    collection.fields.flatMap((field) =>
      workingNames(field)
        .filter((name) => !collection.byName.has(name))
        .map((name) => {
          const found = used.find((one) => one.collection === collection.name && one.name === name);
          const last = found && { lastUsedOn: dateOf(found.lastDay), lastUsedBy: found.lastBy };
          const known = { collection: collection.name, field: field.name, name, uses: found?.uses ?? 0 };
          return { ...known, lastUsedOn: null, lastUsedBy: null, ...last };
        }),
    ),
  );
}
