// Says which records have given values of what is unique.

import { lookupPath, MOST_LOOKUP_VALUES } from "../../core/contract/lookup.ts";
import { API_ROOT } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { currentName } from "../../core/dictionary/column-name.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { type Unique, uniquesOf, uniqueValue } from "../../core/dictionary/unique-keys.ts";
import { isProblem, valueOfKind } from "../../core/dictionary/validate.ts";
import type { Store } from "../engine/store.ts";
import { named, object } from "../http/json-schemas.ts";
import { type FieldReader, readFields } from "../http/read-fields.ts";
import { jsonAnswer, NO_STORE, showing } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";

const values: FieldReader<unknown[]> = (given) =>
  Array.isArray(given) && given.length > 0 && given.length <= MOST_LOOKUP_VALUES
    ? { value: given }
    : { problem: `values must be a list of 1 to ${MOST_LOOKUP_VALUES} values.` };

/** `collection`: as the caller knows it. */
export function lookupRoute(collection: Collection, store: Store): Route {
  const { name, title, key } = collection;
  const all: Unique[] = [{ name: key.name, fields: [key] }, ...uniquesOf(collection)];
  const field: FieldReader<Unique> = (given) => {
    const names = String(given)
      .split(",")
      .map((one) => currentName(collection, one) ?? one);
    const value = all.find((one) => one.name === names.join());
    return value ? { value } : { problem: `field must be what is unique: ${all.map((one) => one.name).join("; ")}.` };
  };
  return {
    url: API_ROOT + lookupPath(name),
    POST: {
      scope: `${name}:read`,
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: `look_up_${name}`,
        summary: `${title}: the keys of those that have one of these values, also of those into which a record with it was merged`,
        body: {
          ...object({ field: { enum: all.map((one) => one.name) }, values: named("IntakeUniqueValues") }),
          additionalProperties: false,
        },
        responses: { 200: named("IntakeLookup") },
        errors: [422],
      },
      async handle(request) {
        const asked = readFields(request.body, { field, values });
        const { field: unique } = asked;
        const read = asked.values.map((given) => readValue(unique, given));
        const known = new Set(read.filter((value) => value !== undefined));
        const holders = await store.findHolders(collection, unique.name, [...known]);
        const found = asked.values.flatMap((value, i) => {
          const holder = holders.get(read[i] ?? "");
          return holder ? [{ value, ...holder }] : [];
        });
        return showing(jsonAnswer(200, { found }, NO_STORE), () => [{ collection: name, ids: found.map(({ id }) => id) }]);
      },
    },
  };
}

/** Reads a value whatever the rules of its field are, which may be narrower than what is stored. Undefined: no record has such a value. */
function readValue(unique: Unique, given: unknown): Value | undefined {
  const { fields } = unique;
  const several: readonly unknown[] = fields.length === 1 ? [given] : Array.isArray(given) && given.length === fields.length ? given : [];
  const read = fields.map((one, i) => [one.name, valueOfKind(one, several[i], "json")] as const);
  return read.some(([, value]) => isProblem(value)) ? undefined : (uniqueValue(unique, Object.fromEntries(read)) ?? undefined);
}
