// Lists what is retired, with the values that it keeps, and empties it for good.

import type { RetiredPart } from "../../core/contract/dictionary.ts";
import { API_ROOT, RETIRED_PATH } from "../../core/contract/paths.ts";
import { SHAPE } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { type Store, StoreOutdated } from "../engine/store.ts";
import { LAST_VERSION } from "../engine/versions.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object } from "../http/json-schemas.ts";
import { readParameters, text } from "../http/query-parameters.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import { type ConversionParts, changeable } from "./conversion-routes.ts";
import { withoutRetired } from "./convert-package.ts";
import { servedOf } from "./draft-impact.ts";
import { emptyingOf, type Retired, retiredParts } from "./emptier.ts";
import { mistakesIn } from "./mistakes.ts";

const MOST_VERSIONS = 50; // that are looked through for when something was retired

export function retiredRoutes(parts: ConversionParts): Route[] {
  return [
    {
      url: API_ROOT + RETIRED_PATH,
      GET: {
        scope: SHAPE,
        doc: {
          id: "list_retired",
          summary: "Fields and collections that are retired, with how many values they keep",
          responses: { 200: object({ retired: listOf(named("IntakeRetired")) }) },
        },
        async handle() {
          const { dataPackage, collections, store } = servedOf(parts.living);
          const found = retiredParts(dataPackage);
          const [since, emptyings] = [await sinceWhen(store, found), await store.emptyings.listEmptyings()];
          const retired: RetiredPart[] = [];
          for (const part of found) {
            const { id, resource, field } = part;
            const { at = null, by = null } = since.get(id) ?? {};
            retired.push({
              ...{ id, kind: field ? "field" : "collection", path: pathOf(part), title: String((field ?? resource).title ?? nameOf(part)) },
              ...{ count: await countOf(store, collections, part), at, by, isEmptying: emptyings.some((one) => one.id === id) },
            });
          }
          return jsonAnswer(200, { retired }, NO_STORE);
        },
      },
    },
    {
      url: `${API_ROOT}${RETIRED_PATH}/:id`,
      DELETE: {
        scope: SHAPE,
        doc: {
          id: "empty_retired",
          summary:
            "Empties what is retired for good: its values, those that the history has, and what finds them. Then it is no longer in the dictionary",
          parameters: CONFIRM,
          responses: { 202: object({ id: { type: "string" }, isEmptying: { const: true } }) },
          errors: [404, 409, 422],
        },
        async handle(request, { principal }) {
          const { living, converter } = changeable(parts);
          const { confirm } = readParameters<{ confirm: string }>(request.query, CONFIRM);
          const { dataPackage, store } = living.served();
          const { id } = request.params as { id: string };
          const part = retiredParts(dataPackage).find((one) => one.id === id);
          if (!part) {
            if (!JSON.stringify(dataPackage).includes(`"id":${JSON.stringify(id)}`))
              throw httpErrors.notFound("Nothing in the dictionary has this id.");
            throw httpErrors.dictionaryRefused("It is not retired, or it is being converted. Only what is retired is emptied.");
          }
          if (confirm !== nameOf(part))
            throw httpErrors.validation([
              { parameter: "confirm", code: "BAD_PARAMETER", detail: `confirm must be "${nameOf(part)}", the name of what is emptied.` },
            ]);
          const [mistake] = mistakesIn(withoutRetired(dataPackage, id));
          if (mistake) throw httpErrors.dictionaryRefused(`Without it the dictionary has a mistake: ${mistake.message}.`);
          await store.emptyings.putEmptying(emptyingOf(part, principal));
          converter.wake("");
          logSecurityEvent(request, "dictionary emptied", { principal, target: pathOf(part) });
          return jsonAnswer(202, { id, isEmptying: true }, NO_STORE);
        },
      },
    },
  ];
}

const CONFIRM = { confirm: { ...text(63), meaning: "The name of the field or collection, again." } };

function nameOf({ resource, field }: Retired): string {
  return (field ?? resource).name;
}

function pathOf({ resource, field }: Retired): string {
  return field ? `${resource.name}.${field.name}` : resource.name;
}

function countOf(store: Store, collections: readonly Collection[], { resource, field }: Retired): Promise<number> {
  const collection = collections.find(({ name }) => name === resource.name) as Collection;
  const filters = field ? [{ name: field.name, operator: "ne" as const, values: [null] }] : [];
  return store.count(collection, { words: [], filters }).catch((error) => {
    if (error instanceof StoreOutdated) return 0; // it has just gone
    throw error;
  });
}

/** Says when and by whom each was retired: by the first of the versions, seen from the newest, that all have it retired. */
async function sinceWhen(store: Store, parts: readonly Retired[]): Promise<Map<string, Pick<RetiredPart, "at" | "by">>> {
  const since = new Map<string, Pick<RetiredPart, "at" | "by">>();
  const open = new Set(parts.map(({ id }) => id));
  for (const { version, at, by } of await store.versions.listVersions(LAST_VERSION, MOST_VERSIONS)) {
    if (open.size === 0) break;
    const kept = await store.versions.readVersion(version);
    const retired = new Set(retiredParts(kept && JSON.parse(kept.text)).map(({ id }) => id));
    for (const id of open) {
      if (retired.has(id)) since.set(id, { at: new Date(at).toISOString(), by });
      else open.delete(id);
    }
  }
  return since;
}
